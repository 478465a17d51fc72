/** Whether a skill's procedure holds a sentinel that was once meant to end a turn. */
import { readArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf, readState } from './state.ts';

const name = 'stdout-sentinel-scan';
const sentinels = ['<<YIELD-STOP', '<<TURN-END'];

/** 0 none; 1 found; 2 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readArgs(args, {});
  const [file] = read.words;
  const problem = read.problem ?? (read.words.length === 1 ? null : 'expected one file');
  if (problem !== null || file === undefined) return complain(io, name, problem ?? '', 2);
  const text = await readState(pathOf(io, file));
  if (text === undefined) return complain(io, name, `${file} is not there`, 2);
  const found = scan(text);
  for (const line of found) io.out(line);
  return found.length === 0 ? 0 : 1;
}

/** From the heading Procedure to the next of its rank. Lines of the file. */
function scan(text: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^##?\s/.test(line)) isInside = /^##\s+Procedure\b/.test(line);
    if (!isInside) continue;
    for (const sentinel of sentinels) if (line.includes(sentinel)) found.push(`line ${index + 1}: ${sentinel}`);
  }
  return found;
}
