/** Files in which helpers keep their state between calls: each named by its caller, changed by one process at a time. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemClock, systemIds } from '../../../kernel/clock/clock.ts';
import { hasErrorCode, readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { RuleIo } from './io.ts';

const waitMs = 10_000;

/** Absolute path of a file that the caller named. */
export function pathOf(io: Pick<RuleIo, 'cwd'>, given: string): string {
  return resolve(io.cwd, given);
}

/** Its text; undefined where there is none yet. @throws invalid for what is no file */
export async function readState(path: string): Promise<string | undefined> {
  try {
    return await readTextIfExists(path);
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR')) throw notOurs(path, 'a file');
    throw error;
  }
}

/** For a file that is there and holds something else: it is left as it is. */
export function notOurs(path: string, expected: string): Error {
  return fail('invalid', `${path} is no state file of this helper: expected ${expected}.`, 'Name another file.', {
    path,
  });
}

/** Reads, decides and writes while no other helper does. `change` answers what is to be written, and its own answer. */
export async function changeState<T>(
  path: string,
  change: (text: string | undefined) => { readonly text: string; readonly answer: T },
): Promise<T> {
  // Only this needs the locks of processes; a helper that just answers starts without them.
  const { withFileLock } = await import('../../../kernel/processes/filelock.ts');
  await mkdir(dirname(path), { recursive: true });
  const ctx = { clock: systemClock, ids: systemIds };
  return await withFileLock(
    ctx,
    `${path}.lock`,
    async () => {
      const { text, answer } = change(await readState(path));
      await writeAtomically(path, text);
      return answer;
    },
    { waitMs },
  );
}
