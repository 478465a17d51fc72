/** An answer about one name of the code. */
import type { Situation } from '../situation.ts';
import {
  callsIn,
  definedName,
  definitionKind,
  definitionPattern,
  endOfBlock,
  isComment,
  turningPoints,
} from './code.ts';
import { type Excerpt, excerptOf, type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, codeLine, listed, numbered, paragraphs, plural, quoteAt, shortened } from './markdown.ts';
import type { NameFinding } from './names.ts';
import { grepSources, read, type Step, versionOf } from './search.ts';
import { eitherOf } from './survey.ts';
import { unique } from './words.ts';

/** Lines of a definition that are quoted whole; longer ones are cut, and their turning points listed. */
const maxQuoted = 28;

/** A name that is defined in the project: what it is, what it does, what it leans on, who uses it. */
export function* explainName(situation: Situation, finding: NameFinding): Step<string> {
  const [definition, ...others] = finding.definitions;
  const [answer] = yield [read(definition!.path, definition!.line - 30, 130)];
  const excerpt = excerptOf(situation, answer);
  const kind = { function: 'a function', class: 'a class', type: 'a type', constant: 'a constant', method: 'a method' };
  const head = `**\`${finding.name}\`** is ${kind[definition!.kind]}, defined at ${at(definition!)}${alsoAt(definition!, others)}.`;
  if (excerpt === undefined) return paragraphs(head, fenceless(definition!), usageLine(finding));
  const quote = quoteAt(excerpt, definition!.line, maxQuoted);
  const index = definition!.line - excerpt.from;
  const end = endOfBlock(excerpt.lines, index);
  const body = excerpt.lines.slice(index + 1, end);
  const calls = callsIn(body, finding.name);
  const leansOn = yield* whereDefined(situation, calls.slice(0, 8), definition!);
  const isClass = definition!.kind === 'class' || definition!.kind === 'type';
  const points = end - index > maxQuoted && !isClass ? turningPoints(excerpt, index + 1, end).slice(0, 8) : [];
  const members = isClass && end - index > maxQuoted ? membersOf(excerpt, index, end) : [];
  return paragraphs(
    head,
    quote.comment && `The comment above it: “${shortened(quote.comment, 420)}”`,
    quote.markdown,
    points.length > 2 &&
      `**Where it turns**, in order:\n\n${numbered(points.map((hit) => `${at(hit)} ${codeLine(hit.text, 90)}`))}`,
    members.length > 1 &&
      `**Its members**, as far as I read: ${members.slice(0, 16).join(', ')}${members.length > 16 ? ', …' : ''}.`,
    leansOn.length > 0 && `**It leans on** ${listed(leansOn)}.`,
    usageLine(finding),
    nextForName(finding, leansOn),
  );
}

function alsoAt(first: Hit, others: readonly Hit[]): string {
  const places = others.filter((hit, i) => {
    const before = i === 0 ? first : others[i - 1]!;
    const isOverload = before.path === hit.path && Math.abs(before.line - hit.line) < 4;
    return !isOverload && kindOfFile(hit.path) !== 'generated';
  });
  if (places.length === 0) return '';
  const shown = places.slice(0, 3).map((hit) => at(hit));
  const more = places.length > 3 ? `, and ${places.length - 3} more` : '';
  return `; the same name is also defined at ${shown.join(', ')}${more}`;
}

function fenceless(hit: Hit): string {
  return `${at(hit)}: ${codeLine(hit.text, 160)}`;
}

/** `name` (`path:line`) for those of the names that this project defines. One search for all. */
function* whereDefined(situation: Situation, names: readonly string[], from: Hit): Step<string[]> {
  if (names.length === 0) return [];
  const either = eitherOf(names);
  const [call] = yield [grepSources(`${definitionPattern(either)}\\b`, { head_limit: 100 })];
  const hits = hitsOf(situation, call);
  return names.flatMap((name) => {
    const own = hits.filter((hit) => definitionKind(hit.text, name) !== undefined && !/^\s/.test(hit.text));
    const hit = nearest(own, from.path);
    return hit === undefined ? [] : [`\`${name}\` (${at(hit)})`];
  });
}

/** The hit that is meant from within a file: in it, else in its folder, else sharing most folders; not in another version. */
export function nearest<T extends Hit>(hits: readonly T[], path: string): T | undefined {
  const folders = path.split('/').slice(0, -1);
  const version = versionOf(path);
  const score = (hit: Hit): number => {
    const others = hit.path.split('/').slice(0, -1);
    const different = others.findIndex((folder, i) => folder !== folders[i]);
    const shared = different < 0 ? others.length : different;
    const inFolder = shared === folders.length && others.length === folders.length ? 20 : 0;
    return shared + inFolder + (hit.path === path ? 50 : 0);
  };
  const fitting = hits.filter((hit) => version === 0 || versionOf(hit.path) === 0 || versionOf(hit.path) === version);
  return fitting.toSorted((a, b) => score(b) - score(a))[0];
}

function usageLine(finding: NameFinding): string {
  const files = [...finding.perFile].toSorted((a, b) => b[1] - a[1]);
  const sources = files.filter(([path]) => !['test', 'generated'].includes(kindOfFile(path)));
  const tests = files.filter(([path]) => kindOfFile(path) === 'test');
  const most = sources.slice(0, 4).map(([path, count]) => `\`${path}\` (${count})`);
  const inTests =
    tests.length > 0
      ? ` ${plural(tests.length, 'test file')} mention${tests.length === 1 ? 's' : ''} it, first of all \`${tests[0]![0]}\`.`
      : ' No test file mentions it.';
  return `**Where it is used.** ${plural(finding.lines, 'line')} in ${plural(finding.files, 'file')}${most.length > 0 ? `, most of them in ${listed(most)}` : ''}.${inTests}`;
}

function nextForName(finding: NameFinding, leansOn: readonly string[]): string {
  const callee = leansOn[0]?.split(' ')[0];
  const asks = [`who calls \`${finding.name}\`?`, `is \`${finding.name}\` tested?`];
  return `*Next:* ${listed(callee === undefined ? asks : [...asks, `how does ${callee} work?`], 'or')}`;
}

/** The names at the first level of indentation of a block, with their lines. */
function membersOf(excerpt: Excerpt, index: number, end: number): string[] {
  const body = excerpt.lines.slice(index + 1, end);
  const indent = /^\s+/.exec(body.find((line) => /^\s+\S/.test(line)) ?? '')?.[0] ?? '  ';
  const rows = body.flatMap((line, i) => {
    if (!line.startsWith(indent) || /^\s/.test(line.slice(indent.length)) || isComment(line)) return [];
    const member =
      definedName(line) ??
      /^\s*(?:(?:public|private|protected|static|async|readonly|get|set|abstract|override)\s+)*([A-Za-z_$#][\w$]*)\s*[?!]?\s*[(:<]/.exec(
        line,
      )?.[1];
    return member === undefined ? [] : [`\`${member}\` (:${excerpt.from + index + 1 + i})`];
  });
  return unique(rows);
}

export function mentionsOnly(finding: NameFinding): string {
  if (finding.lines === 0)
    return `\`${finding.name}\`: searched for, also without regard to case; it is nowhere in the project.`;
  const hits = finding.uses.slice(0, 3).map((hit) => `${at(hit)} ${codeLine(hit.text)}`);
  return `\`${finding.name}\` is mentioned in ${plural(finding.lines, 'line')} but I see no line that defines it:\n\n${bullets(hits)}`;
}

/** A name or phrase that occurs but is not defined here: its places, and the best of them in context. */
export function* explainMentions(situation: Situation, finding: NameFinding): Step<string> {
  const ranked = finding.uses.toSorted((a, b) => placeScore(b) - placeScore(a));
  const best = ranked[0] ?? { path: [...finding.perFile.keys()][0] ?? '', line: 1, text: '' };
  if (best.path === '') return mentionsOnly(finding);
  const [answer] = yield [read(best.path, best.line - 25, 80)];
  const excerpt = excerptOf(situation, answer);
  const rest = onePerFile(ranked.slice(1).filter((hit) => hit.path !== best.path)).slice(0, 5);
  return paragraphs(
    `**\`${finding.name}\`** occurs in ${plural(finding.lines, 'line')} of ${plural(finding.files, 'file')}; no line that I see defines it, so it may come from outside or be a key, an option or plain text.`,
    excerpt && `The most telling place:\n\n${quoteAt(excerpt, best.line).markdown}`,
    rest.length > 0 && `Elsewhere:\n\n${bullets(rest.map((hit) => `${at(hit)} ${codeLine(hit.text)}`))}`,
  );
}

function placeScore(hit: Hit): number {
  const kind = { source: 3, docs: 2, data: 1, test: 0, generated: -3 }[kindOfFile(hit.path)];
  return kind - (/^\s*(import|from|use|require)\b/.test(hit.text) ? 2 : 0);
}

export function onePerFile(hits: readonly Hit[]): Hit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.path, hit])).values()].toReversed();
}
