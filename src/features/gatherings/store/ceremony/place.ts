/** Where a gathering lies in the home. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../../kernel/artifacts/state-file.ts';
import { hasErrorCode } from '../../../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../../../kernel/projects/config.ts';
import { terminalIdSchema } from '../../../../kernel/terminals/contract.ts';
import { type Gathering, type GatheringId, gatheringIdSchema, gatheringSchema } from '../../contract/gathering.ts';

type PlaceContext = Pick<ConfigContext, 'home'>;

function gatheringsFolder(ctx: PlaceContext): string {
  return join(ctx.home.state, 'gatherings');
}

/** Absolute. */
export function gatheringFolder(ctx: PlaceContext, id: GatheringId): string {
  return join(gatheringsFolder(ctx), id);
}

/** What was said in it: absolute. */
export function gatheringMessages(ctx: PlaceContext, id: GatheringId): string {
  return join(gatheringFolder(ctx, id), 'messages.jsonl');
}

/** When it is there, the gathering is. */
export function gatheringFile(ctx: PlaceContext, id: GatheringId): StateFile<Gathering> {
  const path = join(gatheringFolder(ctx, id), 'gathering.json');
  return stateFile({ path, schema: gatheringSchema, version: 1 });
}

const foundingSchema = z.object({ spawned: z.array(terminalIdSchema) });
/** Terminals that were started for one that is about to begin: without the gathering they are ended. */
export type FoundingFile = StateFile<z.infer<typeof foundingSchema>>;

export function foundingFile(ctx: PlaceContext, id: GatheringId): FoundingFile {
  return stateFile({ path: join(gatheringFolder(ctx, id), 'founding.json'), schema: foundingSchema, version: 1 });
}

/** Of folders with the name of one, whatever is in them. */
export async function gatheringIds(ctx: PlaceContext): Promise<GatheringId[]> {
  try {
    const entries = await readdir(gatheringsFolder(ctx), { withFileTypes: true });
    return entries.flatMap((entry) => {
      const id = gatheringIdSchema.safeParse(entry.name);
      return entry.isDirectory() && id.success ? [id.data] : [];
    });
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

export async function removeGathering(ctx: PlaceContext, id: GatheringId): Promise<void> {
  await rm(gatheringFolder(ctx, id), { recursive: true, force: true });
}
