/** Appends drafted action items to the registry: all of them, or none. */
import { resolve } from 'node:path';
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { isDay } from '../rules/extraction.ts';
import { addActionItems } from '../saving/action-items.ts';
import { parseDrafts } from '../saving/agent-drafts.ts';
import { boundaryHalt, registryPath } from '../store/boundary.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf } from './state.ts';
import { badCall, guardWrites, writingContext } from './writing.ts';

const name = 'action-items-writer';
const flags = ['--registry', '--drafts', '--source-meeting', '--date'];

/** 0, also without drafts; 2 bad arguments, an unknown type or another place than the registry's; 3 no drafts file. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: flags });
  const problem = read.problem ?? missingOf(read, flags);
  if (problem !== null) return complain(io, name, problem, badCall);
  const [registry = '', drafts = '', sourceMeeting = '', date = ''] = flags.map((flag) => valueOf(read, flag));
  if (!isDay(date)) return complain(io, name, '--date takes a day, YYYY-MM-DD', badCall);
  const root = rootOf(resolve(io.cwd, registry));
  if (root === undefined) {
    io.out(boundaryHalt(registry, 'is not among the places of a council'));
    return complain(io, name, `the registry is ${registryPath} of a project`, badCall);
  }
  const text = await readTextIfExists(pathOf(io, drafts));
  if (text === undefined) return complain(io, name, `there is no file ${drafts}`, 3);
  return await guardWrites(io, name, async () => {
    const request = { items: parseDrafts(text), sourceMeeting, date, created: io.now(), isOnce: false };
    return printAll(io, await addActionItems(writingContext(io), root, request));
  });
}

/** The project whose registry it is. */
function rootOf(path: string): string | undefined {
  return path.endsWith(`/${registryPath}`) ? path.slice(0, -registryPath.length - 1) || '/' : undefined;
}
