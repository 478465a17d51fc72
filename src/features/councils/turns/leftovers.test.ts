import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { removeLeftovers } from './leftovers.ts';

/** What a program does that has not ended yet. */
async function writeUntil(folder: string, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    await mkdir(folder, { recursive: true }).catch(() => undefined); // the folder above it was removed
    await writeFile(join(folder, `${n}.json`), '{}').catch(() => undefined); // its folder was removed
  }
}

test('a folder into which a program of a killed hall still writes is removed when that has ended', async () => {
  const folder = join(await tempFolder(), 'agent');
  let tries = 0;
  for (let round = 0; round < 20 && tries === 0; round += 1) {
    mkdirSync(join(folder, 'config'), { recursive: true });
    for (let n = 0; n < 200; n += 1) writeFileSync(join(folder, 'config', `a${n}`), '');
    let isOver = false;
    const program = writeUntil(join(folder, 'config'), () => isOver);
    const end = async (): Promise<void> => {
      isOver = true;
      await program;
    };
    const sleep = async (): Promise<void> => {
      tries += 1;
      await end();
    };
    await removeLeftovers({ clock: { ...systemClock, sleep } }, folder);
    if (tries > 0) expect(existsSync(folder)).toBe(false);
    await end();
  }
  expect(tries).toBeGreaterThan(0);
});
