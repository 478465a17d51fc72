/** "Who calls X", "where is X used", "is X tested", "how many X": answers from the mentions of a name. */
import type { Situation } from '../situation.ts';
import { isComment } from './code.ts';
import { type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, code, codeLine, listed, numbered, paragraphs, plural } from './markdown.ts';
import { nothingFound } from './nothing.ts';
import type { Question } from './question.ts';
import { lookUpNames, mentionLimit, type NameFinding } from './names.ts';
import { grep, type Step } from './search.ts';
import { escapePattern, rootOf } from './words.ts';

/** The names of the question; without one, its words stand in for names. */
function subjectsOf(question: Question): readonly string[] {
  const { names, words } = question.terms;
  const things = words.filter((word) => !/^(tests?|tested|testing|coverage|covered|specs?)$/.test(word));
  return names.length > 0 ? names.slice(0, 2) : things.slice(0, 2);
}

export function* answerUsage(situation: Situation, question: Question): Step<string> {
  const findings = yield* lookUpNames(situation, subjectsOf(question));
  const known = findings.filter((finding) => finding.lines > 0);
  if (known.length === 0) return yield* nothingFound(situation, subjectsOf(question));
  return paragraphs(...known.map((finding) => usageOf(finding)));
}

const importLine = /^\s*(?:import|export \*|export \{|from|use|require|#include)\b|\brequire\(/;

function usageOf(finding: NameFinding): string {
  const { name } = finding;
  const code = finding.uses.filter((hit) => kindOfFile(hit.path) === 'source');
  const imports = code.filter((hit) => importLine.test(hit.text));
  const rest = code.filter((hit) => !importLine.test(hit.text) && !isProse(hit.text, name));
  const callForm = new RegExp(`${escapePattern(name)}\\s*(?:<[^>]*>)?\\(`);
  const calls = rest.filter((hit) => callForm.test(hit.text) && !/^\s*(?:export\s+)?class\b/.test(hit.text));
  const others = rest.filter((hit) => !calls.includes(hit));
  const where = finding.definitions[0];
  const head =
    where === undefined
      ? `\`${name}\` is not defined here as far as I see.`
      : `\`${name}\` is defined at ${at(where)}.`;
  const tests = [...finding.perFile].filter(([path]) => kindOfFile(path) === 'test').toSorted((a, b) => b[1] - a[1]);
  const otherRows = calls.length > 6 ? 4 : 8;
  const listedAll = finding.uses.length < mentionLimit;
  const parts = [
    calls.length > 0 && plural(calls.length, 'call'),
    others.length > 0 && plural(others.length, 'other use'),
    imports.length > 0 && plural(imports.length, 'import'),
    tests.length > 0 && plural(tests.length, 'test file'),
  ].filter((part) => part !== false);
  const among =
    parts.length > 0
      ? `: ${listed(parts)}${listedAll ? '' : ` among the first ${mentionLimit} lines that I listed`}`
      : '';
  return paragraphs(
    `${head} It is mentioned in ${plural(finding.lines, 'line')} of ${plural(finding.files, 'file')}${among}.`,
    calls.length > 0 && `**Calls**\n\n${numbered(rows(calls, 12))}${left(calls.length, 12)}`,
    others.length > 0 && `**Other uses**\n\n${bullets(rows(others, otherRows))}${left(others.length, otherRows)}`,
    imports.length > 0 &&
      `**Imported by** ${listed(imports.slice(0, 8).map((hit) => at(hit)))}${imports.length > 8 ? `, and ${imports.length - 8} more` : ''}.`,
    tests.length > 0 &&
      `**Tests**, by number of mentions: ${tests
        .slice(0, 5)
        .map(([path, count]) => `\`${path}\` (${count})`)
        .join(', ')}.`,
    code.length === 0 && tests.length === 0 && mentionsByFile(finding),
  );
}

function left(count: number, shown: number): string {
  return count > shown ? `\n\n… and ${count - shown} more.` : '';
}

/** A mention in a comment or in the prose of a documentation string. */
function isProse(text: string, name: string): boolean {
  const rest = text.replaceAll(name, '').replaceAll('()', '').trim();
  return (
    isComment(text) || /^["']{3}|["']{3}$/.test(rest) || (!/[=;{}()[\]:<>]/.test(rest) && rest.split(/\s+/).length > 3)
  );
}

/** At most `max` lines, of each file no more than its share, so that no file hides the others. */
function rows(hits: readonly Hit[], max: number): string[] {
  const files = new Set(hits.map((hit) => hit.path)).size;
  const share = Math.max(2, Math.ceil(max / files));
  const taken = new Map<string, number>();
  const shown = hits.filter((hit) => {
    taken.set(hit.path, (taken.get(hit.path) ?? 0) + 1);
    return taken.get(hit.path)! <= share;
  });
  const filled = [...shown, ...hits.filter((hit) => !shown.includes(hit))].slice(0, max);
  const inOrder = hits.filter((hit) => filled.includes(hit)).map((hit) => `${at(hit)} ${codeLine(hit.text)}`);
  return inOrder;
}

function mentionsByFile(finding: NameFinding): string {
  const files = [...finding.perFile].toSorted((a, b) => b[1] - a[1]).slice(0, 10);
  return `**By file**\n\n${bullets(files.map(([path, count]) => `\`${path}\`: ${plural(count, 'line')}`))}`;
}

const testTitle = String.raw`\b(?:describe|it|test|suite|context)(?:\.\w+)*\s*\(\s*["'\x60]|def test_\w+|func Test\w+|#\[test\]|@Test\b`;

export function* answerTests(situation: Situation, question: Question): Step<string> {
  const subjects = subjectsOf(question);
  if (subjects.length === 0) return yield* testOverview();
  const findings = yield* lookUpNames(situation, subjects);
  const subject = findings.find((finding) => finding.lines > 0);
  if (subject === undefined) return yield* nothingFound(situation, subjects);
  const files = [...subject.perFile].filter(([path]) => kindOfFile(path) === 'test').toSorted((a, b) => b[1] - a[1]);
  const { name } = subject;
  const where = subject.definitions[0] === undefined ? '' : ` (${at(subject.definitions[0])})`;
  if (files.length === 0) {
    return paragraphs(
      `No test file mentions \`${name}\`${where}. It occurs in ${plural(subject.lines, 'line')} of ${plural(subject.files, 'file')}, none of which looks like a test by its name or folder.`,
      'It may still run in a test through something that calls it; I only see names.',
    );
  }
  const top = files.slice(0, 3).map(([path]) => path);
  const calls = yield top.flatMap((path) => [
    grep(testTitle, { path, head_limit: 60 }),
    grep(escapePattern(name), { path, head_limit: 60 }),
  ]);
  const sections = top.map((path, i) =>
    testSection(path, hitsOf(situation, calls[i * 2]), hitsOf(situation, calls[i * 2 + 1]), name),
  );
  const more = files.slice(3, 9).map(([path, count]) => `\`${path}\` (${count})`);
  return paragraphs(
    `\`${name}\`${where} is mentioned in ${plural(files.length, 'test file')}. I read test titles and mentions; whether the tests are good I cannot say.`,
    ...sections,
    more.length > 0 &&
      `**More test files:** ${more.join(', ')}${files.length > 9 ? `, and ${files.length - 9} others` : ''}.`,
  );
}

/** The tests of one file that mention the name: each mention belongs to the title above it. */
function testSection(path: string, titles: readonly Hit[], mentions: readonly Hit[], name: string): string {
  const owners = mentions.map((mention) => titles.findLast((title) => title.line <= mention.line) ?? mention);
  const named = titles.filter((title) => title.text.includes(name));
  const shown = [...new Map([...named, ...owners].map((hit) => [hit.line, hit])).values()].toSorted(
    (a, b) => a.line - b.line,
  );
  const left = shown.length > 8 ? `\n- … and ${shown.length - 8} more` : '';
  return `**\`${path}\`** (${plural(titles.length, 'test title')})\n\n${bullets(shown.slice(0, 8).map((hit) => `${at(hit)} ${codeLine(hit.text, 90)}`))}${left}`;
}

function* testOverview(): Step<string> {
  const [titles] = yield [{ name: 'Grep', input: { pattern: testTitle, output_mode: 'count', head_limit: 400 } }];
  const rowsOf = (titles?.result?.text ?? '').split('\n').flatMap((row) => /^(.+):(\d+)$/.exec(row) ?? []);
  const files = new Map<string, number>();
  for (let i = 0; i + 2 < rowsOf.length; i += 3) files.set(rowsOf[i + 1]!, Number(rowsOf[i + 2]));
  const tests = [...files].filter(([path]) => kindOfFile(path) === 'test').toSorted((a, b) => b[1] - a[1]);
  const total = tests.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0)
    return 'I searched for test titles (`test(`, `it(`, `describe(`, `def test_`, `func Test`) and found none in files that look like tests.';
  const folders = new Map<string, number>();
  for (const [path, count] of tests) {
    const folder = path.split('/').slice(0, -1).join('/') || '.';
    folders.set(folder, (folders.get(folder) ?? 0) + count);
  }
  const byFolder = [...folders].toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  return paragraphs(
    `There are ${plural(total, 'test title')} in ${plural(tests.length, 'test file')}.`,
    `**By folder**\n\n${bullets(byFolder.map(([folder, count]) => `\`${folder}/\`: ${count}`))}`,
    `**Fullest files**\n\n${bullets(tests.slice(0, 6).map(([path, count]) => `\`${path}\`: ${count}`))}`,
    'Ask *is `name` tested?* for the tests of one thing.',
  );
}

/** Things that can be counted by a pattern rather than by a name. */
const countable: readonly (readonly [RegExp, string, string])[] = [
  [/\btests?\b/i, testTitle, 'test title'],
  [/\bclass(es)?\b/i, String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+\w`, 'class'],
  [/\binterfaces?\b/i, String.raw`^\s*(?:export\s+)?(?:declare\s+)?interface\s+\w`, 'interface'],
  [
    /\bfunctions?\b/i,
    String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|def|fn|func)\s+\w`,
    'function',
  ],
  [/\bexports?\b/i, String.raw`^export\b`, 'export'],
  [/\b(files?|lines?)\b/i, '', 'line'],
];

export function* answerCount(situation: Situation, question: Question): Step<string> {
  const subjects = subjectsOf(question);
  const thing = countable.find(([form]) => form.test(question.text));
  if (thing !== undefined && question.terms.names.length === 0) {
    const word = rootOf(question.terms.words.find((candidate) => !thing[0].test(candidate)) ?? '');
    const [call] = yield [{ name: 'Grep', input: { pattern: thing[1], output_mode: 'count', head_limit: 400 } }];
    return countText(call?.result?.text ?? '', thing[2], word);
  }
  const findings = yield* lookUpNames(situation, subjects);
  const known = findings.filter((finding) => finding.lines > 0);
  if (known.length === 0) return yield* nothingFound(situation, subjects);
  return paragraphs(
    ...known.map((finding) =>
      paragraphs(
        `${code(finding.name)} occurs in **${plural(finding.lines, 'line')}** of ${plural(finding.files, 'file')}${finding.definitions.length > 0 ? `; ${plural(finding.definitions.length, 'line')} of them define${finding.definitions.length === 1 ? 's' : ''} it` : ''}.`,
        mentionsByFile(finding),
      ),
    ),
  );
}

function countText(text: string, unit: string, word: string): string {
  const all = text.split('\n').flatMap((row): [string, number][] => {
    const match = /^(.+):(\d+)$/.exec(row);
    return match === null ? [] : [[match[1]!, Number(match[2])]];
  });
  const totals = /Found (\d+) total occurrences? across (\d+) files?/.exec(text);
  const chosen = word === '' ? all : all.filter(([path]) => path.toLowerCase().includes(word));
  const sum = chosen.reduce((total, [, count]) => total + count, 0);
  const lines = chosen === all || chosen.length === 0 ? Number(totals?.[1] ?? sum) : sum;
  const files = chosen === all || chosen.length === 0 ? Number(totals?.[2] ?? all.length) : chosen.length;
  const top = (chosen.length > 0 ? chosen : all).toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  const many = unit === 'class' ? 'classes' : `${unit}s`;
  const where = word !== '' && chosen.length > 0 ? `, in paths with \`${word}\`` : '';
  return paragraphs(
    `I count **${plural(lines, unit, many)}** in ${plural(files, 'file')}${where}.`,
    top.length > 0 && `Most of them:\n\n${bullets(top.map(([path, count]) => `\`${path}\`: ${count}`))}`,
    unit !== 'line' && 'Counted by pattern, a line at a time; what is written in an unusual way is missed.',
  );
}
