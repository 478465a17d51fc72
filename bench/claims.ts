/**
 * How the check of turns does on the labelled statements: what it finds of claims without a source, and how often it takes an
 * opinion for one. Then what it costs.
 *
 *   npx tsx bench/claims.ts [--wrong]     also the statements of the tuned part that it gets wrong
 */
import { checkStatements } from '../src/features/councils/claims/check.ts';
import { systemClock } from '../src/kernel/clock/clock.ts';
import { claimParts, measureClaims, readLabelled } from '../test/help/labelled-claims.ts';

const parts = claimParts.map((part) => ({ name: part, labelled: readLabelled(part) }));
const sets = [...parts, { name: 'all', labelled: parts.flatMap(({ labelled }) => labelled) }];

console.log('set        verdict     statements  right  share');
for (const { name, labelled } of sets) {
  for (const { label, count, right } of await measureClaims(labelled)) {
    const share = ((100 * right.length) / count).toFixed(1);
    console.log(
      `${name.padEnd(9)}  ${label.padEnd(10)}  ${String(count).padStart(10)}  ${String(right.length).padStart(5)}  ${share.padStart(5)} %`,
    );
  }
}
if (process.argv.includes('--wrong'))
  for (const { wrong } of await measureClaims(parts[0]!.labelled))
    for (const { label, verdict, text } of wrong) console.log(`${label} taken for ${verdict}: ${text}`);

const evidence = {
  pathState: async () => 'there' as const,
  textOf: async () => 'the cache is lost on a restart',
  isFetched: () => true,
  memoryExists: async () => true,
};
const said = parts[0]!.labelled.map(({ text }) => text).join('\n\n');
for (const length of [4000, 40_000, 1_000_000]) {
  const text = said.repeat(Math.ceil(length / said.length)).slice(0, length);
  await checkStatements(text.slice(0, 4000), evidence);
  const began = systemClock.monotonicMs();
  await checkStatements(text, evidence);
  console.log(`a turn of ${length} characters: ${(systemClock.monotonicMs() - began).toFixed(0)} ms`);
}
