/**
 * One small file for each live process of an agent, so that a hall that was killed finds its leftovers at the next
 * start. Measured: an idle agent ends by itself about 1.5 s after the hall is gone, a stalled or retrying one does not.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextIfExists, writeAtomically } from '../../../artifacts/write.ts';
import type { ClockContext } from '../../../clock/clock.ts';
import type { LogContext } from '../../../log/log.ts';
import { type ProcessIdentity, processIdentitySchema } from '../../../processes/identity.ts';
import { stopProcessGroup } from '../../../processes/group.ts';

const recordSchema = z.object({
  version: z.literal(1),
  process: processIdentitySchema,
  /** For the person who looks at the file. */
  activity: z.string(),
  startedAt: z.string(),
});

/** How long a leftover may take to end when asked. Milliseconds. */
const leftoverGraceMs = 2_000;

function recordPath(dir: string, pid: number): string {
  return join(dir, `agent-${pid}.json`);
}

export async function writeAgentRecord(
  ctx: ClockContext,
  dir: string,
  process: ProcessIdentity,
  activity: string,
): Promise<void> {
  const record: z.infer<typeof recordSchema> = { version: 1, process, activity, startedAt: ctx.clock.nowIso() };
  await writeAtomically(recordPath(dir, process.pid), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}

export async function removeAgentRecord(dir: string, process: ProcessIdentity): Promise<void> {
  await rm(recordPath(dir, process.pid), { force: true });
}

/**
 * Stops the agents that a killed hall left behind, with all that they started, and forgets them. A process that has
 * since got the pid of one of them is let be. To be called once, before the first session is opened.
 * @returns the pids of those that still lived
 */
export async function stopLeftoverAgents(ctx: ClockContext & LogContext, dir: string): Promise<number[]> {
  const names = (await readFolderIfExists(dir)).filter((name) => /^agent-\d+\.json$/.test(name));
  const stopped = await Promise.all(
    names.map(async (name) =>
      stopLeftover(ctx, join(dir, name)).catch((error: unknown) => {
        // Whether it still runs cannot be told now; its record stays for the next start.
        ctx.log.warn({ err: error, name }, 'an agent that may be left over could not be looked at');
        return undefined;
      }),
    ),
  );
  return stopped.filter((pid) => pid !== undefined);
}

async function stopLeftover(ctx: ClockContext & LogContext, path: string): Promise<number | undefined> {
  const record = parseRecord((await readTextIfExists(path)) ?? '');
  if (!record) {
    // It names no process that could be stopped; it stays for whoever wrote it, perhaps a newer hall.
    ctx.log.warn({ path }, 'the record of an agent process cannot be read');
    return undefined;
  }
  const outcome = await stopProcessGroup(ctx, record.process, { graceMs: leftoverGraceMs });
  await rm(path, { force: true });
  if (outcome === 'gone') return undefined;
  ctx.log.info(
    { pid: record.process.pid, activity: record.activity, outcome },
    'stopped an agent that a killed hall left behind',
  );
  return record.process.pid;
}

function parseRecord(text: string): z.infer<typeof recordSchema> | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON, so it says nothing.
    return undefined;
  }
}

async function readFolderIfExists(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
