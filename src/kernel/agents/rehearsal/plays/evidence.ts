/** What the agent program's own tools answer, read into values. The formats are those of the Claude Agent SDK. */
import type { Situation, SituationCall } from '../situation.ts';
import { resultText } from './script.ts';

/** One matching line of a search. */
export interface Hit {
  /** Relative to the agent's working directory. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Consecutive lines of a file. */
export interface Excerpt {
  readonly path: string;
  /** Number of the first of `lines`. */
  readonly from: number;
  readonly lines: readonly string[];
}

export function relativePath(situation: Situation, path: string): string {
  const { cwd } = situation;
  return (cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path).replace(/^\.\//, '');
}

/**
 * The records of activities hold the questions that were asked, word for word: every search would find them first. What
 * came out of an activity lies in other folders and is found.
 */
function isRecord(situation: Situation, path: string): boolean {
  return path.startsWith(`.lore/${situation.activityKind}s/`);
}

/** The hits of a Grep in `content` mode. A search in one file gives no paths: the call's own `path` stands for them. */
export function hitsOf(situation: Situation, call: SituationCall | undefined): Hit[] {
  const text = resultText(call) ?? '';
  const only = typeof call?.input['path'] === 'string' ? relativePath(situation, call.input['path']) : undefined;
  const hits: Hit[] = [];
  for (const row of text.split('\n')) {
    const match = /^(.+?):(\d+):(.*)$/.exec(row);
    const bare = /^(\d+):(.*)$/.exec(row);
    if (bare !== null && only !== undefined) hits.push({ path: only, line: Number(bare[1]), text: bare[2] ?? '' });
    else if (match !== null) {
      hits.push({ path: relativePath(situation, match[1]!), line: Number(match[2]), text: match[3] ?? '' });
    }
  }
  return hits.filter((hit) => !isRecord(situation, hit.path));
}

/** Matches by file, of a Grep in `count` mode. */
export function countsOf(situation: Situation, call: SituationCall | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of (resultText(call) ?? '').split('\n')) {
    const match = /^(.+):(\d+)$/.exec(row);
    const path = match === null ? '' : relativePath(situation, match[1]!);
    if (match !== null && !isRecord(situation, path)) counts.set(path, Number(match[2]));
  }
  return counts;
}

/** Matches and files in all, as a Grep in `count` mode says them, also when its list was cut. */
export function totalsOf(
  situation: Situation,
  call: SituationCall | undefined,
): { matches: number; files: number } | undefined {
  const text = resultText(call) ?? '';
  const match = /Found (\d+) total occurrences? across (\d+) files?/.exec(text);
  const records = [...text.matchAll(/^(.+):(\d+)$/gm)].filter(([, path]) =>
    isRecord(situation, relativePath(situation, path!)),
  );
  const inRecords = records.reduce((sum, [, , count]) => sum + Number(count), 0);
  return match === null
    ? undefined
    : { matches: Number(match[1]) - inRecords, files: Number(match[2]) - records.length };
}

export function pathsOf(situation: Situation, call: SituationCall | undefined): string[] {
  const rows = (resultText(call) ?? '')
    .split('\n')
    .filter((row) => row !== '' && !/^(No files found|Found \d|\(|\[|<)/.test(row));
  return rows.map((row) => relativePath(situation, row.trim())).filter((path) => !isRecord(situation, path));
}

/** What Read answered: numbered lines. Undefined when the file could not be read or is empty. */
export function excerptOf(situation: Situation, call: SituationCall | undefined): Excerpt | undefined {
  const path = call?.input['file_path'];
  const rows = (resultText(call) ?? '').split('\n').map((row) => /^\s*(\d+)[\t→](.*)$/.exec(row));
  const first = rows.find((row) => row !== null);
  if (typeof path !== 'string' || first === undefined || first === null) return undefined;
  const lines = rows.filter((row) => row !== null).map((row) => row[2] ?? '');
  return { path: relativePath(situation, path), from: Number(first[1]), lines };
}

/** How a file is to be judged as a source of answers. */
export function kindOfFile(path: string): 'test' | 'docs' | 'generated' | 'data' | 'source' {
  if (
    /(^|\/)(node_modules|dist|build|vendor|third_party|coverage|\.git)\/|\.min\.|[.-]lock\b|lock\.(json|yaml)$|\.map$|\.snap$/.test(
      path,
    )
  ) {
    return 'generated';
  }
  if (
    /(^|\/)(tests?|__tests__|spec|specs|e2e|fixtures|__mocks__|benchmarks?|bench)\/|[._-](test|spec|bench)\.|(^|\/)test_|_test\./.test(
      path,
    )
  ) {
    return 'test';
  }
  if (/\.(md|mdx|rst|txt|adoc)$/i.test(path) || /(^|\/)(LICENSE|CHANGELOG)/.test(path)) return 'docs';
  if (/\.(json|ya?ml|toml|csv|xml|svg|html|css)$|(^|\/)(locales?|i18n)\//.test(path)) return 'data';
  return 'source';
}
