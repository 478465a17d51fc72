/**
 * The rehearsal: the upstream that answers where no model is configured. It holds no conversation of its own; every
 * answer follows from the request. Only `x2` of a directive and `times` of a scenario are counted, in memory.
 */
import type { ClockContext } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import type { Move, RehearsalPlay } from './move.ts';
import { sayMove } from './move.ts';
import { renderMove } from './render.ts';
import { parseRequest, readSituation, type Situation } from './situation.ts';
import { type CallOrigin, errorReply, type RehearsalUpstream, type UpstreamReply } from './upstream.ts';
import { projectPlays } from './plays/project-plays.ts';

export interface RehearsalOptions {
  /** Plays of the features, beside the hall's own. */
  readonly plays: readonly RehearsalPlay[];
}

interface RehearsalState {
  readonly ctx: ClockContext & LogContext;
  readonly plays: readonly RehearsalPlay[];
}

/** Said once, before the first words of a conversation. */
export const rehearsalLabel =
  '> **Rehearsal.** No model is configured: I search this project, quote what I find, and use the tools I have.';

export function createRehearsal(ctx: ClockContext & LogContext, options: RehearsalOptions): RehearsalUpstream {
  const plays = [...options.plays, ...projectPlays].toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const state: RehearsalState = { ctx, plays };
  return {
    reply: (body, origin) => replyTo(state, body, origin),
    close: async () => {},
  };
}

async function replyTo(state: RehearsalState, body: unknown, origin: CallOrigin): Promise<UpstreamReply> {
  const parsed = parseRequest(body);
  if ('problem' in parsed) return errorReply(400, 'invalid_request_error', parsed.problem);
  const about = { worker: origin.worker, activityKind: origin.activity.kind };
  const situation = readSituation(parsed.request, about);
  const move = labelled(situation, decideMove(state, situation));
  if (move.waitMs !== undefined) await state.ctx.clock.sleep(move.waitMs, origin.signal);
  return renderMove(state.ctx, parsed.request, move, origin.signal);
}

function decideMove(state: RehearsalState, situation: Situation): Move {
  for (const play of state.plays) {
    const move = play.play(situation);
    if (move !== undefined) return move;
  }
  return sayMove('I have no answer to this. Ask about a name, a word or a file of this project.');
}

/** With the label in front when nothing in the conversation bears it yet. */
function labelled(situation: Situation, move: Move): Move {
  if (move.fail !== undefined || move.blocks.length === 0) return move;
  const isLabelled = [...situation.turns, situation.turn].some((turn) => turn.assistantText.includes(rehearsalLabel));
  // A plain call without tools is the hall's own: whoever asks for it says where the words come from.
  if (isLabelled || (!situation.stream && situation.tools.length === 0)) return move;
  const [first, ...rest] = move.blocks;
  if (first?.type === 'text') {
    return { ...move, blocks: [{ type: 'text', text: `${rehearsalLabel}\n\n${first.text}` }, ...rest] };
  }
  return { ...move, blocks: [{ type: 'text', text: rehearsalLabel }, ...move.blocks] };
}
