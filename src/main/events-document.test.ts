/** The table of events in docs/doors.md names those that the features tell, and no other. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from './package.ts';

/** Told by the hall itself. */
const ownEvents = ['config.changed'];

function toldByFeatures(): string[] {
  const folder = join(packageRoot(), 'src', 'features');
  const files = readdirSync(folder).map((feature) => join(folder, feature, 'contract.ts'));
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const shapes = texts.flatMap((text) => [...text.matchAll(/^export interface \w+Events \{\n([^]*?)^\}/gm)]);
  return shapes.flatMap(([, body]) => [...body!.matchAll(/^ {2}'([a-z-]+\.[a-z_]+)':/gm)].map(([, type]) => type!));
}

test('every event is in the table, and the table names no other', () => {
  const text = readFileSync(join(packageRoot(), 'docs/doors.md'), 'utf8');
  const [, table = ''] = /^\| event \| means \|\n([^]*?)\n\n/m.exec(text) ?? [];
  const firstCells = table.split('\n').map((line) => line.split('|')[1] ?? '');
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`([a-z-]+\.[a-z_]+)`/g)].map(([, type]) => type!));
  expect(named.length).toBeGreaterThan(20);
  expect(named.toSorted()).toEqual([...toldByFeatures(), ...ownEvents].toSorted());
});
