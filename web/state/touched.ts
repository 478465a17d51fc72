/** Which reads an event makes untrue. Pure. */
import type { OperationName } from './operations.ts';

const ofHall: readonly OperationName[] = ['overview', 'inbox.list'];
const ofMeetings: readonly OperationName[] = ['meeting.list', 'meeting.show', 'meeting.artifact', 'meeting.diff'];
const ofArtifacts: readonly OperationName[] = ['artifact.list', 'artifact.show'];
const ofProjects: readonly OperationName[] = ['project.list', 'project.show'];

/** Pieces of an answer come by the hundred and change no list. The end of one does: the meeting waits then. */
const streamed = new Set(['meeting.turn', 'meeting.agent_retry']);
const ends: readonly unknown[] = ['turn_end', 'error'];

const byNoun: Readonly<Record<string, readonly OperationName[]>> = {
  meeting: [...ofHall, ...ofMeetings, ...ofArtifacts, 'project.show'],
  artifact: [...ofArtifacts, 'overview', 'project.show'],
  inbox: ofHall,
  project: [...ofHall, 'status', ...ofProjects, ...ofArtifacts, ...ofMeetings],
  config: [...ofHall, ...ofProjects, 'config.show', 'doctor', 'status'],
  signin: ['signin.list'],
  worker: ['worker.list'],
};

export function operationsTouchedBy(event: {
  readonly type: string;
  readonly data?: unknown;
}): readonly OperationName[] {
  const piece = (event.data as { readonly event?: { readonly type?: unknown } } | undefined)?.event?.type;
  if (streamed.has(event.type) && !ends.includes(piece)) return [];
  return byNoun[event.type.split('.', 1)[0] ?? ''] ?? [];
}
