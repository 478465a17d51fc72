/** Shapes of the talk in a meeting: messages, answers, what they used, how they are kept. */
import { z } from 'zod';

/** What the model calls of an answer, or of a meeting, used. */
export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; null where the price is not known, as in the rehearsal. */
  costUsd: z.number().nullable(),
  /** How many tokens the last call filled of those that the model can hold; null where that is not known. */
  contextUsed: z.number().nullable(),
  contextWindow: z.number().nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

/** The five kinds that a turn's stream shows, and no other. It ends with exactly one `turn_end` or `error`. */
export const turnEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), callId: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    callId: z.string(),
    name: z.string(),
    ok: z.boolean(),
    summary: z.string(),
  }),
  z.object({ type: z.literal('turn_end'), interrupted: z.boolean() }),
  z.object({ type: z.literal('error'), reason: z.string(), hint: z.string() }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;

/** How an answer ended. `cut-off`: the hall stopped in the middle of it. */
export const answerMarkSchema = z.enum(['done', 'interrupted', 'failed', 'cut-off']);
export type AnswerMark = z.infer<typeof answerMarkSchema>;

/** A tool call of an answer, as it is shown and kept. Long values are shortened, see `fold/lines.ts`. */
export const toolCallSchema = z.object({
  /** The agent's id of the call; empty where only the line was kept. */
  callId: z.string(),
  name: z.string(),
  input: z.unknown(),
  result: z.object({ ok: z.boolean(), summary: z.string() }).nullable(),
  /** How many characters (UTF-16 units) of the answer stand before it. */
  after: z.number(),
  /** The call as one quiet line. */
  line: z.string(),
});
export type ToolCallView = z.infer<typeof toolCallSchema>;

/** The model failed in a passing way; the agent tries again `delayMs` after `at`. */
export const retrySchema = z.object({
  attempt: z.number(),
  /** `overloaded`, `rate_limit`, `server_error` … */
  errorClass: z.string(),
  delayMs: z.number(),
  at: z.string(),
});

/** An answer as far as it has been shown. */
export const turnViewSchema = z.object({
  turn: z.number(),
  text: z.string(),
  tools: z.array(toolCallSchema),
  /** How many of the tools were called before the last words: words after a further call are a new paragraph. */
  toolsBeforeText: z.number(),
  state: z.enum(['running', ...answerMarkSchema.options]),
  error: z.object({ reason: z.string(), hint: z.string() }).nullable(),
  /** Until something comes again. */
  retry: retrySchema.nullable(),
});
export type TurnView = z.infer<typeof turnViewSchema>;

/** What the transcript keeps of an answer beside what was streamed; told with the last event of its turn. */
export interface AnswerKept {
  readonly at: string;
  readonly mark: AnswerMark;
  /** Where a secret was masked in the whole: the text to show from now on. Else null: it is what was streamed. */
  readonly text: string | null;
  readonly usage: Usage | null;
}

/** One entry of a transcript. A turn has a `user` entry and, when it has ended, an `assistant` entry. */
export const transcriptEntrySchema = z.object({
  speaker: z.enum(['user', 'assistant']),
  turn: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Of a user entry: the message's id. Of an assistant entry: how the turn ended. */
  mark: z.string(),
  text: z.string(),
  /** Of an assistant entry, and written by the hall alone: its tool calls, why the turn failed and what to do, its use. */
  tools: z.array(toolCallSchema),
  error: z.string().nullable(),
  hint: z.string().nullable(),
  usage: usageSchema.nullable(),
});
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;

export const queuedMessageSchema = z.object({ messageId: z.string(), text: z.string(), at: z.string() });
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/** The turn that is being answered. `since`: when it began; `at`: when its message was said. */
export const runningTurnSchema = queuedMessageSchema.extend({
  turn: z.number(),
  since: z.string(),
  view: turnViewSchema,
});
export type RunningTurn = z.infer<typeof runningTurnSchema>;
