/** What came to a screen since it was looked at last. Pure. */

/** Screens that differ in more lines than this are another screen altogether. */
const maxEdits = 600;

/**
 * The lines of `after` that are not those of `before`, in their order: what was added at the end, put in between, or
 * written over another line. What only moved up, scrolled off or was drawn again is not among them.
 */
export function newLines(before: readonly string[], after: readonly string[]): string[] {
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > from && afterEnd > from && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1;
    afterEnd -= 1;
  }
  const middle = after.slice(from, afterEnd);
  if (beforeEnd === from) return middle;
  const old = before.slice(from, beforeEnd);
  return inserted(old, middle) ?? notAmong(old, middle);
}

/** The fewest insertions (E. Myers, 1986); undefined where there are too many. */
function inserted(before: readonly string[], after: readonly string[]): string[] | undefined {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(maxEdits, before.length + after.length); edits += 1) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const comesDown = isDown(furthest, diagonal, edits);
      let x = comesDown ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1;
        y += 1;
      }
      furthest.set(diagonal, x);
      if (x >= before.length && y >= after.length) return insertionsOf(trace, before.length, after);
    }
    furthest = new Map(furthest);
  }
  return undefined;
}

/** Whether the best way to the diagonal ends with a line that was put in. */
function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && furthest.get(diagonal - 1)! < furthest.get(diagonal + 1)!;
}

function insertionsOf(trace: readonly Map<number, number>[], length: number, after: readonly string[]): string[] {
  const lines: string[] = [];
  let x = length;
  let y = after.length;
  for (let edits = trace.length - 1; edits > 0; edits -= 1) {
    const furthest = trace[edits]!;
    const diagonal = x - y;
    const comesDown = isDown(furthest, diagonal, edits);
    const fromDiagonal = comesDown ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(fromDiagonal)!;
    const fromY = fromX - fromDiagonal;
    if (comesDown) lines.push(after[fromY]!);
    x = fromX;
    y = fromY;
  }
  return lines.toReversed();
}

function notAmong(before: readonly string[], after: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of before) left.set(line, (left.get(line) ?? 0) + 1);
  return after.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}
