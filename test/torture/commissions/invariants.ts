/** What must hold of the commissions of a round when all have come to rest, and of the place when no hall runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommissionRecord, TimelineEntry } from '../../../src/features/commissions/contract.ts';
import { illegalStep } from '../../../src/features/commissions/rules.ts';
import { gitIn, processesOf } from '../parts/hall-process.ts';
import { type Place, projectNames, type ProjectOfPlace } from './place.ts';
import { killedEnds, ownEnds, unseenEnds, type Wanted } from './queue.ts';
import {
  attemptsOf,
  type AttemptOnDisk,
  markedProcesses,
  readRecord,
  readStarts,
  recordsOf,
  stateOf,
  type Told,
  worktreeOf,
} from './reading.ts';

/** What the hall said about one commission, and what was done to it. */
export interface Entry {
  readonly wanted: Wanted;
  /** Set when its creation was answered. */
  id?: string;
  readonly requestId: string;
  /** Words that the hall said it had taken. */
  readonly answers: string[];
  readonly comments: string[];
  cancelled?: boolean;
  redispatches: number;
}

export interface Disturbances {
  /** Tokens of workers that were killed. */
  readonly killedTokens: ReadonlySet<string>;
  /** When a hall was killed, milliseconds since 1970, rising. */
  readonly hallKills: readonly number[];
}

export interface Verdict {
  readonly lost: string[];
  readonly wrong: string[];
}

export function judge(place: Place, entry: Entry, disturbances: Disturbances): Verdict {
  const verdict: Verdict = { lost: [], wrong: [] };
  const { wanted, id } = entry;
  if (id === undefined) return verdict;
  const record = readRecord(place, wanted.project, id);
  if (record === undefined) return { lost: [`commission ${wanted.name} (${id}) is gone`], wrong: [] };
  for (const { line, message } of record.problems) verdict.wrong.push(`${id} does not read, line ${line}: ${message}`);
  const illegal = illegalStep(record.timeline);
  if (illegal !== undefined) verdict.wrong.push(`${id}: ${illegal.message} (entry ${illegal.index})`);
  if (record.prompt !== wanted.prompt) verdict.lost.push(`${id}: its prompt is another one`);
  const attempts = attemptsOf(place, wanted.project, id);
  judgeEnds(verdict, entry, record, attempts, disturbances);
  judgeAcknowledged(verdict, entry, record, attempts);
  judgeGit(place, verdict, entry, record);
  return verdict;
}

type StatusEntry = Extract<TimelineEntry, { event: 'status' }>;

export function endsOf(record: CommissionRecord): readonly StatusEntry[] {
  return record.timeline.filter(
    (entry): entry is StatusEntry =>
      entry.event === 'status' && ['completed', 'failed', 'cancelled'].includes(entry.to),
  );
}

export function words({ to, reason }: StatusEntry): string {
  return `${to}: ${reason}`;
}

/** Each attempt ended for its own reason, or because somebody killed what it needed. */
function judgeEnds(
  { wrong, lost }: Verdict,
  { wanted }: Entry,
  record: CommissionRecord,
  attempts: readonly AttemptOnDisk[],
  disturbances: Disturbances,
): void {
  const ends = endsOf(record);
  const { id, timeline } = record;
  if (ends.length === 0) wrong.push(`${id} (${wanted.name}) is ${record.status} and has not ended`);
  for (const end of ends) {
    const said = words(end);
    const on = attempts.find(({ attempt }) => attempt === end.attempt);
    const hasResult = on?.result !== undefined && on.result.token === on.token;
    if (hasResult !== (end.to === 'completed')) {
      const list = hasResult ? lost : wrong;
      list.push(
        `${id}, attempt ${end.attempt}: ${hasResult ? 'a result was' : 'no result was'} submitted, and it ${said}`,
      );
    }
    const isOwn = ownEnds[wanted.kind].includes(said);
    const began = timeline.find(
      (each) => each.event === 'status' && each.attempt === end.attempt && each.to === 'dispatched',
    );
    const isKilled = on?.token !== undefined && disturbances.killedTokens.has(on.token);
    const wasHallKilled = disturbances.hallKills.some(
      (at) => at >= Date.parse(began?.timestamp ?? '') - 50 && at <= Date.parse(end.timestamp),
    );
    if (!isOwn && !isExcused(said, wanted, on, { isKilled, wasHallKilled })) {
      wrong.push(`${id} (${wanted.name}), attempt ${end.attempt}: ended as "${said}", and nobody had disturbed it so`);
    }
  }
}

function isExcused(
  said: string,
  { kind }: Wanted,
  on: AttemptOnDisk | undefined,
  { isKilled, wasHallKilled }: { readonly isKilled: boolean; readonly wasHallKilled: boolean },
): boolean {
  if (isKilled && killedEnds.includes(said)) return true;
  if (!wasHallKilled) return false;
  // Nobody saw the exit code of one that ended while no hall was there.
  if (kind === 'exits' && unseenEnds.includes(said)) return true;
  // It had no process yet.
  return on?.identity === undefined && said === 'failed: process lost on restart';
}

/** Results, progress, decisions, answers: everything that was on disk stands in the record, once. */
function judgeAcknowledged(
  { wrong, lost }: Verdict,
  { answers, comments }: Entry,
  record: CommissionRecord,
  attempts: readonly AttemptOnDisk[],
): void {
  const { id, timeline } = record;
  for (const { attempt, journal, result, token } of attempts) {
    const numbers = journal.map(({ n }) => n);
    if (numbers.some((n, index) => n !== index + 1)) wrong.push(`${id}, attempt ${attempt}: its journal has gaps`);
    const begun = journal.filter(({ kind }) => kind === 'started').length;
    if (begun > 1) wrong.push(`${id}, attempt ${attempt}: it ran ${begun} times`);
    for (const entry of journal) {
      if (!['progress', 'question', 'decision'].includes(entry.kind)) continue;
      const there = timeline.filter(
        (each) => each.attempt === attempt && each.n === entry.n && each.event === entry.kind,
      );
      if (there.length === 0) lost.push(`${id}, attempt ${attempt}: ${entry.kind} ${entry.n} is not in the timeline`);
      if (there.length > 1)
        wrong.push(`${id}, attempt ${attempt}: ${entry.kind} ${entry.n} is there ${there.length} times`);
    }
    if (result === undefined || result.token !== token) continue;
    const told = timeline.filter((each) => each.event === 'result' && each.attempt === attempt);
    if (told.length !== 1) wrong.push(`${id}, attempt ${attempt}: its result is ${told.length} times in the timeline`);
    if (attempt === record.attempt && record.result?.summary !== result.summary)
      lost.push(`${id}: the result ${JSON.stringify(result.summary)} is not in the record`);
  }
  for (const text of answers) judgeWords(lost, wrong, record, 'answer', text);
  for (const text of comments) judgeWords(lost, wrong, record, 'comment', text);
}

function judgeWords(
  lost: string[],
  wrong: string[],
  { id, timeline }: CommissionRecord,
  event: 'answer' | 'comment',
  text: string,
): void {
  const there = timeline.filter((entry) => entry.event === event && entry.text === text);
  if (there.length === 0) lost.push(`${id}: the ${event} ${JSON.stringify(text)} is gone`);
  if (event === 'answer' && there.length > 1) wrong.push(`${id}: one answer is there ${there.length} times`);
}

/** One commit for merged work, with its files and its final record; none for other work. */
function judgeGit(place: Place, { wrong, lost }: Verdict, { wanted }: Entry, record: CommissionRecord): void {
  const { id, path, title, merge, status, attempt } = record;
  const repo = place.repos[wanted.project];
  const subjects = gitIn(repo, 'log', '--format=%s', 'claude/main', '--', path).split('\n');
  const merges = subjects.filter((subject) => subject === `Commission ${id}: ${title}`).length;
  const creations = subjects.filter((subject) => subject.startsWith(`Create commission ${id}:`)).length;
  if (creations > 1) wrong.push(`${id}: ${creations} commits create it`);
  const isMerged = merge.state === 'merged';
  if (merges !== (isMerged ? 1 : 0)) wrong.push(`${id} is ${status}, ${merge.state}: ${merges} commits merge it`);
  const committed = gitIn(repo, 'show', `claude/main:${path}`);
  if (readFileSync(join(worktreeOf(place, wanted.project), path), 'utf8').trim() !== committed)
    wrong.push(`${path} in the worktree is not what is committed`);
  if (status === 'completed' && !isMerged && !(wanted.kind === 'rivals' && merge.state === 'merge_conflict'))
    wrong.push(`${id} is completed, and its merge is ${merge.state}`);
  for (const file of isMerged ? wanted.files : []) {
    const there = gitIn(repo, 'ls-tree', '--name-only', 'claude/main', file);
    if (there === '') lost.push(`${id} is merged, and ${file} is not on the integration branch`);
  }
  const branches = gitIn(repo, 'branch', '--format=%(refname:short)', '--list', `claude/commission/${id}*`).split('\n');
  const own = `claude/commission/${id}${attempt > 1 ? `-${attempt}` : ''}`;
  if (isMerged === branches.includes(own) && status === 'completed')
    wrong.push(`${id} is ${merge.state}, and its branch ${own} is ${isMerged ? 'still there' : 'gone'}`);
}

/** One commission a request, and one process an attempt, over the whole run. */
export function judgeOnce(place: Place, entries: readonly Entry[]): string[] {
  const wrong: string[] = [];
  for (const project of projectNames) {
    const ids = recordsOf(place, project).map(({ id }) => id);
    for (const { requestId } of entries.filter(({ wanted }) => wanted.project === project)) {
      const made = ids.filter((id) => id.endsWith(`-${requestId.slice(2)}`));
      if (made.length > 1) wrong.push(`one request made ${made.join(' and ')}`);
    }
  }
  const starts = readStarts(place);
  const twice = starts.filter((token, index) => starts.indexOf(token) !== index);
  if (twice.length > 0) wrong.push(`${twice.length} attempts were started twice`);
  return wrong;
}

/** Events tell each change at most once; how many were told of by none. */
export function judgeTold(
  told: readonly Told[],
  record: CommissionRecord,
): { readonly wrong: string[]; readonly untold: number } {
  const wrong: string[] = [];
  let untold = 0;
  const own = told.filter(
    ({ subject, project }) => subject === `commission:${record.id}` && project === record.project,
  );
  for (const { from, to, attempt } of record.timeline.filter(
    (entry): entry is StatusEntry => entry.event === 'status',
  )) {
    if (from === null) continue;
    const changes = record.timeline.filter(
      (entry) => entry.event === 'status' && entry.from === from && entry.to === to && entry.attempt === attempt,
    ).length;
    const events = own.filter(({ data }) => data['from'] === from && data['to'] === to && data['attempt'] === attempt);
    if (events.length > changes) wrong.push(`${record.id}: ${from} → ${to} was told ${events.length} times`);
    if (events.length < changes) untold += 1;
  }
  return { wrong, untold };
}

/** What may not be left when nothing is under way and no hall runs. */
export function leaksIn(place: Place): string[] {
  const leaks: string[] = [];
  const tokens = new Set(readStarts(place));
  leaks.push(...markedProcesses(tokens));
  for (const pid of processesOf(place)) leaks.push(`process ${pid}`);
  for (const project of projectNames) leaks.push(...leaksOf(place, project));
  leaks.push(...lockFiles(place.home));
  return leaks;
}

function leaksOf(place: Place, project: ProjectOfPlace): string[] {
  const leaks: string[] = [];
  const repo = place.repos[project];
  const listed = gitIn(repo, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '));
  if (listed.length !== 2) leaks.push(`${project}: ${listed.length} worktrees are registered, expected 2`);
  const folder = join(place.home, 'worktrees', project);
  for (const name of namesIn(folder)) leaks.push(`worktrees/${project}/${name}`);
  const dirty = gitIn(worktreeOf(place, project), 'status', '--porcelain');
  if (dirty !== '')
    leaks.push(`${project}: the integration worktree has changes: ${dirty.split('\n').slice(0, 4).join('; ')}`);
  if (gitIn(repo, 'status', '--porcelain') !== '') leaks.push(`${project}: the person's checkout was changed`);
  if (gitIn(repo, 'rev-parse', 'main') !== place.mains[project])
    leaks.push(`${project}: the person's branch was moved`);
  if (gitIn(repo, 'symbolic-ref', 'HEAD') !== 'refs/heads/main')
    leaks.push(`${project}: another branch is checked out`);
  leaks.push(...lockFiles(join(repo, '.git')));
  for (const { id } of recordsOf(place, project)) {
    const state = stateOf(place, project, id);
    for (const name of namesIn(state).filter((each) => !/^\d+$/.test(each))) leaks.push(`state of ${id}: ${name}`);
    for (const { attempt, names } of attemptsOf(place, project, id)) {
      for (const name of names.filter((each) => each === 'agent' || each === 'tmp'))
        leaks.push(`${id}/${attempt}/${name}`);
    }
  }
  return leaks;
}

function lockFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.lock') && existsSync(join(folder, name)))
    .map((name) => `lock ${join(folder, name)}`);
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
