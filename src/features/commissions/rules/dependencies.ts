/** What a commission waits for: paths of the project, and ids of other commissions. Pure. */
import { type Decision, refuse } from '../../../kernel/pure/errors.ts';
import { activityIdSchema } from '../../../kernel/pure/ids.ts';
import { commissionsFolder, type CommissionStatus } from '../contract.ts';

export const maxDependencies = 200;

/** `.lore/x.md` for `./.lore//x.md`, an id as it is; undefined for what is empty, absolute or leads out of the project. */
export function normaliseDependency(given: string): string | undefined {
  const text = given.trim();
  if (text.length > 1000 || text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return undefined;
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || parts[0] === '.git') return undefined;
  return parts.join('/');
}

/** True for a word that can be the id of a commission; it can be a file in the project's root all the same. */
export function looksLikeId(dependency: string): boolean {
  return activityIdSchema.safeParse(dependency).success;
}

/** What the other commissions of the project wait for and make, as far as it is known. */
export interface DependencyFacts {
  /** Dependencies by id of commission. */
  readonly all: ReadonlyMap<string, readonly string[]>;
  /** Ids of unfinished commissions by a path that they are known to make. */
  readonly producers?: ReadonlyMap<string, readonly string[]>;
}

/** The normalised list, each once; or why it cannot be. */
export function decideDependencies(
  id: string,
  given: readonly string[],
  facts: DependencyFacts,
): Decision<readonly string[]> {
  const outside = given.find((one) => normaliseDependency(one) === undefined);
  if (outside !== undefined) {
    return refuse(
      'invalid',
      `The dependency ${JSON.stringify(outside.slice(0, 200))} is no path inside the project and no id of a commission.`,
      'Name a file of the project, like .lore/specs/plan.md, or a commission: guild-hall commission list',
      { dependency: outside.slice(0, 200) },
    );
  }
  const dependencies = [...new Set(given.map((one) => normaliseDependency(one)!))];
  if (dependencies.length > maxDependencies) {
    return refuse(
      'invalid',
      `A commission waits for at most ${maxDependencies} things; these are ${dependencies.length}.`,
      'Let it wait for one commission that waits for the others.',
    );
  }
  if (dependencies.some((one) => one === id || one === `${commissionsFolder}/${id}.md`)) {
    return refuse('invalid', `Commission ${id} cannot wait for itself.`, 'Take it out of its own dependencies.', {
      id,
    });
  }
  const cycle = findCycle(id, dependencies, facts.all, facts.producers);
  if (cycle === undefined) return { ok: true, next: dependencies, events: [], todo: [] };
  return refuse(
    'conflict',
    `These commissions would wait for each other for ever: ${cycle.join(' → ')}.`,
    'Take one of these dependencies out: guild-hall commission graph',
    { id, cycle: [...cycle] },
  );
}

/** A way from the commission back to itself, both ends included; undefined where there is none. */
export function findCycle(
  id: string,
  dependencies: readonly string[],
  all: ReadonlyMap<string, readonly string[]>,
  producers: ReadonlyMap<string, readonly string[]> = new Map(),
): readonly string[] | undefined {
  const leadTo = (dependency: string): readonly string[] =>
    dependency === id || all.has(dependency) ? [dependency] : (producers.get(dependency) ?? []);
  const cameFrom = new Map<string, string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of (at === id ? dependencies : all.get(at)!).flatMap(leadTo)) {
      if (next === id) return wayBack(id, at, cameFrom);
      if (cameFrom.has(next) || !all.has(next)) continue;
      cameFrom.set(next, at);
      open.push(next);
    }
  }
  return undefined;
}

function wayBack(id: string, last: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [id];
  for (let at: string | undefined = last; at !== undefined && at !== id; at = cameFrom.get(at)) way.unshift(at);
  return [id, ...way];
}

/**
 * Those that are not there, in their order. A word that names no commission is asked for as a path; what leads out of the
 * project is asked for nowhere and is never there.
 */
export function missingDependencies(
  dependencies: readonly string[],
  facts: {
    readonly pathExists: (path: string) => boolean;
    /** Undefined: there is no such commission. */
    readonly commissionDone: (id: string) => boolean | undefined;
  },
): readonly string[] {
  return dependencies.filter((one) => {
    if (normaliseDependency(one) !== one) return true;
    const done = looksLikeId(one) ? facts.commissionDone(one) : undefined;
    return !(done ?? facts.pathExists(one));
  });
}

/** The state that follows from what is missing; undefined where nothing changes. */
export function decideWaiting(
  status: CommissionStatus | null,
  missing: readonly string[],
): { readonly to: 'pending' | 'blocked'; readonly reason: string } | undefined {
  if (status === 'pending' && missing.length > 0) return { to: 'blocked', reason: blockedReason(missing) };
  if (status === 'blocked' && missing.length === 0)
    return { to: 'pending', reason: 'Everything it waits for is there' };
  return undefined;
}

/** `Waits for .lore/a.md, .lore/b.md and 3 more`. */
export function blockedReason(missing: readonly string[]): string {
  const named = missing.slice(0, 5).join(', ');
  return missing.length > 5 ? `Waits for ${named} and ${missing.length - 5} more` : `Waits for ${named}`;
}
