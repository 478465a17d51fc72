import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { AgentMessage, SessionView } from '../../../features/sessions/contract.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { nextSteps } from './session-next.ts';
import { sessionRenderers } from './sessions.ts';

function plainTerminal(): Terminal {
  const stream = new Writable({ write: (_piece, _encoding, done) => done() });
  return createTerminal({ out: stream, err: stream }, {});
}

function answer(text: string, state: AgentMessage['state'] = 'done'): Pick<AgentMessage, 'parts' | 'state'> {
  return { state, parts: [{ type: 'text', text }] };
}

function blockOf(value: unknown): string {
  return `Done.\n\n\`\`\`conclave:next\n${JSON.stringify(value)}\n\`\`\`\n`;
}

const step = { label: 'Write the use cases', command: '/req voice', metaContext: 'voice' };

test('a step is a command that can be pasted', () => {
  expect(nextSteps(answer(blockOf(step)), 'tally', plainTerminal())).toBe(
    "Next step, “Write the use cases”:\n  guild-hall next --project tally --context voice --label 'Write the use cases' '/req voice'\n",
  );
});

test('whatever an agent wrote into a step, a shell takes it as words', () => {
  const hostile = { ...step, metaContext: "x'; rm -rf ~; '", label: '$(id) `id`', command: '/req a\u001b[2K;b' };
  const [, command = ''] = nextSteps(answer(blockOf(hostile)), 'tally', plainTerminal()).split('\n');
  expect(command.trim()).toBe(
    String.raw`guild-hall next --project tally --context 'x'\''; rm -rf ~; '\''' --label '$(id) ${'`id`'}' '/req a[2K;b'`,
  );
});

test.each([
  ['an answer that grows', answer(blockOf(step), 'running')],
  ['a block without a context', answer(blockOf({ ...step, metaContext: '' }))],
  ['a block that is no JSON', answer('```conclave:next\n{oops\n```')],
  ['an answer without one', answer('Done.')],
])('%s offers no step', (_what, message) => {
  expect(nextSteps(message, 'tally', plainTerminal())).toBe('');
});

test('a session is shown with its question, how it is answered, and no control characters of the agent', () => {
  const options = [
    { id: 'allow', name: 'Allow', kind: 'allow_once' },
    { id: 'refuse', name: 'Refuse', kind: 'reject_once' },
  ];
  const asked = {
    type: 'permission',
    requestId: 'r',
    callId: 'c',
    name: 'Bash',
    title: 'rm\u001b[2K it',
    input: {},
    diffs: [],
  };
  const running = {
    role: 'agent',
    seq: 3,
    at: '2026-11-22T10:00:00.000Z',
    promptId: 'p-1',
    parts: [
      { type: 'text', text: 'I \u001b[31mlook.' },
      {
        type: 'tool',
        callId: 'c',
        name: 'Bash',
        title: 'ls',
        kind: 'execute',
        input: {},
        state: 'failed',
        output: '',
        summary: 'no',
        diffs: [],
      },
      { ...asked, options, outcome: null },
    ],
    state: 'running',
    error: null,
    retry: null,
    usage: null,
    renewed: false,
    endedAt: null,
  };
  const said = { role: 'person', seq: 2, at: running.at, promptId: 'p-1', text: 'Go.', images: [], state: 'sent' };
  const queued = { ...said, seq: 9, promptId: 'p-2', text: 'Later.', state: 'queued' };
  const session = {
    id: 'claude-1-k3f9',
    project: 'tally',
    agent: 'claude',
    folder: '/home/me/tally',
    title: 'Tabs',
    metaContext: { id: 'v', name: 'voice' },
    messages: [said, running, queued],
    plan: [{ text: 'Look', status: 'in_progress' }],
    choices: [
      {
        id: 'mode',
        name: 'Mode',
        kind: 'mode',
        current: 'ask',
        options: [{ id: 'ask', name: 'Ask first', description: '' }],
      },
    ],
    usage: null,
    changedFiles: ['/home/me/tally/src/a.ts', 'b.ts'],
    isClosed: false,
  };
  const view = { session, earlier: 4, cursor: '1' } as unknown as SessionView;
  const render = sessionRenderers['session.show'] as (output: unknown, term: Terminal) => string;
  expect(render(view, plainTerminal())).toBe(`Tabs
claude-1-k3f9

agent     claude
project   tally
folder    /home/me/tally
context   voice
mode      Ask first
changed   src/a.ts, b.ts
plan      ● Look

… 4 earlier: guild-hall session messages claude-1-k3f9 2

You 2026-11-22 10:00
Go.

claude 2026-11-22 10:00 · running
I [31mlook.
· ls
  Bash failed: no
? rm[2K it: waits for you
  guild-hall session answer claude-1-k3f9 allow   Allow
  guild-hall session answer claude-1-k3f9 refuse  Refuse

You 2026-11-22 10:00 · waits (p-2)
Later.
`);
});
