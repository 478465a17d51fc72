/**
 * In which order files of tests run: those with a browser spread evenly among those of whole programs, so that not all
 * workers drive a Chromium at once, and the many short ones of units last, so that no worker waits long for another at
 * the end. Within each, what failed or took longest comes first, as usual; where nothing is known yet, the larger file.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const of = (name: string): TestSpecification[] => sorted.filter(({ project }) => project.name === name);
    const long = spread(of('browser'), of('e2e'));
    return [...long, ...sorted.filter((file) => !long.includes(file))];
  }
}

/** Both in their own order, each evenly over the whole. */
function spread<Item>(some: readonly Item[], others: readonly Item[]): Item[] {
  const places = [some, others].flatMap((items) =>
    items.map((item, index) => ({ item, at: (index + 0.5) / items.length })),
  );
  return places.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
