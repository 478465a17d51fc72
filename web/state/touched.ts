/** Which reads an event makes untrue. Pure. */
import type { OperationName } from './operations.ts';

const ofHall: readonly OperationName[] = ['overview', 'inbox.list', 'briefing.show'];
const ofMeetings: readonly OperationName[] = ['meeting.list', 'meeting.show', 'meeting.artifact', 'meeting.diff'];
const ofCommissions: readonly OperationName[] = ['commission.list', 'commission.graph'];
const ofArtifacts: readonly OperationName[] = ['artifact.list', 'artifact.show'];
const ofProjects: readonly OperationName[] = ['project.list', 'project.show'];

/** What a commission's timeline tells while it works. Its own page folds it in. */
const ofCommissionWork: readonly OperationName[] = [
  'commission.list',
  'commission.diff',
  'inbox.list',
  'briefing.show',
];

const ofTerminals: readonly OperationName[] = ['terminal.list', 'terminal.show'];

/** Pieces of an answer come by the hundred and change no list. The end of one does: the meeting waits then. */
const streamed = new Set(['meeting.turn', 'meeting.agent_retry']);
const ends: readonly unknown[] = ['turn_end', 'error'];

/** What a step that went well may have changed, to be seen before the answer is over. */
const ofWork: readonly OperationName[] = ['meeting.artifact', 'meeting.diff'];

function isWork(data: unknown): boolean {
  const { event } = data as { readonly event?: { readonly type?: unknown; readonly ok?: unknown } };
  return event?.type === 'tool_result' && event.ok === true;
}

function isCommissionWork(data: unknown): boolean {
  const { entry } = data as { readonly entry?: { readonly kind?: unknown; readonly ok?: unknown } };
  return entry?.kind === 'tool_result' && entry.ok === true;
}

const byNoun: Readonly<Record<string, readonly OperationName[]>> = {
  meeting: [...ofHall, ...ofMeetings, ...ofArtifacts, 'project.show'],
  commission: [...ofHall, ...ofCommissions, ...ofArtifacts, 'commission.diff', 'project.show'],
  briefing: ['briefing.show'],
  delivery: [...ofHall, ...ofArtifacts],
  artifact: [...ofArtifacts, 'commission.graph', 'overview', 'project.show'],
  inbox: ofHall,
  project: [...ofHall, 'status', 'doctor', ...ofProjects, ...ofArtifacts, ...ofMeetings, ...ofCommissions],
  config: [...ofHall, ...ofProjects, 'commission.list', 'config.show', 'doctor', 'status'],
  signin: ['signin.list'],
  terminal: [...ofHall, ...ofTerminals],
  conversation: [...ofHall, 'conversation.list', 'conversation.show', ...ofTerminals],
  gathering: [...ofHall, 'gathering.list', ...ofTerminals, ...ofArtifacts],
  session: [...ofHall, 'context.show'],
  worker: ['worker.list'],
};

/** Of what goes on all the time only what it changes is read anew. */
const byType: Readonly<Record<string, readonly OperationName[]>> = {
  'commission.timeline': ofCommissionWork,
  'commission.queue': ['commission.list', 'briefing.show'],
  'terminal.status': ['overview', 'inbox.list', ...ofTerminals],
  'terminal.receipt': ofTerminals,
  'conversation.message': ['conversation.list', 'conversation.show'],
  'conversation.receipt': ['conversation.show'],
  // Its own page folds in what is said and told.
  'gathering.changed': ['overview', 'inbox.list', 'gathering.list'],
  'gathering.message': ['gathering.list'],
  'gathering.receipt': [],
  'session.logged': [],
};

/** What changes without an event: files on the disk, commits of the person. Read anew when the window is looked at. */
const withoutEvents: ReadonlySet<string> = new Set<OperationName>(['worker.list', 'project.show', 'doctor']);

export function changesUntold(name: string): boolean {
  return withoutEvents.has(name);
}

export function operationsTouchedBy(event: {
  readonly type: string;
  readonly data?: unknown;
}): readonly OperationName[] {
  if (event.type === 'commission.journal') return isCommissionWork(event.data) ? ['commission.diff'] : [];
  const ofType = byType[event.type];
  if (ofType !== undefined) return ofType;
  const piece = (event.data as { readonly event?: { readonly type?: unknown } } | undefined)?.event?.type;
  if (streamed.has(event.type) && !ends.includes(piece)) return isWork(event.data) ? ofWork : [];
  return byNoun[event.type.split('.', 1)[0] ?? ''] ?? [];
}
