/** What an agent says becomes what the readers of a turn are shown: exactly the five kinds, without secrets of tools. */
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import type { MeetingsContext, TurnStream } from '../context.ts';
import type { TurnEvent, TurnView } from '../contract.ts';
import { foldRetry, foldTurnEvent } from '../fold/turns.ts';
import type { MeetingRef } from '../store/place.ts';
import { announce } from './live.ts';

/** Passes on what belongs to the five kinds; a retry is told on the hall's stream; the rest stays inside. */
export async function showPiece(
  ctx: MeetingsContext,
  ref: MeetingRef,
  stream: TurnStream,
  event: AgentEvent,
): Promise<void> {
  const { turn } = stream.view;
  if (event.type === 'retry') {
    const { attempt, errorClass, delayMs } = event;
    const retry = { turn, attempt, errorClass, delayMs, at: ctx.clock.nowIso() };
    stream.view = foldRetry(stream.view, retry);
    announce(ctx, ref, 'meeting.agent_retry', retry);
    return;
  }
  const given = pieceOf(event, breakBefore(stream.view, event));
  if (given === undefined) return;
  const piece = await withoutSecrets(ctx, given);
  stream.view = foldTurnEvent(stream.view, piece);
  announce(ctx, ref, 'meeting.turn', { turn, event: piece });
}

/** Words after a tool's result begin a paragraph of their own; the agent's program gives no break between the two. */
function breakBefore(view: TurnView, event: AgentEvent): string {
  const isAfterTool = view.tools.length > view.toolsBeforeText;
  if (event.type !== 'text' || !isAfterTool || view.text === '' || view.text.endsWith('\n\n')) return '';
  return view.text.endsWith('\n') ? '\n' : '\n\n';
}

function pieceOf(event: AgentEvent, before: string): TurnEvent | undefined {
  switch (event.type) {
    case 'text':
      return { type: 'text_delta', text: before + event.text };
    case 'tool_call':
      return { type: 'tool_use', callId: event.callId, name: event.name, input: event.input };
    case 'tool_result':
      return { type: 'tool_result', callId: event.callId, name: event.name, ok: event.ok, summary: event.summary };
    default:
      return undefined;
  }
}

/** What a tool was given and gave is masked as it is shown, since it is kept with the events; words are masked as a whole. */
async function withoutSecrets(ctx: MeetingsContext, piece: TurnEvent): Promise<TurnEvent> {
  if (piece.type === 'tool_result') return { ...piece, summary: await ctx.scrub(piece.summary) };
  if (piece.type !== 'tool_use') return piece;
  const given = JSON.stringify(piece.input);
  const masked = given === undefined ? given : await ctx.scrub(given);
  return masked === given ? piece : { ...piece, input: parsedOr(masked ?? '') };
}

function parsedOr(masked: string): unknown {
  try {
    return JSON.parse(masked) as unknown;
  } catch {
    // The mask took a quote along; the masked text tells as much as is to be told.
    return masked;
  }
}
