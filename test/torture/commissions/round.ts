/** One round: twelve commissions are asked for while the hall and its workers are killed; then all come to rest. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommissionRecord, CommissionRow } from '../../../src/features/commissions/contract.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { delay } from '../parts/hall-process.ts';
import { count, note } from './findings.ts';
import { type Disturbances, endsOf, type Entry, judge, judgeOnce, judgeTold, leaksIn, words } from './invariants.ts';
import { bringUp, callUntilAnswered, kill, killWhileStarting, type Keeper, requireUp, takeDown } from './keeper.ts';
import { type ProjectOfPlace, writeScenario } from './place.ts';
import { ownEnds, pathOfReal, queueOf, type Wanted, wordOfReal } from './queue.ts';
import { attemptsOf, liveWorkers, readRecord, readTold, stateOf } from './reading.ts';

export interface Round {
  readonly number: number;
  readonly random: () => number;
  readonly entries: readonly Entry[];
  readonly killedTokens: Set<string>;
}

/** How long a round may take to come to rest when nobody kills any more. Milliseconds. */
const restWithinMs = 120_000;

/** @param only names of the queue; all where they are left out */
export function makeRound(keeper: Keeper, number: number, random: () => number, only?: readonly string[]): Round {
  writeScenario(keeper.place, wordOfReal(number), pathOfReal(number));
  const queue = queueOf(number, random).filter(({ name }) => only?.includes(name) ?? true);
  const entries = queue.map((wanted, index) => ({
    wanted,
    requestId: requestIdOf(number, index, random),
    answers: [],
    comments: [],
    redispatches: 0,
  }));
  return { number, random, entries, killedTokens: new Set() };
}

function requestIdOf(round: number, index: number, random: () => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const tail = Array.from({ length: 8 }, () => letters[Math.floor(random() * letters.length)]).join('');
  return `r-${tail}x${round}x${index}`;
}

/** @param kills how many this round has */
export async function runRound(keeper: Keeper, round: Round, kills: number): Promise<void> {
  if (keeper.hall === undefined) await requireUp(keeper);
  const person = runPerson(keeper, round);
  await Promise.all([person, runChaos(keeper, round, kills)]);
  await comeToRest(keeper, round);
  await takeDown(keeper);
  judgeRound(keeper, round, `round ${round.number}`);
  keeper.findings.rounds += 1;
}

/** Everything that the person does: create, answer, remark, cancel. Goes on over the ends of halls. */
export async function runPerson(keeper: Keeper, round: Round): Promise<void> {
  await Promise.all([createAll(keeper, round), cancelWhenItRuns(keeper, round), answerWhenItIsAsked(keeper, round)]);
}

async function createAll(keeper: Keeper, round: Round): Promise<void> {
  for (const entry of round.entries) {
    await delay(round.random() * 80);
    await create(keeper, round, entry);
    if (round.random() < 0.3) await remark(keeper, round, entry);
  }
}

async function create(keeper: Keeper, round: Round, entry: Entry): Promise<void> {
  const { project, prompt, depends } = entry.wanted;
  const idOf = (one: string): string => round.entries.find(({ wanted }) => wanted.name === one)?.id ?? one;
  const input = {
    project,
    worker: 'researcher',
    title: titleOf(round, entry.wanted),
    prompt,
    depends: depends.map(idOf),
    dispatch: true,
    requestId: entry.requestId,
  };
  const made = await callUntilAnswered<{ id: string }>(keeper, 'commission.create', input);
  entry.id = made.id;
  keeper.findings.created += 1;
  count(keeper.findings.acknowledged, 'created');
}

function titleOf(round: Round, { name }: Wanted): string {
  return `Round ${round.number} ${name}`;
}

/** A remark is taken only once it has run; refused, it is not missed. */
async function remark(keeper: Keeper, round: Round, entry: Entry): Promise<void> {
  const text = `Remark ${round.number} on ${entry.wanted.name}`;
  const isTaken = await taken(keeper, 'commission.comment', { ...refOf(entry), text });
  if (!isTaken) return;
  entry.comments.push(text);
  count(keeper.findings.acknowledged, 'remarks');
}

async function cancelWhenItRuns(keeper: Keeper, round: Round): Promise<void> {
  const entry = round.entries.find(({ wanted }) => wanted.kind === 'is cancelled');
  if (entry === undefined) return;
  await waitFor(keeper, entry, ({ status }) => status === 'in_progress' || status === 'failed');
  await delay(round.random() * 500);
  const isTaken = await taken(keeper, 'commission.cancel', { ...refOf(entry), reason: 'Not wanted any more' });
  if (!isTaken) return;
  entry.cancelled = true;
  count(keeper.findings.acknowledged, 'cancelled');
}

async function answerWhenItIsAsked(keeper: Keeper, round: Round): Promise<void> {
  const entry = round.entries.find(({ wanted }) => wanted.name === 'asking');
  if (entry === undefined) return;
  const isAsked = ({ timeline }: CommissionRecord): boolean => timeline.some(({ event }) => event === 'question');
  await waitFor(keeper, entry, (record) => isAsked(record) || record.status === 'failed');
  const text = `The second, of round ${round.number}`;
  if (!(await taken(keeper, 'commission.answer', { ...refOf(entry), question: 'q1.1', text }))) return;
  entry.answers.push(text);
  count(keeper.findings.acknowledged, 'answers');
}

/** Until its record says so. */
async function waitFor(keeper: Keeper, entry: Entry, isSo: (record: CommissionRecord) => boolean): Promise<void> {
  while (!keeper.isClosed) {
    const { id, wanted } = entry;
    const record = id === undefined ? undefined : readRecord(keeper.place, wanted.project, id);
    if (record !== undefined && isSo(record)) return;
    await delay(30);
  }
}

function refOf({ wanted, id }: Entry): { readonly project: string; readonly id: string } {
  return { project: wanted.project, id: id ?? '' };
}

/** False when it was refused: it had ended, or was done already by a call whose answer never came. */
async function taken(keeper: Keeper, operation: string, input: unknown): Promise<boolean> {
  try {
    await callUntilAnswered(keeper, operation, input);
    return true;
  } catch (error) {
    if (error instanceof HallError && (error.code === 'conflict' || error.code === 'not_found')) return false;
    throw error;
  }
}

async function runChaos(keeper: Keeper, round: Round, kills: number): Promise<void> {
  const { findings } = keeper;
  for (let done = 0; done < kills; done += 1) {
    // Most soon after the last, some after a while, by how fast this machine is: both the start and the work are hit.
    const unitMs = Math.max(1000, findings.restartMs.at(-1) ?? 0);
    await delay(20 + 1.5 * unitMs * round.random() ** 2);
    // More kills would hit a hall that has nothing to do.
    if (hasEnded(keeper, round)) return;
    noteStage(keeper, round);
    if (round.random() < 0.25 && killWorker(keeper, round)) {
      findings.workerKills += 1;
      continue;
    }
    await kill(keeper);
    findings.hallKills += 1;
    await delay(round.random() < 0.5 ? 0 : round.random() * 700);
    if (round.random() < 0.2 && done + 1 < kills) {
      await killWhileStarting(keeper, 100 + round.random() * 900);
      findings.hallKills += 1;
      findings.startKills += 1;
      done += 1;
    }
    if (!(await bringUp(keeper))) throw new Error('the hall died at its start, and nobody had killed it');
  }
}

function hasEnded({ place }: Keeper, { entries }: Round): boolean {
  return entries.every(({ wanted, id }) => {
    const record = id === undefined ? undefined : readRecord(place, wanted.project, id);
    return record !== undefined && !isMoving(record.status);
  });
}

function killWorker(keeper: Keeper, round: Round): boolean {
  const live = liveWorkers(keeper.place);
  const one = live[Math.floor(round.random() * live.length)];
  if (one === undefined) return false;
  round.killedTokens.add(one.token);
  try {
    process.kill(one.pid, 'SIGKILL');
    return true;
  } catch {
    // It ended by itself just now, which is as good.
    return false;
  }
}

function noteStage(keeper: Keeper, { entries }: Round): void {
  const present = entries.flatMap(({ wanted, id }) => {
    const record = id === undefined ? undefined : readRecord(keeper.place, wanted.project, id);
    return record?.status === undefined || record.status === null ? [] : [record.status];
  });
  for (const status of new Set(present)) count(keeper.findings.killedDuring, status);
}

/** No more kills: what was disturbed is tried again by the person, until everything has come to its own end. */
export async function comeToRest(keeper: Keeper, round: Round): Promise<void> {
  const patience = Date.now() + restWithinMs;
  for (;;) {
    const rows = await listRound(keeper, round);
    const moving = rows.filter(({ status, id, project }) => isMoving(status) || isUnderWay(keeper, project, id));
    const again = round.entries.filter((entry) => wantsAgain(keeper, entry));
    if (moving.length === 0 && again.length === 0) return;
    if (Date.now() > patience) {
      const left = moving.map(({ id, status, reason }) => `${id} is ${status} (${reason})`);
      note(keeper.findings, 'wrong', `round ${round.number}`, [`no rest: ${left.join('; ')}`]);
      return;
    }
    for (const entry of again) await tryAgain(keeper, entry);
    await delay(100);
  }
}

/** Also while its end is carried through: merged, cleaned up. */
function isUnderWay({ place }: Keeper, project: string, id: string): boolean {
  return existsSync(join(stateOf(place, project as ProjectOfPlace, id), 'run.json'));
}

const isMoving = (status: CommissionRow['status']): boolean =>
  status === 'pending' || status === 'blocked' || status === 'dispatched' || status === 'in_progress';

async function listRound(keeper: Keeper, { entries }: Round): Promise<readonly CommissionRow[]> {
  const ids = new Set(entries.map(({ id }) => id));
  const { commissions } = await callUntilAnswered<{ commissions: CommissionRow[] }>(keeper, 'commission.list', {});
  return commissions.filter(({ id }) => ids.has(id));
}

/** Its last end was not its own. */
function wantsAgain({ place }: Keeper, { wanted, id, redispatches }: Entry): boolean {
  if (id === undefined || redispatches >= 5) return false;
  const record = readRecord(place, wanted.project, id);
  if (record?.status !== 'failed') return false;
  const last = endsOf(record).at(-1);
  return last !== undefined && !ownEnds[wanted.kind].includes(words(last));
}

async function tryAgain(keeper: Keeper, entry: Entry): Promise<void> {
  if (!(await taken(keeper, 'commission.redispatch', refOf(entry)))) return;
  entry.redispatches += 1;
  count(keeper.findings.acknowledged, 'dispatched again');
  if (entry.wanted.kind !== 'is cancelled') return;
  await delay(1500);
  await taken(keeper, 'commission.cancel', { ...refOf(entry), reason: 'Not wanted any more' });
}

export function judgeRound(keeper: Keeper, round: Round, name: string): void {
  const { place, findings, kills } = keeper;
  const disturbances: Disturbances = { killedTokens: round.killedTokens, hallKills: kills };
  const told = readTold(place);
  for (const entry of round.entries) {
    const { lost, wrong } = judge(place, entry, disturbances);
    note(findings, 'lost', name, lost);
    note(findings, 'wrong', name, wrong);
    const record = entry.id === undefined ? undefined : readRecord(place, entry.wanted.project, entry.id);
    if (record === undefined) continue;
    const events = judgeTold(told, record);
    note(findings, 'wrong', name, events.wrong);
    findings.untold += events.untold;
    findings.attempts += attemptsOf(place, entry.wanted.project, record.id).length;
    const merged = record.merge.state === 'none' ? '' : ` (${record.merge.state})`;
    for (const end of endsOf(record).slice(-1)) count(findings.ends, `${words(end)}${merged}`);
  }
  note(findings, 'wrong', name, judgeRivals(keeper, round));
  note(findings, 'wrong', name, judgeOnce(place, round.entries));
  note(findings, 'leaked', name, leaksIn(place));
}

/** Of the two that write the same file, one at least is merged. */
function judgeRivals({ place }: Keeper, { entries }: Round): string[] {
  const rivals = entries.filter(({ wanted, id }) => wanted.kind === 'rivals' && id !== undefined);
  const merged = rivals.filter(({ wanted, id }) => readRecord(place, wanted.project, id!)?.merge.state === 'merged');
  return rivals.length > 0 && merged.length === 0 ? ['neither of the two rivals is merged'] : [];
}
