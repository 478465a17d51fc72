/** The rules of commissions. Pure: a state, a wish and the time in; what follows, or a refusal, out. */
import { type Decision, type ErrorFacts, refuse } from '../../kernel/pure/errors.ts';
import type { CommissionStatus, CommissionView, MergeState, TimelineEntry } from './contract.ts';

/** The whole state machine. The way from `failed` and `cancelled` is the re-dispatch; `completed` has none. */
export const transitions: Readonly<Record<CommissionStatus, readonly CommissionStatus[]>> = {
  pending: ['dispatched', 'blocked', 'cancelled'],
  blocked: ['pending', 'cancelled'],
  dispatched: ['in_progress', 'failed', 'cancelled'],
  in_progress: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: ['pending'],
  cancelled: ['pending'],
};

/** What a person can do from each state. */
const offered: Readonly<Record<CommissionStatus, string>> = {
  pending: 'dispatch it or cancel it',
  blocked: 'cancel it; it becomes pending when what it waits for is there',
  dispatched: 'cancel it',
  in_progress: 'cancel it',
  completed: 'create a new commission; this one stays as it is',
  failed: 'dispatch it again: guild-hall commission redispatch',
  cancelled: 'dispatch it again: guild-hall commission redispatch',
};

interface Subject {
  readonly id: string;
  readonly status: CommissionStatus | null;
}

export interface Move {
  readonly status: CommissionStatus;
  readonly entry: Extract<TimelineEntry, { event: 'status' }>;
}

/** Whether it may become `to`, and the entry that tells so. The refusal names the present state and the moves it allows. */
export function decideMove(
  commission: Subject,
  to: CommissionStatus,
  reason: string,
  now: string,
  attempt: number,
  hint?: string,
): Decision<Move> {
  const { id, status: from } = commission;
  if (from === null) return refuseUnreadable(id);
  if (!transitions[from].includes(to)) return refuseMove(id, from, to);
  const entry = { timestamp: now, attempt, event: 'status', from, to, reason, ...(hint ? { hint } : {}) } as const;
  return allow({ status: to, entry });
}

function refuseMove(id: string, from: CommissionStatus, to: CommissionStatus): { ok: false; refusal: ErrorFacts } {
  const allowed = transitions[from];
  const ways = allowed.length === 0 ? 'nothing else' : orList(allowed);
  return refuse(
    'conflict',
    `Commission ${id} is ${from}; from there it can become ${ways}, not ${to}.`,
    `From ${from} you can ${offered[from]}.`,
    { id, status: from, allowed: [...allowed] },
  );
}

/** The first entry of a timeline. */
export function firstEntry(to: 'pending' | 'blocked', reason: string, now: string): Move['entry'] {
  return { timestamp: now, attempt: 0, event: 'status', from: null, to, reason };
}

/** The state that the last change of a timeline led to; null where it tells of none. */
export function statusOfTimeline(timeline: readonly TimelineEntry[]): CommissionStatus | null {
  return timeline.findLast((entry) => entry.event === 'status')?.to ?? null;
}

/** The first change that the state machine does not allow, with its place in the timeline (from 0). */
export function illegalStep(timeline: readonly TimelineEntry[]): { index: number; message: string } | undefined {
  let present: CommissionStatus | null = null;
  for (const [index, entry] of timeline.entries()) {
    if (entry.event !== 'status') continue;
    const { from, to } = entry;
    const isLegal =
      present === null ? from === null && (to === 'pending' || to === 'blocked') : transitions[present].includes(to);
    if (!isLegal || from !== present) return { index, message: `${present ?? 'nothing'} cannot become ${to}` };
    present = to;
  }
  return undefined;
}

/** Facts by which it is known what may be done now. */
export interface VerbFacts {
  readonly status: CommissionStatus | null;
  readonly phase: CommissionView['phase'];
  readonly attempt: number;
  readonly queuedAt: string | null;
  readonly merge: MergeState;
  readonly reviewedAt: string | null;
  readonly openQuestions: number;
}
/** It was tried, and can be tried again. */
const unmerged: ReadonlySet<MergeState> = new Set<MergeState>(['merge_conflict', 'gate_failed', 'secrets']);

type Verb = CommissionView['allowed'][number];

/** What the person may do now; nothing with a record that cannot be read. */
export function allowedVerbs(facts: VerbFacts): Verb[] {
  const { status, phase } = facts;
  if (status === null) return [];
  const isStill = phase === null;
  const waits = status === 'pending' || status === 'blocked';
  const ends = phase === 'ending' || phase === 'merging' || phase === 'cancelling';
  const isUnmerged = status === 'completed' && isStill && unmerged.has(facts.merge);
  const may: Readonly<Record<Verb, boolean>> = {
    edit: waits && isStill,
    dispatch: status === 'pending' && facts.queuedAt === null && isStill,
    hold: waits && facts.queuedAt !== null && isStill,
    cancel: transitions[status].includes('cancelled') && !ends,
    redispatch: (status === 'failed' || status === 'cancelled') && isStill,
    merge: isUnmerged,
    dismiss: isUnmerged,
    review: (status === 'completed' || status === 'failed') && facts.reviewedAt === null && isStill,
    answer: facts.openQuestions > 0,
    comment: facts.attempt > 0,
  };
  return (Object.keys(may) as Verb[]).filter((verb) => may[verb]);
}

/** True for finished work that the person has not looked at; so many of them can make the queue wait. */
export function waitsForReview(facts: Pick<VerbFacts, 'status' | 'reviewedAt'>): boolean {
  return facts.status === 'completed' && facts.reviewedAt === null;
}

/** Whether its title, prompt, dependencies and limits may be changed. */
export function decideEdit(commission: Subject): Decision<true> {
  const { id, status } = commission;
  if (status === null) return refuseUnreadable(id);
  if (status === 'pending' || status === 'blocked') return allow(true);
  return refuse(
    'conflict',
    `Commission ${id} is ${status}; what it asks for can be changed while it is pending or blocked.`,
    `From ${status} you can ${offered[status]}.`,
    { id, status },
  );
}

interface HandSide {
  readonly fields: Readonly<Record<string, unknown>>;
  /** As it is read, wherever it stands. */
  readonly prompt: string;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Fields that tell what the hall did, or by which it finds its way: of these a person changes none by hand. */
const fieldsOfTheHall = [
  'status',
  'worker',
  'linked_artifacts',
  'created_by',
  'created_at',
  'queued_at',
  'attempt',
  'branch',
  'current_progress',
  'result',
  'completed_at',
  'merge',
  'merged_from',
  'reviewed_at',
  'usage',
  'activity_timeline',
] as const;
/** What it asks for: free while it is pending or blocked. */
const fieldsOfTheOrder = ['title', 'dependencies', 'resource_overrides'] as const;

/** Whether a person may replace the text of a record by hand. `isBusy`: the hall is in the middle of something with it. */
export function decideHandEdit(
  commission: Subject & { readonly isBusy: boolean },
  before: HandSide,
  after: HandSide,
): Decision<true> {
  const { id, status } = commission;
  if (commission.isBusy || status === 'dispatched' || status === 'in_progress') {
    return refuse(
      'conflict',
      `This is the record of commission ${id}, which the hall is writing itself until the commission has ended.`,
      `Wait for its end, or cancel it first: guild-hall commission cancel ${id}`,
      { id, status },
    );
  }
  const [problem] = after.problems;
  if (problem !== undefined && before.problems.length === 0) {
    return refuse(
      'invalid',
      `With this text commission ${id} could not be read any more, line ${problem.line}: ${problem.message}`,
      'Mend that line, then save again. The words below the frontmatter are free.',
      { id, line: problem.line },
    );
  }
  // A record that could not be read may be mended in any way.
  if (before.problems.length > 0) return allow(true);
  return decideChangedFields({ id, status }, before, after);
}

function decideChangedFields({ id, status }: Subject, before: HandSide, after: HandSide): Decision<true> {
  const isChanged = (name: string): boolean => told(before.fields[name]) !== told(after.fields[name]);
  const own = fieldsOfTheHall.find(isChanged);
  if (own !== undefined) {
    return refuse(
      'conflict',
      `The field \`${own}\` of commission ${id} tells what the hall did; it is not changed by hand.`,
      own === 'status' && status !== null
        ? `From ${status} you can ${offered[status]}.`
        : 'Leave that field as it was.',
      { id, field: own },
    );
  }
  const asked = before.prompt === after.prompt ? fieldsOfTheOrder.find(isChanged) : 'prompt';
  const isFree = status === 'pending' || status === 'blocked';
  if (asked === undefined || isFree) return allow(true);
  return refuse(
    'conflict',
    `The field \`${asked}\` of commission ${id} is what was asked for; it is changed while it is pending or blocked.`,
    'Leave that field as it was; tags and the words below the frontmatter are free.',
    { id, field: asked },
  );
}

function refuseUnreadable(id: string): { ok: false; refusal: ErrorFacts } {
  return refuse(
    'conflict',
    `The record of commission ${id} has no readable status; expected pending, blocked, dispatched, in_progress, completed, failed or cancelled.`,
    `Mend the field \`status\` in the file that this names: guild-hall commission show ${id}`,
    { id },
  );
}

function allow<T>(next: T): { ok: true; next: T; events: []; todo: [] } {
  return { ok: true, next, events: [], todo: [] };
}

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function told(value: unknown): string {
  return JSON.stringify(value ?? null);
}
