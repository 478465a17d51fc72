/** The life of a commission as a few stages, those of the last attempt. Pure. */
import type { CommissionRecord, TimelineEntry } from '../../../src/features/commissions/contract.ts';
import { mergeTrouble } from '../../kit/commission-state.ts';

export interface Stage {
  readonly word: string;
  /** Null where it is not known, or not reached. */
  readonly at: string | null;
  readonly state: 'past' | 'now' | 'ahead' | 'failed' | 'dropped';
}

type Facts = Pick<
  CommissionRecord,
  'status' | 'createdAt' | 'queuedAt' | 'attempt' | 'completedAt' | 'result' | 'merge' | 'timeline'
>;

export function stagesOf(facts: Facts): readonly Stage[] {
  const { createdAt, queuedAt, merge, timeline } = facts;
  const again = timeline.findLast((entry) => entry.event === 'attempt');
  const since = again === undefined ? timeline : timeline.slice(timeline.indexOf(again));
  const reached = (status: CommissionRecord['status']) =>
    since.findLast((entry) => entry.event === 'status' && entry.to === status)?.timestamp ?? null;
  const of = (event: TimelineEntry['event']) => since.findLast((entry) => entry.event === event)?.timestamp ?? null;
  const begun: Draft =
    again === undefined
      ? { word: 'created', at: createdAt }
      : { word: `attempt ${again.attempt}`, at: again.timestamp };
  const stages: Draft[] = [
    begun,
    { word: 'queued', at: queuedAt },
    { word: 'dispatched', at: reached('dispatched') },
    { word: 'running', at: reached('in_progress') },
  ];
  const ended = endOf(facts, reached);
  if (ended !== undefined) {
    // What it did not come to is left out.
    const come = stages.filter(({ at }, nth) => nth === 0 || at !== null).map(pastOf);
    return [...come, ended];
  }
  const result: Draft = { word: 'result', at: of('result') ?? (facts.result && facts.completedAt) };
  const last = lastOf(merge, of('merge'));
  const all = [...stages, result];
  const now = nowOf(facts);
  return [...all.map((stage, nth) => placeOf(stage, nth, now)), last ?? placeOf({ word: 'merged', at: null }, 5, now)];
}

type Draft = Pick<Stage, 'word' | 'at'>;

function pastOf({ word, at }: Draft): Stage {
  return { word, at, state: 'past' };
}

function placeOf({ word, at }: Draft, nth: number, now: number): Stage {
  if (nth > now) return { word, at: null, state: 'ahead' };
  return { word, at, state: nth === now ? 'now' : 'past' };
}

/** Number of the stage that it is in. */
function nowOf({ status, queuedAt, result, merge }: Facts): number {
  switch (status) {
    case 'dispatched':
      return 2;
    case 'in_progress':
      return result === null ? 3 : 4;
    case 'completed':
      return merge.state === 'none' ? 4 : 5;
    default:
      return queuedAt === null ? 0 : 1;
  }
}

function endOf({ status }: Facts, reached: (status: CommissionRecord['status']) => string | null): Stage | undefined {
  if (status === 'failed') return { word: 'failed', at: reached('failed'), state: 'failed' };
  if (status === 'cancelled') return { word: 'cancelled', at: reached('cancelled'), state: 'dropped' };
  return undefined;
}

function lastOf(merge: Facts['merge'], at: string | null): Stage | undefined {
  if (merge.state === 'none') return undefined;
  if (merge.state === 'merged') return { word: 'merged', at, state: 'past' };
  if (merge.state === 'dismissed') return { word: 'not merged', at, state: 'dropped' };
  return { word: mergeTrouble(merge) ?? 'not merged', at, state: 'failed' };
}
