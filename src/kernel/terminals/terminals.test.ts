/** Terminals as features use them: real tmux, real programs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../../../test/help/programs.ts';
import {
  agentAt,
  agentManner,
  anyManner,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  scratchFolder,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from '../../../test/help/terminals.ts';
import { nextTerminal } from '../../../test/help/tmux.ts';
import { findProcessesByMark } from '../processes/marks.ts';
import { cleaned, inOneLine } from './delivery/text.ts';
import { requireRunning } from './live.ts';
import {
  deliver,
  endTerminal,
  forgetTerminal,
  joinTerminal,
  letIn,
  listenToTerminals,
  receiptOf,
  resizeTerminal,
  screenOf,
  settledReceipt,
  startTerminal,
  statusOf,
  typeInto,
  watchBytes,
} from './terminals.ts';
import { askOf } from './tmux/windows.ts';

let hall: TestTerminals;
beforeAll(async () => {
  hall = await openTestTerminals();
});
afterAll(async () => {
  await endTestTerminals(hall);
});

let count = 0;
/** Gives a message; the id of it. */
async function give(agent: StartedAgent, text: string, from = hall): Promise<string> {
  count += 1;
  await deliver(from.terminals, agent.id, { id: `m-${count}`, origin: 'hall', text });
  return `m-${count}`;
}

async function settled(agent: StartedAgent, id: string): Promise<unknown> {
  return settledReceipt(hall.terminals, agent.id, id);
}

async function untilStatus(agent: StartedAgent, status: string): Promise<void> {
  await waitUntil(() => statusOf(hall.terminals, agent.id).status === status);
}

function spokenBy({ id }: StartedAgent, from = hall): string[] {
  return from.speeches.filter(({ terminal }) => terminal === id).map(({ text }) => text);
}

const raw = { RAW: '1' };

describe('a message', () => {
  test.each([
    ['a program that reads lines', anyManner, {}, 'Mo (1): ⏎  ⏎ Hello -l ; #{x}'],
    ['one that takes pastes', agentManner, raw, 'Mo (1):\n\nHello -l ; #{x}'],
    ['one that tells what it takes', signallingManner, raw, 'Mo (1):\n\nHello -l ; #{x}'],
    ['a full-screen one', agentManner, { ...raw, FULL: '1' }, 'Mo (1):\n\nHello -l ; #{x}'],
  ])('reaches %s, and its answer is heard [GTH-RELAY-11]', async (_name, manner, env, expected) => {
    const agent = await startAgent(hall, manner, env);
    const message = { id: 'm', origin: 'hall', text: 'Mo (1):\n\nHello -l ; #{x}' };
    expect(await deliver(hall.terminals, agent.id, message)).toEqual({ state: 'queued' });
    expect(await settled(agent, 'm')).toMatchObject({ state: 'delivered' });
    await waitUntil(() => spokenBy(agent).length > 0);
    expect(agent.taken()).toEqual([expected]);
    expect(spokenBy(agent)).toEqual([`Taken ${expected.length}.`]);
    expect(await deliver(hall.terminals, agent.id, message)).toMatchObject({ state: 'delivered' });
    await untilStatus(agent, 'idle');
    expect(agent.taken()).toHaveLength(1);
  });

  test('waits while the program works, and the order is kept [GTH-RELAY-13, GTH-RELAY-17]', async () => {
    const agent = await startAgent(hall, signallingManner, { ...raw, THINK: '300' });
    const ids = [];
    for (const text of ['one', 'two', 'three']) ids.push(await give(agent, text));
    await waitUntil(() => agent.taken().length === 1);
    await untilStatus(agent, 'busy');
    expect(receiptOf(hall.terminals, agent.id, ids[2]!)).toEqual({ state: 'queued' });
    for (const id of ids) expect(await settled(agent, id)).toMatchObject({ state: 'delivered' });
    expect(agent.taken()).toEqual(['one', 'two', 'three']);
  });

  test('waits for the answer to a question, which no Enter of the hall gives [GTH-RELAY-13]', async () => {
    const agent = await startAgent(hall, agentManner, { ...raw, ASK: '1' });
    const id = await give(agent, 'hello');
    await untilStatus(agent, 'dialog');
    expect(statusOf(hall.terminals, agent.id)).toEqual({ status: 'dialog', question: 'May I begin?', waiting: 1 });
    expect(agent.taken()).toEqual([]);
    await typeInto(hall.terminals, agent.id, 'y');
    expect(await settled(agent, id)).toMatchObject({ state: 'delivered' });
    expect(agent.taken()).toEqual(['hello']);
  });

  test.each([1, 2])('is entered again when Enter was overlooked %i times', async (times) => {
    const agent = await startAgent(hall, agentManner, { ...raw, DEAF: String(times) });
    expect(await settled(agent, await give(agent, 'a\nb'))).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length > 0);
    expect(agent.taken()).toEqual(['a\nb']);
  });

  test('that nobody takes has failed, with why, and is not called delivered [GTH-RELAY-12]', async () => {
    const agent = await startAgent(hall, agentManner, { ...raw, DEAF: '3' });
    const why = 'The program did not take the words, though Enter was pressed 3 times.';
    expect(await settled(agent, await give(agent, 'hello'))).toEqual({
      state: 'failed',
      why: `${why} They stand in its input, and the next Enter there sends them.`,
    });
    expect(hall.receipts.at(-1)).toMatchObject({ terminal: agent.id, receipt: { state: 'failed' } });
    expect(await settled(agent, await give(agent, ' again'))).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length > 0);
    expect(agent.taken()).toEqual(['hello again']);
  });

  test('reaches a program whose window somebody reads back in', async () => {
    const agent = await startAgent(hall, agentManner, raw);
    await untilStatus(agent, 'idle');
    const { pane } = requireRunning(hall.terminals, agent.id);
    await askOf(hall.terminals.tmux, pane, [['copy-mode', '-t', pane]]);
    expect(await settled(agent, await give(agent, 'hello'))).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length > 0);
    expect(agent.taken()).toEqual(['hello']);
  });

  test('does not come between the words that a person types', async () => {
    const agent = await startAgent(hall, anyManner);
    await untilStatus(agent, 'idle');
    await typeInto(hall.terminals, agent.id, 'my own ');
    const id = await give(agent, 'hello');
    await waitUntil(() => screenOf(hall.terminals, agent.id).lines.some((line) => line.includes('my own')));
    await untilStatus(agent, 'idle');
    expect(receiptOf(hall.terminals, agent.id, id)).toEqual({ state: 'queued' });
    await typeInto(hall.terminals, agent.id, 'words\r');
    expect(await settled(agent, id)).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length === 2);
    expect(agent.taken()).toEqual(['my own words', 'hello']);
  });

  test('that the person has entered is not put in again', async () => {
    const silent = { ...anyManner, isIdle: () => true, inputOf: () => '' };
    const { kind, id } = agentAt(hall.folder, nextTerminal(), silent);
    const kept = join(hall.folder, `${id}-kept`);
    const args = ['-c', 'stty -echo; echo Ready; while read line; do echo "$line" >> "$0"; echo Taken.; done', kept];
    await startTerminal(hall.terminals, { ...kind, file: 'sh', args, cwd: hall.folder, env: {} });
    await waitUntil(() => screenOf(hall.terminals, id).lines.includes('Ready'));
    await deliver(hall.terminals, id, { id: 'e-1', origin: 'hall', text: 'once' });
    const live = hall.terminals.live.get(id)!;
    await waitUntil(() => typeof live.step === 'object');
    await typeInto(hall.terminals, id, '\r');
    expect(await settledReceipt(hall.terminals, id, 'e-1')).toMatchObject({ state: 'delivered' });
    expect(readFileSync(kept, 'utf8')).toBe('once\n');
  });

  test('is held at the start while what the program needs is not there, and not for long', async () => {
    const start = async (holdMs: number): Promise<StartedAgent> => {
      const agent = await startAgent(hall, agentManner, raw, { holdMs });
      await untilStatus(agent, 'idle');
      return agent;
    };
    const [held, late] = [await start(60_000), await start(300)];
    const ids = [await give(held, 'hello'), await give(late, 'hello')] as const;
    expect(await settled(late, ids[1])).toMatchObject({ state: 'delivered' });
    expect(receiptOf(hall.terminals, held.id, ids[0])).toEqual({ state: 'queued' });
    letIn(hall.terminals, held.id);
    expect(await settled(held, ids[0])).toMatchObject({ state: 'delivered' });
  });

  test('that is too long for the program comes with a file that holds the rest', async () => {
    const agent = await startAgent(hall, anyManner);
    const text = 'wörter und 漢字\n'.repeat(1_000);
    expect(await settled(agent, await give(agent, text))).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length > 0);
    const [typed = ''] = agent.taken();
    const path = /more are in the file (.+)]$/.exec(typed)?.[1] ?? '';
    const head = typed.slice(0, typed.indexOf(' [… '));
    expect(`${head} ⏎ ${inOneLine(readFileSync(path, 'utf8'))}`.replaceAll(/[ ⏎]/g, '')).toBe(
      cleaned(text).replaceAll(/[\n ]/g, ''),
    );
  });

  test.each([
    ['', 'invalid'],
    ['\u001b\u0003 \n', 'invalid'],
    ['x'.repeat(200_001), 'too_large'],
  ])('without words, or with too many, is refused: %#', async (text, code) => {
    const agent = await startAgent(hall, anyManner);
    await expect(give(agent, text)).rejects.toMatchObject({ code });
    await expect(settled(agent, 'other')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a program that ends', () => {
  test('fails what waits for it, and delays nobody [GTH-RELAY-14]', async () => {
    const [dead, slow, free] = await Promise.all([
      startAgent(hall, agentManner, raw),
      startAgent(hall, signallingManner, { ...raw, THINK: '60000' }),
      startAgent(hall, agentManner, raw),
    ]);
    await settled(slow, await give(slow, 'work for a minute'));
    await settled(dead, await give(dead, 'exit'));
    const ids = [await give(dead, 'hello'), await give(slow, 'hello'), await give(free, 'hello')] as const;
    expect(await settled(free, ids[2])).toMatchObject({ state: 'delivered' });
    expect(await settled(dead, ids[0])).toEqual({
      state: 'failed',
      why: 'The program in this terminal has ended (exit code 3).',
    });
    expect(receiptOf(hall.terminals, slow.id, ids[1])).toEqual({ state: 'queued' });
    await untilStatus(dead, 'ended');
    expect(hall.ends.filter(({ terminal }) => terminal === dead.id)).toEqual([
      { terminal: dead.id, exitCode: 3, why: null },
    ]);
    expect(statusOf(hall.terminals, dead.id)).toEqual({ status: 'ended', waiting: 0, exitCode: 3 });
    await expect(typeInto(hall.terminals, dead.id, 'x')).rejects.toMatchObject({ code: 'conflict' });
    await expect(forgetTerminal(hall.terminals, slow.id)).rejects.toMatchObject({ code: 'conflict' });
    await endTerminal(hall.terminals, slow.id);
    expect(await settled(slow, ids[1])).toMatchObject({ state: 'failed' });
    await untilStatus(slow, 'ended');
    await forgetTerminal(hall.terminals, slow.id);
    expect(() => statusOf(hall.terminals, slow.id)).toThrow(/There is no terminal/);
  });

  test('ends with all that it started', async () => {
    const { kind, id } = agentAt(hall.folder, nextTerminal(), anyManner);
    const mark = `mark-of-a-terminal-${process.pid}`;
    const args = ['-c', 'setsid sleep 300 & echo started; wait'];
    const env = { GUILD_HALL_TERMINAL: mark };
    await startTerminal(hall.terminals, { ...kind, file: 'sh', args, cwd: hall.folder, env });
    await waitUntil(async () => (await findProcessesByMark('GUILD_HALL_TERMINAL', mark)).length >= 2);
    await endTerminal(hall.terminals, id);
    expect(await findProcessesByMark('GUILD_HALL_TERMINAL', mark)).toEqual([]);
  });

  test('that cannot be started leaves nothing behind', async () => {
    const agent = agentAt(hall.folder, 'never' as StartedAgent['id'], anyManner);
    const request = { ...agent.kind, file: 'no-such-program-here', args: [], cwd: hall.folder, env: {} };
    await expect(startTerminal(hall.terminals, request)).rejects.toMatchObject({ code: 'not_found' });
    await expect(startTerminal(hall.terminals, request)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('who listens', () => {
  test('and fails stops neither the terminal nor the others', async () => {
    const fails = (): never => {
      throw new Error('of a listener');
    };
    const stop = listenToTerminals(hall.terminals, { onStatus: fails, onReceipt: fails, onEnd: fails });
    const agent = await startAgent(hall, agentManner, raw);
    expect(await settled(agent, await give(agent, 'exit'))).toMatchObject({ state: 'delivered' });
    await untilStatus(agent, 'ended');
    stop();
    await waitUntil(() => hall.ends.some(({ terminal }) => terminal === agent.id));
    expect(hall.receipts.filter(({ terminal }) => terminal === agent.id)).toHaveLength(1);
  });
});

describe('a live view', () => {
  test('shows what stands there and then every byte, and a new size', async () => {
    const agent = await startAgent(hall, anyManner);
    await settled(agent, await give(agent, 'before'));
    let bytes = '';
    const sizes: { cols: number; rows: number }[] = [];
    const view = await watchBytes(
      hall.terminals,
      agent.id,
      (more) => (bytes += Buffer.from(more).toString()),
      (size) => sizes.push(size),
    );
    expect(view).toMatchObject({ cols: 120, rows: 36 });
    expect(Buffer.from(view.snapshot).toString()).toContain('before');
    await settled(agent, await give(agent, 'after'));
    await waitUntil(() => bytes.includes('Taken 5.'));
    await resizeTerminal(hall.terminals, agent.id, { cols: 90, rows: 20 });
    await waitUntil(() => sizes.length > 0);
    expect(sizes).toEqual([{ cols: 90, rows: 20 }]);
    await waitUntil(() => screenOf(hall.terminals, agent.id).cols === 90);
    view.stop();
    const seen = bytes;
    await settled(agent, await give(agent, 'unseen'));
    expect(bytes).toBe(seen);
  });
});

describe('the next hall', () => {
  test('delivers what waits, hears what was said meanwhile, and nothing twice', async () => {
    const folder = scratchFolder();
    const first = await openTestTerminals(folder);
    const [told, seen, gone] = await Promise.all([
      startAgent(first, signallingManner, { ...raw, THINK: '400' }),
      startAgent(first, agentManner, { ...raw, THINK: '400' }),
      startAgent(first, agentManner, raw),
    ]);
    const agents = [told, seen];
    for (const agent of agents) for (const text of ['one', 'two']) await give(agent, text, first);
    for (const agent of agents) await waitUntil(() => agent.taken().length === 1);
    await settledReceipt(first.terminals, gone.id, await give(gone, 'hello', first));
    await waitUntil(() => spokenBy(gone, first).length === 1);
    await leaveTestTerminals(first);

    const second = await openTestTerminals(folder);
    for (const agent of [...agents, gone]) expect(await joinTerminal(second.terminals, agent.kind)).toBe('running');
    for (const agent of agents) {
      await waitUntil(() => [...spokenBy(agent, first), ...spokenBy(agent, second)].length === 2);
      expect(agent.taken()).toEqual(['one', 'two']);
      expect([...spokenBy(agent, first), ...spokenBy(agent, second)]).toEqual(['Taken 3.', 'Taken 3.']);
    }
    await endTerminal(second.terminals, gone.id);
    await waitUntil(() => second.ends.length === 1);
    await leaveTestTerminals(second);

    const third = await openTestTerminals(folder);
    expect(await joinTerminal(third.terminals, gone.kind)).toBe('ended');
    const late = await give(gone, 'are you there?', third);
    expect(await settledReceipt(third.terminals, gone.id, late)).toMatchObject({ state: 'failed' });
    expect(await joinTerminal(third.terminals, told.kind)).toBe('running');
    expect(third.speeches).toEqual([]);
    await endTestTerminals(third);
  });
});
