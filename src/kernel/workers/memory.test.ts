import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '../agents/tools.ts';
import { systemClock, systemIds } from '../clock/clock.ts';
import { createLocks } from '../locks/locks.ts';
import { homePaths } from '../projects/home.ts';
import type { ProjectName, WorkerName } from '../pure/ids.ts';
import { readInjectedMemory } from './injection.ts';
import { createMemoryTools } from './memory-tools.ts';
import { changeMemory, type MemoryContext, type MemoryOwner, maxMemoryBytes } from './memory.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'memory-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** A context of its own each time, as another process would have. */
const contextOf = (): MemoryContext => ({
  clock: systemClock,
  ids: systemIds,
  locks: createLocks(),
  home: homePaths(root),
});
const ownerOf = (worker = 'developer', project = 'shop'): MemoryOwner => ({
  worker: worker as WorkerName,
  project: project as ProjectName,
});
const toolsOf = (owner = ownerOf()): Tool[] => createMemoryTools(contextOf(), owner);

async function call(tools: readonly Tool[], name: string, input: Record<string, unknown>): Promise<string> {
  const tool = tools.find((each) => each.name === name);
  return (await tool!.run(input)).text;
}

const fileOf = (path: string): string => join(root, 'memory', path);
const textOf = (path: string): Promise<string> => readFile(fileOf(path), 'utf8');
async function put(path: string, text: string | Buffer, modified?: Date): Promise<void> {
  await mkdir(dirname(fileOf(path)), { recursive: true });
  await writeFile(fileOf(path), text);
  if (modified) await utimes(fileOf(path), modified, modified);
}

describe('scopes', () => {
  test('each scope is a folder of its own in the home', async () => {
    const tools = toolsOf();
    for (const scope of ['global', 'project', 'worker']) {
      await call(tools, 'write_memory', { scope, name: 'notes', mode: 'append', content: `of ${scope}` });
    }
    expect(await textOf('global/notes.md')).toBe('of global\n');
    expect(await textOf('projects/shop/notes.md')).toBe('of project\n');
    expect(await textOf('workers/developer/notes.md')).toBe('of worker\n');
    expect((await stat(fileOf('global/notes.md'))).mode & 0o777).toBe(0o600);
  });

  test('a worker neither reads, lists nor changes the memory of another worker [MTG-30.4]', async () => {
    const write = { scope: 'worker', name: 'private', mode: 'append', content: 'mine' };
    await call(toolsOf(), 'write_memory', write);
    const other = toolsOf(ownerOf('reviewer'));
    expect(await call(other, 'list_memory', {})).toBe('Nothing is remembered here yet.');
    await expect(call(other, 'read_memory', { scope: 'worker', name: 'private' })).rejects.toThrow(
      /There is no worker memory/,
    );
    await call(other, 'write_memory', { ...write, content: 'theirs' });
    expect(await textOf('workers/developer/private.md')).toBe('mine\n');
    expect((await readInjectedMemory(contextOf(), ownerOf('reviewer'), 8000)).texts.map(({ text }) => text)).toEqual([
      'theirs',
    ]);
  });

  test('what one activity of a worker writes, the other reads next [MTG-30.3]', async () => {
    const [first, second] = [toolsOf(), toolsOf()];
    await call(first, 'write_memory', { scope: 'worker', name: 'notes', mode: 'append', content: 'seen' });
    expect(await call(second, 'read_memory', { scope: 'worker', name: 'notes' })).toBe('seen\n');
  });

  test('project memory stays in its project', async () => {
    await call(toolsOf(), 'write_memory', { scope: 'project', name: 'notes', mode: 'append', content: 'x' });
    const elsewhere = toolsOf(ownerOf('developer', 'blog'));
    expect(await call(elsewhere, 'list_memory', { scope: 'project' })).toBe('Nothing is remembered here yet.');
  });
});

describe('names', () => {
  test.each(['../notes', 'a/b', '/etc/passwd', '..', '.hidden', 'a\\b', 'a\u0000b', 'x'.repeat(80), 'trailing.', ' '])(
    '%j is refused and nothing is made',
    async (name) => {
      const tools = toolsOf();
      for (const scope of ['global', 'worker']) {
        await expect(call(tools, 'read_memory', { scope, name })).rejects.toThrow(/is no name for a memory/);
        const write = { scope, name, mode: 'append', content: 'x' };
        await expect(call(tools, 'write_memory', write)).rejects.toThrow(/is no name for a memory/);
      }
      expect(await readdir(root)).toEqual([]);
    },
  );

  test('a link that leads out of the memory is not followed', async () => {
    await put('global/plain.md', 'x');
    await writeFile(join(root, 'token'), 'secret');
    await symlink(join(root, 'token'), fileOf('global/link.md'));
    const tools = toolsOf();
    await expect(call(tools, 'read_memory', { scope: 'global', name: 'link' })).rejects.toThrow(/symbolic link/);
    const write = { scope: 'global', name: 'link', mode: 'append', content: 'x' };
    await expect(call(tools, 'write_memory', write)).rejects.toThrow(/symbolic link/);
    expect(await readFile(join(root, 'token'), 'utf8')).toBe('secret');
  });

  test('with .md and names in other scripts are fine', async () => {
    const tools = toolsOf();
    await call(tools, 'write_memory', {
      scope: 'global',
      name: 'Notizen für später.md',
      mode: 'append',
      content: 'ja',
    });
    expect(await call(tools, 'read_memory', { scope: 'global', name: 'Notizen für später' })).toBe('ja\n');
  });
});

describe('writing', () => {
  test('forty appends of four writers at once are all kept [SYS-MEMORY, SYS-WRITE-ATOMIC]', async () => {
    const writers = [0, 1, 2, 3].map(() => toolsOf());
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    await Promise.all(
      lines.map((content, index) =>
        call(writers[index % 4]!, 'write_memory', { scope: 'project', name: 'log', mode: 'append', content }),
      ),
    );
    const kept = (await textOf('projects/shop/log.md')).split('\n').filter((line) => line !== '');
    expect(kept.toSorted()).toEqual(lines.toSorted());
    expect(await readdir(homePaths(root).locks)).toEqual([]);
  });

  test('two read-modify-writes at once are both kept [SYS-MEMORY]', async () => {
    const add = (word: string) =>
      changeMemory(contextOf(), ownerOf(), 'global', 'words', (before = '') => `${before}${word}\n`);
    await Promise.all([add('one'), add('two'), add('three')]);
    expect((await textOf('global/words.md')).split('\n').toSorted()).toEqual(['', 'one', 'three', 'two']);
  });

  test('a file written by hand keeps every byte when something is added or one section changed [SYS-READ-HANDS]', async () => {
    const byHand = '---\r\ntags: [a,b]   # mine\r\n---\r\n# Notes\r\n\r\n\ttabs  \r\n\r\n## Build\r\nold\r\n';
    await put('global/notes.md', byHand);
    const tools = toolsOf();
    const write = { scope: 'global', name: 'notes' };
    await call(tools, 'write_memory', { ...write, mode: 'append', content: 'new' });
    expect(await textOf('global/notes.md')).toBe(`${byHand}\r\nnew\r\n`);
    await call(tools, 'read_memory', write);
    await call(tools, 'write_memory', { ...write, mode: 'edit_section', section: 'Build', content: 'make' });
    expect(await textOf('global/notes.md')).toBe(`${byHand.replace('\r\nold\r\n', '\r\n\r\nmake\r\n')}`);
  });

  test('a text is not replaced by a worker that has not read it as it is', async () => {
    await put('global/notes.md', 'by hand\n');
    const tools = toolsOf();
    const replace = { scope: 'global', name: 'notes', mode: 'replace', content: 'short' };
    await expect(call(tools, 'write_memory', replace)).rejects.toThrow(/have not read/);
    await call(tools, 'read_memory', { scope: 'global', name: 'notes' });
    await put('global/notes.md', 'by hand, changed\n');
    await expect(call(tools, 'write_memory', replace)).rejects.toThrow(/changed this text after you read it/);
    expect(await textOf('global/notes.md')).toBe('by hand, changed\n');
    await call(tools, 'read_memory', { scope: 'global', name: 'notes' });
    await call(tools, 'write_memory', replace);
    await call(tools, 'write_memory', { ...replace, content: 'shorter' });
    await call(tools, 'write_memory', { ...replace, mode: 'append', content: 'and more' });
    await call(tools, 'write_memory', { ...replace, content: 'last' });
    expect(await textOf('global/notes.md')).toBe('last\n');
  });

  test('of a section only this section must be as it was read', async () => {
    await put('global/notes.md', '# A\n\na\n\n# B\n\nb\n');
    const tools = toolsOf();
    const edit = { scope: 'global', name: 'notes', mode: 'edit_section', section: 'A', content: 'new a' };
    await call(tools, 'read_memory', { scope: 'global', name: 'notes' });
    await put('global/notes.md', '# A\n\na\n\n# B\n\nother b\n');
    await call(tools, 'write_memory', edit);
    expect(await textOf('global/notes.md')).toBe('# A\n\nnew a\n\n# B\n\nother b\n');
    await put('global/notes.md', '# A\n\nby hand\n');
    await expect(call(tools, 'write_memory', edit)).rejects.toThrow(/changed this text/);
    await expect(call(tools, 'write_memory', { ...edit, section: undefined })).rejects.toThrow(/without a section/);
  });

  test('what looks like a secret is taken out, and the worker is told [SEC-SECRETS]', async () => {
    const content = `the key is ${['ghp_', 'a1B2'.repeat(9)].join('')}`;
    const answer = await call(toolsOf(), 'write_memory', { scope: 'global', name: 'keys', mode: 'append', content });
    expect(answer).toContain('looked like a secret');
    expect(await textOf('global/keys.md')).toBe('the key is [secret removed: GitHub token]\n');
  });

  test('a file that is no text is left as it is', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x41]);
    await put('global/notes.md', bytes);
    const write = { scope: 'global', name: 'notes', mode: 'append', content: 'x' };
    await expect(call(toolsOf(), 'write_memory', write)).rejects.toThrow(/not UTF-8/);
    expect(await readFile(fileOf('global/notes.md'))).toEqual(bytes);
  });
});

describe('a megabyte', () => {
  const line = 'remembered words of some length\n';
  const large = line.repeat(Math.floor(maxMemoryBytes / line.length));

  test('is read in pages that join to the whole, and not replaced before the last page was read', async () => {
    await put('project.md', '');
    await put('projects/shop/large.md', large);
    const tools = toolsOf();
    const input = { scope: 'project', name: 'large' };
    const first = await call(tools, 'read_memory', input);
    expect(first.length).toBeLessThan(31_000);
    expect(first).toMatch(/\[Cut here: \d+ of \d+ characters follow\. Read on with offset 30000\.\]$/);
    const replace = { ...input, mode: 'replace', content: 'short' };
    await expect(call(tools, 'write_memory', replace)).rejects.toThrow(/not read this text to its end/);
    let read = first.replace(/\n\[Cut here.*$/, '');
    for (let offset = 30_000; offset < large.length; offset += 30_000) {
      const page = await call(tools, 'read_memory', { ...input, offset });
      read += page.replace(/^\[From.*\n/, '').replace(/\n\[Cut here.*$/, '');
    }
    expect(read === large).toBe(true);
    await call(tools, 'write_memory', replace);
    expect(await textOf('projects/shop/large.md')).toBe('short\n');
  });

  test('is not exceeded by tool', async () => {
    await put('projects/shop/large.md', large);
    const write = { scope: 'project', name: 'large', mode: 'append', content: 'x'.repeat(100) };
    await expect(call(toolsOf(), 'write_memory', write)).rejects.toThrow(/at most 1000000/);
    expect((await textOf('projects/shop/large.md')).length).toBe(large.length);
  });
});

describe('what a worker begins with', () => {
  const day = (number: number): Date => new Date(Date.UTC(2026, 1, number));

  test('all readable scopes, the most recent first [SYS-MEMORY]', async () => {
    await put('global/a.md', 'oldest', day(1));
    await put('projects/shop/b.md', 'newest', day(3));
    await put('workers/developer/c.md', 'middle', day(2));
    await put('workers/reviewer/d.md', 'not mine', day(4));
    await put('global/empty.md', '', day(5));
    await put('global/.b.md.swp', 'editor', day(5));
    const { texts, left } = await readInjectedMemory(contextOf(), ownerOf(), 8000);
    expect(texts.map(({ text }) => text)).toEqual(['newest', 'middle', 'oldest']);
    expect(left).toEqual([]);
  });

  test('stops at the budget: of what does not fit the end is given, the rest is named [SYS-MEMORY]', async () => {
    await put('global/new.md', 'n'.repeat(1000), day(3));
    await put('global/middle.md', `${'m'.repeat(80)}\n`.repeat(50), day(2));
    await put('global/old.md', 'o'.repeat(2000), day(1));
    const { texts, left } = await readInjectedMemory(contextOf(), ownerOf(), 700);
    expect(texts.map(({ file, isEnd }) => [file.name, isEnd])).toEqual([
      ['new', false],
      ['middle', true],
    ]);
    expect(texts[1]!.text.length).toBeGreaterThan(1500);
    expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2800);
    expect(texts[1]!.text.split('\n').every((each) => each === 'm'.repeat(80))).toBe(true);
    expect(left.map(({ name }) => name)).toEqual(['middle', 'old']);
  });

  test('with a budget of 0 everything is only named', async () => {
    await put('global/a.md', 'x', day(1));
    const { texts, left } = await readInjectedMemory(contextOf(), ownerOf(), 0);
    expect(texts).toEqual([]);
    expect(left.map(({ name }) => name)).toEqual(['a']);
  });
});
