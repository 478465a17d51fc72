/**
 * What masking costs while an answer is streamed, and how many characters it holds back; then a scrub of whole texts.
 *
 *   npx tsx bench/secrets.ts
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/kernel/clock/clock.ts';
import { readyToFind } from '../src/kernel/secrets/find.ts';
import { scrub } from '../src/kernel/secrets/scrub.ts';
import { emptyMaskState, maskPiece } from '../src/kernel/secrets/stream.ts';

await readyToFind();
const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const piecesOf = (text: string): readonly string[] => text.match(/\s*\S{1,6}/g) ?? [];
const samples = {
  prose: piecesOf(read('docs/guide.md').replaceAll(/[`|#:=\d]/g, '')),
  documentation: piecesOf(read('docs/guide.md')),
  code: piecesOf(read('src/features/meetings/rules.ts')),
  'a base64 picture': 'iVBORw0KGgoAAAANSUhEUg/'.repeat(2000).match(/.{1,20}/g)!,
};

for (const [name, pieces] of Object.entries(samples)) {
  const held: number[] = [];
  let microseconds = Infinity;
  for (let round = 0; round < 8; round += 1) {
    let state = emptyMaskState;
    const began = systemClock.monotonicMs();
    for (const piece of pieces) {
      state = maskPiece(state, piece).state;
      if (round === 0) held.push(state.open.length - state.shown);
    }
    microseconds = Math.min(microseconds, ((systemClock.monotonicMs() - began) / pieces.length) * 1000);
  }
  held.sort((a, b) => a - b);
  const at = (part: number): number => held[Math.floor(part * (held.length - 1))]!;
  console.log(
    `${name}: ${microseconds.toFixed(1)} µs a piece; characters held back: p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}`,
  );
}

const text = read('src/features/meetings/rules.ts').repeat(200);
for (const length of [100, 1_000, 10_000, 1_000_000]) {
  const part = text.slice(0, length);
  const rounds = Math.max(3, Math.min(2_000, 2_000_000 / length));
  const began = systemClock.monotonicMs();
  for (let round = 0; round < rounds; round += 1) await scrub(part);
  console.log(
    `scrub of ${length} characters: ${(((systemClock.monotonicMs() - began) / rounds) * 1000).toFixed(0)} µs`,
  );
}
