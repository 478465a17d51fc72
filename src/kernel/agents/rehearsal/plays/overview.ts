/** "What is this project", its size, its dependencies: answers from its README, its manifest and its files. */
import type { Situation, SituationCall } from '../situation.ts';
import { headingOf } from './code.ts';
import { countsOf, excerptOf, hitsOf, kindOfFile, pathsOf, totalsOf } from './evidence.ts';
import { at, bullets, code, codeLine, listed, paragraphs, plural, shortened } from './markdown.ts';
import { foldersOf, onlyLore } from './nothing.ts';
import { grepAllFiles, grepSources, read, type Step } from './search.ts';
import { glob, manifests, parseManifest } from './manifest.ts';

export function* answerOverview(situation: Situation): Step<string> {
  const [sizes, ...found] = yield [
    grepAllFiles(situation),
    ...glob(situation, manifests),
    ...glob(situation, 'README*'),
  ];
  const manifest = pathsOf(situation, found[0])[0] ?? 'package.json';
  const readme = pathsOf(situation, found[1])[0] ?? 'README.md';
  const [readmeCall, manifestCall, mains] = yield [
    read(readme, 1, 120),
    read(manifest, 1, 200),
    grepSources(String.raw`if __name__ == .__main__.|^func main\(|^fn main\(|public static void main|^#!/usr/bin/env`, {
      head_limit: 20,
    }),
  ];
  const files = [...countsOf(situation, sizes)]
    .filter(([path]) => kindOfFile(path) === 'source')
    .toSorted((a, b) => b[1] - a[1]);
  const totals = totalsOf(situation, sizes);
  const starts = hitsOf(situation, mains);
  return paragraphs(
    readmeText(situation, readmeCall),
    manifestText(situation, manifestCall),
    totals &&
      `**Size.** ${plural(totals.files, 'file')}, ${plural(totals.matches, 'line')} that are not empty or hidden.`.replace(
        ' that are not empty or hidden',
        '',
      ),
    `**Where things are**\n\n${bullets(foldersOf((sizes?.result?.text ?? '').split('\n')).slice(0, 10))}`,
    onlyLore((sizes?.result?.text ?? '').split('\n')),
    files.length > 0 &&
      `**Longest source files:** ${files
        .slice(0, 6)
        .map(([path, lines]) => `\`${path}\` (${lines})`)
        .join(', ')}.`,
    starts.length > 0 && `**Starts at** ${listed(starts.slice(0, 4).map((hit) => at(hit)))}.`,
    '*Next:* ask about a word of this (*how is … done?*), a name (*how does `name` work?*), or *which errors are thrown?*',
  );
}

/** The first paragraphs of prose of the README, and its headings. */
function readmeText(situation: Situation, call: SituationCall | undefined): string {
  const excerpt = excerptOf(situation, call);
  if (excerpt === undefined) return 'There is no README at the top of this project.';
  const isProse = (line: string): boolean =>
    /^[A-Za-z*_“"`[]/.test(line) && !/^\[!\[|^\[.*\]: |^!\[|^<|^\[[^\]]*\]\([^)]*\)\s*$/.test(line) && line.length > 40;
  const index = excerpt.lines.findIndex(isProse);
  const prose =
    index < 0
      ? ''
      : excerpt.lines
          .slice(index, excerpt.lines.findIndex((line, i) => i > index && line.trim() === '') >>> 0)
          .join(' ');
  const headings = excerpt.lines.flatMap((line) => headingOf(line) ?? []).filter((heading) => !/^<|!\[/.test(heading));
  return paragraphs(
    prose !== '' && `\`${excerpt.path}:${excerpt.from + index}\` says: “${shortened(prose, 500)}”`,
    headings.length > 1 &&
      `Its headings: ${headings
        .slice(0, 12)
        .map((heading) => `“${heading}”`)
        .join(', ')}.`,
  );
}

function manifestText(situation: Situation, call: SituationCall | undefined): string | undefined {
  const excerpt = excerptOf(situation, call);
  if (excerpt === undefined) return undefined;
  const value = parseManifest(excerpt.lines.join('\n'));
  if (value === undefined) {
    return `**\`${excerpt.path}:1\`** begins:\n\n${bullets(
      excerpt.lines
        .filter((line) => line.trim() !== '')
        .slice(0, 6)
        .map((line) => codeLine(line)),
    )}`;
  }
  const title = [value.name, value.version].filter((part) => part !== undefined).join(' ');
  const scripts = Object.keys(value.scripts ?? {});
  return paragraphs(
    `**\`${excerpt.path}:1\`**: ${title === '' ? 'no name' : code(title)}${value.description ? `, “${value.description}”` : ''}${value.main ? `; enters at ${code(value.main)}` : ''}.`,
    scripts.length > 0 &&
      `Scripts: ${scripts
        .slice(0, 12)
        .map((name) => code(name))
        .join(', ')}.`,
  );
}
