/** Whose token somebody shows. */
import { timingSafeEqual } from 'node:crypto';
import type { TerminalsFeatureContext } from '../context.ts';
import { digestOf } from './starting.ts';

/**
 * The living terminal of a project whose program was given the token; undefined for none. All are compared, in constant
 * time, by digests.
 */
export function bearerOf(
  { desk }: Pick<TerminalsFeatureContext, 'desk'>,
  token: string,
): { readonly project: string; readonly id: string } | undefined {
  const given = Buffer.from(digestOf(token));
  let found: { project: string; id: string } | undefined;
  for (const { id, project, end, tokenDigest } of desk.records.values()) {
    const kept = Buffer.from(tokenDigest);
    const isSame = kept.length === given.length && timingSafeEqual(kept, given);
    if (isSame && end === null && project !== null) found = { project, id };
  }
  return found;
}
