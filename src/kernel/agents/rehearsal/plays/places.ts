/** A file that is named, a place of an earlier answer, two things side by side. */
import type { Situation } from '../situation.ts';
import { definedName, headingOf, proseOf, isComment } from './code.ts';
import { countsOf, type Excerpt, excerptOf, hitsOf, totalsOf } from './evidence.ts';
import { at, bullets, code, codeLine, fence, listed, paragraphs, plural, quoteAt, shortened } from './markdown.ts';
import { nothingFound } from './nothing.ts';
import type { Question } from './question.ts';
import { lookUpNames, type NameFinding } from './names.ts';
import { grepAllFiles, grepSources, read, type Step } from './search.ts';
import { compareSides, sidesOf } from './sides.ts';
import { hasWord, surveyWords } from './survey.ts';
import { escapePattern } from './words.ts';

/** What the file at this path holds. */
export function* answerFile(situation: Situation, question: Question, path: string): Step<string> {
  const range = /\blines?\s+(\d+)(?:\s*(?:-|–|to|through)\s*(\d+))?|:(\d+)(?:-(\d+))?/i.exec(question.text);
  const from = Number(range?.[1] ?? range?.[3] ?? 1);
  const to = Number(range?.[2] ?? range?.[4] ?? from + 30);
  const stem = path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');
  const [text, importers] = yield [
    range === null ? read(path, 1, 600) : read(path, from, Math.min(Math.max(to - from + 1, 1), 80)),
    grepSources(`(from|import|require|include|use)\\b.*[/"'.]${escapePattern(stem)}(\\.\\w+)?["']`, {
      head_limit: 40,
    }),
  ];
  const excerpt = excerptOf(situation, text);
  if (excerpt === undefined)
    return `\`${path}\` is there, but I could not read it: ${text?.result?.text.slice(0, 200) ?? 'no answer'}`;
  if (range !== null) {
    return paragraphs(
      `\`${path}:${excerpt.from}-${excerpt.from + excerpt.lines.length - 1}\``,
      fence(path, excerpt.lines),
    );
  }
  const users = hitsOf(situation, importers).filter((hit) => hit.path !== path);
  return fileText(
    excerpt,
    users.map((hit) => at(hit)),
  );
}

/** What a folder holds: its files by length, and what they define. */
export function* answerFolder(situation: Situation, folder: string): Step<string> {
  const within = { path: folder };
  const [sizes, definitions] = yield [
    grepAllFiles(situation, within),
    grepSources(`^(export |default |abstract |async |pub )*(class|function|interface|def|fn|func|struct) +\\w`, {
      ...within,
      head_limit: 400,
    }),
  ];
  const files = [...countsOf(situation, sizes)].toSorted((a, b) => b[1] - a[1]);
  if (files.length === 0) return `\`${folder}/\` has no file with text in it that I can read.`;
  const hits = hitsOf(situation, definitions);
  const totals = totalsOf(situation, sizes);
  const rows = files.slice(0, 15).map(([path, lines]) => {
    const own = hits.filter((hit) => hit.path === path);
    const names = own
      .flatMap((hit) => definedName(hit.text) ?? [])
      .slice(0, 6)
      .map((name) => code(name));
    return `\`${path}:${own[0]?.line ?? 1}\` (${plural(lines, 'line')})${names.length > 0 ? `: ${names.join(', ')}${own.length > 6 ? ', …' : ''}` : ''}`;
  });
  return paragraphs(
    `\`${folder}/\` holds ${plural(totals?.files ?? files.length, 'file')}, ${plural(
      totals?.matches ?? files.reduce((sum, [, lines]) => sum + lines, 0),
      'line',
    )}. The longest, with what they define at the top level:`,
    bullets(rows),
    files.length > 15 && `And ${plural(files.length - 15, 'more file')}.`,
  );
}

function fileText(excerpt: Excerpt, users: readonly string[]): string {
  const { path, lines } = excerpt;
  const isDocs = /\.mdx?$/.test(path);
  const outline = lines.flatMap((line, i) => {
    const name = isDocs ? headingOf(line) : /^\s/.test(line) ? undefined : definedName(line);
    return name === undefined ? [] : [{ path, line: excerpt.from + i, name, text: line }];
  });
  const exported = outline.filter((entry) => /^\s*(export|pub|public)\b/.test(entry.text));
  const first = lines.findIndex((line) => line.trim() !== '' && !isComment(line));
  const head = isDocs ? '' : proseOf(lines.slice(0, Math.max(first, 0)).filter((line) => isComment(line)));
  const imports = lines.flatMap((line) => /(?:from|require\(|import)\s*["']([^"']+)["']/.exec(line)?.[1] ?? []);
  const rows = (exported.length > 3 ? exported : outline)
    .slice(0, 25)
    .map((entry) => `${at(entry)} ${isDocs ? entry.name : codeLine(entry.text, 80)}`);
  const size = lines.length >= 600 ? 'the first 600 lines' : plural(lines.length, 'line');
  return paragraphs(
    `**\`${path}:1\`** (${size}${exported.length > 0 ? `, ${plural(exported.length, 'export')}` : ''}).`,
    head.length > 20 && `It begins with: “${shortened(head, 400)}”`,
    rows.length > 0 &&
      `**${isDocs ? 'Headings' : 'Outline'}**\n\n${bullets(rows)}${outline.length > 25 ? '\n- …' : ''}`,
    rows.length === 0 && fence(path, lines.slice(0, 30)),
    imports.length > 0 && `**Imports** ${listed([...new Set(imports)].slice(0, 12).map((name) => code(name)))}.`,
    !isDocs &&
      (users.length > 0
        ? `**Imported by** ${listed(users.slice(0, 6))}${users.length > 6 ? `, and ${users.length - 6} more` : ''}.`
        : 'I see no line that imports it.'),
  );
}

/** The place that is meant, with more around it than before. */
export function* answerMore(situation: Situation, place: { path: string; line: number }): Step<string> {
  const [call] = yield [read(place.path, place.line - 40, 160)];
  const excerpt = excerptOf(situation, call);
  if (excerpt === undefined)
    return `I meant to read on at ${at(place)}, but it cannot be read: ${call?.result?.text.slice(0, 200) ?? ''}`;
  const quote = quoteAt(excerpt, place.line, 60);
  const index = place.line - excerpt.from;
  const window = excerpt.lines.slice(Math.max(0, index - 10), index + 45);
  const wider = `\`${excerpt.path}:${excerpt.from + Math.max(0, index - 10)}\`\n\n${fence(excerpt.path, window)}`;
  const around = excerpt.lines.flatMap((line, i) => {
    const name = /\.mdx?$/.test(excerpt.path) ? headingOf(line) : definedName(line);
    return name === undefined || excerpt.from + i === quote.from
      ? []
      : [`${at({ path: excerpt.path, line: excerpt.from + i })} ${codeLine(line, 80)}`];
  });
  return paragraphs(
    `More of ${at(place)}${quote.name === undefined ? '' : `, \`${quote.name}\``}:`,
    quote.comment && `“${shortened(quote.comment, 700)}”`,
    quote.to - quote.from > 15 ? quote.markdown : wider,
    around.length > 0 && `**Around it in the same file**\n\n${bullets(around.slice(0, 8))}`,
  );
}

/** Two names, or two words, beside each other. */
export function* answerCompare(situation: Situation, question: Question): Step<string | undefined> {
  const { names, words } = question.terms;
  const sides = sidesOf(question);
  if (sides !== undefined) return yield* compareSides(situation, question, sides);
  const subjects = names.length >= 2 ? names.slice(0, 2) : [...names, ...words].slice(0, 2);
  if (subjects.length < 2) return undefined;
  const found = yield* lookUpNames(situation, subjects);
  const known = found.filter((finding) => finding.definitions.length > 0);
  if (known.length < 2) return yield* compareWords(situation, subjects);
  const reads = yield known.map((finding) => read(finding.definitions[0]!.path, finding.definitions[0]!.line - 20, 80));
  const quotes = known.map((finding, i) => {
    const excerpt = excerptOf(situation, reads[i]);
    return excerpt === undefined ? undefined : quoteAt(excerpt, finding.definitions[0]!.line, 20);
  });
  const row = (label: string, of: (finding: NameFinding, i: number) => string): string =>
    `| ${label} | ${known.map(of).join(' | ')} |`;
  const table = [
    `| | ${known.map((finding) => `\`${finding.name}\``).join(' | ')} |`,
    `|---|${known.map(() => '---').join('|')}|`,
    row('defined at', (finding) => at(finding.definitions[0]!)),
    row('kind', (finding) => finding.definitions[0]!.kind),
    row('lines of its definition', (_, i) => String(quotes[i] === undefined ? '?' : quotes[i].to - quotes[i].from + 1)),
    row('mentioned in', (finding) => `${plural(finding.lines, 'line')}, ${plural(finding.files, 'file')}`),
  ].join('\n');
  const shared = [...known[0]!.perFile.keys()].filter((path) => known[1]!.perFile.has(path));
  return paragraphs(
    `I put the two beside each other; what the difference means is for the reader to judge.`,
    table,
    ...quotes.map(
      (quote, i) =>
        quote &&
        paragraphs(`**\`${known[i]!.name}\`**`, quote.comment && `“${shortened(quote.comment, 300)}”`, quote.markdown),
    ),
    shared.length > 0 &&
      `**Both occur in** ${listed(shared.slice(0, 6).map((path) => `\`${path}\``))}${shared.length > 6 ? `, and ${shared.length - 6} more files` : ''}.`,
  );
}

function* compareWords(situation: Situation, subjects: readonly string[]): Step<string> {
  const survey = yield* surveyWords(
    situation,
    subjects.map((subject) => subject.toLowerCase()),
  );
  if (survey.ranked.length === 0) return yield* nothingFound(situation, subjects);
  const sections = survey.words.map((word) => {
    const files = [...word.perFile]
      .toSorted((a, b) => b[1] - a[1])
      .slice(0, 4)
      .map(([path, count]) => `\`${path}\` (${count})`);
    const defined = survey.definitions.filter((hit) => hasWord(hit.text, word)).slice(0, 4);
    return paragraphs(
      `**${word.word}**: ${plural(word.files, 'file')}${files.length > 0 ? `, most in ${files.join(', ')}` : ''}.`,
      bullets(defined.map((hit) => `${at(hit)} ${codeLine(hit.text, 90)}`)),
    );
  });
  return paragraphs('Not both of these are defined as names here, so I compare where the words occur.', ...sections);
}
