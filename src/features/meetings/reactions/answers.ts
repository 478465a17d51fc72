/** Writes answers down, without secrets, before their end is told. */
import type { AgentUsage } from '../../../kernel/agents/contract.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext, TurnStream } from '../context.ts';
import type { AnswerKept, AnswerMark, TranscriptEntry, TurnEvent, TurnView, Usage } from '../contract.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { entryOfTurn, foldTurnEvent, withKept } from '../fold/turns.ts';
import { appendEntry } from '../store/files.ts';
import type { MeetingRef } from '../store/place.ts';

export type Ending = Extract<TurnEvent, { type: 'turn_end' | 'error' }>;

export interface Kept {
  /** The last event of the turn, as readers are to get it. */
  readonly event: Ending;
  /** null where it could not be written down. */
  readonly kept: AnswerKept | null;
}

/** Writes the answer down. Where that cannot be done the turn ends with an error, so that nobody takes it for kept. */
export async function keepAnswer(
  ctx: MeetingsContext,
  ref: MeetingRef,
  stream: TurnStream,
  ending: Ending,
  always?: AnswerMark,
): Promise<Kept> {
  const event = await withoutSecrets(ctx, ending);
  const view = foldTurnEvent(stream.view, event);
  try {
    return { event, kept: await appendAnswer(ctx, ref, view, { mark: always, usage: usageOf(stream.usage) }) };
  } catch (error) {
    ctx.log.error({ err: error, meeting: ref.id }, 'an answer could not be written to the transcript');
    const { message, hint } = errorFactsOf(error);
    return { event: { type: 'error', reason: `The answer could not be kept: ${message}`, hint }, kept: null };
  }
}

async function appendAnswer(
  ctx: MeetingsContext,
  ref: MeetingRef,
  view: TurnView,
  facts: { readonly mark: AnswerMark | undefined; readonly usage: Usage | null },
): Promise<AnswerKept> {
  const mark = facts.mark ?? (view.state === 'running' ? 'cut-off' : view.state);
  const masked = wellFormed(await ctx.scrub(view.text));
  const kept = { at: ctx.clock.nowIso(), mark, text: masked === view.text ? null : masked, usage: facts.usage };
  await appendEntry(ctx, ref.id, await scrubLines(ctx, entryOfTurn(withKept(view, kept), kept.at, kept.usage)));
  return kept;
}

/** A tool's input and result were masked each as they were shown; on one line they may look like a secret together. */
async function scrubLines(ctx: MeetingsContext, entry: TranscriptEntry): Promise<TranscriptEntry> {
  const lines = await Promise.all(entry.tools.map(({ line }) => ctx.scrub(line)));
  return { ...entry, tools: entry.tools.map((call, nth) => ({ ...call, line: lines[nth] ?? call.line })) };
}

async function withoutSecrets(ctx: MeetingsContext, ending: Ending): Promise<Ending> {
  if (ending.type === 'turn_end') return ending;
  return { ...ending, reason: await ctx.scrub(ending.reason), hint: await ctx.scrub(ending.hint) };
}

function usageOf(usage: AgentUsage | undefined): Usage | null {
  if (usage === undefined) return null;
  const { inputTokens, outputTokens, costUsd, contextUsed, contextWindow } = usage;
  const isKnown = contextUsed !== null && contextWindow !== null;
  return {
    inputTokens,
    outputTokens,
    costUsd,
    contextUsed: isKnown ? contextUsed : null,
    contextWindow: isKnown ? contextWindow : null,
  };
}
