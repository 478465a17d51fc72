/** Questions of a commission and what was answered. Pure. */
import type { TimelineEntry } from '../contract.ts';

export { openQuestionsOf, questionsOf } from '../fold/record.ts';

/** The answers that were given to it. */
export function answersTo(timeline: readonly TimelineEntry[], question: string): string[] {
  return timeline.flatMap((entry) => (entry.event === 'answer' && entry.question === question ? [entry.text] : []));
}
