/** What a person says that a commission depends on, as it is written down. */
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { exists } from '../../../kernel/git/paths.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf, fail, HallError } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import { commissionKind, type CommissionRecord } from '../contract.ts';
import { decideDependencies, looksLikeId, normaliseDependency } from '../rules/dependencies.ts';
import { hasEnded } from './standing.ts';

/**
 * Paths in their one form, and whole ids of commissions, each once.
 * @throws HallError `invalid` for what leads out of the project, and for itself; `conflict` for a circle; `not_found` for
 *   a word that is neither a commission nor a file
 */
export async function requireDependencies(
  project: Project,
  id: string,
  given: readonly string[],
  others: readonly CommissionRecord[],
): Promise<readonly string[]> {
  const known = others.filter((record) => record.id !== id);
  const named: string[] = [];
  for (const one of given) named.push(await wholeName(project, one, [...known.map((record) => record.id), id]));
  const decided = decideDependencies(id, named, {
    all: new Map(known.map((record) => [record.id, record.dependencies])),
    producers: producersOf(known),
  });
  if (!decided.ok) throw new HallError(decided.refusal);
  return decided.next;
}

/** A shortened id becomes the whole one. What is a path, or is no good, is left for the rules. */
async function wholeName(project: Project, given: string, ids: readonly string[]): Promise<string> {
  const word = given.trim();
  if (!looksLikeId(word)) return word;
  try {
    return resolveShortId(word, ids, { noun: commissionKind, listCommand: 'guild-hall commission list' });
  } catch (error) {
    const facts = errorFactsOf(error);
    const path = normaliseDependency(word);
    const isFile = path !== undefined && (await exists(await resolveInside(project.integrationWorktree, path)));
    if (facts.code === 'not_found' && isFile) return word;
    throw facts.code === 'not_found' ? noSuchThing(project, word, facts.hint) : error;
  }
}

function noSuchThing(project: Project, word: string, hint: string): Error {
  return fail(
    'not_found',
    `The dependency "${word}" is neither a commission of ${project.name} nor a file of it.`,
    `A file that is yet to be made is named with its folder: ./${word}. ${hint}`,
    { dependency: word },
  );
}

/** Unfinished commissions by a path that they are known to make. */
export function producersOf(records: readonly CommissionRecord[]): ReadonlyMap<string, readonly string[]> {
  const producers = new Map<string, string[]>();
  for (const record of records) {
    if (hasEnded(record)) continue;
    for (const path of record.linkedArtifacts) producers.set(path, [...(producers.get(path) ?? []), record.id]);
  }
  return producers;
}
