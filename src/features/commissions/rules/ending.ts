/** What an attempt came to. Pure. A submitted result decides, whatever else happened; only then anything else is asked. */
import type { AttemptResult, EndClass, JournalEntry } from '../contract/journal.ts';
import { hintOf, reasonOf } from './reasons.ts';

export type EndCause = 'exit' | 'unresponsive' | 'cancel' | 'restart' | 'not_started';

export interface EndFacts {
  readonly result: AttemptResult | null;
  /** The journal's last word, where its process ended by itself. */
  readonly ended: Extract<JournalEntry, { kind: 'ended' }> | null;
  /** `unknown`: the process was not this hall's child. */
  readonly exit: { readonly code: number | null; readonly signal: string | null } | 'unknown';
  readonly cause: EndCause;
  /** Of a cancellation, and of what could not be started. */
  readonly reason?: string;
  /** The next thing to do, where it could not be started. */
  readonly hint?: string;
}

export interface Ending {
  readonly to: 'completed' | 'failed' | 'cancelled';
  readonly reason: string;
  /** Empty where nothing is to be done. */
  readonly hint: string;
  /** What was not as it should be, although it completed. */
  readonly anomalies: string[];
  readonly errorClass: EndClass | null;
}

export function decideEnding(facts: EndFacts): Ending {
  if (facts.result !== null) return { ...came('completed', 'Result submitted'), anomalies: anomaliesOf(facts) };
  switch (facts.cause) {
    case 'cancel':
      return came('cancelled', facts.reason || 'Cancelled');
    case 'not_started':
      return failed(facts.reason || reasonOf.notStarted, facts.hint ?? hintOf.notStarted, 'activation');
    case 'unresponsive':
      return failed(reasonOf.unresponsive, hintOf.unresponsive);
    case 'restart':
      return facts.ended === null ? failed(reasonOf.lost, hintOf.lost) : decideOwnEnd(facts, facts.ended);
    case 'exit':
      return facts.ended === null ? decideExit(facts) : decideOwnEnd(facts, facts.ended);
  }
}

/** It came to its end in order, and said how. */
function decideOwnEnd({ exit }: EndFacts, ended: NonNullable<EndFacts['ended']>): Ending {
  if (ended.how === 'failed') {
    const errorClass = ended.class ?? 'crashed';
    return failed(ended.reason || reasonOf[errorClass], ended.hint || hintOf[errorClass], errorClass);
  }
  if (ended.how === 'stopped') return failed(reasonOf.stopped, hintOf.stopped, 'aborted');
  if (isCrash(exit)) return failed(crashReason(exit), hintOf.crashed, 'crashed');
  return failed(reasonOf.noResult, hintOf.noResult);
}

function decideExit({ exit }: EndFacts): Ending {
  if (exit === 'unknown') return failed(reasonOf.unknownExit, hintOf.unknownExit, 'crashed');
  if (isCrash(exit)) return failed(crashReason(exit), hintOf.crashed, 'crashed');
  return failed(reasonOf.noResult, hintOf.noResult);
}

function failed(reason: string, hint: string, errorClass: EndClass | null = null): Ending {
  return { ...came('failed', reason), hint, errorClass };
}

function came(to: Ending['to'], reason: string): Ending {
  return { to, reason, hint: '', anomalies: [], errorClass: null };
}

type KnownExit = Exclude<EndFacts['exit'], 'unknown'>;

function isCrash(exit: EndFacts['exit']): exit is KnownExit {
  return exit !== 'unknown' && (exit.signal !== null || (exit.code !== null && exit.code !== 0));
}

/** `process crashed (exit code 1)`, `process crashed (SIGSEGV)`. */
export function crashReason({ code, signal }: KnownExit): string {
  return `process crashed (${signal ?? `exit code ${code}`})`;
}

function anomaliesOf({ ended, exit, cause, reason }: EndFacts): string[] {
  const after = 'after the result was submitted; the result counts';
  const found: string[] = [];
  if (cause === 'unresponsive') found.push(`The process was unresponsive ${after}`);
  if (cause === 'cancel') found.push(`It was cancelled ${after}${reason ? ` (${reason})` : ''}`);
  if (cause === 'restart' && ended === null) found.push(`The process was lost on restart ${after}`);
  if (cause === 'exit' && isCrash(exit)) found.push(`The ${crashReason(exit)} ${after}`);
  else if (cause === 'exit' && exit === 'unknown' && ended === null) found.push(`The process was gone ${after}`);
  if (ended?.how === 'failed')
    found.push(`The session failed ${after}: ${ended.reason || reasonOf[ended.class ?? 'crashed']}`);
  if (ended?.how === 'stopped' && cause === 'exit') found.push(`The process was stopped from outside ${after}`);
  return found;
}
