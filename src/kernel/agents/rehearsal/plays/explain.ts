/** "How does X work", "where is X", "what is X": a name of the code, or a subject in plain words. */
import type { Situation } from '../situation.ts';
import { explainMentions, explainName, mentionsOnly } from './explain-name.ts';
import { explainWords } from './explain-words.ts';
import { code, listed, paragraphs } from './markdown.ts';
import { nothingFound, notUnderstood } from './nothing.ts';
import type { Question } from './question.ts';
import { lookUpNames, type NameFinding } from './names.ts';
import { missingPlace, type Scope, scopeOf } from './scope.ts';
import type { Step } from './search.ts';
import { isUnderstood, surveyWords } from './survey.ts';
import { unique } from './words.ts';

export function* explain(situation: Situation, question: Question): Step<string> {
  const { names, words } = question.terms;
  const findings = yield* lookUpNames(situation, names.slice(0, 2));
  const known = findings
    .filter((finding) => finding.definitions.length > 0)
    .map((finding) => preferWithin(finding, question.terms.files[0]));
  if (known.length > 0) {
    const answers: string[] = [];
    for (const finding of known) answers.push(yield* explainName(situation, finding));
    const unknown = findings.filter((finding) => finding.definitions.length === 0);
    return paragraphs(...answers, ...unknown.map((finding) => mentionsOnly(finding)));
  }
  const mentioned = findings.filter((finding) => finding.lines > 0);
  if (mentioned.length > 0 && words.length === 0) return yield* explainMentions(situation, mentioned[0]!);
  // A proper noun is one word or nothing; the name of a thing in code has several words in it.
  const coined = names.filter((name) => !/^[A-Z][a-z]+$/.test(name));
  const parts = [...coined.flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])|[\s_.-]+/)), ...words];
  const spoken = unique(parts.map((word) => word.toLowerCase()).filter((word) => word.length > 2));
  const scope = yield* explainScope(situation, question);
  if (scope?.missing !== undefined) return missingPlace(scope.missing);
  const survey = yield* surveyWords(situation, spoken, scope?.options);
  if (survey.ranked.length === 0) return yield* nothingFound(situation, [...names, ...spoken], scope);
  const absent = names.filter((name) => !mentioned.some((finding) => finding.name === name));
  if (!isUnderstood(survey, absent.length)) return yield* notUnderstood(situation, survey, absent);
  return paragraphs(
    names.length > mentioned.length &&
      `${listed(names.map((name) => code(name)))} as such is nowhere in the project; the words in it are.`,
    yield* explainWords(situation, survey),
  );
}

/** The folder or file that the question names beside its words. */
function* explainScope(situation: Situation, question: Question): Step<Scope | undefined> {
  const { files } = question.terms;
  if (files.length === 0) return undefined;
  return yield* scopeOf(situation, { ...question, terms: { files, names: [], words: [] } }, /^$/);
}

/** The definition in the folder that the question names, before those elsewhere. */
function preferWithin(finding: NameFinding, folder: string | undefined): NameFinding {
  const part = `/${(folder ?? '').replaceAll(/^\.?\/|\/+$/g, '')}/`;
  const isIn = (path: string): number => (folder !== undefined && `/${path}`.includes(part) ? 1 : 0);
  return { ...finding, definitions: finding.definitions.toSorted((a, b) => isIn(b.path) - isIn(a.path)) };
}
