/** The labelled statements of `test/fixtures/claims`, and how the check does on them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { checkStatements } from '../../src/features/councils/claims/check.ts';

export const claimParts = ['tuned', 'held-out'] as const;
export type ClaimPart = (typeof claimParts)[number];
export type ClaimLabel = 'unflagged' | 'opinion' | 'cited' | 'inference';

export interface Labelled {
  readonly text: string;
  readonly label: ClaimLabel;
  readonly kind: string;
  readonly part: ClaimPart;
}

export function readLabelled(part: ClaimPart): Labelled[] {
  const file = join(import.meta.dirname, `../fixtures/claims/${part}.yaml`);
  const labels = parse(readFileSync(file, 'utf8')) as Readonly<Record<ClaimLabel, Record<string, readonly string[]>>>;
  return Object.entries(labels).flatMap(([label, kinds]) =>
    Object.entries(kinds).flatMap(([kind, texts]) =>
      texts.map((text) => ({ text, label: label as ClaimLabel, kind, part })),
    ),
  );
}

/** Every source that has the form of a file is there; nobody looks into it. */
const evidence = {
  pathState: async (path: string) => (path.includes('.') ? ('there' as const) : ('absent' as const)),
  textOf: async () => undefined,
  isFetched: () => true,
  memoryExists: async () => true,
};

/** Of a statement that falls apart into several, the gravest. */
export async function verdictOf({ text }: Labelled): Promise<string> {
  const verdicts = (await checkStatements(text, evidence)).map(({ verdict }) => verdict);
  return (
    ['unflagged', 'not-found', 'cited', 'inference'].find((verdict) => verdicts.includes(verdict as never)) ?? 'opinion'
  );
}

export interface ClaimFigures {
  readonly label: ClaimLabel;
  readonly count: number;
  readonly right: readonly Labelled[];
  readonly wrong: readonly (Labelled & { readonly verdict: string })[];
}

export async function measureClaims(labelled: readonly Labelled[]): Promise<ClaimFigures[]> {
  const judged = await Promise.all(labelled.map(async (one) => ({ ...one, verdict: await verdictOf(one) })));
  return (['unflagged', 'opinion', 'cited', 'inference'] as const).map((label) => {
    const all = judged.filter((one) => one.label === label);
    return {
      label,
      count: all.length,
      right: all.filter(({ verdict }) => verdict === label),
      wrong: all.filter(({ verdict }) => verdict !== label),
    };
  });
}
