/** "How does X work", "where is X", "what is X": a name of the code, or a subject in plain words. */
import type { Situation } from '../situation.ts';
import { explainMentions, explainName, mentionsOnly } from './explain-name.ts';
import { explainWords } from './explain-words.ts';
import { code, listed, paragraphs } from './markdown.ts';
import { nothingFound } from './nothing.ts';
import type { Question } from './question.ts';
import { lookUpNames } from './names.ts';
import type { Step } from './search.ts';
import { surveyWords } from './survey.ts';
import { unique } from './words.ts';

export function* explain(situation: Situation, question: Question): Step<string> {
  const { names, words } = question.terms;
  const findings = yield* lookUpNames(situation, names.slice(0, 2));
  const known = findings.filter((finding) => finding.definitions.length > 0);
  if (known.length > 0) {
    const answers: string[] = [];
    for (const finding of known) answers.push(yield* explainName(situation, finding));
    const unknown = findings.filter((finding) => finding.definitions.length === 0);
    return paragraphs(...answers, ...unknown.map((finding) => mentionsOnly(finding)));
  }
  const mentioned = findings.filter((finding) => finding.lines > 0);
  if (mentioned.length > 0 && words.length === 0) return yield* explainMentions(situation, mentioned[0]!);
  const parts = [...names.flatMap((name) => name.split(/(?<=[a-z])(?=[A-Z])|[\s_.-]+/)), ...words];
  const spoken = unique(parts.map((word) => word.toLowerCase()).filter((word) => word.length > 2));
  const survey = yield* surveyWords(situation, spoken);
  if (survey.ranked.length === 0) return yield* nothingFound(situation, [...names, ...spoken]);
  return paragraphs(
    names.length > mentioned.length &&
      `${listed(names.map((name) => code(name)))} as such is nowhere in the project; the words in it are.`,
    yield* explainWords(situation, survey),
  );
}
