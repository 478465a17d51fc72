/** The template of the notes for a bias. */
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { templatePath } from '../knowledge.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'select-notes-template';

/** 0; 2 bad arguments; 3 unknown bias; 4 the registry names a file that is not there. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--bias'] });
  const problem = read.problem ?? missingOf(read, ['--bias']);
  if (problem !== null) return complain(io, name, problem, 2);
  const bias = valueOf(read, '--bias')!;
  const path = await templatePath(bias);
  return path === undefined
    ? complain(io, name, `unknown bias ${JSON.stringify(bias.slice(0, 80))}`, 3)
    : await sayTemplate(io, path);
}

/** The path, where the file is there. */
export async function sayTemplate(io: RuleIo, path: string): Promise<number> {
  if ((await readTextIfExists(path)) === undefined) return complain(io, name, `there is no template ${path}`, 4);
  return printAll(io, [path]);
}
