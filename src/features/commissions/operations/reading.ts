/** What a person sees of commissions. Nothing here changes a file. */
import { branchTip } from '../../../kernel/git/branches.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { CommissionsContext } from '../context.ts';
import type {
  CommissionList,
  CommissionLogs,
  CommissionRecord,
  CommissionRow,
  CommissionsAwaited,
  CommissionStatus,
  CommissionView,
  Dependency,
} from '../contract.ts';
import { findMissing } from '../reactions/waiting.ts';
import { allowedVerbs } from '../rules.ts';
import { readJournal, readJournalEnd } from '../store/attempt.ts';
import { artifactFile, requireCommission } from '../store/files.ts';
import { attemptFolder, branchOf, type CommissionRef, keyOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { wishedSince } from '../store/wish.ts';
import { stuckOn, undispatchedOf } from './chaining.ts';
import { changesOfAttempt, requireAttempt } from './diffing.ts';
import { whatRuns } from './process.ts';
import { openQuestionsOf } from './questions.ts';
import { answerOf, hasEnded, isUnderWay, isWaiting, readStanding, recordsOf, type Standing } from './standing.ts';

/** So much of the live log comes with the view. Entries. */
const shownEntries = 500;
/** Branches of so many attempts, the last, are looked for. */
const shownBranches = 50;

/** Running first, then the queue in its order, then the newest first; what is no commission there is told beside them. */
export async function listCommissions(
  ctx: CommissionsContext,
  wanted: { readonly project?: Project | undefined; readonly status?: CommissionStatus | undefined },
): Promise<CommissionList> {
  const standing = await readStanding(ctx);
  const projects = listProjects(ctx).filter(({ name }) => wanted.project === undefined || wanted.project.name === name);
  const rows: CommissionRow[] = [];
  for (const project of projects) {
    for (const record of recordsOf(standing, project)) {
      if (wanted.status !== undefined && record.status !== wanted.status) continue;
      rows.push(await rowOf(ctx, { project, id: record.id }, record, standing));
    }
  }
  return {
    commissions: rows.toSorted(byUrgency),
    limits: standing.limits,
    problems: projects.flatMap(({ name }) => standing.read.get(name)?.problems ?? []),
  };
}

function byUrgency(x: CommissionRow, y: CommissionRow): number {
  const rank = (row: CommissionRow): number => (isUnderWay(row) ? 0 : row.queue === null ? 2 : 1);
  return (
    rank(x) - rank(y) ||
    (x.queue?.position ?? 0) - (y.queue?.position ?? 0) ||
    y.createdAt.localeCompare(x.createdAt) ||
    y.id.localeCompare(x.id)
  );
}

async function rowOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  record: CommissionRecord,
  standing: Standing,
): Promise<CommissionRow> {
  const { prompt: _prompt, timeline, modules: _modules, related: _related, ...facts } = record;
  const last = timeline.findLast((entry) => entry.event === 'status');
  const { process } = await whatRuns(ctx, ref, record);
  const others = recordsOf(standing, ref.project);
  return {
    ...facts,
    queuedAt: wishedSince(ctx, ref, record),
    queue: standing.holdUps.get(keyOf(ref)) ?? null,
    process,
    missing: isWaiting(record) ? [...(await findMissing(ref.project, record.dependencies, others))] : [],
    openQuestions: openQuestionsOf(record).length,
    since: last?.timestamp ?? record.createdAt,
    reason: last?.reason ?? '',
  };
}

export async function showCommission(ctx: CommissionsContext, ref: CommissionRef): Promise<CommissionView> {
  // Events after the cursor are what comes on top of this. Files are read later, and may know more.
  const cursor = printCursor(ctx.events.cursor());
  const commission = await requireCommission(ref.project, ref.id);
  const standing = await readStanding(ctx);
  const others = recordsOf(standing, ref.project);
  const { phase, process } = await whatRuns(ctx, ref, commission);
  const openQuestions = openQuestionsOf(commission);
  const { attempt } = commission;
  const log = attempt === 0 ? noLog : await readJournalEnd(attemptFolder(ctx, ref, attempt), shownEntries);
  const { workers } = await ctx.catalogue();
  const queuedAt = wishedSince(ctx, ref, commission);
  const facts = { ...commission, queuedAt, phase, merge: commission.merge.state, openQuestions: openQuestions.length };
  return {
    commission: { ...commission, queuedAt },
    workerTitle: [...workers.values()].find(({ name }) => name === commission.worker)?.identity.displayTitle ?? '',
    phase,
    process,
    dependencies: await dependenciesOf(ref.project, commission, others),
    dependents: others.filter((other) => dependsOn(other, commission)).map(neighbourOf),
    queue: standing.holdUps.get(keyOf(ref)) ?? null,
    undispatched: (await undispatchedOf(ctx, ref.project, commission, others)).map(neighbourOf),
    openQuestions,
    allowed: allowedVerbs(facts),
    changedFiles: [...(await changesOfAttempt(ctx, ref, attempt))],
    branches: await branchesOf(ctx, ref, attempt),
    conflicts: isUnderWay(commission) ? ((await ctx.conflictsOf?.(ref)) ?? []) : [],
    journal: [...log.entries],
    journalIsCut: log.isCut,
    recordFile: await artifactFile(ref.project, ref.id),
    cursor,
  };
}

const noLog = { entries: [], isCut: false } as const;

async function dependenciesOf(
  project: Project,
  { dependencies }: CommissionRecord,
  others: readonly CommissionRecord[],
): Promise<Dependency[]> {
  const missing = new Set(await findMissing(project, dependencies, others));
  return dependencies.map((on) => {
    const commission = others.find(({ id }) => id === on);
    return { on, isThere: !missing.has(on), commission: commission === undefined ? null : neighbourOf(commission) };
  });
}

/** By its id, or by a path that the other one links. */
function dependsOn(record: CommissionRecord, other: CommissionRecord): boolean {
  if (record.id === other.id) return false;
  return record.dependencies.some((one) => one === other.id || other.linkedArtifacts.includes(one));
}

function neighbourOf({ id, title, status }: CommissionRecord): CommissionView['dependents'][number] {
  return { id, title, status };
}

async function branchesOf(ctx: CommissionsContext, ref: CommissionRef, attempts: number): Promise<string[]> {
  const first = Math.max(1, attempts - shownBranches + 1);
  const names = Array.from({ length: attempts - first + 1 }, (_, index) => branchOf(ref, first + index));
  const tips = await Promise.all(names.map((name) => branchTip(ctx, ref.project.path, name)));
  return names.filter((_, index) => tips[index] !== undefined);
}

/** @throws HallError `not_found` for an attempt that there was not */
export async function readLogs(
  ctx: CommissionsContext,
  ref: CommissionRef,
  wanted: { readonly attempt?: number | undefined; readonly from?: number | undefined; readonly limit: number },
): Promise<CommissionLogs> {
  const cursor = printCursor(ctx.events.cursor());
  const record = await requireCommission(ref.project, ref.id);
  const attempt = requireAttempt(record, wanted.attempt);
  const { id, project, title, status } = record;
  const facts = { id, project, title, status, attempt, cursor };
  if (attempt === 0) return { ...facts, entries: [], next: 1, hasMore: false };
  const folder = attemptFolder(ctx, ref, attempt);
  const { from, limit } = wanted;
  const page =
    from === undefined
      ? { ...(await readJournalEnd(folder, limit)), hasMore: false }
      : await readJournal(folder, { from, limit });
  return {
    ...facts,
    entries: [...page.entries],
    next: (page.entries.at(-1)?.n ?? (from ?? 1) - 1) + 1,
    hasMore: page.hasMore,
  };
}

/** How the commissions stand that somebody waits for. */
export async function readAwaited(
  ctx: CommissionsContext,
  refs: readonly CommissionRef[],
): Promise<CommissionsAwaited> {
  const cursor = printCursor(ctx.events.cursor());
  const read = await Promise.all(refs.map(async (ref) => await awaitedOf(ctx, ref)));
  return { commissions: read.map(({ one }) => one), isOver: read.every(({ isOver }) => isOver), cursor };
}

type Awaited = CommissionsAwaited['commissions'][number];

async function awaitedOf(ctx: CommissionsContext, ref: CommissionRef): Promise<{ one: Awaited; isOver: boolean }> {
  const record = await requireCommission(ref.project, ref.id);
  const { process } = await whatRuns(ctx, ref, record);
  const last = record.timeline.findLast((entry) => entry.event === 'status');
  // While the hall has something to do with it, a merge for one, it is not over, whatever its state.
  const isBusy = (await runOf(ctx, ref).read()) !== undefined || isUnderWay(record);
  const isAskedFor = wishedSince(ctx, ref, record) !== null;
  const stuck = isAskedFor && !isBusy ? await stuckOn(ctx, ref, record) : undefined;
  return {
    isOver: !isBusy && (hasEnded(record) || !isAskedFor || stuck !== undefined),
    one: {
      ...(await answerOf(ctx, ref, record)),
      progress: record.currentProgress,
      heartbeat: process?.heartbeat ?? null,
      startedAt: process?.startedAt ?? null,
      reason: stuck?.reason ?? last?.reason ?? '',
      hint: stuck?.hint ?? last?.hint ?? '',
      isStuck: stuck !== undefined,
      openQuestions: openQuestionsOf(record).length,
      summary: record.result?.summary ?? null,
    },
  };
}
