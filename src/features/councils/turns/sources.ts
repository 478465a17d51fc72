/** What an agent really looked at, told from its calls, and what it says of it. */
import { isAbsolute, relative } from 'node:path';
import { plainAddress } from './evidence.ts';
import type { HeardCall } from './listening.ts';
import { fileInside } from './reading.ts';

export interface WebPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

/** Relative paths of files that were read, in order, each once. */
export async function filesRead(root: string, calls: readonly HeardCall[]): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, input, ok } of calls) {
    if (!ok) continue;
    const named =
      name === 'Read'
        ? [String(input['file_path'] ?? '')]
        : name === 'Grep'
          ? [String(input['path'] ?? '')]
          : name === 'Bash'
            ? pathsIn(String(input['command'] ?? ''))
            : [];
    for (const path of named) {
      const inside = isAbsolute(path) ? relative(root, path) : path.replace(/^\.\//, '');
      if (inside !== '' && !paths.includes(inside) && (await fileInside(root, inside)) !== undefined)
        paths.push(inside);
    }
  }
  return paths;
}

/** Words of a command that may be paths. */
function pathsIn(command: string): string[] {
  return command.split(/[\s"'`;|&<>()=]+/).filter((word) => /^[\w@./-]{2,300}$/.test(word) && /[./]/.test(word));
}

/** Pages that were fetched, and those that a search gave, each once. */
export function pagesSeen(calls: readonly HeardCall[]): WebPage[] {
  const pages = new Map<string, WebPage>();
  const add = (page: WebPage): void => {
    const key = plainAddress(page.url);
    const known = pages.get(key);
    if (known === undefined) pages.set(key, page);
    else pages.set(key, { ...known, title: known.title || page.title, snippet: page.snippet || known.snippet });
  };
  for (const { name, input, ok, summary } of calls) {
    if (!ok) continue;
    if (name === 'WebFetch') {
      const title = /^#+\s+(.+)$/m.exec(summary)?.[1] ?? '';
      add({
        url: String(input['url'] ?? ''),
        title: shortened(title),
        snippet: shortened(summary.replace(/^#+\s+.+$/m, '')),
      });
    }
    if (name === 'WebSearch') for (const page of pagesOfSearch(summary)) add(page);
  }
  return [...pages.values()].filter(({ url }) => /^https?:\/\/\S+$/.test(url));
}

/** A search answers with its links as JSON, and words about them. */
function pagesOfSearch(summary: string): WebPage[] {
  const found = [
    ...summary.matchAll(/\{[^{}]*?"title":\s*("(?:[^"\\]|\\.)*")[^{}]*?"url":\s*("(?:[^"\\]|\\.)*")[^{}]*?\}/g),
  ];
  const words = summary.replaceAll(/\[?\{[^{}]*\}[,\]]?/g, ' ').replace(/^.*?Links:/s, '');
  return found.map(([, title, url]) => ({
    url: textOf(url!),
    title: shortened(textOf(title!)),
    snippet: shortened(words),
  }));
}

function textOf(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    // Cut in the middle of a sign.
    return json.slice(1, -1);
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

const address = /https?:\/\/[^\s)>\]"'`]+/;
const file = /(?:^|[\s(`"'])((?:[\w@.-]+\/)*[\w@.-]*\w\.\w{1,10}|(?:[\w@.-]+\/)+[\w@.-]+)(?::(\d+))?/;

/**
 * What stands under `Sources consulted:`: what the agent lists, marked where it is not there, then what it read and does
 * not list, then the pages that its words name.
 */
export async function consulted(
  root: string,
  listed: readonly string[],
  seen: { readonly files: readonly string[]; readonly pages: readonly WebPage[]; readonly words: string },
): Promise<string[]> {
  const rows: string[] = [];
  const named = new Set<string>();
  for (const row of listed) {
    const url = address.exec(row)?.[0];
    if (url !== undefined) {
      named.add(plainAddress(url));
      rows.push(await pageRow(row, url, seen.pages));
      continue;
    }
    const path = file.exec(row)?.[1]?.replace(/^\.\//, '');
    if (path !== undefined) named.add(path);
    const isThere = path === undefined || (await fileInside(root, path)) !== undefined;
    rows.push(isThere ? row : `${row} (not found)`);
  }
  for (const path of seen.files) if (!named.has(path)) rows.push(path);
  for (const page of seen.pages) {
    const isUsed = seen.words.includes(page.url) || seen.words.includes(plainAddress(page.url));
    if (isUsed && !named.has(plainAddress(page.url))) rows.push(printPage(page));
  }
  return [...new Set(rows)];
}

async function pageRow(row: string, url: string, pages: readonly WebPage[]): Promise<string> {
  const page = pages.find((each) => plainAddress(each.url) === plainAddress(url));
  if (page === undefined) return `${row} (not fetched)`;
  const rest = row.replace(url, '').replaceAll(/^[\s—–-]+|[\s—–-]+$/g, '');
  return rest === '' ? printPage(page) : row.includes('—') ? row : `${url} — ${rest}`;
}

function printPage({ url, title, snippet }: WebPage): string {
  return [url, title, snippet].filter((part) => part !== '').join(' — ');
}
