/**
 * How the rehearsal takes part in councils: preludes that search and quote, speeches that answer each other, drafts from
 * what was said. Everything follows from the prompt, so the same council goes the same way.
 */
import { type Move, type RehearsalPlay, sayMove } from '../../../kernel/agents/rehearsal/move.ts';
import { replayScript } from '../../../kernel/agents/rehearsal/plays/script.ts';
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';
import { councilKind } from '../contract/kind.ts';
import { playDrafts } from './playing/drafts.ts';
import { playPrelude } from './playing/prelude.ts';
import { type PlayedTurn, readTurn } from './playing/prompt.ts';
import { playResearch, playSpeech } from './playing/speech.ts';

export const councilPlay: RehearsalPlay = {
  name: 'council',
  priority: 200,
  play: (situation) => {
    const turn = situation.activityKind === councilKind ? readTurn(situation) : undefined;
    return turn === undefined ? undefined : playTurn(situation, turn);
  },
};

function playTurn(situation: Situation, turn: PlayedTurn): Move | undefined {
  switch (turn.kind) {
    case 'prelude':
      return replayScript(situation, playPrelude(situation, turn));
    case 'speech':
      return replayScript(situation, playSpeech(situation, turn));
    case 'research':
      return replayScript(situation, playResearch(situation, turn));
    case 'again':
      return sayMove(withMarks(situation, turn));
    case 'empty':
      return sayMove('I have nothing to add to what was said, and I would like to hear the others.');
    case 'drafts':
      return playDrafts(situation, turn);
    default:
      return undefined;
  }
}

/** What was said before, with the mark behind each statement that was not taken. */
function withMarks({ turns }: Situation, { offenders }: PlayedTurn): string {
  const said = turns.at(-1)?.assistantText ?? '';
  return offenders.reduce((text, offender) => {
    const words = offender.replace(/[.\s]+$/, '');
    return text.includes(words) ? text.replace(words, `${words} [inference]`) : text;
  }, said);
}
