/** Writes each agent's decisions into its memory: one file for each draft, whose name says whose it is. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { isDay, isSafeSlug } from '../rules/extraction.ts';
import { parseAgentDraft } from '../saving/agent-drafts.ts';
import { writeMemory } from '../saving/memory.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';
import { badCall, guardWrites } from './writing.ts';

const name = 'memory-writethrough';
const flags = ['--root', '--drafts', '--source-meeting', '--date', '--slug'];

/** 0, also without drafts; 2 bad arguments, or a place that is no agent's; 3 no folder of drafts. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: flags });
  const problem = read.problem ?? missingOf(read, flags);
  if (problem !== null) return complain(io, name, problem, badCall);
  const [root = '', drafts = '', sourceMeeting = '', date = '', slug = ''] = flags.map((flag) => valueOf(read, flag));
  if (!isDay(date)) return complain(io, name, '--date takes a day, YYYY-MM-DD', badCall);
  if (!isSafeSlug(slug)) return complain(io, name, '--slug is no file name', badCall);
  const folder = pathOf(io, drafts);
  const names = await namesIn(folder);
  if (names === undefined) return complain(io, name, `there is no folder ${drafts}`, 3);
  return await guardWrites(io, name, async () => {
    const entries = [];
    for (const file of names) {
      entries.push(parseAgentDraft(await readFile(join(folder, file), 'utf8'), file.slice(0, -'.md'.length)));
    }
    for (const entry of entries) {
      io.out(await writeMemory({}, pathOf(io, root), entry, { date, slug, sourceMeeting }));
    }
    return 0;
  });
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() && entry.name.endsWith('.md') ? [entry.name] : [])).toSorted();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
