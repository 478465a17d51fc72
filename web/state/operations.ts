/** The operations that the pages call, with their types: taken from the descriptions, so that both sides agree. */
import type { z } from 'zod';
import type * as artifacts from '../../src/features/artifacts/contract.ts';
import type * as briefings from '../../src/features/briefing/contract.ts';
import type * as commissions from '../../src/features/commissions/descriptions.ts';
import type * as conversations from '../../src/features/gatherings/descriptions.ts';
import type * as doctors from '../../src/features/doctor/contract.ts';
import type * as inboxes from '../../src/features/inbox/contract.ts';
import type * as meetings from '../../src/features/meetings/descriptions.ts';
import type * as overviews from '../../src/features/overview/contract.ts';
import type * as projects from '../../src/features/projects/contract.ts';
import type * as halls from '../../src/features/hall/contract.ts';
import type * as signIns from '../../src/features/signins/contract.ts';
import type * as terminals from '../../src/features/terminals/descriptions.ts';
import type * as workers from '../../src/features/workers/contract.ts';
import type { OperationDescription } from '../../src/kernel/pure/operations.ts';

interface Shape<Description> {
  readonly input: Description extends OperationDescription<infer Input, z.ZodType> ? z.input<Input> : never;
  readonly output: Description extends OperationDescription<z.ZodType, infer Output> ? z.output<Output> : never;
}

export interface Operations {
  readonly 'artifact.edit': Shape<typeof artifacts.artifactEdit>;
  readonly 'artifact.list': Shape<typeof artifacts.artifactList>;
  readonly 'artifact.show': Shape<typeof artifacts.artifactShow>;
  readonly 'briefing.show': Shape<typeof briefings.briefingShow>;
  readonly 'commission.answer': Shape<typeof commissions.commissionAnswer>;
  readonly 'commission.cancel': Shape<typeof commissions.commissionCancel>;
  readonly 'commission.comment': Shape<typeof commissions.commissionComment>;
  readonly 'commission.create': Shape<typeof commissions.commissionCreate>;
  readonly 'commission.diff': Shape<typeof commissions.commissionDiff>;
  readonly 'commission.dismiss': Shape<typeof commissions.commissionDismiss>;
  readonly 'commission.dispatch': Shape<typeof commissions.commissionDispatch>;
  readonly 'commission.edit': Shape<typeof commissions.commissionEdit>;
  readonly 'commission.graph': Shape<typeof commissions.commissionGraph>;
  readonly 'commission.hold': Shape<typeof commissions.commissionHold>;
  readonly 'commission.list': Shape<typeof commissions.commissionList>;
  readonly 'commission.logs': Shape<typeof commissions.commissionLogs>;
  readonly 'commission.merge': Shape<typeof commissions.commissionMerge>;
  readonly 'commission.redispatch': Shape<typeof commissions.commissionRedispatch>;
  readonly 'commission.review': Shape<typeof commissions.commissionReview>;
  readonly 'commission.show': Shape<typeof commissions.commissionShow>;
  readonly 'config.show': Shape<typeof doctors.configShow>;
  readonly 'conversation.end': Shape<typeof conversations.conversationEnd>;
  readonly 'conversation.extend': Shape<typeof conversations.conversationExtend>;
  readonly 'conversation.list': Shape<typeof conversations.conversationList>;
  readonly 'conversation.show': Shape<typeof conversations.conversationShow>;
  readonly 'conversation.start': Shape<typeof conversations.conversationStart>;
  readonly doctor: Shape<typeof doctors.doctor>;
  readonly 'inbox.act': Shape<typeof inboxes.inboxAct>;
  readonly 'inbox.list': Shape<typeof inboxes.inboxList>;
  readonly 'meeting.accept': Shape<typeof meetings.meetingAccept>;
  readonly 'meeting.artifact': Shape<typeof meetings.meetingArtifact>;
  readonly 'meeting.close': Shape<typeof meetings.meetingClose>;
  readonly 'meeting.decline': Shape<typeof meetings.meetingDecline>;
  readonly 'meeting.defer': Shape<typeof meetings.meetingDefer>;
  readonly 'meeting.diff': Shape<typeof meetings.meetingDiff>;
  readonly 'meeting.dismiss': Shape<typeof meetings.meetingDismiss>;
  readonly 'meeting.interrupt': Shape<typeof meetings.meetingInterrupt>;
  readonly 'meeting.list': Shape<typeof meetings.meetingList>;
  readonly 'meeting.notes': Shape<typeof meetings.meetingNotes>;
  readonly 'meeting.open': Shape<typeof meetings.meetingOpen>;
  readonly 'meeting.rename': Shape<typeof meetings.meetingRename>;
  readonly 'meeting.say': Shape<typeof meetings.meetingSay>;
  readonly 'meeting.show': Shape<typeof meetings.meetingShow>;
  readonly overview: Shape<typeof overviews.overview>;
  readonly 'project.add': Shape<typeof projects.projectAdd>;
  readonly 'project.list': Shape<typeof projects.projectList>;
  readonly 'project.remove': Shape<typeof projects.projectRemove>;
  readonly 'project.sample': Shape<typeof projects.projectSample>;
  readonly 'project.show': Shape<typeof projects.projectShow>;
  readonly 'project.sync': Shape<typeof projects.projectSync>;
  readonly 'signin.link': Shape<typeof signIns.signInLink>;
  readonly 'signin.list': Shape<typeof signIns.signInList>;
  readonly 'signin.revoke': Shape<typeof signIns.signInRevoke>;
  readonly status: Shape<typeof halls.statusShow>;
  readonly 'terminal.end': Shape<typeof terminals.terminalEnd>;
  readonly 'terminal.list': Shape<typeof terminals.terminalList>;
  readonly 'terminal.send': Shape<typeof terminals.terminalSend>;
  readonly 'terminal.show': Shape<typeof terminals.terminalShow>;
  readonly 'terminal.start': Shape<typeof terminals.terminalStart>;
  readonly 'terminal.type': Shape<typeof terminals.terminalType>;
  readonly 'worker.list': Shape<typeof workers.workerList>;
}

export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Operations[Name]['input'];
export type OutputOf<Name extends OperationName> = Operations[Name]['output'];
