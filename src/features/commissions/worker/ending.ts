/** The last line of a journal: how the session came to its end, in the words that the person reads. Pure. */
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { EndClass, NewJournalEntry } from '../contract/journal.ts';
import { budgetReason, hintOf, reasonOf, turnLimitReason, usageLimitReason } from '../rules/reasons.ts';

export type EndedEntry = Extract<NewJournalEntry, { kind: 'ended' }>;
type Failure = Extract<AgentEvent, { type: 'error' }>;

export interface EndFacts {
  readonly maxTurns: number;
  readonly maxBudgetUsd: number | null;
  /** US dollars; null where the price is not known. */
  readonly spentUsd: number | null;
  /** Of `ms` from now, the local time of the day: `14:00`. */
  readonly timeAfter: (ms: number) => string;
}

export const doneEntry: EndedEntry = ended('done', null, '', '');

/** Somebody asked the process to end. */
export const stoppedEntry: EndedEntry = ended('stopped', 'aborted', reasonOf.stopped, hintOf.stopped);

function ended(
  how: EndedEntry['how'],
  endClass: EndClass | null,
  reason: string,
  hint: string,
  retryAfterMs: number | null = null,
): EndedEntry {
  return { kind: 'ended', how, class: endClass, reason, hint, retryAfterMs };
}

/** The worker could not be given what it needs. */
export function notActivated(error: unknown): EndedEntry {
  const { message, hint } = errorFactsOf(error);
  return ended('failed', 'activation', message, hint);
}

/** The process itself met something that nobody had thought of. */
export function crashedEntry(error: unknown): EndedEntry {
  const text = error instanceof Error ? error.message : String(error);
  return ended('failed', 'crashed', `${reasonOf.crashed}: ${text.slice(0, 300)}`, hintOf.crashed);
}

/** The words for a session that failed. */
export function failedEntry(failure: Failure, facts: EndFacts): EndedEntry {
  const { errorClass, retryAfterMs } = failure;
  return ended('failed', errorClass, reasonFor(failure, facts), hintFor(failure), retryAfterMs);
}

/** A wait that is shorter is no usage limit, but the pause before another try. */
const shortestLimitMs = 60_000;

function reasonFor(failure: Failure, facts: EndFacts): string {
  const { errorClass, message, retryAfterMs } = failure;
  switch (errorClass) {
    case 'max_turns':
      return turnLimitReason(facts.maxTurns);
    case 'budget':
      return /budget reached \([^)]*\)/.exec(message)?.[0] ?? budgetReason(facts.spentUsd, facts.maxBudgetUsd);
    case 'rate_limit': {
      const until = retryAfterMs !== null && retryAfterMs >= shortestLimitMs ? facts.timeAfter(retryAfterMs) : null;
      return withWords(usageLimitReason(until), message);
    }
    case 'auth':
    case 'overloaded':
      return withWords(reasonOf[errorClass], message);
    default:
      return isSilence(failure) ? reasonOf.unresponsive : message.slice(0, 1000);
  }
}

function hintFor(failure: Failure): string {
  if (isWithoutSandbox(failure)) return `${failure.hint}; then dispatch it again.`;
  return isSilence(failure) ? hintOf.unresponsive : hintOf[failure.errorClass];
}

/** The settings require a sandbox; the hint tells how to have one. */
function isWithoutSandbox({ errorClass, message }: Failure): boolean {
  return errorClass === 'crashed' && message.startsWith('No agent is started without a sandbox');
}

/** The driver ended a turn of which nothing was heard any more. */
function isSilence({ errorClass, message }: Failure): boolean {
  return errorClass === 'crashed' && message.includes('no sign of life');
}

/** With what the service itself said. */
function withWords(reason: string, message: string): string {
  const said = /It said: ([\s\S]*?)\.?$/.exec(message)?.[1];
  return said === undefined ? reason : `${reason}: ${said.slice(0, 300)}`;
}
