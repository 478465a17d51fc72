/**
 * From the signal that an agent is done to its words on the screens of seven others, through the hall's terminals; from
 * the last words of a program that gives no signal; and in the same run through a relay that looks at every pane once a
 * second and types with a pause of a second. The others are `cat`, so that what is measured is the relay and not them.
 * Each message is on disk before it is sent on.
 *
 *   npm run bench -- relay [--rounds 200] [--quiet 30] [--polls 3] [--json <path>]
 *
 * Fails when the last of the seven has the words later than 15 ms at p50 or 60 ms at p95, and without a signal later than
 * 400 ms more than that. What idle terminals cost: npm run bench -- terminals-idle.
 */
import { appendFileSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createLineLog } from '../src/kernel/artifacts/line-log.ts';
import { createBackground } from '../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../src/kernel/clock/clock.ts';
import { silentLog } from '../src/kernel/log/log.ts';
import { runCommand } from '../src/kernel/processes/command.ts';
import { deferred } from '../src/kernel/pure/deferred.ts';
import { type Manner, type Signal, type TerminalId, terminalIdSchema } from '../src/kernel/terminals/contract.ts';
import {
  closeTerminals,
  deliver,
  listenToTerminals,
  openTerminals,
  settledReceipt,
  startTerminal,
  statusOf,
  watchBytes,
} from '../src/kernel/terminals/terminals.ts';
import { killServer } from '../src/kernel/terminals/tmux/server.ts';
import { waitUntil } from '../test/help/programs.ts';
import { tmuxEnv } from '../test/help/tmux.ts';
import { machineNow, printRows, quantile } from './parts/commission-hall.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    quiet: { type: 'string', default: '30' },
    polls: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const most = { p50: 15, p95: 60, quiet: 400 };
const others = 7;
const words = 'I would keep the queue on disk, because a restart must lose nothing that was acknowledged. ';

let turns = 0;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-relay-')));
const background = createBackground(silentLog);
const ctx = { clock: systemClock, ids: systemIds, log: silentLog, spawn: background.spawn };
const socket = join(folder, 'hall.sock');
const terminals = await openTerminals(ctx, { socket, folder: join(folder, 'terminals'), env: tmuxEnv });
/** What tells the ends of its turns, and what only falls quiet. */
const signalling: Manner = { name: 'signalling', speech: 'signal', hasReceipts: false, isIdle: () => true };
const silent: Manner = { name: 'silent', speech: 'quiet', hasReceipts: false };
const facts: Record<string, number | string> = {};
try {
  const speaker = await start('speaker', signalling, ['cat']);
  const listeners = await Promise.all(
    Array.from({ length: others }, async (_, n) => start(`other-${n + 1}`, signalling, ['cat'])),
  );
  Object.assign(facts, await throughHall(speaker, listeners));
  Object.assign(facts, await withoutSignal(listeners));
  Object.assign(facts, await throughPolling(listeners));
} finally {
  await closeTerminals(terminals);
  await killServer(terminals.tmux);
  await background.stop(2_000);
  rmSync(folder, { recursive: true, force: true });
}
facts['machine'] = machineNow();
printRows(
  Object.entries(facts).map(([name, value]) => ({ name, value: typeof value === 'number' ? value.toFixed(1) : value })),
  flags.json,
  facts,
);
const isSlow = Number(facts['hall: p50, ms']) > most.p50 || Number(facts['hall: p95, ms']) > most.p95;
const isLate =
  Number(facts['hall, no signal: p50, ms']) > most.quiet + most.p50 ||
  Number(facts['hall, no signal: p95, ms']) > most.quiet + most.p95;
if (isSlow || isLate) process.exitCode = 1;

async function start(
  name: string,
  manner: Manner,
  [file, ...args]: readonly [string, ...string[]],
): Promise<TerminalId> {
  const id = terminalIdSchema.parse(name);
  const readSignal = (json: unknown): Signal => json as Signal;
  const kind = { id, manner, readSignal, restFolder: join(folder, 'rest') };
  await startTerminal(terminals, { ...kind, file, args, cwd: folder, env: {} });
  await waitUntil(() => statusOf(terminals, id).status === 'idle');
  return id;
}

/** Calls back when the words stand on all screens, with the milliseconds since `fromMs`. */
interface Watch {
  readonly expect: (token: string) => Promise<number>;
  readonly stop: () => void;
}

async function watchAll(ids: readonly TerminalId[]): Promise<Watch> {
  let wanted = '';
  const missing = new Map<TerminalId, string>();
  let all = deferred<number>();
  const views = await Promise.all(
    ids.map(async (id) =>
      watchBytes(terminals, id, (bytes) => {
        const seen = missing.get(id);
        if (seen === undefined) return;
        const text = seen + Buffer.from(bytes).toString('latin1');
        if (!text.includes(wanted)) {
          missing.set(id, text);
          return;
        }
        missing.delete(id);
        if (missing.size === 0) all.resolve(performance.now());
      }),
    ),
  );
  return {
    expect: async (token) => {
      wanted = token;
      all = deferred();
      for (const id of ids) missing.set(id, '');
      return all.promise;
    },
    stop: () => {
      for (const { stop } of views) stop();
    },
  };
}

interface Relaying {
  /** How many messages it gave to all. */
  readonly relayed: () => number;
  readonly stop: () => Promise<void>;
}

async function relayFrom(speaker: TerminalId, listeners: readonly TerminalId[]): Promise<Relaying> {
  const log = await createLineLog(join(folder, `${speaker}.jsonl`));
  let count = 0;
  let relayed = 0;
  const stop = listenToTerminals(terminals, {
    onSpeech: async ({ terminal, text }) => {
      if (terminal !== speaker) return;
      count += 1;
      const message = { id: `${speaker}-${count}`, origin: speaker, text: `Speaker (1):\n\n${text}` };
      await log.add(message, { durable: true });
      await Promise.all(listeners.map(async (id) => deliver(terminals, id, message)));
      relayed = count;
    },
  });
  return {
    relayed: () => relayed,
    stop: async () => {
      stop();
      await log.close();
    },
  };
}

async function throughHall(speaker: TerminalId, listeners: readonly TerminalId[]): Promise<typeof facts> {
  const relay = await relayFrom(speaker, listeners);
  const watch = await watchAll(listeners);
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  for (let round = 1; round <= Number(flags.rounds); round += 1) {
    const token = `round-${round}.`;
    const shown = watch.expect(token);
    const fromMs = performance.now();
    tellDone(speaker, round, words.repeat(3) + token);
    times.push((await shown) - fromMs);
    // What one turn of an agent leaves to be done does not count for its next.
    await waitUntil(() => relay.relayed() === round);
    for (const id of listeners) await endTurnOf(id, `${speaker}-${round}`);
  }
  const cpu = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startMs) / 1_000;
  watch.stop();
  await relay.stop();
  return {
    'hall: p50, ms': quantile(times, 0.5),
    'hall: p95, ms': quantile(times, 0.95),
    'hall: worst, ms': Math.max(...times),
    'hall: processor a message to seven, ms': (cpu.user + cpu.system) / 1_000 / times.length,
    'hall: messages a second, to seven each': times.length / seconds,
  };
}

/** As a hook does it. */
function tellDone(speaker: TerminalId, round: number, text: string): void {
  const path = join(folder, 'terminals', speaker, 'signals', `${1_700_000_000_000_000_000n + BigInt(round)}-1.json`);
  writeFileSync(`${path}.tmp`, JSON.stringify({ kind: 'spoke', text }));
  renameSync(`${path}.tmp`, path);
}

/** A listener has taken the words, and has nothing to say to them. */
async function endTurnOf(id: TerminalId, messageId: string): Promise<void> {
  const receipt = await settledReceipt(terminals, id, messageId);
  if (receipt.state !== 'delivered') throw new Error(`${id} did not take ${messageId}: ${JSON.stringify(receipt)}`);
  turns += 1;
  tellDone(id, turns, '');
  await waitUntil(() => statusOf(terminals, id).status === 'idle');
}

/** From the last words of a program that gives no sign of being done. */
async function withoutSignal(listeners: readonly TerminalId[]): Promise<typeof facts> {
  const rounds = Number(flags.quiet);
  if (rounds === 0) return {};
  const spoken = join(folder, 'quietly-spoken.txt');
  writeFileSync(spoken, '');
  const speaker = await start('quiet', silent, ['tail', '-n', '0', '-f', spoken]);
  const relay = await relayFrom(speaker, listeners);
  const watch = await watchAll(listeners);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const token = `quiet-${round}.`;
    const shown = watch.expect(token);
    const fromMs = performance.now();
    appendFileSync(spoken, `${words}${token}\n`);
    times.push((await shown) - fromMs);
    await waitUntil(() => relay.relayed() === round);
    for (const id of listeners) await endTurnOf(id, `${speaker}-${round}`);
  }
  watch.stop();
  await relay.stop();
  return { 'hall, no signal: p50, ms': quantile(times, 0.5), 'hall, no signal: p95, ms': quantile(times, 0.95) };
}

/** The other way: a look at the speaker's pane each second, then to one after the other the words, a second, Enter. */
async function throughPolling(listeners: readonly TerminalId[]): Promise<typeof facts> {
  const polls = Number(flags.polls);
  if (polls === 0) return {};
  const spoken = join(folder, 'spoken.txt');
  writeFileSync(spoken, '');
  const speaker = await start('polled', silent, ['tail', '-n', '0', '-f', spoken]);
  const watch = await watchAll(listeners);
  const times: number[] = [];
  let heard = (await capture(speaker)).trimEnd();
  for (let round = 1; round <= polls; round += 1) {
    const token = `poll-${round}.`;
    const shown = watch.expect(token);
    // Anywhere between two looks.
    await systemClock.sleep((1_000 * (round - 0.5)) / polls);
    const fromMs = performance.now();
    appendFileSync(spoken, `${words}${token}\n`);
    for (let seen = heard; seen === heard; seen = (await capture(speaker)).trimEnd()) await systemClock.sleep(1_000);
    const now = (await capture(speaker)).trimEnd();
    const text = now.slice(heard.length).replaceAll('\n', '');
    heard = now;
    for (const id of listeners) {
      await tmux('send-keys', '-t', paneOf(id), '-l', `Speaker (1): ${text}`);
      await systemClock.sleep(1_000);
      await tmux('send-keys', '-t', paneOf(id), 'Enter');
    }
    times.push((await shown) - fromMs);
  }
  watch.stop();
  return { 'polling: p50, ms': quantile(times, 0.5), 'polling: worst, ms': Math.max(...times) };
}

function paneOf(id: TerminalId): string {
  return terminals.live.get(id)?.pane ?? '';
}

async function capture(id: TerminalId): Promise<string> {
  return await tmux('capture-pane', '-p', '-J', '-t', paneOf(id));
}

async function tmux(...args: readonly string[]): Promise<string> {
  const request = { file: 'tmux', args: ['-S', socket, ...args], cwd: folder, timeoutMs: 5_000 };
  return (await runCommand(ctx, request)).stdout;
}
