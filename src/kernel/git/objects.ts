/** Contents and sizes of objects, many at once. */
import { foldersOf, looseObject } from './native.ts';
import { type GitContext, git } from './run.ts';

/** So many are looked for as files of their own before git is asked. */
const maxLooked = 64;
/** No object has this name. */
const nothing = /^0{40}$/;

/** The sizes of several objects in bytes, undefined for each that is not there. */
export async function objectSizes(
  ctx: GitContext,
  repo: string,
  names: readonly string[],
): Promise<(number | undefined)[]> {
  const loose = await looseOnes(ctx, repo, names);
  return withRest(
    names,
    (name) => loose.get(name)?.content.length,
    async (rest) => askSizes(ctx, repo, rest),
  );
}

/** The bytes of several blobs, undefined for each that is not there or is no blob. */
export async function readObjects(
  ctx: GitContext,
  repo: string,
  names: readonly string[],
): Promise<(Buffer | undefined)[]> {
  const loose = await looseOnes(ctx, repo, names);
  const blobOf = (name: string): Buffer | undefined => {
    const found = loose.get(name);
    return found?.type === 'blob' ? found.content : undefined;
  };
  return withRest(names, blobOf, async (rest) => askContents(ctx, repo, rest));
}

/** What is known, and for the others, in one call, what git says. */
async function withRest<T>(
  names: readonly string[],
  known: (name: string) => T | undefined,
  ask: (rest: readonly string[]) => Promise<(T | undefined)[]>,
): Promise<(T | undefined)[]> {
  const found = names.map(known);
  const rest = names.flatMap((name, at) => (found[at] === undefined && !nothing.test(name) ? [at] : []));
  if (rest.length === 0) return found;
  const answers = await ask(rest.map((at) => names[at]!));
  for (const [index, at] of rest.entries()) found[at] = answers[index];
  return found;
}

async function looseOnes(
  ctx: GitContext,
  repo: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly type: string; readonly content: Buffer }>> {
  const wanted = [...new Set(names)].filter((name) => !nothing.test(name));
  // With a store of its own the context has objects elsewhere, too.
  if (wanted.length === 0 || wanted.length > maxLooked || ctx.objects !== undefined) return new Map();
  const folders = await foldersOf(repo);
  if (folders === undefined) return new Map();
  const objects = await Promise.all(wanted.map((name) => looseObject(folders.commonDir, name)));
  return new Map(wanted.flatMap((name, at) => (objects[at] === undefined ? [] : [[name, objects[at]] as const])));
}

async function askSizes(ctx: GitContext, repo: string, names: readonly string[]): Promise<(number | undefined)[]> {
  const input = names.map((name) => `${name}\0`).join('');
  const output = await git(ctx, repo, ['cat-file', '--batch-check=size %(objectsize)', '-z'], { input });
  const lines = output.split('\n');
  return names.map((_, index) => {
    const size = /^size (\d+)$/.exec(lines[index] ?? '')?.[1];
    return size === undefined ? undefined : Number(size);
  });
}

async function askContents(ctx: GitContext, repo: string, names: readonly string[]): Promise<(Buffer | undefined)[]> {
  const input = names.map((name) => `${name}\0`).join('');
  const output = await git(ctx, repo, ['cat-file', '--batch', '-z'], { input, encoding: 'latin1' });
  const found: (Buffer | undefined)[] = [];
  let at = 0;
  for (const name of names) {
    // What was asked for is echoed when it is missing, and may itself hold line ends.
    const missing = `${Buffer.from(name).toString('latin1')} missing\n`;
    if (output.startsWith(missing, at)) {
      found.push(undefined);
      at += missing.length;
      continue;
    }
    const headEnd = output.indexOf('\n', at);
    const [, type, size] = output.slice(at, headEnd).split(' ');
    const end = headEnd + 1 + Number(size);
    found.push(type === 'blob' ? Buffer.from(output.slice(headEnd + 1, end), 'latin1') : undefined);
    at = end + 1;
  }
  return found;
}
