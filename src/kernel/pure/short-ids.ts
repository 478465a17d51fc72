/** Ids as people type them: the whole, its beginning, or its last parts, as long as only one thing is meant. */
import { z } from 'zod';
import { fail } from './errors.ts';
import { maxIdLength } from './ids.ts';
import { nearestOf } from './nearest.ts';

/** What a door takes where an id is asked for; `resolveShortId` makes the whole id of it. */
export const shortIdSchema = z
  .string()
  .min(1)
  .max(maxIdLength, `an id of at most ${maxIdLength} characters`)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/, 'an id: letters, digits, hyphens and underscores');

/**
 * The one id that `given` stands for: itself, else the only id that begins with it or ends with it; an end is a whole
 * part of the id, or has at least four characters.
 * @param noun what it is an id of, for the message: `worker`
 * @param listCommand where the ids can be seen: `guild-hall worker list`
 * @throws HallError `not_found` (with the nearest id), or `invalid` when several are meant
 */
export function resolveShortId<Id extends string>(
  given: string,
  ids: Iterable<Id>,
  words: { readonly noun: string; readonly listCommand: string },
): Id {
  const all = [...ids];
  const exact = all.find((id) => id === given);
  if (exact !== undefined) return exact;
  const meant = [...new Set([...all.filter((id) => id.startsWith(given)), ...all.filter((id) => isEndOf(given, id))])];
  if (meant.length === 1) return meant[0]!;
  if (meant.length > 1) {
    const shown = meant.slice(0, 5).join(', ');
    throw fail(
      'invalid',
      `"${given}" could be ${meant.length} ${words.noun}s: ${shown}${meant.length > 5 ? ', …' : ''}.`,
      'Type more of the id.',
      { matches: meant.slice(0, 20) },
    );
  }
  const near = nearestOf(given, all) ?? nearestByEnd(given, all);
  throw fail(
    'not_found',
    `There is no ${words.noun} "${given}".`,
    `${near === undefined ? '' : `Did you mean "${near}"? `}See: ${words.listCommand}`,
  );
}

/** Of an id whose last part alone was typed. */
function nearestByEnd<Id extends string>(given: string, ids: readonly Id[]): Id | undefined {
  const endOf = (id: string): string => id.slice(id.lastIndexOf('-') + 1);
  const near = nearestOf(given, ids.map(endOf));
  return near === undefined ? undefined : ids.find((id) => endOf(id) === near);
}

function isEndOf(given: string, id: string): boolean {
  return id.endsWith(`-${given}`) || (given.length >= 4 && id.endsWith(given));
}
