/** Two texts as unified hunks, so that what an agent tells of a change is drawn like any other. Pure. */
import type { Diff } from '../../../../src/features/sessions/contract.ts';
import type { DiffFile } from '../../../kit/diff/file-diff.tsx';

/** Lines around a change that are shown. */
const around = 3;

/** More pairs of lines are not compared: what lies between the same beginning and end is then all taken for another. */
const mostPairs = 1_000_000;

/** Longer texts are cut. Characters. */
const longest = 400_000;

type Mark = ' ' | '-' | '+';
type Marked = readonly [mark: Mark, line: string];

type Compared = Pick<DiffFile, 'text' | 'isCut' | 'added' | 'removed'>;

const compared = new WeakMap<Diff, Compared>();

/** A change as the pieces of a diff take it. Each is compared once. */
export function fileOf(diff: Diff, name: string): DiffFile {
  let facts = compared.get(diff);
  if (facts === undefined) {
    facts = compareTexts(diff);
    compared.set(diff, facts);
  }
  return { path: name, status: diff.oldText === null ? 'A' : 'M', isBinary: false, ...facts };
}

function compareTexts({ oldText, newText }: Diff): Compared {
  const marked = compare(linesOf(oldText ?? ''), linesOf(newText));
  const count = (mark: Mark) => marked.filter(([each]) => each === mark).length;
  const isCut = (oldText ?? '').length > longest || newText.length > longest;
  return { text: hunksOf(marked), isCut, added: count('+'), removed: count('-') };
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.slice(0, longest).replace(/\n$/, '').split('\n');
}

function compare(before: readonly string[], after: readonly string[]): readonly Marked[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let same = 0;
  const room = Math.min(before.length, after.length) - start;
  while (same < room && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  const removed = before.slice(start, before.length - same);
  const added = after.slice(start, after.length - same);
  return [
    ...before.slice(0, start).map((line): Marked => [' ', line]),
    ...between(removed, added),
    ...before.slice(before.length - same).map((line): Marked => [' ', line]),
  ];
}

/** By the longest common sequence of lines. */
function between(removed: readonly string[], added: readonly string[]): Marked[] {
  if (removed.length * added.length > mostPairs)
    return [...removed.map((line): Marked => ['-', line]), ...added.map((line): Marked => ['+', line])];
  const width = added.length + 1;
  const lengths = new Uint32Array((removed.length + 1) * width);
  for (let row = removed.length - 1; row >= 0; row -= 1)
    for (let column = added.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        removed[row] === added[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
  const marked: Marked[] = [];
  let [row, column] = [0, 0];
  while (row < removed.length || column < added.length) {
    if (row < removed.length && column < added.length && removed[row] === added[column]) {
      marked.push([' ', removed[row]!]);
      row += 1;
      column += 1;
    } else if (
      row < removed.length &&
      (column === added.length || lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      marked.push(['-', removed[row]!]);
      row += 1;
    } else {
      marked.push(['+', added[column]!]);
      column += 1;
    }
  }
  return marked;
}

function hunksOf(marked: readonly Marked[]): string {
  const hunks: string[] = [];
  let [before, after] = [1, 1];
  let at = 0;
  while (at < marked.length) {
    const next = marked.findIndex(([mark], nth) => nth >= at && mark !== ' ');
    if (next === -1) break;
    const from = Math.max(at, next - around);
    before += from - at;
    after += from - at;
    const to = endOfHunk(marked, next);
    const lines = marked.slice(from, to);
    const old = lines.filter(([mark]) => mark !== '+').length;
    const fresh = lines.filter(([mark]) => mark !== '-').length;
    const body = lines.map(([mark, line]) => mark + line).join('\n');
    hunks.push(`@@ -${before},${old} +${after},${fresh} @@\n${body}\n`);
    before += old;
    after += fresh;
    at = to;
  }
  return hunks.join('');
}

/** Changes with few lines between them are one hunk. */
function endOfHunk(marked: readonly Marked[], first: number): number {
  let last = first;
  for (let at = first; at < marked.length && at <= last + 2 * around; at += 1) if (marked[at]![0] !== ' ') last = at;
  return Math.min(marked.length, last + around + 1);
}
