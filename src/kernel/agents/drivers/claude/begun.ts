/**
 * Sessions that were begun and in which nothing was said yet: the agent's program keeps no file of those, and takes their
 * id once more as that of a new session. A mark in the folder of the agent's state tells them from sessions that are lost.
 */
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../../artifacts/write.ts';
import type { IdContext } from '../../../clock/clock.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A new id, of the one form that the agent's program takes. */
export function newAgentSessionId(ctx: IdContext): AgentSessionId {
  const hex = Buffer.from(ctx.ids.secret(), 'base64url').toString('hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4];
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-') as AgentSessionId;
}

function markOf(configDir: string, id: AgentSessionId): string {
  return join(configDir, 'begun', id);
}

export async function markBegun(configDir: string, id: AgentSessionId): Promise<void> {
  await mkdir(join(configDir, 'begun'), { recursive: true, mode: 0o700 });
  await writeAtomically(markOf(configDir, id), '', { mode: 0o600 });
}

export async function unmarkBegun(configDir: string, id: AgentSessionId): Promise<void> {
  await rm(markOf(configDir, id), { force: true });
}

/** Whether `id` was begun and nothing was said in it: then it is begun again, not resumed. */
export async function isOnlyBegun(configDir: string, id: AgentSessionId): Promise<boolean> {
  if (!uuid.test(id) || !(await exists(markOf(configDir, id)))) return false;
  const folders = await readdir(join(configDir, 'projects')).catch(() => []);
  for (const folder of folders) {
    if (await exists(join(configDir, 'projects', folder, `${id}.jsonl`))) {
      await unmarkBegun(configDir, id);
      return false;
    }
  }
  return true;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
