/** A meeting's artifact ↔ `MeetingRecord`. Reading is tolerant; what a field should have been becomes a problem. */
import { printArtifact } from '../../../kernel/artifacts/edit.ts';
import type { ArtifactDocument } from '../../../kernel/artifacts/parse.ts';
import { agentSessionIdSchema, type ProjectName } from '../../../kernel/pure/ids.ts';
import {
  decisionSchema,
  type LogEntry,
  logEntrySchema,
  type MeetingId,
  type MeetingRecord,
  meetingsFolder,
  meetingStatusSchema,
  mergeSchema,
  usageSchema,
} from '../contract.ts';

type Problems = MeetingRecord['problems'];

/** `.lore/meetings/<id>.md`. */
export function meetingPath(id: MeetingId): string {
  return `${meetingsFolder}/${id}.md`;
}

/** @param document the parsed artifact; its problems are carried over */
export function recordOfDocument(project: ProjectName, id: MeetingId, document: ArtifactDocument): MeetingRecord {
  const fields = document.frontmatter;
  const path = meetingPath(id);
  const problems: Problems = document.problems.map((problem) => ({ ...problem }));
  const wrong = (message: string): void => void problems.push({ file: path, line: 1, column: 1, message });
  const status = meetingStatusSchema.safeParse(fields['status']);
  if (!status.success) {
    wrong(`The field \`status\` says ${said(fields['status'])}; expected requested, open, closed or declined.`);
  }
  const session = agentSessionIdSchema.safeParse(fields['session_id']);
  const merge = mergeSchema.safeParse(fields['merge']);
  if (typeof fields['worker'] !== 'string' || fields['worker'] === '') wrong('The field `worker` is missing.');
  return {
    id,
    project,
    path,
    title: text(fields['title']) || id,
    date: text(fields['date']),
    status: status.success ? status.data : null,
    worker: text(fields['worker']),
    agenda: text(fields['agenda']),
    referencedArtifacts: texts(fields['referenced_artifacts']),
    related: texts(fields['related']),
    requestedBy: text(fields['requested_by']) || null,
    requestReason: text(fields['request_reason']) || null,
    deferredUntil: text(fields['deferred_until']) || null,
    sessionId: session.success ? session.data : null,
    branch: text(fields['branch']) || null,
    linkedArtifacts: texts(fields['linked_artifacts']),
    log: items(fields['meeting_log'], logEntrySchema, (n) =>
      wrong(`Entry ${n} of \`meeting_log\` has no timestamp, event and reason.`),
    ),
    decisions: items(fields['decisions'], decisionSchema, (n) => wrong(`Entry ${n} of \`decisions\` is incomplete.`)),
    notesSummary: text(fields['notes_summary']),
    merge: merge.success ? merge.data : { state: 'none', files: [] },
    mergedFrom: text(fields['merged_from']) || null,
    usage: usageSchema.safeParse(fields['usage']).data ?? null,
    problems,
  };
}

export interface NewMeeting {
  readonly title: string;
  readonly status: 'requested' | 'open';
  readonly worker: string;
  readonly workerDisplayTitle: string;
  readonly agenda: string;
  readonly artifacts: readonly string[];
  readonly related?: readonly string[];
  readonly requestedBy: string | null;
  readonly requestReason: string | null;
  readonly branch: string | null;
  readonly now: string;
  readonly log: readonly LogEntry[];
}

/** The frontmatter of a new meeting, in the order in which a person reads it. One schema, whoever created it. */
export function frontmatterOfNew(meeting: NewMeeting): Record<string, unknown> {
  return {
    title: meeting.title,
    date: meeting.now.slice(0, 10),
    status: meeting.status,
    tags: ['meeting'],
    modules: [],
    related: [...(meeting.related ?? [])],
    worker: meeting.worker,
    workerDisplayTitle: meeting.workerDisplayTitle,
    agenda: meeting.agenda,
    referenced_artifacts: [...meeting.artifacts],
    requested_by: meeting.requestedBy ?? '',
    request_reason: meeting.requestReason ?? '',
    deferred_until: '',
    session_id: '',
    branch: meeting.branch ?? '',
    linked_artifacts: [],
    decisions: [],
    meeting_log: meeting.log.map((entry) => ({ ...entry })),
    notes_summary: '',
    merge: { state: 'none', files: [] },
    merged_from: '',
  };
}

/** The body under the frontmatter while the meeting lives; the notes come with the close. */
export function bodyOfNew(meeting: Pick<NewMeeting, 'title' | 'agenda' | 'artifacts'>): string {
  const references = meeting.artifacts.map((path) => `- ${linkFromMeeting(path)}\n`).join('');
  const agenda = meeting.agenda === '' ? '' : `\n## Agenda\n\n${meeting.agenda.trimEnd()}\n`;
  return `# ${meeting.title.replaceAll('\n', ' ')}\n${agenda}${references === '' ? '' : `\n## Referenced artifacts\n\n${references}`}`;
}

/** A Markdown link to a project file, relative to `.lore/meetings/`, so that it opens in any viewer. */
export function linkFromMeeting(path: string): string {
  const target = path.startsWith('.lore/') ? `../${path.slice('.lore/'.length)}` : `../../${path}`;
  return `[${path.replaceAll(/[[\]]/g, '\\$&')}](<${target.replaceAll(/[<>]/g, encodeURIComponent)}>)`;
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function texts(value: unknown): string[] {
  if (typeof value === 'string' && value !== '') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function items<T>(
  value: unknown,
  schema: { safeParse(item: unknown): { success: true; data: T } | { success: false } },
  wrong: (position: number) => void,
): T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index) => {
    const parsed = schema.safeParse(item);
    if (parsed.success) return [parsed.data];
    wrong(index + 1);
    return [];
  });
}

function said(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60);
}

/**
 * The text of a request that somebody else than the hall wrote: its worker, agenda, artifacts, reason, title and body,
 * with everything that only the hall may say made fresh.
 */
export function requestText(
  document: ArtifactDocument,
  facts: {
    readonly author: string;
    readonly now: string;
    readonly worker?: string;
    readonly workerDisplayTitle?: string;
  },
): string {
  const fields = document.frontmatter;
  const agenda = text(fields['agenda']);
  const title = text(fields['title']) || agenda.split('\n')[0]!.slice(0, 100) || 'Meeting request';
  const requestReason = text(fields['request_reason']);
  const fresh = frontmatterOfNew({
    title,
    status: 'requested',
    worker: facts.worker ?? (text(fields['worker']) || facts.author),
    workerDisplayTitle: facts.workerDisplayTitle ?? '',
    agenda: agenda || title,
    artifacts: texts(fields['referenced_artifacts']),
    requestedBy: facts.author,
    requestReason,
    branch: null,
    now: facts.now,
    log: [{ timestamp: facts.now, event: 'requested', reason: requestReason || `Requested by ${facts.author}` }],
  });
  const kept = { tags: texts(fields['tags']), modules: texts(fields['modules']), related: texts(fields['related']) };
  return printArtifact({ ...fresh, ...kept, tags: [...new Set(['meeting', ...kept.tags])] }, document.body);
}

/** What an accepted request begins with, whatever its file said: these fields are the hall's. */
export const freshFields = {
  session_id: '',
  linked_artifacts: [],
  decisions: [],
  notes_summary: '',
  merge: { state: 'none', files: [] },
  merged_from: '',
} as const;
