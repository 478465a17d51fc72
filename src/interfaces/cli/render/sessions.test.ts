import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { AgentMessage, SessionView } from '../../../features/sessions/contract.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { nextSteps } from './session-next.ts';
import { howToAnswer } from './session-parts.ts';
import { sessionRenderers } from './sessions.ts';

function plainTerminal(): Terminal {
  const stream = new Writable({ write: (_piece, _encoding, done) => done() });
  return createTerminal({ out: stream, err: stream }, {});
}

const session = { id: 'codex-1-k3f9', project: 'tally', agent: 'codex' } as SessionView['session'];

type Offered = Pick<AgentMessage, 'seq' | 'parts' | 'state'>;

function answer(text: string, state: AgentMessage['state'] = 'done'): Offered {
  return { seq: 7, state, parts: [{ type: 'text', text }] };
}

function stepsIn(message: Offered): string {
  return nextSteps(message, session, plainTerminal());
}

function blockOf(value: unknown): string {
  return `Done.\n\n\`\`\`conclave:next\n${JSON.stringify(value)}\n\`\`\`\n`;
}

const step = { label: 'Write the use cases', command: '/req voice', metaContext: 'voice' };

test('a step is a command that can be pasted: it presses the button of that answer [UC-1.2]', () => {
  expect(stepsIn(answer(blockOf(step)))).toBe(
    `Next step, “Write the use cases”:
  guild-hall next --project tally --context voice --label 'Write the use cases' --block '{"sessionId":"codex-1-k3f9","message":7,"position":0}' '/req voice'
`,
  );
});

test('whatever an agent wrote into a step, a shell takes it as words', () => {
  const hostile = { ...step, metaContext: "x'; rm -rf ~; '", label: '$(id) `id`', command: '/req a\u001b[2K;b' };
  const [, command = ''] = stepsIn(answer(blockOf(hostile))).split('\n');
  // What is not shown as it stands is not what the button says: then the agent alone is told.
  expect(command.trim()).toBe(
    String.raw`guild-hall next --project tally --context 'x'\''; rm -rf ~; '\''' --label '$(id) ${'`id`'}' --agent codex '/req a[2K;b'`,
  );
});

test('steps are found as buttons are: in lists and longer fences, by their place, not where one is quoted [UC-4.6]', () => {
  const fenced = (label: string, fence = '```'): string =>
    `${fence}conclave:next\n${JSON.stringify({ ...step, label })}\n${fence}`;
  const quoted = `\`\`\`\`markdown\n${fenced('Quoted')}\n\`\`\`\``;
  const inList = `- so:\n\n  ${fenced('A').replaceAll('\n', '\n  ')}`;
  const parts: AgentMessage['parts'] = [
    { type: 'text', text: `${quoted}\n\n\`\`\`conclave:usecase\n{}\n\`\`\`\n\n${inList}` },
    { type: 'thought', text: fenced('Thought') },
    { type: 'text', text: fenced('B', '`````') },
  ];
  const told = stepsIn({ seq: 7, state: 'done', parts });
  expect([...told.matchAll(/“(.*)”|"position":(\d)/g)].map(([, label, at]) => label ?? at)).toEqual([
    'A',
    '1',
    'B',
    '2',
  ]);
});

test('an answer that is made to cost minutes costs little', () => {
  const hostile = ['```conclave:next\n'.repeat(60_000), '_a**'.repeat(20_000), '>'.repeat(4000)];
  // Without care one of them takes longer than a test may.
  for (const words of hostile) expect(stepsIn(answer(`conclave:\n${words}`))).toBe('');
});

test.each([
  ['an answer that grows', answer(blockOf(step), 'running')],
  ['a block without a context', answer(blockOf({ ...step, metaContext: '' }))],
  ['a block that is no JSON', answer('```conclave:next\n{oops\n```')],
  ['an answer without one', answer('Done.')],
])('%s offers no step', (_what, message) => {
  expect(stepsIn(message)).toBe('');
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
  const shown = {
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
  const view = { session: shown, earlier: 4, cursor: '1' } as unknown as SessionView;
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

test('ids that an agent made up reach a terminal as words, and a shell as one word that can be typed', () => {
  const options = [
    { id: 'a b;$(id)', name: 'Yes', kind: 'allow_once' },
    { id: 'x\u001b[2K\nrm', name: 'Always', kind: 'allow_always' },
    { id: '--json', name: 'No', kind: 'reject_once' },
    { id: 'n'.repeat(201), name: 'Never', kind: 'reject_always' },
  ] as const;
  expect(howToAnswer('s', { requestId: 'q-1', options }, true, plainTerminal())).toBe(
    `  guild-hall session answer s 'a b;$(id)'  Yes
  guild-hall session answer s allow        Always
  guild-hall session answer s refuse       No
  guild-hall session answer s refuse       Never
`,
  );
  const choices = [{ id: 'mo\u001b[2Kde', name: 'Mode', kind: 'mode', current: 'a\nb', options: [{ id: 'a\u001bb' }] }];
  const chosen = sessionRenderers['session.choose'] as (output: unknown, term: Terminal) => string;
  expect(chosen({ id: 's', choices }, plainTerminal())).toBe(
    `✓ Chosen for s; it counts from the next turn on at the latest.
choice   now  may be
mo[2Kde  a b  ab
`,
  );
});

test('of questions that wait together each is told with its own id', () => {
  const options = [{ id: 'allow', name: 'Allow', kind: 'allow_once' }];
  const asked = (requestId: string) => ({ type: 'permission', requestId, title: requestId, options, outcome: null });
  const parts = [asked('q-a'), asked('q-b')];
  const messages = [{ role: 'agent', seq: 1, at: '2026-11-22T10:00:00.000Z', parts, state: 'running', error: null }];
  const facts = {
    id: 'codex-1-k3f9',
    title: '',
    agent: 'codex',
    project: 'tally',
    folder: '/tally',
    metaContext: null,
  };
  const view = { session: { ...facts, choices: [], changedFiles: [], plan: [], usage: null, messages } };
  const render = sessionRenderers['session.show'] as (output: unknown, term: Terminal) => string;
  expect(render({ ...view, earlier: 0 }, plainTerminal())).toContain(`? q-a: waits for you
  guild-hall session answer codex-1-k3f9 --request q-a allow  Allow
? q-b: waits for you
  guild-hall session answer codex-1-k3f9 --request q-b allow  Allow
`);
});
