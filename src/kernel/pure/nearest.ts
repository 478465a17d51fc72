/** The candidate that somebody probably meant, for "did you mean"; undefined when nothing is near enough. */
export function nearestOf(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.slice(0, 60).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `Did you mean "x"? ` or nothing, to stand before another hint. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearestOf(word, candidates);
  return near === undefined ? '' : `Did you mean "${near}"? `;
}

/** Letters to insert, remove, exchange or swap with a neighbour; `limit` when it is that or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let twoBack: number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(before[column]! + 1, current[column - 1]! + 1, before[column - 1]! + same);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, twoBack[column - 2]! + 1);
      current.push(cost);
    }
    twoBack = before;
    before = current;
  }
  return Math.min(before[b.length]!, limit);
}
