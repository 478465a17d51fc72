/** Of sessions that were removed: from which block each had come. A block makes one session in its life. */
import { join } from 'node:path';
import { z } from 'zod';
import { appendDurably, readTextIfExists } from '../../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import { sessionFromSchema, sessionIdSchema } from '../contract/words.ts';
import { sessionsFolder } from './place.ts';

const removedSchema = z.object({
  id: sessionIdSchema,
  project: projectNameSchema,
  from: sessionFromSchema,
});
export type Removed = z.infer<typeof removedSchema>;

function removedFile(ctx: Pick<ConfigContext, 'home'>): string {
  return join(sessionsFolder(ctx), 'removed.ndjson');
}

/** A line that cannot be understood, like one that a crash left half-written, is passed over. */
export async function readRemoved(ctx: Pick<ConfigContext, 'home'>): Promise<Removed[]> {
  const text = (await readTextIfExists(removedFile(ctx))) ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      return removedSchema.safeParse(JSON.parse(line)).data ?? [];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

/** Begins with a line feed: whatever stands before it, it is a line of its own. */
export async function keepRemoved(ctx: Pick<ConfigContext, 'home'>, removed: Removed): Promise<void> {
  await appendDurably(removedFile(ctx), `\n${JSON.stringify(removed)}\n`, { mode: 0o600 });
}
