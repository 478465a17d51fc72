/** Which reads an event makes untrue. Pure. */
import type { OperationName } from './operations.ts';

const ofHall: readonly OperationName[] = ['overview', 'inbox.list'];
const ofMeetings: readonly OperationName[] = ['meeting.list', 'meeting.show'];
const ofArtifacts: readonly OperationName[] = ['artifact.list', 'artifact.show'];
const ofProjects: readonly OperationName[] = ['project.list', 'project.show'];

/** Pieces of an answer come by the hundred and change no list. */
const streamed = new Set(['meeting.turn', 'meeting.agent_retry']);

const byNoun: Readonly<Record<string, readonly OperationName[]>> = {
  meeting: [...ofHall, ...ofMeetings, ...ofArtifacts, 'project.show'],
  artifact: [...ofArtifacts, 'overview', 'project.show'],
  inbox: ['inbox.list'],
  project: [...ofHall, 'status', ...ofProjects, ...ofArtifacts, ...ofMeetings],
  config: [...ofHall, ...ofProjects, 'config.show', 'doctor', 'status'],
  signin: ['signin.list'],
  worker: ['worker.list'],
};

export function operationsTouchedBy(eventType: string): readonly OperationName[] {
  if (streamed.has(eventType)) return [];
  return byNoun[eventType.split('.', 1)[0] ?? ''] ?? [];
}
