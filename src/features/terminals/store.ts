/** The files of terminals: one record each, beside the folder that the kernel keeps. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { stateFile, type StateFile } from '../../kernel/artifacts/state-file.ts';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { type TerminalId, terminalIdSchema } from '../../kernel/terminals/contract.ts';
import { startedBySchema, terminalEndSchema, terminalSandboxSchema } from './contract.ts';

const recordSchema = z.object({
  id: terminalIdSchema,
  name: z.string(),
  entry: z.string().nullable(),
  command: z.array(z.string()).min(1),
  project: projectNameSchema.nullable(),
  cwd: z.string(),
  sandbox: terminalSandboxSchema,
  startedBy: startedBySchema,
  /** Agents of its project see it, and may talk to it. */
  toAgents: z.boolean(),
  /** Its entry stands for a shell, whatever its name is. */
  isShell: z.boolean().optional(),
  /** Its program may write in its folder; else it reads there alone. Only in a sandbox is that held. */
  mayWrite: z.boolean(),
  /** It was started into a conversation: whoever started it is not told of its turns. */
  direct: z.boolean(),
  startedAt: z.string(),
  end: terminalEndSchema.nullable(),
  /** Of one that has ended: what it showed last, secrets masked. */
  lastLines: z.array(z.string()),
  /** Stands in the environment of its program: by this, whatever the program has started is found. */
  mark: z.string(),
  /** What takes its program up again after a restart: nothing of it is the feature's. */
  kept: z.unknown(),
  /** SHA-256 of the token that its program was given, hexadecimal. */
  tokenDigest: z.string(),
});
export type TerminalRecord = z.infer<typeof recordSchema>;

type HomeContext = Pick<ConfigContext, 'home'>;

export function terminalsFolder({ home }: HomeContext): string {
  return join(home.state, 'terminals');
}

/** What the kernel keeps of it: messages, what was heard, signals. */
export function folderOf(ctx: HomeContext, id: TerminalId): string {
  return join(terminalsFolder(ctx), id);
}

function recordFile(ctx: HomeContext, id: TerminalId): StateFile<TerminalRecord> {
  return stateFile({ path: join(terminalsFolder(ctx), `${id}.json`), schema: recordSchema, version: 1 });
}

export async function writeRecord(ctx: HomeContext, record: TerminalRecord): Promise<void> {
  await mkdir(terminalsFolder(ctx), { recursive: true, mode: 0o700 });
  await recordFile(ctx, record.id).write(record);
}

/** What is kept beside its record. */
export async function removeTerminalFolder(ctx: HomeContext, id: TerminalId): Promise<void> {
  await rm(folderOf(ctx, id), { recursive: true, force: true, maxRetries: 3 });
}

/** Everything of it. */
export async function removeTerminalFiles(ctx: HomeContext, id: TerminalId): Promise<void> {
  await removeTerminalFolder(ctx, id);
  // Last: what has a record is found again.
  await recordFile(ctx, id).remove();
}

export interface FoundRecords {
  readonly records: TerminalRecord[];
  readonly problems: string[];
}

/** What cannot be read is named and left as it is. */
export async function readRecords(ctx: HomeContext): Promise<FoundRecords> {
  const found: FoundRecords = { records: [], problems: [] };
  for (const name of await namesIn(terminalsFolder(ctx))) {
    const id = terminalIdSchema.safeParse(/^(.+)\.json$/.exec(name)?.[1]);
    if (!id.success) continue;
    try {
      const record = await recordFile(ctx, id.data).read();
      if (record?.id === id.data) found.records.push(record);
    } catch (error) {
      found.problems.push(errorFactsOf(error).message);
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
