/**
 * What the engine of councils adds to the turns of its agents: ten turns of a council against the same ten (same worker,
 * system prompt, tools and message, a fresh agent each) in a plain loop over the same driver, in pairs within one run. The
 * model is the rehearsal, which answers at once, so nothing hides what is added.
 *
 *   npm run bench -- council-overhead [--pairs 3] [--json <path>]
 *
 * Fails when the median of the ratios is above 1.1.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CouncilsContext } from '../src/features/councils/context.ts';
import { councilIdSchema, type CouncilEvents } from '../src/features/councils/contract.ts';
import { wakeCouncil } from '../src/features/councils/reactions/runner.ts';
import { beginCouncil } from '../src/features/councils/reactions/starting.ts';
import { startSession } from '../src/features/councils/rules/steps.ts';
import { councilTurns } from '../src/features/councils/turns/turns.ts';
import type { AgentDriver, OpenOptions } from '../src/kernel/agents/contract.ts';
import { promptText } from '../src/kernel/agents/prompt-text.ts';
import { sayMove } from '../src/kernel/agents/rehearsal/move.ts';
import { deferred } from '../src/kernel/pure/deferred.ts';
import type { NewEvent } from '../src/kernel/pure/events.ts';
import { makeTurnsRig, sessionOf, twoSpeakers } from '../test/help/council-turns.ts';
import { makeRepository } from '../test/help/repositories.ts';
import { machineNow, msOf, printRows, quantile, ratiosOf } from './parts/commission-hall.ts';

const { values: flags } = parseArgs({
  options: { pairs: { type: 'string', default: '3' }, json: { type: 'string' } },
});
const most = 1.1;
const turns = 10;

/** What an agent was opened with and asked. */
interface Asked {
  readonly options: OpenOptions;
  readonly text: string;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-bench-')));
const { path: root } = await makeRepository({ path: join(folder, 'repository') });
const play = { name: 'bench', priority: 900, play: () => sayMove('I would wait for the others, I think.') };
const rig = await makeTurnsRig({ folder, root, plays: [play], sandbox: true });
const engineMs: number[] = [];
const loopMs: number[] = [];
try {
  // The first pair is not counted: files are read from the disk, code is compiled.
  for (let pair = 0; pair <= Number(flags.pairs); pair += 1) {
    const asked: Asked[] = [];
    const engine = await throughEngine(pair, asked);
    const loop = await inLoop(asked);
    if (pair === 0) continue;
    engineMs.push(engine);
    loopMs.push(loop);
  }
} finally {
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
}
const ratios = ratiosOf(engineMs, loopMs);
const ratio = quantile(ratios, 0.5);
printRows(
  [
    { name: 'machine', value: machineNow() },
    { name: `${turns} turns of a council`, value: msOf(engineMs) },
    { name: `${turns} turns in a plain loop`, value: msOf(loopMs) },
    { name: `ratio, median of ${ratios.length} pairs`, value: `${ratio.toFixed(2)} ×; at most ${most}` },
  ],
  flags.json,
  { machine: machineNow(), engineMs, loopMs, ratio, most },
);
process.exitCode = ratio > most ? 1 : 0;

/** From the moment at which the first agent is asked for until the last turn has landed. Milliseconds. */
async function throughEngine(pair: number, asked: Asked[]): Promise<number> {
  const times: { first: number; last: number; landed: number } = { first: 0, last: 0, landed: 0 };
  const over = deferred<void>();
  const publish = (event: NewEvent): NewEvent => {
    if (event.type === 'council.speaking') times.first ||= performance.now();
    if (isTurnOfAgent(event)) {
      times.last = performance.now();
      times.landed += 1;
      if (times.landed === turns) over.resolve();
    }
    if (event.type === 'council.status' && (event.data as CouncilEvents['council.status']).to === 'halted') {
      over.reject(new Error('The council came to a halt.'));
    }
    return event;
  };
  // Of the context only what the engine needs.
  const ctx = {
    ...rig.ctx,
    driver: noting(rig.ctx.driver, asked),
    events: { publish },
    turns: {
      ...councilTurns,
      draft: async () => Promise.reject(new Error('What comes after the turns is not measured.')),
    },
    liveCouncils: new Map(),
  } as unknown as CouncilsContext;
  const { charter, setup } = sessionOf('Decide whether the queue should be bounded.');
  const id = councilIdSchema.parse(`2026-11-22-bench-${pair}`);
  const ref = { ...rig.ref, id };
  const called = { ...setup, yes: true, skipResearch: true, turns, slug: `bench-${pair}`, perAgentCap: 1_000_000 };
  await beginCouncil(
    ctx,
    ref,
    startSession(called, { sessionId: id, project: ref.project.name, charter, cadence: 4, warnings: [] }),
  );
  wakeCouncil(ctx, ref);
  await over.promise;
  return times.last - times.first;
}

/** Turns of the engine's own, like the one that ends a loop, cost no agent and are not counted. */
function isTurnOfAgent({ type, data }: NewEvent): boolean {
  if (type !== 'council.entry') return false;
  const { entry } = data as CouncilEvents['council.entry'];
  return entry.kind === 'turn' && entry.turn.via === 'subagent';
}

function noting(driver: AgentDriver, asked: Asked[]): AgentDriver {
  return {
    ...driver,
    open: (options) => {
      const session = driver.open(options);
      return {
        ...session,
        prompt: (text, more) => {
          if (asked.length < turns) asked.push({ options, text: promptText(text) });
          return session.prompt(text, more);
        },
      };
    },
  };
}

async function inLoop(asked: readonly Asked[]): Promise<number> {
  const start = performance.now();
  for (const [at, { options, text }] of asked.entries()) {
    const worker = twoSpeakers[at % twoSpeakers.length]!.worker;
    const [configDir, tmpDir] = ['config', 'tmp'].map((name) => join(folder, 'loop', String(at), name)) as [
      string,
      string,
    ];
    for (const path of [configDir, tmpDir]) mkdirSync(path, { recursive: true, mode: 0o700 });
    const model = rig.ctx.gateway.grant(options.activity, { worker });
    const session = rig.ctx.driver.open({ ...options, model, configDir, tmpDir });
    for await (const event of session.prompt(text)) {
      if (event.type === 'error') throw new Error(event.message);
    }
    await session.close();
    rig.ctx.gateway.revoke(options.activity);
    rmSync(join(folder, 'loop', String(at)), { recursive: true, force: true });
  }
  return performance.now() - start;
}
