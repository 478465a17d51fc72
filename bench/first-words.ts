/**
 * How soon a follow-up turn speaks: prepared ahead by the driver, against the SDK's own cold `query({ resume })`, in
 * pairs within one run; and how long an event takes from the SDK's hands to the reader's.
 *
 *   npx tsx bench/first-words.ts [--pairs 8] [--json <path>]
 *
 * The model answers in about a millisecond, so what is measured is the program, not a model.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { query, type SDKMessage, type SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import { benchOf, collect, say, sessionOf } from '../src/kernel/agents/conformance-bench.ts';
import type { AgentEvent, OpenOptions } from '../src/kernel/agents/contract.ts';
import { sdkOptionsOf } from '../src/kernel/agents/drivers/claude/options.ts';
import { systemClock } from '../src/kernel/clock/clock.ts';
import { deferred } from '../src/kernel/pure/deferred.ts';
import type { AgentSessionId } from '../src/kernel/pure/ids.ts';
import { createClaudeRig } from '../test/fixtures/claude-rig.ts';
import { makeTestSandbox } from '../test/fixtures/test-sandbox.ts';

const { values: flags } = parseArgs({
  options: { pairs: { type: 'string', default: '8' }, json: { type: 'string' }, sandbox: { type: 'boolean' } },
});
const pairs = Number(flags.pairs);
const answer = say(...Array.from({ length: 200 }, (_, index) => `piece ${index} `));

/** When the SDK handed over each piece of text, oldest first. Monotonic milliseconds. */
const handed: number[] = [];
const onSdkMessage = (message: SDKMessage): void => {
  const isPiece = message.type === 'stream_event' && message.event.type === 'content_block_delta';
  if (isPiece) handed.push(systemClock.monotonicMs());
};
const sandbox = flags.sandbox === true ? await makeTestSandbox() : undefined;
const rig = await createClaudeRig({ maxRetries: 0 }, { onSdkMessage, ...(sandbox === undefined ? {} : { sandbox }) });
const bench = benchOf(rig);

const { session, options, key } = await bench.open();
rig.model.otherwise(key, answer);
let resume = sessionOf(await collect(session.prompt('Begin.')));
const cold: number[] = [];
const prepared: number[] = [];
const unprepared: number[] = [];
const delays: number[] = [];
for (let pair = 0; pair < pairs; pair += 1) {
  cold.push(await timeColdQuery(options, resume));
  unprepared.push(await timeDriver(false));
  prepared.push(await timeDriver(true));
}
await session.close();
await rig.close();
await sandbox?.close();
await report();

/** Of what no turn here comes to. */
function unheard(): never {
  throw new TypeError('not used');
}

/** The SDK alone, with the very options that the driver gives it: from the call to the first piece of text. */
async function timeColdQuery(open: OpenOptions, id: AgentSessionId): Promise<number> {
  const { spawnClaudeCodeProcess: _own, ...alone } = sdkOptionsOf(rig.ctx, {
    open,
    resume: id,
    maxRetries: 0,
    sandbox: { kind: 'none', hint: '', network: 'full' },
    isOnlyBegun: false,
    ear: unheard,
    chosenOf: unheard,
    spawn: unheard,
  });
  const over = deferred();
  async function* input(): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', message: { role: 'user', content: 'Go on.' }, parent_tool_use_id: null };
    await over.promise;
  }
  const start = systemClock.monotonicMs();
  let first: number | undefined;
  for await (const message of query({ prompt: input(), options: alone })) {
    if (message.type === 'stream_event' && message.event.type === 'content_block_delta')
      first ??= systemClock.monotonicMs();
    if (message.type === 'result') over.resolve();
  }
  return (first ?? Number.NaN) - start;
}

async function timeDriver(isPrepared: boolean): Promise<number> {
  if (isPrepared) session.prepare(resume);
  // A person reads before they answer; that is when the preparation happens.
  await rig.background.idle();
  handed.length = 0;
  const start = systemClock.monotonicMs();
  let first: number | undefined;
  const events: AgentEvent[] = [];
  for await (const event of session.prompt('Go on.', { resume })) {
    events.push(event);
    if (event.type !== 'text') continue;
    const now = systemClock.monotonicMs();
    first ??= now;
    delays.push(now - (handed.shift() ?? Number.NaN));
  }
  resume = sessionOf(events);
  await rig.background.idle();
  return (first ?? Number.NaN) - start;
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function summarise(numbers: readonly number[]) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { n: sorted.length, medianMs: quantile(sorted, 0.5), p95Ms: quantile(sorted, 0.95) };
}

async function report(): Promise<void> {
  const rows = {
    'SDK alone, cold query({ resume })': summarise(cold),
    'driver, nothing prepared': summarise(unprepared),
    'driver, prepared ahead': summarise(prepared),
    'from the SDK to the reader, each piece': summarise(delays),
  };
  const ratio = summarise(prepared.map((value, index) => value / (cold[index] ?? Number.NaN))).medianMs;
  for (const [name, { n, medianMs, p95Ms }] of Object.entries(rows)) {
    console.log(
      `${name.padEnd(42)} n=${String(n).padStart(5)}  median ${medianMs.toFixed(3).padStart(9)} ms  p95 ${p95Ms.toFixed(3).padStart(9)} ms`,
    );
  }
  console.log(
    `prepared / cold, median of pairs: ${ratio.toFixed(3)} (goal <= 0.25); delay goal <= 1.0 ms median, <= 3 ms p95`,
  );
  if (flags.json !== undefined)
    await writeFile(flags.json, `${JSON.stringify({ version: 1, pairs, ratio, rows }, null, 2)}\n`);
}
