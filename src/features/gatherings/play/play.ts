/**
 * Sitting in a gathering of terminals: a word to the seed, silence while others hold the talking piece, with the piece
 * something of the project that bears on the question, last words, and for a harvester the harvest.
 */
import { type Move, type RehearsalPlay, sayMove } from '../../../kernel/agents/rehearsal/move.ts';
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';
import { freshOf, isTerm, lookUp } from '../../../kernel/agents/rehearsal/plays/converse.ts';
import type { Hit } from '../../../kernel/agents/rehearsal/plays/evidence.ts';
import { type Circle, circleOf, placesIn, sentencesIn, type Spoken } from './circle.ts';
import { harvestOf } from './harvesting.ts';
import { at, codeLine, listed, paragraphs, shortened } from '../../../kernel/agents/rehearsal/plays/markdown.ts';
import { canSearch } from '../../../kernel/agents/rehearsal/plays/offered.ts';
import { replayScript } from '../../../kernel/agents/rehearsal/plays/script.ts';
import type { Step } from '../../../kernel/agents/rehearsal/plays/search.ts';
import { readTerms, unique } from '../../../kernel/agents/rehearsal/plays/words.ts';

const maxCandidates = 8;

export const gatheringPlay: RehearsalPlay = {
  name: 'gathering',
  // Before conversations: what others say here wants no answer.
  priority: 65,
  play: (situation) => {
    if (situation.activityKind !== 'terminal') return undefined;
    const circle = circleOf(situation);
    return circle === undefined ? undefined : inCircle(situation, circle);
  },
};

function inCircle(situation: Situation, circle: Circle): Move | undefined {
  switch (circle.asked) {
    case 'seed':
      return sayMove('ready');
    case 'watch':
      return sayMove('listening');
    case 'harvest':
      return sayMove(harvestOf(circle));
    case 'last':
      return sayMove(lastWords(circle));
    case 'beat':
      return circle.hasSpoken ? sayMove('My thread has come to its end.\n\nI pass') : speak(situation, circle);
    case 'piece':
      return speak(situation, circle);
    case 'nothing':
      return undefined;
  }
}

function speak(situation: Situation, circle: Circle): Move {
  return replayScript(situation, contribution(situation, circle));
}

function* contribution(situation: Situation, circle: Circle): Step<string> {
  const found = canSearch(situation) ? yield* lookUp(situation, candidatesFor(circle)) : [];
  const hit = freshOf(found, circle.texts);
  const says = { inhale, hold, exhale }[circle.phase];
  return paragraphs(says(circle, hit), passLine(circle));
}

/** Of the question, and in later phases of what was said about it. */
function candidatesFor({ question, phase, heard }: Circle): string[] {
  const others = phase === 'inhale' ? [] : heard.slice(-2).map(({ words }) => words.replaceAll(/`[^`\s]+:\d+`/g, ' '));
  const all = [question, ...others].flatMap((text) => {
    const { names, files, words } = readTerms(text);
    return [...names, ...files, ...words];
  });
  const terms = unique(all).filter(isTerm);
  return (terms.length === 0 ? ['the'] : terms).slice(0, maxCandidates);
}

function inhale({ question, turn }: Circle, hit: Hit | undefined): string {
  const about = `“${shortened(question, 120)}”`;
  if (hit === undefined)
    return turn === 1
      ? `To ${about} I bring no place of the project, only my ears.`
      : 'I have nothing to add to it yet.';
  return turn === 1
    ? `With ${about} I begin at ${at(hit)}. There I read ${codeLine(hit.text)}.`
    : `A second thing that I sense: at ${at(hit)} I read ${codeLine(hit.text)}.`;
}

function hold({ heard }: Circle, hit: Hit | undefined): string {
  const other = heard.at(-1);
  const said = other === undefined ? '' : `${other.name} said: “${shortened(firstOf(other), 160)}”`;
  const against =
    hit === undefined
      ? 'I miss what shows it in the project. Who has seen it?'
      : `I see something that may not fit with it: at ${at(hit)} I read ${codeLine(hit.text)}. Do both hold?`;
  return paragraphs(said, against);
}

function exhale({ heard, texts }: Circle, hit: Hit | undefined): string {
  const places = unique(heard.flatMap(({ words }) => placesIn(words))).slice(0, 3);
  const share = places.length === 0 ? 'a question that is worth keeping' : listed(places);
  const own = texts.length > 0 && hit !== undefined ? at(hit) : places[0];
  const next =
    own === undefined ? 'I ask for a first example of it.' : `I read ${own} once more, and tell what I find.`;
  return paragraphs(`What we share, as I hear it, is ${share}.`, `As a next step ${next}`);
}

function lastWords({ heard }: Circle): string {
  const other = heard.at(-1);
  return other === undefined
    ? 'Last from me: I am glad to hear the others now.'
    : `Last from me: what ${other.name} said stays with me.`;
}

/** The first that is its own. */
function firstOf({ words }: Spoken): string {
  const sentences = sentencesIn(words);
  return sentences.find((sentence) => !/\bsaid: [“"]/.test(sentence)) ?? sentences[0] ?? 'nothing';
}

/** In its first turn it names whom it passes to: the last in order who has not had the piece in this round. */
function passLine({ turn, waiting }: Circle): string {
  const next = turn === 1 ? waiting.at(-1) : undefined;
  return next === undefined ? 'I pass' : `I pass to ${next}`;
}
