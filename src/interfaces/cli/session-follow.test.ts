/** Following an answer in a session, with a hall that says only what a test lets it say. */
import { expect, test } from 'vitest';
import type { NewSessionEvent, SessionView } from '../../features/sessions/contract.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import type { FollowParts } from './follow.ts';
import type { Prompt } from './prompt.ts';
import { followSaid } from './session-follow.ts';
import { createTerminal } from './terminal.ts';

const id = 'claude-1-k3f9';
const promptId = 'p-mine';

function question(requestId: string): NewSessionEvent {
  const options = [
    { id: 'allow', name: `Allow ${requestId}`, kind: 'allow_once' as const },
    { id: 'refuse', name: 'Refuse', kind: 'reject_once' as const },
  ];
  return {
    type: 'PermissionRequested',
    requestId,
    callId: requestId,
    name: 'Bash',
    title: `run ${requestId}`,
    input: {},
    diffs: [],
    options,
  };
}

const answered = (requestId: string): NewSessionEvent => ({
  type: 'PermissionResolved',
  requestId,
  outcome: { optionId: 'allow' },
});
const began = (of: string): NewSessionEvent => ({ type: 'TurnStarted', promptId: of });
const ended: NewSessionEvent = { type: 'TurnCompleted', promptId, stopReason: 'interrupted', usage: null };

/** What is asked at the terminal, one after the other. */
interface Put {
  readonly question: string;
  readonly signal: AbortSignal;
  readonly type: (word: string | undefined) => void;
}

interface World {
  readonly isTTY?: boolean;
  readonly refused?: Readonly<Record<string, Error>>;
}

/** Somebody who follows: what the hall logs and what is typed comes from the test, and each waits for the other. */
function sit({ isTTY = true, refused = {} }: World = {}) {
  const seen = { out: '', err: '', calls: [] as [string, unknown][] };
  const asked: Put[] = [];
  const wakers: (() => void)[] = [];
  const logged: NewSessionEvent[][] = [];
  let interrupt = (): void => {};
  const wake = (): void => wakers.splice(0).forEach((resolve) => resolve());
  const changed = async (): Promise<void> => await new Promise((resolve) => void wakers.push(resolve));
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await changed();
  };
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      seen.calls.push([name, input]);
      wake();
      if (refused[name]) throw refused[name];
      return { session: { id, messages: [] } } as unknown as SessionView;
    },
    events: async function* () {
      for (let at = 0; ; at += 1) {
        await until(() => at < logged.length);
        yield { type: 'session.logged', data: { id, events: logged[at] } } as unknown as HallEvent;
      }
    },
  };
  const prompt: Prompt = {
    ask: async (words, signal) => {
      const { promise, resolve } = deferred<string | undefined>();
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      asked.push({ question: words, signal, type: resolve });
      wake();
      return await promise;
    },
    edit: async () => await Promise.resolve(undefined),
  };
  const write = (stream: 'out' | 'err') => (text: string) => {
    seen[stream] += text;
    wake();
  };
  const parts: FollowParts = {
    terminal: createTerminal(
      { out: { write: write('out'), isTTY, columns: 100 }, err: { write: write('err') } },
      { NO_COLOR: '1' },
    ),
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => {};
    },
    sleep: async () => await new Promise(() => {}),
    prompt,
  };
  const exitCode = followSaid.run(parts, client, { id, promptId, cursor: 'c' }, false);
  const log = (...events: NewSessionEvent[]): void => {
    logged.push(events);
    wake();
  };
  return { seen, asked, until, log, interrupt: () => interrupt(), exitCode };
}

test('of two questions at once one is put after the other: a word that is typed answers one', async () => {
  const { seen, asked, until, log, exitCode } = sit();
  log(began(promptId), question('q-a'), question('q-b'));
  await until(() => asked.length === 1);
  asked[0]!.type('1');
  await until(() => asked.length === 2);
  expect(asked.map((put) => put.question)).toEqual(['1 Allow q-a   2 Refuse > ', '1 Allow q-b   2 Refuse > ']);
  asked[1]!.type('2');
  await until(() => seen.calls.length === 2);
  expect(seen.calls).toEqual([
    ['session.answer', { id, request: 'q-a', option: 'allow' }],
    ['session.answer', { id, request: 'q-b', option: 'refuse' }],
  ]);
  expect(seen.out).toBe('? run q-a: waits for you\n? run q-b: waits for you\n');
  log(answered('q-a'), answered('q-b'), ended);
  expect(await exitCode).toBe(0);
});

test('a question that is answered elsewhere ends, and the other one is put', async () => {
  const { seen, asked, until, log, exitCode } = sit();
  log(began(promptId), question('q-a'), question('q-b'), question('q-c'));
  await until(() => asked.length === 1);
  log(answered('q-b'));
  log(answered('q-a'));
  await until(() => asked.length === 2);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(asked[1]!.question).toContain('q-c');
  expect(seen.out).not.toContain('q-b');
  log(answered('q-c'), ended);
  expect(await exitCode).toBe(0);
});

test('where nobody types, each question is told with the command that answers it, and no other one', async () => {
  const { seen, asked, until, log, exitCode } = sit();
  log(began(promptId), question('q-a'), question('q-b'));
  await until(() => asked.length === 1);
  asked[0]!.type(undefined);
  await until(() => asked.length === 2);
  expect(seen.err).toContain(`guild-hall session answer ${id} --request q-a allow `);
  log(answered('q-a'));
  log(answered('q-b'), ended);
  await exitCode;
  const piped = sit({ isTTY: false });
  piped.log(began(promptId), question('q-a'), ended);
  await piped.exitCode;
  expect(piped.seen.err).toContain(`guild-hall session answer ${id} --request q-a allow `);
});

test('Ctrl-C while earlier words are answered takes back one’s own, and stops nobody else’s', async () => {
  const { seen, until, log, interrupt, exitCode } = sit();
  log(began('p-other'));
  await until(() => seen.err.includes('yours wait'));
  interrupt();
  await until(() => seen.calls.length === 1);
  expect(seen.calls).toEqual([['session.withdraw', { id, promptId }]]);
  expect(seen.err).toContain('taking your words back; Ctrl-C again leaves');
  log({ type: 'PromptWithdrawn', promptId });
  await expect(exitCode).rejects.toThrow('taken back before their turn');
});

test('Ctrl-C stops the agent while it answers, also where the words got their turn just now', async () => {
  const late = sit({ refused: { 'session.withdraw': fail('conflict', 'The agent has those words already.', '') } });
  late.interrupt();
  await late.until(() => late.seen.calls.length === 2);
  late.log(began(promptId), ended);
  expect(await late.exitCode).toBe(0);
  expect(late.seen.calls.map(([name]) => name)).toEqual(['session.withdraw', 'session.cancel']);
  const { seen, asked, until, log, interrupt, exitCode } = sit();
  log(began(promptId), question('q-a'));
  await until(() => asked.length === 1);
  interrupt();
  await until(() => seen.calls.length === 1);
  expect(seen.calls).toEqual([['session.cancel', { id, promptId }]]);
  log(answered('q-a'), ended);
  expect(await exitCode).toBe(0);
});
