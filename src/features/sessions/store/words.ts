/**
 * What the person said with a secret in it, and meant so: the log has it masked, the agent gets it as it was. Kept
 * until its turn begins.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import type { SessionId } from '../contract.ts';
import { sessionFolder } from './place.ts';

type HomeContext = Pick<ConfigContext, 'home'>;

function wordsFile(ctx: HomeContext, id: SessionId, promptId: string): string {
  return join(sessionFolder(ctx, id), `${promptId}.words`);
}

export async function keepWords(ctx: HomeContext, id: SessionId, promptId: string, text: string): Promise<void> {
  await writeAtomically(wordsFile(ctx, id, promptId), text, { mode: 0o600 });
}

/** Undefined where the log has them as they were said. */
export async function readWords(ctx: HomeContext, id: SessionId, promptId: string): Promise<string | undefined> {
  return await readTextIfExists(wordsFile(ctx, id, promptId));
}

/** @param waiting ids of prompts whose turn is still to come */
export async function forgetOtherWords(ctx: HomeContext, id: SessionId, waiting: readonly string[]): Promise<void> {
  // Most sessions have no such folder.
  const names = await readdir(sessionFolder(ctx, id)).catch(() => []);
  for (const name of names) {
    const promptId = /^(.+)\.words$/.exec(name)?.[1];
    if (promptId !== undefined && !waiting.includes(promptId)) await forgetWords(ctx, id, promptId);
  }
}

export async function forgetWords(ctx: HomeContext, id: SessionId, promptId: string): Promise<void> {
  await rm(wordsFile(ctx, id, promptId), { force: true });
}
