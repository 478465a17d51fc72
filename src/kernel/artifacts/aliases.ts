/**
 * Aliases (`*name`) in a YAML text. Each is looked for among all names of the text as it becomes a value, so that very many
 * take minutes.
 */
import { type Document, visit } from 'yaml';

/** Nobody writes as many by hand. */
const most = 100;

export const manyAliases = `It has more than ${most} aliases.`;

/** @throws RangeError for what is nested too deeply */
export function hasManyAliases(document: Document): boolean {
  let count = 0;
  visit(document, {
    Alias: () => {
      count += 1;
      return count > most ? visit.BREAK : undefined;
    },
  });
  return count > most;
}
