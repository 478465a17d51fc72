/** What the check of a turn may ask: the files of the checkout, and the addresses that the speaker's research fetched. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from '../claims/evidence.ts';
import { fileInside, readInside } from './reading.ts';

/** @param covered with a prelude: its sources */
export function evidenceOf(root: string, fetched: readonly string[], covered?: readonly string[]): Evidence {
  const texts = new Map<string, Promise<string | undefined>>();
  const textOf = (path: string): Promise<string | undefined> => {
    const known = texts.get(path) ?? readInside(root, path);
    texts.set(path, known);
    return known;
  };
  const addresses = new Set(fetched.map(plainAddress));
  return {
    textOf,
    pathState: async (path, line) => {
      if ((await fileInside(root, path)) === undefined)
        return (await isFolder(root, path)) && line === undefined ? 'there' : 'absent';
      if (line === undefined) return 'there';
      const text = await textOf(path);
      // Of a file that is too large to be read no line can be refused.
      if (text === undefined) return 'there';
      return line >= 1 && line <= text.split('\n').length ? 'there' : 'no-line';
    },
    isFetched: (url) => addresses.has(plainAddress(url)),
    memoryExists: async (path) => path.startsWith('.gaia/memory/') && (await fileInside(root, path)) !== undefined,
    ...(covered !== undefined && { covered }),
  };
}

/** A folder can be cited as a whole; where it leads is looked at through one of its own entries. */
async function isFolder(root: string, path: string): Promise<boolean> {
  if (!/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).*\/$/.test(path) || /(?:^|\/)\.git\//i.test(path)) return false;
  // Only whether there is one is said of it, never what is in it.
  const facts = await stat(join(root, path)).catch(() => undefined);
  return facts?.isDirectory() ?? false;
}

/** The same page, however its address was written: without fragment, last slash and case of the host. */
export function plainAddress(url: string): string {
  try {
    const { protocol, host, pathname, search } = new URL(url);
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}${search}`;
  } catch {
    // No address: only the same words are the same.
    return url.trim();
  }
}
