/** Work on many things, some at a time: more at once would only wait for each other, or want too many open files. */

/** Every answer, in the order of `items`. Rejects with the first failure; what runs then goes on, and nothing more begins. */
export async function someAtOnce<Item, Answer>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = new Map<number, Answer>();
  const waiting = items.entries();
  let hasFailed = false;
  const takeNext = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      if (hasFailed) return;
      answers.set(at, await work(item));
    }
  };
  const lines = Array.from({ length: Math.min(atOnce, items.length) }, takeNext);
  try {
    await Promise.all(lines);
  } catch (error) {
    hasFailed = true;
    throw error;
  }
  return items.map((_item, at) => answers.get(at)!);
}
