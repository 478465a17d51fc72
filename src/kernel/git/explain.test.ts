import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { errorFactsOf } from '../pure/errors.ts';
import { requireUsableRepository } from './repository.ts';

test('a file where a folder was meant is said to be a file', async () => {
  const file = join(await tempFolder(), 'notes.md');
  writeFileSync(file, '');
  const thrown: unknown = await requireUsableRepository({ clock: systemClock, log: silentLog }, file).catch(
    (error: unknown) => error,
  );
  expect(errorFactsOf(thrown)).toMatchObject({
    code: 'invalid',
    message: `${file} is a file, not a folder.`,
    hint: 'Name the folder of a repository.',
  });
});
