import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideToolCall, type GateRules } from './gate.ts';

let folder: string;
let root: string;
const tools = new Set([
  'Read',
  'Grep',
  'Glob',
  'Write',
  'Edit',
  'NotebookEdit',
  'Bash',
  'Monitor',
  'Agent',
  'TodoWrite',
  'WebFetch',
  'mcp__hall__note',
]);
const noSandbox: GateRules['sandbox'] = { kind: 'none', hint: 'sudo make-one', network: 'full' };
const rules = (write: boolean, sandbox = noSandbox): GateRules => ({
  access: { root, write },
  cwd: root,
  tools,
  sandbox,
});

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gate-')));
  root = join(folder, 'root');
  mkdirSync(join(root, 'sub/.git'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(folder, 'rootless'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'plain.txt'), 'plain');
  symlinkSync('../secret.txt', join(root, 'out.txt'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('../not-there.txt', join(root, 'dangling.txt'));
  symlinkSync('plain.txt', join(root, 'within.txt'));
  symlinkSync('.git', join(root, 'alias'));
  symlinkSync('loop', join(root, 'loop'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function isAllowed(tool: string, input: unknown, write = true): Promise<boolean> {
  return (await decideToolCall(rules(write), tool, input)).allowed;
}

describe('what the gate lets through', () => {
  test.each([
    ['Read', () => ({ file_path: join(root, 'plain.txt') })],
    ['Read', () => ({ file_path: 'plain.txt' })],
    ['Read', () => ({ file_path: join(root, 'within.txt') })],
    ['Read', () => ({ file_path: join(root, '.git/config') })],
    ['Read', () => ({ file_path: join(root, '..strange/name') })],
    ['Grep', () => ({ pattern: '/etc/passwd' })],
    ['Grep', () => ({ pattern: 'x', path: root, glob: '**/*.{ts,md}' })],
    ['Glob', () => ({ pattern: 'src/**/*.ts' })],
    ['Write', () => ({ file_path: join(root, 'new/deep/file.md'), content: '' })],
    ['Edit', () => ({ file_path: join(root, '.gitignore') })],
    ['NotebookEdit', () => ({ notebook_path: join(root, 'a.ipynb') })],
    ['TodoWrite', () => ({ todos: [] })],
    ['mcp__hall__note', () => ({ anything: '/etc/passwd' })],
  ])('%s %#', async (tool, input) => {
    expect(await isAllowed(tool, input())).toBe(true);
  });
});

describe('what the gate denies [SEC-PATHS]', () => {
  test.each([
    ['above the root', 'Read', () => ({ file_path: join(root, '../secret.txt') })],
    ['a name that begins like the root', 'Read', () => ({ file_path: `${root}less/x` })],
    ['absolute elsewhere', 'Read', () => ({ file_path: '/etc/passwd' })],
    ['a link to a file outside', 'Read', () => ({ file_path: join(root, 'out.txt') })],
    ['through a link to a folder outside', 'Read', () => ({ file_path: join(root, 'up/secret.txt') })],
    ['a link in a circle', 'Read', () => ({ file_path: join(root, 'loop') })],
    ['a path that the tool would trim', 'Read', () => ({ file_path: ' /etc/passwd' })],
    ['the home', 'Read', () => ({ file_path: '~/x' })],
    ['a null byte', 'Read', () => ({ file_path: 'plain.txt\0' })],
    ['no string', 'Read', () => ({ file_path: 5 })],
    ['an empty path', 'Read', () => ({ file_path: '' })],
    ['a search above', 'Grep', () => ({ pattern: 'x', path: '..' })],
    ['a search through a link', 'Grep', () => ({ pattern: 'x', path: 'up' })],
    ['an upward filter', 'Grep', () => ({ pattern: 'x', glob: '../*' })],
    ['an absolute pattern', 'Glob', () => ({ pattern: '/etc/*' })],
    ['an upward pattern', 'Glob', () => ({ pattern: 'a/../../*' })],
    ['an upward pattern in braces', 'Glob', () => ({ pattern: '{..,x}/*' })],
    ['an absolute pattern in braces', 'Glob', () => ({ pattern: '{/etc,x}/*' })],
    ['a write through a link that leads nowhere', 'Write', () => ({ file_path: join(root, 'dangling.txt') })],
    ['a write outside', 'Write', () => ({ file_path: join(folder, 'new.txt') })],
    ['a write to .git', 'Write', () => ({ file_path: join(root, '.git/hooks/pre-commit') })],
    ['a write to the file .git', 'Write', () => ({ file_path: join(root, 'new/.git') })],
    ['a write to .GIT, which is the same on some disks', 'Write', () => ({ file_path: join(root, '.GIT/config') })],
    ['a write to .git below', 'Edit', () => ({ file_path: join(root, 'sub/.git/config') })],
    ['a write to .git by another name', 'Edit', () => ({ file_path: join(root, 'alias/config') })],
    ['a shell', 'Bash', () => ({ command: 'ls' })],
    ['a shell by another name', 'Monitor', () => ({ command: 'ls' })],
    ['a tool that nobody watches', 'Agent', () => ({ prompt: 'x' })],
    ['a tool that was not given', 'WebSearch', () => ({ query: 'x' })],
    ['a hall tool that was not given', 'mcp__hall__other', () => ({})],
  ])('%s (%s)', async (_what, tool, input) => {
    expect(await isAllowed(tool, input())).toBe(false);
  });

  test('every write when the worker may only read', async () => {
    for (const tool of ['Write', 'Edit'])
      expect(await isAllowed(tool, { file_path: join(root, 'plain.txt') }, false)).toBe(false);
    expect(await isAllowed('NotebookEdit', { notebook_path: join(root, 'a.ipynb') }, false)).toBe(false);
    expect(await isAllowed('Read', { file_path: join(root, 'plain.txt') }, false)).toBe(true);
  });

  test('with a reason that says what is allowed', async () => {
    const answer = await decideToolCall(rules(true), 'Read', { file_path: '/etc/passwd' });
    expect(answer).toEqual({
      allowed: false,
      reason: `/etc/passwd is outside ${root}. This worker may only touch what is below that folder.`,
    });
    expect(await decideToolCall(rules(true), 'Bash', {})).toMatchObject({
      reason: expect.stringMatching(/need a sandbox.*sudo make-one/),
    });
  });
});

describe('in a sandbox', () => {
  const inside: GateRules['sandbox'] = { kind: 'bubblewrap', hint: '', network: 'full' };
  const answerOf = async (tool: string, input: unknown, network: 'full' | 'model-only' = 'full') =>
    decideToolCall(rules(true, { ...inside, network }), tool, input);

  test('there is a shell, also for one who may only read; nothing of it stays behind [SEC-SANDBOX-SHELL]', async () => {
    expect(await answerOf('Bash', { command: 'ls' })).toEqual({ allowed: true });
    expect(await answerOf('Bash', { command: 'ls', run_in_background: false })).toEqual({ allowed: true });
    expect((await decideToolCall(rules(false, inside), 'Bash', { command: 'ls' })).allowed).toBe(true);
    for (const run_in_background of [true, 'yes', 1])
      expect((await answerOf('Bash', { command: 'ls', run_in_background })).allowed).toBe(false);
    expect((await answerOf('Monitor', { command: 'ls' })).allowed).toBe(false);
  });

  test('file tools stay below the root, as without', async () => {
    expect((await answerOf('Read', { file_path: '/etc/passwd' })).allowed).toBe(false);
    expect((await answerOf('Write', { file_path: join(root, '.git/config') })).allowed).toBe(false);
  });

  test('the web is denied where the network is for the model only', async () => {
    expect(await answerOf('WebFetch', { url: 'https://example.org' })).toEqual({ allowed: true });
    expect(await answerOf('WebFetch', { url: 'https://example.org' }, 'model-only')).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('model-only'),
    });
  });
});

test('[CNC-RES-10] what is hidden is not looked into, by whatever name; what lies beside it is', async () => {
  symlinkSync('sub', join(root, 'other'));
  const hiding: GateRules = { ...rules(false), access: { root, write: false, hidden: [join(root, 'sub')] } };
  for (const path of ['sub', 'sub/a', 'other/a', join(root, 'sub')])
    expect(
      (await decideToolCall(hiding, path === 'sub' ? 'Grep' : 'Read', { pattern: 'x', path, file_path: path })).allowed,
    ).toBe(false);
  expect((await decideToolCall(hiding, 'Read', { file_path: 'subordinate.txt' })).allowed).toBe(true);
  rmSync(join(root, 'other'));
});

test('a root that is itself reached by a link is meant by its real place', async () => {
  const link = join(folder, 'link-to-root');
  rmSync(link, { force: true });
  symlinkSync('root', link);
  const through = { access: { root: link, write: true }, cwd: link, tools, sandbox: noSandbox };
  expect((await decideToolCall(through, 'Read', { file_path: join(link, 'plain.txt') })).allowed).toBe(true);
  expect((await decideToolCall(through, 'Read', { file_path: join(link, 'out.txt') })).allowed).toBe(false);
});
