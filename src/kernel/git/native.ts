/**
 * What git keeps in plain files, read without a process: where the folders of a checkout are, where a branch is, and
 * small objects that are stored alone. Each answers `undefined` wherever there is anything out of the ordinary (another
 * layout, a packed branch or object, a replaced one, a file that is being written): then git itself is to be asked.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

export interface Folders {
  /** Of this checkout alone; absolute, without links. */
  readonly gitDir: string;
  /** What all checkouts of the repository share; absolute, without links. */
  readonly commonDir: string;
}

const inflated = promisify(inflate);
const nameOfObject = /^[0-9a-f]{40}$/;
/** What is stored as more than this is left to git. Bytes. */
const maxStored = 4 * 1024 * 1024;
/** What comes out of it, at most. Bytes. */
const maxContent = 16 * 1024 * 1024;

/** Of the checkout whose root `path` is. */
export async function foldersOf(path: string): Promise<Folders | undefined> {
  return orUndefined(async () => {
    const entry = join(path, '.git');
    if ((await stat(entry)).isDirectory()) {
      const gitDir = await realpath(entry);
      return { gitDir, commonDir: gitDir };
    }
    const pointer = /^gitdir: ([^\n]+)\n?$/.exec(await readFile(entry, 'utf8'))?.[1];
    if (pointer === undefined) return undefined;
    const gitDir = await realpath(resolve(path, pointer));
    const common = await readFile(join(gitDir, 'commondir'), 'utf8');
    return { gitDir, commonDir: await realpath(resolve(gitDir, common.replace(/\n$/, ''))) };
  });
}

/** The commit that the branch points to. @param ref `refs/heads/…` */
export async function looseTip(commonDir: string, ref: string): Promise<string | undefined> {
  return orUndefined(async () => {
    const said = (await readFile(join(commonDir, ref), 'utf8')).trimEnd();
    return nameOfObject.test(said) ? said : undefined;
  });
}

/** The branch that is checked out, as `refs/heads/…`. */
export async function headRef(gitDir: string): Promise<string | undefined> {
  return orUndefined(async () => {
    const said = /^ref: (refs\/heads\/[^\n]+)\n?$/.exec(await readFile(join(gitDir, 'HEAD'), 'utf8'))?.[1];
    // What stands there in a repository that keeps its branches in tables.
    return said === 'refs/heads/.invalid' ? undefined : said;
  });
}

/** Whether a checkout of the repository has this branch; undefined where that cannot be told of each. */
export async function isCheckedOut(commonDir: string, ref: string): Promise<boolean | undefined> {
  return orUndefined(async () => {
    const names = await readdir(join(commonDir, 'worktrees')).catch(ifMissing);
    for (const gitDir of [commonDir, ...(names ?? []).map((name) => join(commonDir, 'worktrees', name))]) {
      const said = (await readFile(join(gitDir, 'HEAD'), 'utf8')).trimEnd();
      if (said === `ref: ${ref}`) return true;
      const isElsewhere = /^ref: refs\/heads\/(?!\.invalid$)/.test(said) || nameOfObject.test(said);
      if (!isElsewhere) return undefined;
    }
    return false;
  });
}

/** An object that is stored alone, when it is what its name says. */
export async function looseObject(
  commonDir: string,
  oid: string,
): Promise<{ readonly type: string; readonly content: Buffer } | undefined> {
  if (!nameOfObject.test(oid)) return undefined;
  return orUndefined(async () => {
    const file = join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    const { size } = await stat(file);
    if (size > maxStored || (await hasReplaced(commonDir))) return undefined;
    const bytes = await inflated(await readFile(file), { maxOutputLength: maxContent });
    const [, type, length] = /^(blob|tree|commit|tag) (\d+)\0/.exec(bytes.subarray(0, 40).toString('latin1')) ?? [];
    const content = bytes.subarray(bytes.indexOf(0) + 1);
    if (type === undefined || content.length !== Number(length)) return undefined;
    return createHash('sha1').update(bytes).digest('hex') === oid ? { type, content } : undefined;
  });
}

/** The tree of a commit that is stored alone. */
export async function looseTreeOf(commonDir: string, commit: string): Promise<string | undefined> {
  const found = await looseObject(commonDir, commit);
  if (found?.type !== 'commit') return undefined;
  return /^tree ([0-9a-f]{40})\n/.exec(found.content.subarray(0, 46).toString('latin1'))?.[1];
}

/** Objects in whose place the person has put others. */
async function hasReplaced(commonDir: string): Promise<boolean> {
  const names = await readdir(join(commonDir, 'refs', 'replace')).catch(ifMissing);
  return (names !== undefined && names.length > 0) || (await hasPackedReplaced(commonDir));
}

/** By the shared folder of a repository: what its packed names said, as long as that file stays the same. */
const packedReplaced = new Map<string, { readonly sign: string; readonly isSo: boolean }>();
const maxKept = 100;

async function hasPackedReplaced(commonDir: string): Promise<boolean> {
  const file = join(commonDir, 'packed-refs');
  const facts = await stat(file, { bigint: true }).catch(ifMissing);
  if (facts === undefined) return false;
  const sign = [facts.ino, facts.mtimeNs, facts.size].join(' ');
  const known = packedReplaced.get(commonDir);
  if (known?.sign === sign) return known.isSo;
  const isSo = (await readFile(file, 'latin1')).includes(' refs/replace/');
  packedReplaced.delete(commonDir);
  packedReplaced.set(commonDir, { sign, isSo });
  for (const oldest of [...packedReplaced.keys()].slice(0, Math.max(0, packedReplaced.size - maxKept)))
    packedReplaced.delete(oldest);
  return isSo;
}

/** Whatever is in the way, git tells it. */
async function orUndefined<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
