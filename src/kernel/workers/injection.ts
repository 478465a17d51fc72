/** Which memory a worker begins with: what changed last, of all scopes that it may read, within a budget. */
import { listMemory, type MemoryContext, type MemoryFile, type MemoryOwner, memoryScopes, readEnd } from './memory.ts';

/** An estimate that holds for English prose and code. */
const charactersPerToken = 4;
/** Less than this of a long text tells nothing. */
const smallestPart = 800;

export interface RememberedText {
  readonly file: MemoryFile;
  readonly text: string;
  /** True when only the end of the file is given. */
  readonly isEnd: boolean;
}

export interface InjectedMemory {
  /** Most recent first. */
  readonly texts: readonly RememberedText[];
  /** What did not fit, or only in part: to be read by tool. */
  readonly left: readonly MemoryFile[];
}

/** @param budgetTokens 0 gives no texts, only the names of what there is */
export async function readInjectedMemory(
  ctx: Pick<MemoryContext, 'home'>,
  owner: MemoryOwner,
  budgetTokens: number,
): Promise<InjectedMemory> {
  const lists = await Promise.all(memoryScopes.map((scope) => listMemory(ctx, owner, scope)));
  const recentFirst = lists
    .flat()
    .filter((file) => file.bytes > 0)
    .toSorted((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1));
  const texts: RememberedText[] = [];
  const left: MemoryFile[] = [];
  let room = budgetTokens * charactersPerToken;
  for (const file of recentFirst) {
    const given = room < Math.min(smallestPart, file.bytes) ? undefined : await readWithin(file, room);
    if (given === undefined || given.isEnd) left.push(file);
    if (given === undefined) continue;
    texts.push(given);
    room -= given.text.length;
  }
  return { texts, left };
}

/** The whole text where it fits, else its end: what was added last stands there. */
async function readWithin(file: MemoryFile, room: number): Promise<RememberedText | undefined> {
  const bytes = await readEnd(file.path, room * 3);
  if (bytes === undefined) return undefined;
  const isWhole = bytes.length >= file.bytes;
  const text = new TextDecoder().decode(bytes);
  if (isWhole && text.length <= room) return { file, text: text.trim(), isEnd: false };
  if (room < smallestPart) return undefined;
  const end = text.slice(-room);
  return { file, text: end.slice(end.indexOf('\n') + 1).trim(), isEnd: true };
}
