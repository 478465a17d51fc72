/** The text of an artifact: title, summary in sentences, findings with places, what is open. */
import { slugOf } from '../../../pure/ids.ts';
import type { Situation, SituationTurn } from '../situation.ts';
import type { Finding } from './findings.ts';
import { at, bullets, listed, paragraphs, plural } from './markdown.ts';
import { formsOf, outcomeOf, outcomeRow, turnsAbout } from './outcome.ts';
import { decisionsIn } from './recap.ts';
import { type Terms, unique } from './words.ts';
import type { WriteOrder } from './write-order.ts';

export interface Draft {
  readonly title: string;
  readonly topic: Terms;
  readonly findings: readonly Finding[];
  /** Names of findings that no test file mentions. */
  readonly untested: readonly string[];
}

export function titleOf(order: WriteOrder, topic: Terms): string {
  const spoken = order.subject.replaceAll('`', '').replace(/[.?!:,\s]+$/, '');
  const stem = order.path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_]+/g, ' ');
  const ofTopic = listed([...topic.names, ...topic.words]);
  const text = spoken.length > 3 && spoken.length <= 80 ? spoken : ofTopic === '' ? stem : ofTopic;
  // A name of the code, and a path, is written as the project has it.
  return /^[a-z$_]+[A-Z_./]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

export function composeArtifact(situation: Situation, draft: Draft): string {
  const date = /Today's date is (\d{4}-\d{2}-\d{2})/.exec(situation.systemPrompt)?.[1];
  const { names, words } = draft.topic;
  const tags = unique([...words, ...names].map((word) => slugOf(word, 24)).filter((word) => word !== '')).slice(0, 5);
  const header = [
    '---',
    `title: ${JSON.stringify(draft.title)}`,
    ...(date === undefined ? [] : [`date: ${date}`]),
    'status: draft',
    `tags: [${tags.join(', ')}]`,
    '---',
  ];
  return `${header.join('\n')}\n\n# ${draft.title}\n\n${bodyOf(situation, draft)}\n`;
}

/** Everything below the title; what is added to an artifact that is there already. */
export function bodyOf(situation: Situation, draft: Draft): string {
  const turns = turnsAbout(situation.turns, draft.topic);
  const decisions = decisionsIn(situation.turns);
  const asked = turns.filter((turn) => outcomeOf(turn).kind === 'answer');
  return paragraphs(
    '## Summary',
    summaryOf(draft, asked.length),
    draft.findings.length > 0 && '## Findings',
    ...draft.findings.map((finding) => findingText(finding)),
    decisions.length > 0 && '## Decisions',
    bullets(
      decisions.map(({ question, decision, reasoning }) =>
        [question, decision, reasoning && `(${reasoning})`].filter(Boolean).join(' '),
      ),
    ),
    asked.length > 0 && '## From the conversation',
    bullets(asked.slice(-8).map((turn) => outcomeRow(turn))),
    '## Open questions',
    openQuestions(situation.turns, draft),
    '*Gathered by the rehearsal, without a model: quotes and places are from the project, conclusions are missing.*',
  );
}

/** Within a sentence; names of the code and paths keep their letters. */
function lowered(title: string): string {
  return title.replaceAll(/\S+/g, (word) => (/[a-z][A-Z]|[_./]\w/.test(word) ? word : word.toLowerCase()));
}

function summaryOf({ title, findings }: Draft, questions: number): string {
  const named = findings.filter((finding) => finding.name !== undefined);
  if (findings.length === 0) return `Nothing about ${lowered(title)} was found in this project so far.`;
  const main = (named.length > 0 ? named : findings).slice(0, 3);
  const places = listed(
    main.map((finding) => (finding.name === undefined ? at(finding) : `\`${finding.name}\` (${at(finding)})`)),
  );
  const [first] = main;
  const files = new Set(findings.map((finding) => finding.path)).size;
  return [
    `On *${title}* this project has ${plural(findings.length, 'main place')} in ${plural(files, 'file')}: first of all ${places}.`,
    first!.name === undefined
      ? ''
      : ` On \`${first!.name}\`: ${first!.sentence.charAt(0).toLowerCase()}${first!.sentence.slice(1)}`,
    questions > 0 ? ` It was gathered from ${plural(questions, 'question')} of the conversation, listed below.` : '',
  ].join('');
}

function findingText(finding: Finding): string {
  const title = finding.name === undefined ? `### ${at(finding)}` : `### \`${finding.name}\``;
  return paragraphs(
    title,
    `${at(finding)}: ${finding.sentence}`,
    finding.excerpt.slice(finding.excerpt.indexOf('\n\n') + 2),
  );
}

function openQuestions(turns: readonly SituationTurn[], { findings, untested, topic }: Draft): string {
  const forms = formsOf(topic);
  const unanswered = turns
    .map((turn) => outcomeOf(turn))
    .filter(({ kind, asked }) => kind === 'nothing' && asked.endsWith('?') && forms.some((form) => form.test(asked)))
    .map(({ asked }) => `Not answered in the conversation: ${asked}`);
  const tests = untested.map((name) => `Is \`${name}\` tested? No test file mentions it.`);
  const rows = [...unanswered.slice(-3), ...tests];
  if (rows.length > 0) return bullets(rows);
  return findings.length === 0 ? 'Under which name is it in the code, if at all?' : 'None came up in the conversation.';
}
