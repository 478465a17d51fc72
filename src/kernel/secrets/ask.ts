/** In the person's own words secrets are not changed: they are asked about, before anything is done with them. */
import { fail } from '../pure/errors.ts';
import { locateSecrets, type SecretPlace } from './locate.ts';

export interface AskedText {
  /** As the person knows it: `the message`. */
  readonly what: string;
  readonly text: string;
  /**
   * It is committed, so that the history of the repository has it for good: whatever looks like a secret is asked
   * about. Else only what is hardly ever anything else.
   */
  readonly isCommitted: boolean;
}

/** What a program finds in the details of the refusal. */
export interface AskedSecrets {
  readonly kind: 'secrets';
  readonly secrets: readonly (SecretPlace & { readonly in: string })[];
}

const maxNamed = 5;

/** @throws HallError `conflict` that says what kind of secret is where, never the secret itself */
export async function requireNoSecrets(texts: readonly AskedText[]): Promise<void> {
  const found = await Promise.all(
    texts.map(async ({ what, text, isCommitted }) => {
      const places = await locateSecrets(text, { sureOnly: !isCommitted });
      return places.map((place) => ({ ...place, in: what }));
    }),
  );
  const secrets = found.flat();
  if (secrets.length === 0) return;
  const details: AskedSecrets = { kind: 'secrets', secrets };
  throw fail(
    'conflict',
    `It looks as if there is a secret in ${namePlaces(secrets)}; nothing was done.`,
    texts.some(({ what, isCommitted }) => isCommitted && secrets.some((secret) => secret.in === what))
      ? 'Take it out, or repeat with --allow-secrets: it will be in the history of the repository for good.'
      : 'Take it out, or repeat with --allow-secrets: the worker and its model will read it.',
    { ...details },
  );
}

/** `the message, line 3 (AWS key)`: the first few, and how many more. */
export function namePlaces(secrets: readonly (SecretPlace & { readonly in: string })[]): string {
  const named = secrets.slice(0, maxNamed).map(({ in: what, line, kind }) => `${what}, line ${line} (${kind})`);
  const more = secrets.length - named.length;
  return `${named.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}
