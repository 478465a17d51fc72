/** What a click is in the middle of: written before its session's log is there, removed when the registry has it. */
import { readdir, rm } from 'node:fs/promises';
import { z } from 'zod';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { stateFile } from '../../../kernel/artifacts/state-file.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import { type SessionId, sessionIdSchema } from '../../sessions/contract/words.ts';
import { clickFile, clicksFolder } from './place.ts';

const underWaySchema = z.object({
  project: z.string(),
  sessionId: sessionIdSchema,
  metaContext: z.object({ id: z.string(), name: z.string() }),
});
export type ClickUnderWay = z.infer<typeof underWaySchema>;

type HomeContext = Pick<ConfigContext, 'home'>;

export async function writeClick(ctx: HomeContext, click: ClickUnderWay): Promise<void> {
  await stateFile({ path: clickFile(ctx, click.sessionId), schema: underWaySchema, version: 1 }).write(click);
}

export async function removeClick(ctx: HomeContext, id: SessionId): Promise<void> {
  await rm(clickFile(ctx, id), { force: true });
}

/** Ids of the sessions of clicks that were cut off. */
export async function cutOffClicks(ctx: HomeContext): Promise<SessionId[]> {
  const names = await readdir(clicksFolder(ctx)).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  return names.flatMap((name) => sessionIdSchema.safeParse(/^(.+)\.json$/.exec(name)?.[1]).data ?? []);
}
