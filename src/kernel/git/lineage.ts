/**
 * Where two commits part, and what came since, told from commits that are stored alone. That is the usual case: both
 * sides go back in a straight line to a commit of a little while ago. Of everything else git is asked.
 */
import { join } from 'node:path';
import { foldersOf, looseObject } from './native.ts';
import { exists } from './paths.ts';

export interface Since {
  /** The best common ancestor. */
  readonly base: string;
  /** Messages of the commits that `head` has and `tip` has not, by their names; the newest first. */
  readonly messages: ReadonlyMap<string, string>;
}

/** So many commits of each side are looked at. */
const most = 40;

interface Line {
  /** By name, in their order; null for the last one, which was not looked at. */
  readonly messages: Map<string, string | null>;
  next: string | undefined;
}

/** What `head` has since it parted from `tip`; undefined where it cannot be told this way. */
export async function sinceParting(repo: string, head: string, tip: string): Promise<Since | undefined> {
  const folders = await foldersOf(repo);
  if (folders === undefined || (await isCutShort(folders.commonDir))) return undefined;
  const [own, theirs] = [lineFrom(head), lineFrom(tip)];
  for (let count = 0; count <= most; count += 1) {
    // Every commit before it has one parent alone, so nothing else leads back.
    const base = [...theirs.messages.keys()].find((name) => own.messages.has(name));
    if (base !== undefined) return { base, messages: messagesUntil(own, base) };
    await Promise.all([own, theirs].map((line) => goBack(folders.commonDir, line)));
  }
  return undefined;
}

function lineFrom(name: string): Line {
  return { messages: new Map([[name, null]]), next: name };
}

/** One commit further, as long as there is one parent each. */
async function goBack(commonDir: string, line: Line): Promise<void> {
  if (line.next === undefined) return;
  const found = await readCommit(commonDir, line.next);
  if (found !== undefined) line.messages.set(line.next, found.message);
  line.next = found?.parents.length === 1 ? found.parents[0] : undefined;
  if (line.next !== undefined) line.messages.set(line.next, null);
}

function messagesUntil({ messages }: Line, base: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, message] of messages) {
    if (name === base) break;
    if (message !== null) found.set(name, message);
  }
  return found;
}

/** Parents that a commit names are not its parents everywhere. */
async function isCutShort(commonDir: string): Promise<boolean> {
  return (await exists(join(commonDir, 'shallow'))) || (await exists(join(commonDir, 'info', 'grafts')));
}

interface Commit {
  readonly parents: readonly string[];
  readonly message: string;
}

async function readCommit(commonDir: string, name: string): Promise<Commit | undefined> {
  const found = await looseObject(commonDir, name);
  if (found?.type !== 'commit') return undefined;
  const text = found.content.toString('utf8');
  const end = text.indexOf('\n\n');
  const parents = [...text.slice(0, end).matchAll(/^parent ([0-9a-f]{40})$/gm)].map((match) => match[1]!);
  return { parents, message: text.slice(end + 2) };
}
