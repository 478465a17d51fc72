/** How a checkout stands: its commit, its index, its files, what git does not follow. Reads only, takes no lock. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitContext, runGit, splitNul } from './run.ts';

export interface Standing {
  /** The commit that is checked out; `(initial)` before the first. */
  readonly head: string;
  /** By path, relative to the checkout: everything that differs from that commit, and how. Ignored files are not in it. */
  readonly files: ReadonlyMap<string, string>;
}

/** No git runs within a submodule: that would obey the settings there. Where it stands is told, not what lies in it. */
const status = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=dirty'];

/** @param leaveOut folders or files, relative, whose changes are not looked at */
export async function readStanding(ctx: GitContext, checkout: string, leaveOut: readonly string[]): Promise<Standing> {
  const { stdout } = await runGit(ctx, {
    cwd: checkout,
    args: [...status, '--untracked-files=all', '--no-renames'],
    maxOutputBytes: 64 * 1024 * 1024,
  });
  const rows = splitNul(stdout);
  const head = rows.find((row) => row.startsWith('# branch.oid '))?.slice('# branch.oid '.length) ?? '';
  const isLeftOut = (path: string): boolean => leaveOut.some((each) => path === each || path.startsWith(`${each}/`));
  const entries = rows.flatMap((row) => readRow(row)).filter(([path]) => !isLeftOut(path));
  const files = await Promise.all(
    entries.map(async ([path, how]) => [path, `${how} ${await stampOf(join(checkout, path))}`] as const),
  );
  return { head, files: new Map(files) };
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function readRow(row: string): [string, string][] {
  const fields = { '1': 8, u: 10, '?': 1 }[row[0] as '1' | 'u' | '?'];
  if (fields === undefined) return [];
  const parts = row.split(' ');
  return [[parts.slice(fields).join(' '), parts.slice(0, fields).join(' ')]];
}

/** Of a file, whatever git says of it: the same as long as nobody wrote it. */
async function stampOf(path: string): Promise<string> {
  // What is not there any more is a state, too.
  const facts = await lstat(path, { bigint: true }).catch(() => undefined);
  return facts === undefined ? 'absent' : `${facts.size} ${facts.mtimeNs} ${facts.mode} ${facts.ino}`;
}

/** Paths whose state is not the same in both, in order. */
export function changedBetween(before: Standing, after: Standing): string[] {
  const paths = new Set([...before.files.keys(), ...after.files.keys()]);
  return [...paths].filter((path) => before.files.get(path) !== after.files.get(path)).toSorted();
}

/** Of those paths, the ones whose file was written, too: not only brought into a commit as it was. */
export async function writtenSince(checkout: string, before: Standing, paths: readonly string[]): Promise<string[]> {
  const written = await Promise.all(
    paths.map(async (path) => before.files.get(path)?.endsWith(` ${await stampOf(join(checkout, path))}`) !== true),
  );
  return paths.filter((_, at) => written[at]);
}
