/** `<home>/state/hall.json`: how the command line finds the running hall. Written when it answers, removed when it stops. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hallRecordSchema, type HallRecord } from '../interfaces/cli/client.ts';
import { writeAtomically } from '../kernel/artifacts/write.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

export function recordPath(home: HomePaths): string {
  return join(home.state, 'hall.json');
}

export async function writeRecord(home: HomePaths, record: HallRecord): Promise<void> {
  await writeAtomically(recordPath(home), `${JSON.stringify(hallRecordSchema.parse(record), null, 2)}\n`, {
    mode: 0o600,
  });
}

export async function removeRecord(home: HomePaths): Promise<void> {
  await rm(recordPath(home), { force: true });
}
