/** The person's own words are passed on as they are; where a secret seems to be in them, they are asked first. */
import { requireNoSecrets } from '../../../kernel/secrets/ask.ts';

/** All of them are committed with the record. */
export interface PersonsWords {
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly reason?: string | undefined;
  readonly answer?: string | undefined;
  readonly remark?: string | undefined;
}

/** @throws HallError `conflict` that says what looks like a secret, and where, unless the person means it */
export async function requireMeant(
  { allowSecrets }: { readonly allowSecrets: boolean },
  words: PersonsWords,
): Promise<void> {
  if (allowSecrets) return;
  const given = Object.entries(words).filter((entry): entry is [string, string] => entry[1] !== undefined);
  await requireNoSecrets(given.map(([name, text]) => ({ what: `the ${name}`, text, isCommitted: true })));
}
