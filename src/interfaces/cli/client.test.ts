import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { findHall } from './client.ts';

test('the record of a newer hall is refused with a hint, not taken for no hall, and left as it is [SYS-VERSION]', async () => {
  const home = await tempFolder();
  mkdirSync(join(home, 'state'));
  const file = join(home, 'state/hall.json');
  const text = '{"version":2,"what":"a later form"}';
  writeFileSync(file, text);
  await expect(findHall(home)).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringContaining('newer program'),
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a record that is no record counts as no hall', async () => {
  const home = await tempFolder();
  mkdirSync(join(home, 'state'));
  writeFileSync(join(home, 'state/hall.json'), 'half a rec');
  expect(await findHall(home)).toBeUndefined();
});
