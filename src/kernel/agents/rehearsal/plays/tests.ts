/** "Is X tested", "what do the tests cover": answers from test files, by their titles. */
import type { Situation } from '../situation.ts';
import { countsOf, type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, codeLine, paragraphs, plural, shortened } from './markdown.ts';
import { lookUpNames } from './names.ts';
import { nothingFound } from './nothing.ts';
import { type Question, subjectsOf } from './question.ts';
import { missingPlace, scopeOf } from './scope.ts';
import { grep, grepCount, type Step } from './search.ts';
import { importLine } from './usage.ts';
import { escapePattern } from './words.ts';

export const testTitle = String.raw`\b(describe|it|test|suite)(\.\w+)*\(\s*["'\x60]|def test_|func Test|@Test\b`;

export function* answerTests(situation: Situation, question: Question): Step<string> {
  const subjects = subjectsOf(question);
  if (subjects.length === 0) return yield* testOverview(situation, question);
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
  const owners = mentions
    .filter((hit) => !importLine.test(hit.text))
    .map((mention) => titles.findLast((title) => title.line <= mention.line) ?? mention);
  const named = titles.filter((title) => title.text.includes(name));
  const shown = [...new Map([...named, ...owners].map((hit) => [hit.line, hit])).values()].toSorted(
    (a, b) => a.line - b.line,
  );
  const left = shown.length > 8 ? `\n- … and ${shown.length - 8} more` : '';
  return `**\`${path}\`** (${plural(titles.length, 'test title')})\n\n${bullets(shown.slice(0, 8).map((hit) => `${at(hit)} ${codeLine(hit.text, 90)}`))}${left}`;
}

/** What the tests are about, by their own titles. */
function* testOverview(situation: Situation, question: Question): Step<string> {
  const scope = yield* scopeOf(situation, question, /^(tests?|covers?|the|project|here|code)$/i);
  if (scope.missing !== undefined) return missingPlace(scope.missing);
  const within = scope.says.startsWith(' in ') ? scope : { options: {}, says: '' };
  const [titles] = yield [grepCount(testTitle, within.options)];
  const tests = [...countsOf(situation, titles)]
    .filter(([path]) => kindOfFile(path) === 'test')
    .toSorted((a, b) => b[1] - a[1]);
  if (tests.length === 0)
    return `I searched for test titles (\`test(\`, \`it(\`, \`describe(\`, \`def test_\`, \`func Test\`)${within.says} and no file that looks like a test has one.`;
  const top = tests.slice(0, 8);
  const calls = yield top.map(([path]) => grep(testTitle, { path, head_limit: 60 }));
  const sections = top.map(([path, count], i) => titlesOf(path, count, hitsOf(situation, calls[i])));
  const total = tests.reduce((sum, [, count]) => sum + count, 0);
  const more = tests.slice(8, 20).map(([path, count]) => `\`${path}\` (${count})`);
  return paragraphs(
    `There are ${plural(total, 'test title')} in ${plural(tests.length, 'test file')}${within.says}; what they cover is told here by the titles, the fullest files first.`,
    ...sections,
    more.length > 0 && `**More:** ${more.join(', ')}${tests.length > 20 ? `, and ${tests.length - 20} others` : ''}.`,
    'Ask *is `name` tested?* for the tests of one thing.',
  );
}

/** The groups of a test file where it has some, else its first tests. */
function titlesOf(path: string, count: number, hits: readonly Hit[]): string {
  const groups = hits.filter((hit) => /\b(describe|suite|context)\b/.test(hit.text));
  const chosen = groups.length > 1 ? groups : hits;
  const rows = chosen.slice(0, 5).map((hit) => {
    const title = /["'`](.+?)["'`]\s*,|(?:def|func)\s+(\w+)/.exec(hit.text);
    return `${title === null ? codeLine(hit.text, 80) : `“${shortened(title[1] ?? title[2] ?? '', 90)}”`} (${at(hit)})`;
  });
  return `**\`${path}\`** (${plural(count, 'title')}): ${rows.join(', ')}${chosen.length > 5 ? ', …' : ''}`;
}
