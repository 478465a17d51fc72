/** Questions of a commission that have no answer. Pure. */
import type { CommissionRecord, CommissionView, TimelineEntry } from '../contract.ts';

type Question = CommissionView['openQuestions'][number];

/** In the order in which they were asked. Once the finished work was looked at, nothing is asked any more. */
export function openQuestionsOf(record: Pick<CommissionRecord, 'timeline' | 'reviewedAt'>): Question[] {
  if (record.reviewedAt !== null) return [];
  const answered = new Set(record.timeline.flatMap((entry) => (entry.event === 'answer' ? [entry.question] : [])));
  return questionsOf(record.timeline).filter(({ id }) => !answered.has(id));
}

export function questionsOf(timeline: readonly TimelineEntry[]): Question[] {
  return timeline.flatMap((entry) =>
    entry.event === 'question' ? [{ id: entry.id, text: entry.text, at: entry.timestamp }] : [],
  );
}

/** The answers that were given to it. */
export function answersTo(timeline: readonly TimelineEntry[], question: string): string[] {
  return timeline.flatMap((entry) => (entry.event === 'answer' && entry.question === question ? [entry.text] : []));
}
