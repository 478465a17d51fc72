/** The words for the ends of attempts: literal, so that a person and a program can go by them. Pure. */
import type { EndClass } from '../contract/journal.ts';

type Word = EndClass | 'noResult' | 'unresponsive' | 'lost' | 'stopped' | 'notStarted' | 'unknownExit';

export const reasonOf: Readonly<Record<Word, string>> = {
  noResult: 'completed without submitting result',
  unresponsive: 'process unresponsive',
  lost: 'process lost on restart',
  stopped: 'process stopped from outside',
  notStarted: 'the worker process could not be started',
  unknownExit: 'process ended without a word',
  auth: 'the model endpoint refused the credential',
  rate_limit: 'usage limit reached',
  overloaded: 'the model endpoint is overloaded',
  expired_session: 'the agent no longer knows its session',
  max_turns: 'turn limit reached',
  budget: 'budget reached',
  aborted: 'the agent was interrupted',
  crashed: 'process crashed',
  protocol: 'the agent answered in a way that is not understood',
  activation: 'the worker could not be activated',
};

const again = 'What it did is on its branch. Dispatch it again when you like.';

export const hintOf: Readonly<Record<Word, string>> = {
  noResult: 'Look at what it did and said, then dispatch it again; a prompt that says when it is done helps.',
  unresponsive: `It was killed after it had been silent for too long (commissions.heartbeatSeconds). ${again}`,
  lost: `Its process was gone when the hall started. ${again}`,
  stopped: `Something outside the hall ended its process. ${again}`,
  notStarted: 'See what its process wrote: guild-hall logs. Then dispatch it again.',
  unknownExit: `Its process was gone, and no hall saw how. ${again}`,
  auth: 'Look at the credential in config.yaml (guild-hall doctor), then dispatch it again.',
  rate_limit: 'Dispatch it again when the limit is over, or set commissions.retry in config.yaml.',
  overloaded: 'Dispatch it again in some minutes, or set commissions.retry in config.yaml.',
  expired_session: again,
  max_turns: 'Give it more turns (--max-turns), or a smaller task, then dispatch it again.',
  budget: 'Give it a larger budget (--max-budget-usd), or a smaller task, then dispatch it again.',
  aborted: again,
  crashed: `See its log: guild-hall commission logs. ${again}`,
  protocol: `See its log: guild-hall commission logs. ${again}`,
  activation: 'Mend what is named, then dispatch it again.',
};

/** `turn limit reached (150)`. */
export function turnLimitReason(turns: number | null): string {
  return turns === null ? reasonOf.max_turns : `${reasonOf.max_turns} (${turns})`;
}

/** `budget reached ($1.02 of $1.00)`; amounts in US dollars. */
export function budgetReason(used: number | null, budget: number | null): string {
  if (budget === null) return reasonOf.budget;
  const of = dollars(budget);
  return used === null ? `${reasonOf.budget} (of ${of})` : `${reasonOf.budget} (${dollars(used)} of ${of})`;
}

/** `usage limit until 14:00`. @param until local time of the day, hours and minutes; null where it is not known */
export function usageLimitReason(until: string | null): string {
  return until === null ? reasonOf.rate_limit : `usage limit until ${until}`;
}

/** Two digits behind the point, more where the amount would look like nothing. */
function dollars(amount: number): string {
  return `$${amount > 0 && amount < 0.01 ? amount.toPrecision(2) : amount.toFixed(2)}`;
}
