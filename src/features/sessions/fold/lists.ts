/** Copies of lists with one change: `slice` copies a block of memory, `with` and `toSpliced` go through it item by item. */

/** @param at of an item that is there */
export function replaced<Item>(items: readonly Item[], at: number, item: Item): readonly Item[] {
  const copy = items.slice();
  copy[at] = item;
  return copy;
}

/** `items` in place of `count` ones from `at` on. */
export function spliced<Item>(
  list: readonly Item[],
  at: number,
  count: number,
  items: readonly Item[],
): readonly Item[] {
  const copy = list.slice();
  copy.splice(at, count, ...items);
  return copy;
}
