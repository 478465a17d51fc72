/** The bearer token of every local door. */
import { chmod, stat } from 'node:fs/promises';
import { createExclusively, readTextIfExists } from '../artifacts/write.ts';
import type { IdContext } from '../clock/clock.ts';
import { fail } from '../pure/errors.ts';
import type { HomePaths } from './home.ts';

const tokenPattern = /^[A-Za-z0-9_-]{20,200}$/;

/**
 * The home's token: made at the first call, the same ever after; its file is kept 0600.
 * @throws `conflict` when the file holds something else
 */
export async function ensureToken(ctx: IdContext, home: HomePaths): Promise<string> {
  await createExclusively(home.token, `${ctx.ids.secret()}\n`, { mode: 0o600 });
  const token = await readToken(home);
  if (token === undefined) throw notAToken(home, 'it went away while it was read');
  if (((await stat(home.token)).mode & 0o777) !== 0o600) await chmod(home.token, 0o600);
  return token;
}

/** The token, or undefined where the home has none yet. */
export async function readToken(home: HomePaths): Promise<string | undefined> {
  const text = await readTextIfExists(home.token);
  if (text === undefined) return undefined;
  const token = text.trim();
  if (!tokenPattern.test(token)) throw notAToken(home, 'its content is not one line of 20 to 200 letters and digits');
  return token;
}

function notAToken(home: HomePaths, reason: string) {
  return fail(
    'conflict',
    `The file ${home.token} is no token: ${reason}.`,
    `Remove it, a new one is made at the next start: rm ${JSON.stringify(home.token)}`,
    { file: home.token },
  );
}
