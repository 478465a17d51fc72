/** The original's check, line by line, to the letter: for `cite-or-flag-check --compat`. Nothing else of the hall uses it. */

export const lineClasses = ['cited', 'inference', 'unflagged-inference', 'non-claim'] as const;
export type LineClass = (typeof lineClasses)[number];

const address = /https?:\/\/\S/u;
const memory = /(?:^|[\s/(])\.gaia\/memory\/\S/u;
const path =
  /(?:^|[\s(`])(?:docs|gaia-framework|gaia-enterprise|Gaia-framework|_gaia|plugins|scripts|tests)\/\S*\.(?:md|yaml|yml|json|sh|ts|js|py|bats|csv|sql)/u;
const claimingWords =
  'is are was were has have had will would must cannot can always never requires returns resolves depends produces ' +
  'emits enables disables decided landed shipped retired exists lives sits points references covers implements enforces asserts';
const claiming = new RegExp(`\\b(?:${claimingWords.replaceAll(' ', '|')})\\b`, 'iu');
const call = /\b[A-Za-z_]\w*\(\)/u;

export function classifyLikeTheOriginal(given: string): LineClass {
  const line = given.trim();
  if (line === '' || line.startsWith('#') || line === '---' || line.startsWith('>') || line.startsWith('```'))
    return 'non-claim';
  if (line.endsWith('?') || line.startsWith('[round ') || line.startsWith('[Prelude]')) return 'non-claim';
  if (address.test(line) || memory.test(line) || path.test(line)) return 'cited';
  if (line.includes('[inference]')) return 'inference';
  return call.test(line) || claiming.test(line) ? 'unflagged-inference' : 'non-claim';
}
