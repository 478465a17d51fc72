/** "Who calls X", "where is X used": answers from the mentions of a name. */
import type { Situation } from '../situation.ts';
import { isComment } from './code.ts';
import { type Hit, kindOfFile } from './evidence.ts';
import { at, bullets, codeLine, listed, numbered, paragraphs, plural } from './markdown.ts';
import { nothingFound } from './nothing.ts';
import { type Question, subjectsOf } from './question.ts';
import { lookUpNames, mentionLimit, type NameFinding } from './names.ts';
import type { Step } from './search.ts';
import { escapePattern } from './words.ts';

export function* answerUsage(situation: Situation, question: Question): Step<string> {
  const findings = yield* lookUpNames(situation, subjectsOf(question));
  const known = findings.filter((finding) => finding.lines > 0);
  if (known.length === 0) return yield* nothingFound(situation, subjectsOf(question));
  return paragraphs(...known.map((finding) => usageOf(finding)));
}

export const importLine = /^\s*(?:import|export \*|export \{|from|use|require|#include)\b|\brequire\(/;

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

export function mentionsByFile(finding: NameFinding): string {
  const files = [...finding.perFile].toSorted((a, b) => b[1] - a[1]).slice(0, 10);
  return `**By file**\n\n${bullets(files.map(([path, count]) => `\`${path}\`: ${plural(count, 'line')}`))}`;
}
