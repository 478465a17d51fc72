/** A commission's artifact ↔ `CommissionRecord`. Reading is tolerant; what a field should have been becomes a problem. */
import { z } from 'zod';
import type { ArtifactEdit } from '../../../kernel/artifacts/edit.ts';
import type { ArtifactDocument } from '../../../kernel/artifacts/parse.ts';
import { printFields } from '../../../kernel/artifacts/yaml-text.ts';
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import {
  type CommissionId,
  type CommissionRecord,
  type CommissionStatus,
  commissionStatusSchema,
  type MergeFacts,
  mergeFactsSchema,
  type TimelineEntry,
  timelineEntrySchema,
  usageSchema,
} from '../contract.ts';
import { firstEntry, illegalStep, statusOfTimeline } from '../rules.ts';
import { normaliseDependency } from '../rules/dependencies.ts';
import { bodyOfNew, promptOfBody, withPrompt, withResult } from './body.ts';
import { type FieldReader, items, readFields, said, shaped, text, texts, time } from './fields.ts';
import { commissionPath } from './place.ts';

/** A number above it is no count of attempts: a record can come with its repository, and say anything. */
const mostAttempts = 1000;
const resultSchema = z.object({ summary: z.string(), artifacts: z.array(z.string()).default([]) });

/** @param document the parsed artifact; its problems are carried over */
export function recordOfDocument(project: ProjectName, id: CommissionId, document: ArtifactDocument): CommissionRecord {
  const path = commissionPath(id);
  const reader = readFields(document, path);
  const timeline = items<TimelineEntry>(
    reader,
    'activity_timeline',
    timelineEntrySchema,
    'timestamp, attempt, event and what belongs to that event',
  );
  const date = text(reader, 'date');
  return {
    id,
    project,
    path,
    title: text(reader, 'title') || id,
    date,
    status: readStatus(reader, timeline),
    tags: texts(reader, 'tags'),
    modules: texts(reader, 'modules'),
    related: texts(reader, 'related'),
    worker: readWorker(reader),
    prompt: readPrompt(reader, document.body),
    dependencies: readDependencies(reader, id),
    linkedArtifacts: texts(reader, 'linked_artifacts'),
    ...readLimits(reader),
    createdBy: text(reader, 'created_by') || 'person',
    createdAt: time(reader, 'created_at') ?? timeline[0]?.timestamp ?? date,
    queuedAt: time(reader, 'queued_at'),
    attempt: shaped(
      reader,
      ['attempt'],
      z.int().min(0).max(mostAttempts),
      `a whole number up to ${mostAttempts}`,
      lastAttempt(timeline),
    ),
    branch: text(reader, 'branch') || null,
    currentProgress: text(reader, 'current_progress'),
    result: shaped(reader, ['result'], resultSchema.nullable(), 'summary and artifacts', null),
    completedAt: time(reader, 'completed_at'),
    merge: shaped(reader, ['merge'], mergeFactsSchema, 'state and files', { state: 'none', files: [] }),
    mergedFrom: text(reader, 'merged_from') || null,
    reviewedAt: time(reader, 'reviewed_at'),
    usage: shaped(reader, ['usage'], usageSchema.nullable(), 'numbers of tokens and a cost', null),
    timeline,
    problems: reader.problems,
  };
}

/**
 * The state. Its word is none of ours: null. It is another than the last change of the timeline led to: somebody changed
 * the word alone; what the hall wrote down counts, and the difference is a problem.
 */
function readStatus({ fields, wrong }: FieldReader, timeline: readonly TimelineEntry[]): CommissionStatus | null {
  const status = commissionStatusSchema.safeParse(fields['status']);
  if (!status.success) {
    wrong(
      ['status'],
      `The field \`status\` says ${said(fields['status'])}; expected ${commissionStatusSchema.options.join(', ')}.`,
    );
    return null;
  }
  const step = illegalStep(timeline);
  if (step !== undefined) {
    wrong(['activity_timeline', step.index], `The timeline tells of a change that there is not: ${step.message}.`);
  }
  const last = statusOfTimeline(timeline);
  const isNew = status.data === 'pending' || status.data === 'blocked';
  if (last === status.data || (last === null && isNew)) return status.data;
  const truth = last ?? null;
  const told = truth === null ? 'the timeline tells of no change at all' : `the timeline says that it is ${truth}`;
  wrong(['status'], `The field \`status\` says ${status.data}, but ${told}; the hall changes it, not the file.`);
  return truth;
}

function readWorker(reader: FieldReader): string {
  const worker = text(reader, 'worker');
  if (worker === '') reader.wrong(['worker'], 'The field `worker` is missing; expected the name of a worker.');
  return worker;
}

/** A long prompt stands in the body: a frontmatter has a limit, and is read again at every change. */
function readPrompt(reader: FieldReader, body: string): string {
  const inBody = reader.fields['prompt_in_body'] === true ? promptOfBody(body) : undefined;
  const prompt = inBody ?? text(reader, 'prompt');
  if (prompt === '') {
    reader.wrong(['prompt'], 'The field `prompt` is missing; expected what is to be done.');
  }
  return prompt;
}

function readDependencies(reader: FieldReader, id: CommissionId): string[] {
  const given = texts(reader, 'dependencies');
  for (const [index, one] of given.entries()) {
    const normal = normaliseDependency(one);
    if (normal === undefined) {
      reader.wrong(['dependencies', index], `The dependency ${said(one)} is no path inside the project and no id.`);
    } else if (normal === id || normal === commissionPath(id)) {
      reader.wrong(['dependencies', index], 'A commission cannot wait for itself.');
    }
  }
  return given.map((one) => normaliseDependency(one) ?? one);
}

function readLimits(reader: FieldReader): Pick<CommissionRecord, 'maxTurns' | 'maxBudgetUsd'> {
  const path = 'resource_overrides';
  const turns = z.int().min(1).nullable();
  const budget = z.number().positive().nullable();
  return {
    maxTurns: shaped(reader, [path, 'maxTurns'], turns, 'a whole number of turns from 1', null),
    maxBudgetUsd: shaped(reader, [path, 'maxBudgetUsd'], budget, 'an amount of US dollars above 0', null),
  };
}

function lastAttempt(timeline: readonly TimelineEntry[]): number {
  return timeline.reduce((most, { attempt }) => (attempt > mostAttempts ? most : Math.max(most, attempt)), 0);
}

export interface NewCommission {
  readonly title: string;
  readonly status: 'pending' | 'blocked';
  readonly worker: string;
  readonly workerDisplayTitle: string;
  readonly prompt: string;
  readonly dependencies: readonly string[];
  readonly maxTurns: number | null;
  readonly maxBudgetUsd: number | null;
  /** `person`, `meeting <id>`, `commission <id>`. */
  readonly createdBy: string;
  /** ISO 8601, UTC, with milliseconds. */
  readonly now: string;
  readonly queuedAt: string | null;
  /** Of its first state. */
  readonly reason: string;
  readonly tags?: readonly string[];
  readonly modules?: readonly string[];
  readonly related?: readonly string[];
}

/** The frontmatter of a new commission, in the order in which a person reads it. One schema, whoever created it. */
export function frontmatterOfNew(commission: NewCommission): Record<string, unknown> {
  return {
    title: commission.title,
    date: commission.now.slice(0, 10),
    status: commission.status,
    tags: [...new Set(['commission', ...(commission.tags ?? [])])],
    modules: [...(commission.modules ?? [])],
    related: [...(commission.related ?? [])],
    worker: commission.worker,
    workerDisplayTitle: commission.workerDisplayTitle,
    ...promptFields(commission.prompt),
    dependencies: [...commission.dependencies],
    linked_artifacts: [],
    resource_overrides: overridesOf(commission),
    created_by: commission.createdBy,
    created_at: commission.now,
    queued_at: commission.queuedAt ?? '',
    attempt: 0,
    branch: '',
    current_progress: '',
    result: '',
    completed_at: '',
    merge: { state: 'none', files: [] },
    merged_from: '',
    reviewed_at: '',
    usage: '',
    activity_timeline: [firstEntry(commission.status, commission.reason, commission.now)],
  };
}

export function bodyOfCommission(commission: Pick<NewCommission, 'title' | 'prompt'>): string {
  return bodyOfNew(commission.title, commission.prompt);
}

/** Longest prompt that stands in the frontmatter, as it is written there. */
const longestInFields = 100_000;

function promptFields(prompt: string): { prompt: string; prompt_in_body?: true } {
  // An escaped character has at most six.
  const isShort =
    prompt.length * 6 <= longestInFields ||
    (prompt.length <= longestInFields && printFields({ prompt: wellFormed(prompt) }).length <= longestInFields);
  return isShort ? { prompt } : { prompt: '', prompt_in_body: true };
}

function overridesOf({ maxTurns, maxBudgetUsd }: Pick<NewCommission, 'maxTurns' | 'maxBudgetUsd'>) {
  return { ...(maxTurns === null ? {} : { maxTurns }), ...(maxBudgetUsd === null ? {} : { maxBudgetUsd }) };
}

/** What can be changed of a record, by the names that it has there. What is not given stays. */
export interface CommissionChanges {
  readonly title?: string;
  readonly prompt?: string;
  readonly worker?: { readonly name: string; readonly displayTitle: string };
  readonly dependencies?: readonly string[];
  readonly limits?: Pick<NewCommission, 'maxTurns' | 'maxBudgetUsd'>;
  readonly status?: CommissionStatus;
  readonly linkedArtifacts?: readonly string[];
  readonly queuedAt?: string | null;
  readonly attempt?: number;
  readonly branch?: string | null;
  readonly currentProgress?: string;
  readonly result?: CommissionRecord['result'];
  readonly completedAt?: string | null;
  readonly merge?: MergeFacts;
  readonly mergedFrom?: string | null;
  readonly reviewedAt?: string | null;
  readonly usage?: CommissionRecord['usage'];
}

/** The edit of the file that makes the changes. `present`: the body, and the title and prompt, as they are now. */
export function editOfChanges(
  changes: CommissionChanges,
  present: { readonly title: string; readonly prompt: string; readonly body: string },
): ArtifactEdit {
  const { title = present.title, prompt = present.prompt } = changes;
  const prompted =
    changes.title === undefined && changes.prompt === undefined
      ? present.body
      : withPrompt(present.body, present, title, prompt);
  const body = changes.result === undefined ? prompted : withResult(prompted, changes.result?.summary ?? null);
  const promptSet = changes.prompt === undefined ? undefined : promptFields(prompt);
  return {
    set: { ...setOfChanges(changes), ...promptSet },
    remove: promptSet !== undefined && promptSet.prompt_in_body === undefined ? ['prompt_in_body'] : [],
    ...(body === present.body ? {} : { body }),
  };
}

function setOfChanges(changes: CommissionChanges): Record<string, unknown> {
  const { worker, limits } = changes;
  const orEmpty = <T>(value: T | null | undefined): T | '' | undefined => (value === null ? '' : value);
  return {
    title: changes.title,
    worker: worker?.name,
    workerDisplayTitle: worker?.displayTitle,
    dependencies: changes.dependencies,
    resource_overrides: limits === undefined ? undefined : overridesOf(limits),
    status: changes.status,
    linked_artifacts: changes.linkedArtifacts,
    queued_at: orEmpty(changes.queuedAt),
    attempt: changes.attempt,
    branch: orEmpty(changes.branch),
    current_progress: changes.currentProgress,
    result: orEmpty(changes.result),
    completed_at: orEmpty(changes.completedAt),
    merge: changes.merge,
    merged_from: orEmpty(changes.mergedFrom),
    reviewed_at: orEmpty(changes.reviewedAt),
    usage: orEmpty(changes.usage),
  };
}
