/** Pages that name the test of each row: every title stands in its file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = 'src/features/councils';

interface Cited {
  readonly file: string;
  /** Parts of a title, in order; what lies between them is left out on the page. */
  readonly parts: readonly string[];
}

/** A title belongs to the file that was named last before it in its row. */
function citedIn(row: string): Cited[] {
  let file = '';
  return [...row.matchAll(/([\w./-]+\.test\.ts)|"([^"]+)"/g)].flatMap(([, named, title]) => {
    if (named !== undefined) {
      file = existsSync(join(root, named)) ? named : join(folder, named);
      return [{ file, parts: [] }];
    }
    return [{ file, parts: title!.split('…').map((part) => part.trim()) }];
  });
}

test('every title of the councils’ page stands in the file that is named for it', () => {
  const rows = readFileSync(join(root, folder, 'PROOF.md'), 'utf8').split('\n');
  const cited = rows.filter((row) => row.startsWith('|')).flatMap((row) => citedIn(row));
  expect(cited.length).toBeGreaterThan(150);
  const missing = cited.filter(({ file, parts }) => {
    const path = join(root, file);
    if (file === '' || !existsSync(path)) return true;
    const text = readFileSync(path, 'utf8');
    return !parts.every((part) => text.includes(part));
  });
  expect(missing).toEqual([]);
});
