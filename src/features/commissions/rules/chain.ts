/** Which commissions have to start besides one, so that it can: over all levels. Pure. */
import { type Decision, refuse } from '../../../kernel/pure/errors.ts';
import type { CommissionRecord } from '../contract.ts';

type Link = Pick<
  CommissionRecord,
  'id' | 'title' | 'status' | 'queuedAt' | 'dependencies' | 'linkedArtifacts' | 'merge'
>;

export interface Chain<T extends Link> {
  /** Those that are to start, itself not among them; whoever is waited for comes before who waits. */
  readonly waiting: readonly T[];
  /** Those that have ended without being there: nothing follows from them by itself. */
  readonly ended: readonly T[];
  /** Paths that are not there, and that none of them is known to make. */
  readonly unmade: readonly string[];
}

/**
 * @param others all commissions of the project
 * @param isMissing of a dependency: it is not there now
 */
export function chainOf<T extends Link>(
  { id, dependencies }: Pick<Link, 'id' | 'dependencies'>,
  others: readonly T[],
  isMissing: (dependency: string) => boolean,
): Chain<T> {
  const byId = new Map<string, T>(others.map((other) => [other.id, other]));
  const waiting: T[] = [];
  const ended = new Set<T>();
  const unmade = new Set<string>();
  const seen = new Set<string>([id]);
  const follow = (wanted: readonly string[]): void => {
    for (const one of wanted.filter(isMissing)) {
      const named = byId.get(one);
      const makers = named === undefined ? makersOf(one, others) : [named];
      if (makers.length === 0) unmade.add(one);
      for (const maker of makers) {
        if (seen.has(maker.id)) continue;
        seen.add(maker.id);
        if (isWaiting(maker)) {
          follow(maker.dependencies);
          waiting.push(maker);
        } else if (!mayStillCome(maker)) ended.add(maker);
      }
    }
  };
  follow(dependencies);
  return { waiting, ended: [...ended], unmade: [...unmade] };
}

/** Only who can still make it: what ended without it does not count. */
function makersOf<T extends Link>(path: string, others: readonly T[]): readonly T[] {
  return others.filter((other) => other.linkedArtifacts.includes(path) && (isWaiting(other) || mayStillCome(other)));
}

function isWaiting({ status }: Pick<Link, 'status'>): boolean {
  return status === 'pending' || status === 'blocked';
}

/** It runs, or its merge is about to be tried. */
function mayStillCome({ status, merge }: Pick<Link, 'status' | 'merge'>): boolean {
  return status === 'dispatched' || status === 'in_progress' || (status === 'completed' && merge.state === 'none');
}

/** Refused where the chain cannot come to its end by itself; then nothing of it is to start. */
export function decideChain<T extends Link>(id: string, chain: Chain<T>): Decision<Chain<T>> {
  const [first] = chain.ended;
  if (first === undefined) return { ok: true, next: chain, events: [], todo: [] };
  return refuse(
    'conflict',
    `Commission ${id} cannot start: it waits for ${first.id}, which ${howItEnded(first)}. Nothing was dispatched.`,
    `${wayOut(first)}. Or let it not wait: guild-hall commission edit ${id} --clear depends`,
    { id, ended: chain.ended.map((one) => one.id) },
  );
}

/** Why one that waits will not start, whatever time passes, and the way out; undefined where it may. */
export function whyStuck<T extends Link>(
  id: string,
  { waiting, ended }: Chain<T>,
  isAskedFor: (link: T) => boolean,
): { readonly reason: string; readonly hint: string } | undefined {
  const [first] = ended;
  if (first !== undefined) {
    return { reason: `It waits for ${first.id}, which ${howItEnded(first)}.`, hint: wayOut(first) };
  }
  const idle = waiting.find((link) => !isAskedFor(link));
  if (idle === undefined) return undefined;
  return {
    reason: `It waits for ${idle.id}, which nobody has dispatched.`,
    hint: `Start all that it waits for: guild-hall commission dispatch ${id} --with-dependencies`,
  };
}

function howItEnded({ status }: Link): string {
  if (status === 'failed') return 'failed';
  if (status === 'cancelled') return 'was cancelled';
  return status === 'completed' ? 'is completed, but not merged' : 'cannot be read';
}

function wayOut({ id, status, merge }: Link): string {
  if (status === 'failed' || status === 'cancelled') return `Try it again: guild-hall commission redispatch ${id}`;
  if (status === 'completed' && merge.state !== 'dismissed') return `Merge it: guild-hall commission merge ${id}`;
  return `See: guild-hall commission show ${id}`;
}
