/** Which queued commissions start now, and why the others do not. Pure. */
import type { HoldUp } from '../contract.ts';

export interface QueuedCommission {
  /** Names it over all projects. */
  readonly key: string;
  readonly project: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly createdAt: string;
  readonly id: string;
  /** Something that it waits for is missing. */
  readonly isBlocked: boolean;
}

export interface QueueInput {
  readonly queued: readonly QueuedCommission[];
  /** Everything that is `dispatched` or `in_progress`. */
  readonly running: readonly { readonly project: string }[];
  readonly limits: { readonly global: number; readonly perProject: (project: string) => number };
  readonly waitingForReview: number;
  /** 0: there is none. */
  readonly reviewLimit: number;
}

export interface QueueDecision {
  /** Keys, in the order in which they start. */
  readonly start: readonly string[];
  /** Of every queued one, those that start included. */
  readonly holdUps: ReadonlyMap<string, HoldUp>;
}

/** First created, first started, over all projects; one whose project is full lets the others pass. */
export function decideQueue(input: QueueInput): QueueDecision {
  const counts = countRunning(input.running);
  let all = input.running.length;
  const start: string[] = [];
  const holdUps = new Map<string, HoldUp>();
  for (const [index, one] of input.queued.toSorted(byCreation).entries()) {
    const inProject = counts.get(one.project) ?? 0;
    const because = holdUpOf(one, input, inProject, all);
    holdUps.set(one.key, { position: index + 1, because, text: wordsOf(because, one, input, inProject) });
    if (because !== 'starting') continue;
    start.push(one.key);
    counts.set(one.project, inProject + 1);
    all += 1;
  }
  return { start, holdUps };
}

/** The order of the queue: created first, then by id, then by project. */
export function byCreation(x: QueuedCommission, y: QueuedCommission): number {
  return compare(x.createdAt, y.createdAt) || compare(x.id, y.id) || compare(x.key, y.key);
}

function compare(x: string, y: string): number {
  if (x === y) return 0;
  return x < y ? -1 : 1;
}

function countRunning(running: QueueInput['running']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { project } of running) counts.set(project, (counts.get(project) ?? 0) + 1);
  return counts;
}

function holdUpOf(one: QueuedCommission, input: QueueInput, inProject: number, all: number): HoldUp['because'] {
  if (one.isBlocked) return 'dependency';
  if (input.reviewLimit > 0 && input.waitingForReview >= input.reviewLimit) return 'review_limit';
  if (inProject >= input.limits.perProject(one.project)) return 'project_limit';
  return all >= input.limits.global ? 'global_limit' : 'starting';
}

function wordsOf(
  because: HoldUp['because'],
  { project }: QueuedCommission,
  { limits, waitingForReview, reviewLimit }: QueueInput,
  inProject: number,
): string {
  switch (because) {
    case 'dependency':
      return 'It waits for something that is not there yet';
    case 'review_limit':
      return `${finished(waitingForReview)} for your review, and the limit is ${reviewLimit}`;
    case 'project_limit':
      return `${project} has room for ${limits.perProject(project)} at once, and ${inProject} are under way`;
    case 'global_limit':
      return `The hall has room for ${limits.global} at once, and that many are under way`;
    case 'starting':
      return 'It starts now';
  }
}

function finished(count: number): string {
  return count === 1 ? 'One finished commission waits' : `${count} finished commissions wait`;
}
