/** What an agent says becomes what the readers of a turn are shown: exactly the five kinds, without secrets. */
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import { rememberFrom } from '../../../kernel/secrets/find.ts';
import { maskKnown } from '../../../kernel/secrets/scrub.ts';
import { emptyMaskState, maskPiece, maskRest, withKnown } from '../../../kernel/secrets/stream.ts';
import type { MeetingsContext, TurnStream } from '../context.ts';
import type { TurnEvent, TurnView } from '../contract.ts';
import { foldRetry, foldTurnEvent } from '../fold/turns.ts';
import type { MeetingRef } from '../store/place.ts';
import { announce } from './live.ts';

/** Passes on what belongs to the five kinds; a retry is told on the hall's stream; the rest stays inside. */
export function showPiece(ctx: MeetingsContext, ref: MeetingRef, stream: TurnStream, event: AgentEvent): void {
  const { turn } = stream.view;
  if (event.type === 'retry') {
    const { attempt, errorClass, delayMs } = event;
    const retry = { turn, attempt, errorClass, delayMs, at: ctx.clock.nowIso() };
    stream.view = foldRetry(stream.view, retry);
    announce(ctx, ref, 'meeting.agent_retry', retry);
    return;
  }
  if (event.type === 'text') {
    const { state, text } = maskPiece(stream.masking, breakBefore(stream.view) + event.text);
    stream.masking = state;
    if (text !== '') show(ctx, ref, stream, { type: 'text_delta', text });
    return;
  }
  const piece = toolPieceOf(event);
  if (piece === undefined) return;
  showRest(ctx, ref, stream);
  const toolWords = JSON.stringify(piece).slice(0, maxRemembered);
  stream.masking = withKnown(stream.masking, rememberFrom(toolWords));
  show(ctx, ref, stream, maskKnown(piece, stream.masking.known) as TurnEvent);
}

/** Of what a tool was given and gave, so many characters are looked through for secrets that may be said again. */
const maxRemembered = 20_000;

/** Words that were held because they might have begun a secret: before anything else is shown, and at the end. */
export function showRest(ctx: MeetingsContext, ref: MeetingRef, stream: TurnStream): void {
  const text = maskRest(stream.masking);
  stream.masking = { ...emptyMaskState, known: stream.masking.known };
  if (text !== '') show(ctx, ref, stream, { type: 'text_delta', text });
}

/** What is folded is what readers get: whatever a tool was given and gave is masked as it is published. */
function show(ctx: MeetingsContext, ref: MeetingRef, stream: TurnStream, piece: TurnEvent): void {
  const published = announce(ctx, ref, 'meeting.turn', { turn: stream.view.turn, event: piece });
  stream.view = foldTurnEvent(stream.view, published.event);
}

/** Words after a tool's result begin a paragraph of their own; the agent's program gives no break between the two. */
function breakBefore(view: TurnView): string {
  const isAfterTool = view.tools.length > view.toolsBeforeText;
  if (!isAfterTool || view.text === '' || view.text.endsWith('\n\n')) return '';
  return view.text.endsWith('\n') ? '\n' : '\n\n';
}

function toolPieceOf(event: AgentEvent): TurnEvent | undefined {
  if (event.type === 'tool_call') {
    return { type: 'tool_use', callId: event.callId, name: event.name, input: event.input };
  }
  if (event.type !== 'tool_result') return undefined;
  const { callId, name, ok, summary } = event;
  return { type: 'tool_result', callId, name, ok, summary };
}
