/** What the process of an attempt is told: the record's words, and what earlier attempts came to. */
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord, TimelineEntry } from '../contract.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, type CommissionRef, worktreeOf } from '../store/place.ts';

export async function orderOf(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  token: string,
): Promise<AttemptOrder> {
  const record = await requireCommission(ref.project, ref.id);
  const hallSecret = await ctx.hallPass?.(ref, attempt, record.worker);
  const { worker, title, prompt, dependencies, maxTurns, maxBudgetUsd } = record;
  return {
    version: 1,
    project: ref.project.name,
    id: ref.id,
    attempt,
    token,
    home: ctx.home.root,
    worktree: worktreeOf(ctx, ref, attempt),
    worker,
    title,
    prompt,
    dependencies,
    maxTurns,
    maxBudgetUsd,
    earlier: earlierAttempts(record, attempt),
    ...(hallSecret !== undefined && { hallSecret }),
    orderedAt: ctx.clock.nowIso(),
  };
}

/** So much of the earlier attempts is told at most. Characters. */
const longestEarlier = 20_000;

/** Markdown; empty at the first attempt. The last attempts stay where there is not room for all. */
export function earlierAttempts(record: CommissionRecord, attempt: number): string {
  if (attempt <= 1) return '';
  const parts: string[] = [];
  for (let number = attempt - 1; number >= 1; number -= 1) {
    const entries = record.timeline.filter((entry) => entry.attempt === number);
    const part = printAttempt(record, number, entries);
    if (part !== '') parts.unshift(part);
    if (parts.join('\n').length > longestEarlier) break;
  }
  const again = record.timeline.find((entry) => entry.event === 'attempt' && entry.attempt === attempt);
  if (again?.event === 'attempt' && again.reason !== '') parts.push(`This attempt was asked for: ${again.reason}\n`);
  return parts.join('\n').slice(-longestEarlier);
}

function printAttempt(record: CommissionRecord, attempt: number, entries: readonly TimelineEntry[]): string {
  const end = entries.findLast((entry) => entry.event === 'status');
  const lines = entries.flatMap((entry) => lineOf(record, entry));
  const state = end?.event === 'status' ? `${end.to}: ${end.reason}` : 'unknown';
  return [
    `## Attempt ${attempt}`,
    '',
    `It ended as ${state}. Its work is on the branch ${branchOf(record, attempt)}.`,
    ...lines.map((line) => `- ${line}`),
    '',
  ].join('\n');
}

function lineOf(record: CommissionRecord, entry: TimelineEntry): string[] {
  switch (entry.event) {
    case 'question': {
      const answers = record.timeline.flatMap((other) =>
        other.event === 'answer' && other.question === entry.id ? [oneLine(other.text)] : [],
      );
      const answer = answers.length === 0 ? 'No answer yet.' : `Answer: ${answers.join(' ')}`;
      return [`Question: ${oneLine(entry.text)} ${answer}`];
    }
    case 'comment': {
      const where = entry.path === undefined ? '' : ` on ${entry.path}${entry.line ? `:${entry.line}` : ''}`;
      return [`Remark of the person${where}: ${oneLine(entry.text)}`];
    }
    case 'progress':
      return [`Progress: ${oneLine(entry.text)}`];
    case 'decision':
      return [`Decision: ${oneLine(entry.question)} ${oneLine(entry.decision)}`];
    default:
      return [];
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 1000);
}
