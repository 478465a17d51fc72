/** What is kept of sign-ins: a file of digests; never a token, never a link. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { stateFile, type StateFile } from '../../kernel/artifacts/state-file.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import { signInIdSchema } from '../../kernel/pure/ids.ts';
import { endReasonSchema } from './contract.ts';
import type { Digested, EndedSignIn, SignIn } from './rules.ts';

type StateFolder = Pick<HomePaths, 'state'>;

export interface KeptSignIns {
  readonly signIns: readonly SignIn[];
  /** The newest first. */
  readonly ended: readonly EndedSignIn[];
}

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

const keptSchema = z.object({
  signIns: z.array(
    z.object({
      id: signInIdSchema,
      digest: digestSchema,
      origin: z.string(),
      browser: z.string(),
      madeAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime(),
    }),
  ),
  ended: z.array(
    z.object({ id: signInIdSchema, digest: digestSchema, endedAt: z.iso.datetime(), why: endReasonSchema }),
  ),
});

export function signInFile(home: StateFolder): StateFile<KeptSignIns> {
  return stateFile<KeptSignIns>({ path: join(home.state, 'sign-ins.json'), version: 1, schema: keptSchema });
}

/** The page that leads a browser to a link without the link standing in a list of processes. 0600. */
export function openPagePath(home: StateFolder): string {
  return join(home.state, 'open.html');
}

export async function removeOpenPage(home: StateFolder): Promise<void> {
  await rm(openPagePath(home), { force: true });
}

/** A secret of 256 random bits needs no slow hash. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The one of this digest. Looks at all of them, in a time that tells nothing of how near a wrong one came. */
export function findByDigest<T extends Digested>(all: readonly T[], digest: string): T | undefined {
  const wanted = Buffer.from(digest, 'hex');
  let found: T | undefined;
  for (const one of all) if (timingSafeEqual(Buffer.from(one.digest, 'hex'), wanted)) found = one;
  return found;
}
