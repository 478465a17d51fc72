/** What came of the turns of a conversation: used wherever it is told again. */
import type { Situation, SituationTurn } from '../situation.ts';
import { shortened } from './markdown.ts';
import { placesIn } from './question.ts';
import { ownWords, spokenText } from './spoken.ts';
import { escapePattern, readTerms, rootOf, stemPattern, type Terms } from './words.ts';

export interface Outcome {
  /** What the person said, on one line. */
  readonly asked: string;
  /** What was found, decided or written, in one clause with its places; empty when nothing came of it. */
  readonly found: string;
  readonly kind: 'answer' | 'decision' | 'artifact' | 'kept' | 'nothing' | 'talk';
}

export function outcomeOf(turn: SituationTurn): Outcome {
  const asked = shortened(spokenText(turn.userText).replaceAll(/\s+/g, ' '), 120);
  const done = turn.calls.filter((call) => call.result?.isError === false);
  const called = (name: string) => done.findLast((call) => call.name.endsWith(name));
  const decision = called('record_decision');
  if (decision !== undefined)
    return { asked, kind: 'decision', found: `decided: ${String(decision.input['decision'] ?? turn.userText)}` };
  const written = called('write_artifact') ?? called('Write');
  if (written !== undefined)
    return { asked, kind: 'artifact', found: `written to \`${String(written.input['path'] ?? '')}\`` };
  const kept = called('write_memory') ?? called('summarize_progress') ?? called('propose_followup');
  if (kept !== undefined)
    return { asked, kind: 'kept', found: `done with \`${kept.name.replace(/^mcp__\w+?__/, '')}\`` };
  if (talk.test(turn.assistantText)) return { asked, kind: 'talk', found: '' };
  const found = foundIn(turn.assistantText);
  return { asked, found, kind: found === '' ? 'nothing' : 'answer' };
}

/** Answers that tell of the rehearsal or of the conversation, not of the project. */
const talk =
  /^(?:> \*\*Rehearsal\.[^\n]*\n\n)?(?:Hello\.|You are welcome|I am the rehearsal|I only search this project and quote|Where we are, from|\*\*Decided in this|No decision was recorded|This conversation has only)/;
const fruitless = /found nothing|I have no answer to this|I have not understood|no line matches|so I searched nothing/;

/** The names with their places that an answer shows, else its first sentence with a place. */
function foundIn(answer: string): string {
  const named = [
    ...answer.matchAll(/\*\*`([^`\n]+)`\*\* is (?:an? [a-z]+), defined at (`[^`\s]+:\d+`)/g),
    ...answer.matchAll(/(?:^|\. )`([^`\n]+)` is at (`[^`\s]+:\d+`)/gm),
    ...answer.matchAll(/^### `([^`\n]+)`\n\n(?:“[^\n]*\n\n)?(`[^`\s]+:\d+(?:-\d+)?`)/gm),
  ].map(([, name, place]) => `\`${name}\` (${place!.replace(/-\d+`$/, '`')})`);
  if (named.length > 0) return named.slice(0, 3).join(', ');
  if (fruitless.test(answer)) return '';
  const places = placesIn(answer);
  const told =
    answer
      .split('\n\n')
      .find((part) => /^[A-Z`*]/.test(part) && !/^(\*Next|`[^`]+`$|\*\*[^*]+\?\*\*$|I put the two)/.test(part)) ?? '';
  const sentence = shortened(told.replaceAll(/\s+/g, ' ').replaceAll('**', ''), 160);
  if (places[0] === undefined || sentence.includes(`${places[0].path}:`)) return sentence;
  return `${sentence} (\`${places[0].path}:${places[0].line}\`)`;
}

/** Finds the words and names of a topic in a text, one by one. */
export function formsOf(terms: Terms): RegExp[] {
  return [
    ...terms.words.map((word) => new RegExp(stemPattern(rootOf(word)))),
    ...[...terms.names, ...terms.files].map((name) => new RegExp(escapePattern(name), 'i')),
  ];
}

/** The turns that have to do with these terms; all turns that led to something when there are none. */
export function turnsAbout(turns: readonly SituationTurn[], terms: Terms): SituationTurn[] {
  const forms = formsOf(terms);
  const useful = turns.filter((turn) => !['nothing', 'kept', 'talk'].includes(outcomeOf(turn).kind));
  if (forms.length === 0) return useful;
  const weigh = (turn: SituationTurn): number => {
    const { found } = outcomeOf(turn);
    const named = [...found.matchAll(/`([\w$.]+)`/g)].map((match) => match[1]!).join(' ');
    return forms.filter((form) => form.test(`${spokenText(turn.userText)} ${named}`)).length;
  };
  const most = Math.max(0, ...useful.map((turn) => weigh(turn)));
  return most === 0 ? [] : useful.filter((turn) => weigh(turn) >= Math.min(most, 2));
}

/** `“question”: what was found`, one a turn. */
export function outcomeRow(turn: SituationTurn): string {
  const { asked, found } = outcomeOf(turn);
  return `“${asked}”: ${found === '' ? 'nothing found' : found}`;
}

/** What most questions of a conversation were about: its names, else its words, the most frequent first. */
export function topicOf(situation: Situation): Terms {
  const asked = situation.turns.filter((turn) => outcomeOf(turn).kind === 'answer');
  const all = asked.map((turn) => readTerms(ownWords(turn.userText).replaceAll('·', ' ')));
  const most = (lists: readonly (readonly string[])[]): string[] => {
    const counts = new Map<string, number>();
    for (const word of lists.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  };
  const names = most(all.map((terms) => terms.names)).slice(0, 2);
  return { names, files: [], words: names.length > 0 ? [] : most(all.map((terms) => terms.words)).slice(0, 2) };
}
