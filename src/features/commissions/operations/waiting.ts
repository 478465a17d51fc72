/** What of the commissions waits for the person: questions, work that does not merge, finished work, failures, broken files. */
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { type InboxAction, problemItem, type WaitingItem } from '../../inbox/contract.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind, type CommissionRecord } from '../contract.ts';
import { findLive } from '../reactions/live.ts';
import { readKnownCommissions } from '../store/known.ts';
import { branchOf, keyOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { openQuestionsOf } from './questions.ts';

/** Fast: records are read anew only when their files changed. */
export async function waitingCommissions(ctx: CommissionsContext): Promise<WaitingItem[]> {
  const items: WaitingItem[] = [];
  for (const project of listProjects(ctx)) {
    const { commissions, problems } = await readKnownCommissions(ctx.engine.known, project);
    for (const record of commissions) items.push(...(await itemsOf(ctx, project, record)));
    items.push(
      ...[...commissions.flatMap((record) => record.problems), ...problems].map((one) => brokenItem(project, one)),
    );
  }
  return [...items, ...[...ctx.engine.problems, ...ctx.engine.held.values()].map((text) => strayItem(text))];
}

async function itemsOf(
  ctx: CommissionsContext,
  project: Project,
  record: CommissionRecord,
): Promise<readonly WaitingItem[]> {
  const questions =
    record.status === 'cancelled' ? [] : openQuestionsOf(record).map((one) => questionItem(record, one));
  // What the hall is still ending or merging does not wait for anybody yet.
  const ref = { project, id: record.id };
  const trouble = ctx.engine.troubles.get(keyOf(ref));
  if (trouble !== undefined) return [...questions, troubleItem(record, trouble)];
  if (findLive(ctx, ref) !== undefined) return questions;
  if (record.status === 'completed') return [...questions, ...finishedItems(project, record)];
  if (record.status !== 'failed' || record.reviewedAt !== null) return questions;
  // One that is tried again by itself is not the person's to mend.
  const isRetried = (await runOf(ctx, ref).read()) !== undefined;
  return isRetried ? questions : [...questions, failedItem(record)];
}

function action(
  verb: string,
  label: string,
  operation: string,
  input: Record<string, unknown>,
  asks: Partial<InboxAction> = {},
): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null, ...asks };
}

function subjectOf({ id, title }: CommissionRecord): WaitingItem['subject'] {
  return { kind: commissionKind, id, title };
}

function lastChange({ timeline }: CommissionRecord): {
  readonly at: string | null;
  readonly reason: string;
  readonly hint: string;
} {
  const last = timeline.findLast((entry) => entry.event === 'status');
  return { at: last?.timestamp ?? null, reason: last?.reason ?? '', hint: last?.hint ?? '' };
}

const ownDecision = 'No answer is needed: decide it yourself, and say how you decided.';

function questionItem(record: CommissionRecord, question: ReturnType<typeof openQuestionsOf>[number]): WaitingItem {
  const { id, project, worker, status } = record;
  const input = { project, id, question: question.id };
  const heard =
    status === 'in_progress' ? 'It works on, and hears your answer at once.' : 'The next attempt reads your answer.';
  return {
    id: `question.${project}.${id}.${question.id}`,
    kind: 'question',
    project,
    subject: subjectOf(record),
    title: `${worker} asks`,
    detail: `${question.text.trim()}\n\n${status === 'completed' ? 'The work is completed without an answer.' : heard}`,
    since: question.at,
    actions: [
      action('answer', 'Answer', 'commission.answer', input, { asks: 'text', field: 'text', required: true }),
      action(
        'dismiss',
        'Let it decide',
        'commission.answer',
        { ...input, text: ownDecision },
        { asks: 'text', field: 'text' },
      ),
    ],
  };
}

function finishedItems(project: Project, record: CommissionRecord): readonly WaitingItem[] {
  const { state } = record.merge;
  if (state === 'merge_conflict' || state === 'gate_failed' || state === 'secrets')
    return [unmergedItem(project, record, state)];
  return record.reviewedAt === null ? [reviewItem(record)] : [];
}

const unmergedWords = {
  merge_conflict: { title: 'The work of a commission does not merge', what: 'Both sides changed:' },
  gate_failed: { title: 'The check before a merge failed', what: 'What it printed stands in the timeline.' },
  secrets: {
    title: 'A secret seems to be in the work of a commission',
    what: 'It looks as if a key or password is in:',
  },
} as const;

function unmergedItem(project: Project, record: CommissionRecord, state: keyof typeof unmergedWords): WaitingItem {
  const { id, merge } = record;
  const branch = record.branch ?? branchOf({ id }, record.attempt);
  const input = { project: project.name, id };
  const { title, what } = unmergedWords[state];
  const files = merge.files.map((file) => `- \`${file.replaceAll('`', '')}\``).join('\n');
  const mend = {
    merge_conflict: `Merge ${project.integrationBranch} into it and resolve, then try again.`,
    gate_failed: 'Mend it on that branch, or mend the check in config.yaml, then try again.',
    secrets: 'Take it out on that branch, then try again.',
  }[state];
  const allow = action(
    'allow',
    'It is none: merge',
    'commission.merge',
    { ...input, allowSecrets: true },
    {
      asks: 'confirm',
      warning: 'What looks like a secret will be in the history of the repository for good.',
    },
  );
  return {
    id: `conflict.${project.name}.${id}`,
    kind: 'conflict',
    project: project.name,
    subject: subjectOf(record),
    title,
    detail: [what, files, `Nothing is lost: it is on \`${branch}\`. ${mend}`]
      .filter((part) => part !== '')
      .join('\n\n'),
    since: record.timeline.findLast(({ event }) => event === 'merge')?.timestamp ?? lastChange(record).at,
    actions: [
      action('retry', 'Try to merge again', 'commission.merge', input),
      ...(state === 'secrets' ? [allow] : []),
      action('dismiss', 'Give the merge up', 'commission.dismiss', input, {
        asks: 'confirm',
        warning: `The work stays on ${branch}, and the hall does not ask again.`,
      }),
    ],
  };
}

function reviewItem(record: CommissionRecord): WaitingItem {
  const { id, project, worker, result } = record;
  return {
    id: `review.${project}.${id}`,
    kind: 'review',
    project,
    subject: subjectOf(record),
    title: `${worker} has finished`,
    detail: result?.summary.trim() ?? '',
    since: lastChange(record).at,
    actions: [
      action('approve', 'I have looked at it', 'commission.review', { project, id }, { asks: 'text', field: 'text' }),
    ],
  };
}

function failedItem(record: CommissionRecord): WaitingItem {
  const { id, project } = record;
  const { at, reason, hint } = lastChange(record);
  const input = { project, id };
  return {
    id: `problem.${project}.${id}`,
    kind: 'problem',
    project,
    subject: subjectOf(record),
    title: `A commission failed: ${reason}`,
    detail: [hint, record.branch === null ? '' : `What it wrote is kept on \`${record.branch}\`.`]
      .filter((part) => part !== '')
      .join('\n\n'),
    since: at,
    actions: [
      action('retry', 'Try again', 'commission.redispatch', input, { asks: 'text', field: 'reason' }),
      action('dismiss', 'Leave it', 'commission.review', input),
    ],
  };
}

/** Something stands in the way of its end (a full disk, a lock of git); the hall tries until it is gone. */
function troubleItem(record: CommissionRecord, trouble: string): WaitingItem {
  return problemItem({
    project: record.project,
    subject: subjectOf(record),
    title: 'The end of a commission cannot be finished yet; the hall goes on trying',
    detail: trouble,
    actions: [],
  });
}

function brokenItem(project: Project, problem: CommissionRecord['problems'][number]): WaitingItem {
  return problemItem({
    project: project.name,
    subject: { kind: 'artifact', id: problem.file, title: problem.file },
    title: `${problem.file} cannot be read as a commission`,
    detail: `Line ${problem.line}: ${problem.message}`,
    actions: [action('show', 'Open the file', 'artifact.show', { project: project.name, path: problem.file })],
  });
}

/** Of something that was found at the start and belongs to nobody. */
function strayItem(text: string): WaitingItem {
  return problemItem({
    project: null,
    subject: { kind: commissionKind, id: 'stray', title: 'Commissions' },
    title: text,
    detail: '',
    actions: [],
  });
}
