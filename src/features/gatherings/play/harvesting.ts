/** A harvest put together from what was heard: nothing stands in it that nobody said. */
import { type Circle, placesIn, sentencesIn, type Spoken } from './circle.ts';
import { bullets, listed, shortened } from '../../../kernel/agents/rehearsal/plays/markdown.ts';
import { unique } from '../../../kernel/agents/rehearsal/plays/words.ts';

const todoWords =
  /\bnext step\b|\bI(?:'ll| will| am going to)\b|\b(?:we|somebody|someone) (?:should|must|has to|have to)\b|\blet us\b/i;
const visionWords = /\b(?:could become|imagine|one day|in a year|dream|vision|what if)\b/i;
const doubtWords = /\b(?:not fit|disagree|miss|but|however|doubt|does not hold)\b/i;

interface Sentence {
  readonly name: string;
  readonly text: string;
}

/** In the form that is asked for; parts with nothing in them are left out. */
export function harvestOf({ heard, question }: Circle): string {
  const said = heard.flatMap((spoken) => sentencesIn(spoken.words).map((text) => ({ name: spoken.name, text })));
  const parts: [string, string][] = [
    ['What emerged', emerged(heard, question)],
    ['What is known now', bullets(lastOf(said))],
    ['Next thread', said.findLast(({ text }) => text.endsWith('?'))?.text ?? question],
    ['Individual, tangible', bullets(chosen(said, todoWords))],
    ['Collective, tangible', bullets(proposals(heard))],
    ['Individual, intangible', bullets(memories(heard, question))],
    ['Collective, intangible', bullets(visions(said))],
  ];
  return parts
    .filter(([, text]) => text !== '')
    .map(([heading, text]) => `## ${heading}\n${text}`)
    .join('\n\n');
}

function emerged(heard: readonly Spoken[], question: string): string {
  const names = unique(heard.map(({ name }) => name));
  if (names.length === 0) return `Nobody spoke about “${shortened(question, 120)}”.`;
  const doubt = heard
    .flatMap(({ name, words }) => sentencesIn(words).map((text) => ({ name, text })))
    .findLast(({ text }) => doubtWords.test(text));
  const friction = doubt === undefined ? '' : ` A friction came up with ${doubt.name}: ${shortened(doubt.text, 240)}`;
  return `${listed(names)} spoke ${heard.length === 1 ? 'once' : `${heard.length} times`} about “${shortened(question, 120)}”.${friction}`;
}

/** What each said last. */
function lastOf(said: readonly Sentence[]): string[] {
  const last = new Map(said.map((sentence) => [sentence.name, sentence.text]));
  return [...last].map(([name, text]) => `${name}: ${shortened(text, 240)}`);
}

function chosen(said: readonly Sentence[], wanted: RegExp): string[] {
  const found = said
    .filter(({ text }) => wanted.test(text))
    .map(({ name, text }) => `${shortened(text, 240)} (${name})`);
  return unique(found).slice(-5);
}

function proposals(heard: readonly Spoken[]): string[] {
  const places = unique(heard.flatMap(({ words }) => placesIn(words)));
  return places.length === 0
    ? []
    : [`README.md: name the places that the circle looked at, ${listed(places.slice(0, 4))}`];
}

function memories(heard: readonly Spoken[], question: string): string[] {
  const places = unique(heard.flatMap(({ words }) => placesIn(words))).slice(0, 3);
  const where = places.length === 0 ? 'without a place in the project' : `at ${listed(places)}`;
  return heard.length === 0 ? [] : [`“${shortened(question, 100)}” was talked about ${where}.`];
}

function visions(said: readonly Sentence[]): string[] {
  const found = chosen(said, visionWords);
  if (found.length > 0) return found.slice(-2);
  const share = said.findLast(({ text }) => /\bwe share\b|\btogether\b/i.test(text));
  return share === undefined ? [] : [`To build on: ${shortened(share.text, 200)} (${share.name})`];
}
