/**
 * What each entry starts, and what it makes of what its program tells. The payloads are those of the real programs
 * (codex 0.169.0, gemini 0.61.0, opencode 1.18.33); aider is stood in for by a small program that does what its documents say.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packageRoot, waitUntil } from '../../../../../test/help/programs.ts';
import { tempFolder } from '../../../../../test/help/repositories.ts';
import {
  type AgentBench,
  closeAgentBench,
  openAgentBench,
  requestFor,
  spoken,
  startLive,
  tell,
  untilStatus,
} from '../../../../../test/help/terminal-agents.ts';
import { silentLog } from '../../../log/log.ts';
import type { ScreenText } from '../../../terminals/contract.ts';
import { statusOf, typeInto } from '../../../terminals/terminals.ts';
import { entryOf, terminalEntries } from './entries.ts';
import { prepareTerminalAgent } from './prepare.ts';
import type { EntryPlace, TerminalEntry } from './shapes.ts';
import { tellScript } from './tell-script.ts';

vi.setConfig({ testTimeout: 60_000 });

const named = (name: string): TerminalEntry => entryOf({}, name).entry;
const signalOf = (name: string, json: unknown): unknown => named(name).readSignal?.(json);

test.each([
  ['claude', { hook_event_name: 'SessionStart', source: 'startup' }, { kind: 'started' }],
  [
    'claude',
    { hook_event_name: 'UserPromptSubmit', prompt: 'Mo (1):\n\nHi' },
    { kind: 'prompted', text: 'Mo (1):\n\nHi' },
  ],
  ['claude', { hook_event_name: 'Stop', last_assistant_message: 'Done.' }, { kind: 'spoke', text: 'Done.' }],
  ['claude', { hook_event_name: 'StopFailure', error: 'x', last_assistant_message: 'x' }, { kind: 'spoke', text: '' }],
  [
    'claude',
    { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'touch x' } },
    { kind: 'dialog', text: 'May Bash be used: touch x' },
  ],
  [
    'claude',
    {
      hook_event_name: 'PermissionRequest',
      tool_name: 'AskUserQuestion',
      tool_input: { questions: [{ question: 'Red?' }] },
    },
    { kind: 'dialog', text: 'Red?' },
  ],
  ['claude', { hook_event_name: 'PreToolUse' }, undefined],
  ['claude', 'Stop', undefined],
  [
    'codex',
    { type: 'agent-turn-complete', 'input-messages': ['Hi'], 'last-assistant-message': 'Hello.' },
    { kind: 'spoke', text: 'Hello.' },
  ],
  [
    'codex',
    {
      type: 'agent-turn-complete',
      'input-messages': ['Generate a concise, single-line task title of at most 36 characters'],
      'last-assistant-message': 'Greet',
    },
    undefined,
  ],
  ['gemini', { hook_event_name: 'SessionStart', source: 'startup' }, { kind: 'started' }],
  ['gemini', { hook_event_name: 'BeforeAgent', prompt: 'Hi' }, { kind: 'prompted', text: 'Hi' }],
  [
    'gemini',
    { hook_event_name: 'AfterAgent', prompt: 'Hi', prompt_response: 'Hello.' },
    { kind: 'spoke', text: 'Hello.' },
  ],
  [
    'gemini',
    {
      hook_event_name: 'Notification',
      notification_type: 'ToolPermission',
      message: 'Tool Confirm Shell Command requires execution',
      details: { type: 'exec', command: 'touch made' },
    },
    { kind: 'dialog', text: 'Tool Confirm Shell Command requires execution: touch made' },
  ],
  ['opencode', { kind: 'spoke', text: 'Hello.' }, { kind: 'spoke', text: 'Hello.' }],
  ['opencode', { kind: 'other' }, undefined],
  ['aider', { waits: true }, { kind: 'started' }],
  ['aider', [], undefined],
])('what %s tells is read: %#', (name, json, expected) => {
  expect(signalOf(name, json)).toEqual(expected);
});

function screenOf(...lines: string[]): ScreenText {
  const cursorLine = lines.length - 1;
  const cursorColumn = lines[cursorLine]!.length;
  return { lines, cursorLine, cursorColumn, firstVisible: 0, isAlternate: false, takesPaste: true };
}

const rule = '─'.repeat(120);
test.each([
  ['gemini', 'idle', [rule, ' YOLO Ctrl+Y', ' *   Type your message or @path/to/file', ' workspace']],
  [
    'gemini',
    'idle',
    ['✦ Hello.', rule, ' Shift+Tab to accept edits', '', ' >   Type your message or @path/to/file', '', ' workspace'],
  ],
  ['gemini', 'busy', [' ⠸ Thinking... (esc to cancel, 1s)', rule, '', ' >   Type your message or @path/to/file', '']],
  [
    'gemini',
    'Allow execution of [Shell]?',
    [
      '✦ Calling.',
      '│ ? Shell  touch made',
      '│ Allow execution of [Shell]?  │',
      '│ ● 1. Allow once │',
      '│   2. No (esc) │',
      '╰──╯',
    ],
  ],
  [
    'codex',
    'idle',
    ['• Hello.', '› Ask Codex to do anything', '  fake-model default · /tmp', '  ← for agents · ? for shortcuts'],
  ],
  ['codex', 'busy', ['• Working (2s • esc to interrupt)', '› Ask Codex to do anything', '  ? for shortcuts']],
  ['codex', '/tmp/cwd', ['/tmp/cwd', '› 1. Open restricted', '  2. Back', '  enter continue · esc back']],
  ['opencode', 'idle', ['  ┃  Build · rehearsal', '  ╹▀▀▀▀', '  /tmp   tab agents  ctrl+p commands']],
  ['opencode', 'busy', ['  ┃  Build · rehearsal', '  ╹▀▀▀▀', '  ⬝⬝⬝  esc interrupt   tab agents  ctrl+p commands']],
  ['aider', 'idle', ['Tokens: 12 sent, 4 received.', '> ']],
  ['aider', 'idle', ['architect> ']],
  ['aider', "Add file? (Y)es/(N)o/(D)on't ask again [Yes]:", ["Add file? (Y)es/(N)o/(D)on't ask again [Yes]: "]],
  ['shell', 'busy', ['$ sleep 5', '']],
])('on a screen of %s it is %s', (name, expected, lines) => {
  const { isIdle, isBusy, dialogOf } = named(name).manner;
  const screen = screenOf(...lines);
  const asked = dialogOf?.(screen);
  expect(asked ?? (isBusy?.(screen) === true ? 'busy' : isIdle?.(screen) === true ? 'idle' : 'nothing')).toBe(expected);
});

const place: EntryPlace = {
  cwd: '/work',
  configDir: '/own/config',
  tmpDir: '/own/tmp',
  model: { baseUrl: 'http://127.0.0.1:4711', token: 'gh-the-token-of-the-gateway', model: 'a-model' },
  mcpUrl: 'http://127.0.0.1:4747/mcp',
  variables: ['OPENAI_API_KEY', 'GEMINI_API_KEY'],
  permissions: 'free',
  maxRetries: 2,
};

describe('what is started', () => {
  test.each(terminalEntries({}).map(({ entry }) => entry))(
    'of $name no file holds a key, and none lies outside',
    (entry) => {
      for (const permissions of ['free', 'ask', 'none'] as const) {
        const { files, args } = entry.start({ ...place, permissions });
        for (const { path, text } of files) {
          expect(path).toMatch(/^[\w.-]+(?:\/[\w.-]+)*$/);
          expect(path).not.toContain('..');
          expect(text).not.toContain('gh-the-token');
          if (path.endsWith('.json')) JSON.parse(text);
        }
        expect(args.join(' ')).not.toContain('gh-the-token');
      }
    },
  );

  test('an agent acts unasked in a sandbox alone, and is asked or refused outside', () => {
    const wordsOf = (name: string, permissions: EntryPlace['permissions']): string => {
      const { args, files } = named(name).start({ ...place, permissions });
      return [...args, ...files.map(({ text }) => text)].join('\n');
    };
    expect(wordsOf('claude', 'free')).toContain('"Bash"');
    expect(wordsOf('claude', 'ask')).toMatch(/--permission-mode\nmanual/);
    expect(wordsOf('claude', 'none')).toMatch(/--permission-mode\ndontAsk/);
    expect(wordsOf('claude', 'none')).not.toContain('"Bash"');
    expect(wordsOf('codex', 'ask')).toContain('approval_policy = "on-request"');
    expect(wordsOf('codex', 'none')).toMatch(/sandbox_mode = "read-only"[^]*trust_level = "untrusted"/);
    expect(wordsOf('gemini', 'none')).toMatch(/--approval-mode\nplan/);
    expect(wordsOf('opencode', 'none')).toContain('"bash": "deny"');
    expect(wordsOf('aider', 'none')).toContain('--dry-run');
  });

  test('the person’s own: another program for a ready one, one like it, any other', () => {
    const own = {
      claude: { command: ['/opt/claude'] as [string] },
      mine: { command: ['my-agent', '--quick'] as [string, string], like: 'codex', variables: ['OPENAI_API_KEY'] },
      plain: { command: ['top'] as [string] },
    };
    expect(terminalEntries(own).map(({ entry }) => entry.name)).toEqual([
      'claude',
      'codex',
      'gemini',
      'opencode',
      'aider',
      'shell',
      'mine',
      'plain',
    ]);
    expect(entryOf(own, 'claude').settings.command).toEqual(['/opt/claude']);
    expect(entryOf(own, 'mine').entry).toMatchObject({ name: 'mine', isAgent: true, manner: { name: 'codex' } });
    expect(entryOf(own, 'plain').entry).toMatchObject({ isAgent: false, manner: { name: 'any' } });
    expect(entryOf(own, null).entry.name).toBe('any');
  });
});

describe('the script of every hook', () => {
  async function told(args: string[], input: string): Promise<string[]> {
    const folder = await tempFolder();
    mkdirSync(join(folder, 'signals'));
    const env = { PATH: process.env['PATH'], GUILD_HALL_SIGNALS: join(folder, 'signals') };
    execFileSync('sh', ['-c', `${tellScript}`, 'sh', ...args], { input, env });
    const names = readdirSync(join(folder, 'signals'));
    expect(names).toEqual([expect.stringMatching(/^\d{19}-\d+\.json$/)]);
    return names.map((name) => readFileSync(join(folder, 'signals', name), 'utf8'));
  }

  test.each(['{"a":"$(touch x) `y` \'"}', '-n', '', '\\n%s "quoted" ünï'])(
    'takes nothing for words of its own: %j',
    async (text) => {
      expect(await told([], text)).toEqual([text]);
      expect(await told([text], 'not this')).toEqual([text]);
    },
  );

  test('writes no more than two megabytes', async () => {
    const [kept] = await told([], 'x'.repeat(2_500_000));
    expect(kept).toHaveLength(2_000_000);
  });
});

describe('in a real terminal', () => {
  let bench: AgentBench;
  beforeAll(async () => {
    bench = await openAgentBench();
  });
  afterAll(async () => closeAgentBench(bench));

  test('a program as aider: its answer is heard between two prompts, its question holds', async () => {
    const program = join(packageRoot, 'test/fixtures/terminals/aider-like.mjs');
    const command: [string, string] = [process.execPath, program];
    const agent = await startLive(bench, named('aider'), { unsandboxed: true }, { command });
    await untilStatus(bench, agent, 'idle');
    expect(await tell(bench, agent, 'Mo (1): hello')).toMatchObject({ state: 'delivered' });
    await waitUntil(() => spoken(bench, agent).length > 0);
    expect(spoken(bench, agent)).toEqual(['You said 13 characters.']);
    await typeInto(bench.hall.terminals, agent.id, '/add\r');
    await untilStatus(bench, agent, 'dialog');
    expect(statusOf(bench.hall.terminals, agent.id).question).toMatch(/^Add file to the chat\?/);
  });

  test('the shell of the person: what a command prints is heard', async () => {
    const agent = await startLive(bench, named('shell'), {}, { command: ['sh'] });
    expect(agent.prepared.sandbox).toEqual({ kind: 'none', reason: 'Only agents run in one.' });
    await untilStatus(bench, agent, 'idle');
    await tell(bench, agent, 'printf "%s\\n" one two');
    await waitUntil(() => spoken(bench, agent).length > 0);
    expect(spoken(bench, agent)).toEqual(['one\ntwo']);
  });

  test('what is not there is said with what to do; a shell that nobody attends is sandboxed', async () => {
    const ctx = { log: silentLog };
    const prepare = async (name: string, more: Parameters<typeof requestFor>[1], own = {}) => {
      const chosen = entryOf({ [name]: own }, name);
      return prepareTerminalAgent(ctx, bench.parts, chosen, requestFor(bench, more));
    };
    await expect(prepare('codex', {}, { command: ['no-such-program'] })).rejects.toMatchObject({
      code: 'not_found',
      message: 'The program of "codex" (Codex CLI) is not on this machine: no-such-program',
    });
    await expect(prepare('any', { command: ['no-such-program'] })).rejects.toMatchObject({ code: 'not_found' });
    const shell = await prepare('shell', { isAttended: false }, { command: ['sh'] });
    expect(shell.sandbox.kind).toBe('bubblewrap');
    expect(shell.request.env['HOME']).toContain('/config');
    await shell.leave();
  });
});
