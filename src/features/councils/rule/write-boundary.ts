/** Whether a council may write to a path: the engine's own list, and the real way to it below the present folder. */
import { boundaryHalt, isBoundaryViolation, reasonAgainst, requireInside } from '../store/boundary.ts';
import { readArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';

const name = 'write-boundary';

/** 0 allowed; 2 refused, with the HALT line on standard output; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readArgs(args, {});
  const [path, ...more] = read.words;
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  if (path === undefined || path === '' || more.length > 0) return complain(io, name, 'takes one path', 3);
  const reason = reasonAgainst(path) ?? (await reasonOnDisk(io.cwd, path));
  if (reason === undefined) return 0;
  io.err(`${name}: ${path} ${reason}`);
  io.out(boundaryHalt(path, reason));
  return 2;
}

async function reasonOnDisk(root: string, path: string): Promise<string | undefined> {
  try {
    await requireInside(root, path);
    return undefined;
  } catch (error) {
    if (!isBoundaryViolation(error)) throw error;
    return String((error as { readonly details?: { readonly reason?: unknown } }).details?.reason);
  }
}
