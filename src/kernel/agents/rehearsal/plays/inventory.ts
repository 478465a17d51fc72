/** What the project stands on, and how large it is. */
import type { Situation } from '../situation.ts';
import { countsOf, type Excerpt, excerptOf, kindOfFile, pathsOf, totalsOf } from './evidence.ts';
import { glob, manifests, parseManifest } from './manifest.ts';
import { at, bullets, code, codeLine, paragraphs, plural } from './markdown.ts';
import { grepAllFiles, grepCount, read, type Step } from './search.ts';
import { escapePattern } from './words.ts';

export function* answerDependencies(situation: Situation): Step<string> {
  const found = yield glob(situation, `**/${manifests}`);
  const paths = pathsOf(situation, found[0])
    .filter((path) => kindOfFile(path) !== 'generated')
    .toSorted((a, b) => a.length - b.length);
  const [call] = yield [read(paths[0] ?? 'package.json', 1, 400)];
  const excerpt = excerptOf(situation, call);
  if (excerpt === undefined) return `I looked for a manifest (${code(manifests)}) and found none that I can read.`;
  const value = parseManifest(excerpt.lines.join('\n'));
  if (value === undefined) return plainManifest(excerpt);
  const groups = (['dependencies', 'peerDependencies', 'devDependencies'] as const).map(
    (key) => [key, Object.entries(value[key] ?? {})] as const,
  );
  const direct = groups.flatMap(([key, entries]) => (key === 'devDependencies' ? [] : entries)).slice(0, 6);
  const uses = yield direct.map(([name]) =>
    grepCount(`["']${escapePattern(name)}(?:/[^"']*)?["']`, { glob: '!package*.json', head_limit: 100 }),
  );
  const used = direct.map(([name], i) => `\`${name}\` in ${plural(totalsOf(situation, uses[i])?.files ?? 0, 'file')}`);
  const line = (key: string): number =>
    excerpt.from +
    Math.max(
      0,
      excerpt.lines.findIndex((row) => row.includes(`"${key}"`)),
    );
  const sections = groups
    .filter(([, entries]) => entries.length > 0)
    .map(
      ([key, entries]) =>
        `**${key}** (\`${excerpt.path}:${line(key)}\`, ${entries.length}): ${entries
          .slice(0, 25)
          .map(([name, version]) => `\`${name}\` ${version}`)
          .join(', ')}${entries.length > 25 ? ', …' : ''}`,
    );
  return paragraphs(
    sections.length === 0
      ? `\`${excerpt.path}\` (${code(value.name ?? 'no name')}) declares no dependencies of any kind.`
      : `\`${excerpt.path}\` declares:`,
    ...sections,
    used.length > 0 && `**Imported:** ${used.join(', ')}.`,
    paths.length > 1 &&
      `**Other manifests:** ${paths
        .slice(1, 8)
        .map((path) => `\`${path}\``)
        .join(', ')}.`,
  );
}

/** The lines of any other manifest that look like a dependency. */
function plainManifest(excerpt: Excerpt): string {
  const rows = excerpt.lines.map((text, i) => ({ path: excerpt.path, line: excerpt.from + i, text }));
  const named = rows.filter((row) => /[=><~^]=?\s*["']?\d|^\s*require\s|^[\w-]+\s*=/.test(row.text)).slice(0, 30);
  return paragraphs(`\`${excerpt.path}\` names:`, bullets(named.map((row) => `${at(row)} ${codeLine(row.text)}`)));
}

export function* answerLargest(situation: Situation): Step<string> {
  const [call] = yield [grepAllFiles(situation)];
  const totals = totalsOf(situation, call);
  const files = [...countsOf(situation, call)].toSorted((a, b) => b[1] - a[1]);
  const sources = files.filter(([path]) => kindOfFile(path) === 'source');
  const tests = files.filter(([path]) => kindOfFile(path) === 'test');
  const lines = (list: readonly (readonly [string, number])[]): number =>
    list.reduce((sum, [, count]) => sum + count, 0);
  const cut =
    totals !== undefined && totals.files > files.length
      ? ` The search listed ${files.length} of them, so the figures below are of those.`
      : '';
  return paragraphs(
    `The project has **${plural(totals?.files ?? files.length, 'file')}** with ${plural(totals?.matches ?? lines(files), 'line')}: among them ${plural(sources.length, 'source file')} (${lines(sources)} lines)${tests.length > 0 ? ` and ${plural(tests.length, 'test file')} (${lines(tests)} lines)` : ''}.${cut}`,
    `**Longest source files**\n\n${bullets(sources.slice(0, 10).map(([path, count]) => `\`${path}:1\` ${plural(count, 'line')}`))}`,
    tests.length > 0 &&
      `**Longest tests**\n\n${bullets(tests.slice(0, 4).map(([path, count]) => `\`${path}:1\` ${plural(count, 'line')}`))}`,
  );
}
