/** The person's own words are passed on as they are; where a secret seems to be in them, they are asked first. */
import { type AskedText, requireNoSecrets } from '../../../kernel/secrets/ask.ts';

export interface PersonsWords {
  /** What only the worker and its model read; the transcript has it masked. */
  readonly message?: string | undefined;
  /** What is committed with the meeting's record. */
  readonly agenda?: string | undefined;
  readonly title?: string | undefined;
  readonly reason?: string | undefined;
}

/** @throws HallError `conflict` that says what looks like a secret, and where, unless the person means it */
export async function requireMeant({ allowSecrets }: { readonly allowSecrets: boolean }, words: PersonsWords) {
  if (allowSecrets) return;
  const texts = Object.entries(words).flatMap(([name, text]: [string, string | undefined]): AskedText[] =>
    text === undefined ? [] : [{ what: `the ${name}`, text, isCommitted: name !== 'message' }],
  );
  await requireNoSecrets(texts);
}
