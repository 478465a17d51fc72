/** Random logs of sessions: plausible ones, with what no honest agent does mixed in. */
import fc from 'fast-check';
import type { NewSessionEvent, SessionEvent } from '../../src/features/sessions/contract/events.ts';
import { agentNameSchema, sessionIdSchema } from '../../src/features/sessions/contract/words.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';

export const logId = sessionIdSchema.parse('claude-20260214-093000-k3f9');

export const created: NewSessionEvent = {
  type: 'SessionCreated',
  sessionId: logId,
  project: projectNameSchema.parse('tally'),
  agent: agentNameSchema.parse('claude'),
  folder: '/repo',
  title: 'New session',
  from: null,
};

export function withNumbers(events: readonly NewSessionEvent[]): SessionEvent[] {
  return events.map((event, index) => {
    const at = new Date(Date.UTC(2026, 1, 14) + index * 1000).toISOString();
    return { seq: index + 1, at, ...event } as SessionEvent;
  });
}

const few = fc.constantFrom('a', 'b', 'c');
const words = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', ' ', '\n', '🙂', '```', 'naïve'));
const usage = fc.record({
  inputTokens: fc.nat(1000),
  outputTokens: fc.nat(1000),
  costUsd: fc.option(fc.integer({ min: 0, max: 9 })),
  contextUsed: fc.option(fc.nat(1000)),
  contextWindow: fc.option(fc.nat(1000)),
});
const diffs = fc.array(fc.record({ path: few, oldText: fc.option(words), newText: words }), { maxLength: 2 });
const options = fc.constant<{ id: string; name: string; kind: 'allow_once' }[]>([
  { id: 'yes', name: 'Yes', kind: 'allow_once' },
]);
const choices = fc.array(
  fc.record({
    id: few,
    name: words,
    kind: fc.constantFrom('mode' as const, 'model' as const, 'other' as const),
    current: few,
    options: fc.constant<{ id: string; name: string; description: string }[]>([
      { id: 'a', name: 'A', description: '' },
    ]),
  }),
  { maxLength: 2 },
);

const is = <Type extends NewSessionEvent['type']>(type: Type): fc.Arbitrary<Type> => fc.constant(type);

const anyEvent: fc.Arbitrary<NewSessionEvent> = fc.oneof(
  { arbitrary: fc.record({ type: is('AgentText'), text: words }), weight: 4 },
  fc.record({ type: is('AgentThought'), text: words }),
  fc.record({ type: is('PromptSubmitted'), promptId: few, text: words, images: fc.constant<never[]>([]) }),
  fc.record({ type: is('PromptWithdrawn'), promptId: few }),
  { arbitrary: fc.record({ type: is('TurnStarted'), promptId: few }), weight: 2 },
  {
    arbitrary: fc.record({
      type: is('TurnCompleted'),
      promptId: few,
      stopReason: fc.constantFrom('done' as const, 'interrupted' as const, 'failed' as const),
      usage: fc.option(usage),
    }),
    weight: 2,
  },
  fc.record({ type: is('ToolCallStarted'), callId: few, name: words, title: words, kind: few, input: fc.jsonValue() }),
  fc.record({ type: is('ToolCallUpdated'), callId: few, output: words, diffs, title: fc.option(words) }),
  fc.record({ type: is('ToolCallCompleted'), callId: few, ok: fc.boolean(), summary: words, diffs }),
  fc.record({
    type: is('PermissionRequested'),
    requestId: few,
    callId: few,
    name: words,
    title: words,
    input: fc.jsonValue(),
    diffs,
    options,
  }),
  fc.record({
    type: is('PermissionResolved'),
    requestId: few,
    outcome: fc.oneof(fc.constant('cancelled' as const), fc.constant({ optionId: 'yes' })),
  }),
  fc.record({ type: is('PlanUpdated'), entries: fc.array(fc.record({ text: words, status: few }), { maxLength: 2 }) }),
  fc.record({ type: is('ChoicesUpdated'), choices }),
  fc.record({
    type: is('CommandsUpdated'),
    commands: fc.constant<Record<'name' | 'description' | 'hint', string>[]>([
      { name: 'req', description: 'x', hint: '' },
    ]),
  }),
  fc.record({
    type: is('TitleChanged'),
    title: words,
    by: fc.constantFrom('person' as const, 'agent' as const, 'hall' as const),
  }),
  fc.record({ type: is('UsageUpdated'), usage }),
  fc.record({ type: is('RetryAnnounced'), attempt: fc.nat(9), errorClass: few, delayMs: fc.nat(999) }),
  fc.record({ type: is('ErrorOccurred'), errorClass: few, message: words, hint: words }),
  fc.record({
    type: is('AgentSessionStarted'),
    agentSessionId: few,
    reason: fc.constantFrom('new' as const, 'renewed' as const),
  }),
  fc.record({ type: is('SessionClosed') }),
  fc.record({ type: is('SessionReopened') }),
);

/** A whole log, numbered. */
export const anyLog: fc.Arbitrary<SessionEvent[]> = fc
  .array(anyEvent, { maxLength: 60 })
  .map((events) => withNumbers([created, ...events]));
