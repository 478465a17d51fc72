/**
 * What the command line knows without a hall: every operation's description, in the order of its help. To add a
 * feature: its descriptions here, its bound operations in `features.ts`, its renderers in `renderers.ts`.
 */
import { artifactEdit, artifactList, artifactShow } from '../features/artifacts/contract.ts';
import { configCheck, type ConfigChecked, configShow, doctor, type DoctorReport } from '../features/doctor/contract.ts';
import { projectConflicts } from '../features/forecast/contract.ts';
import { briefingShow } from '../features/briefing/contract.ts';
import {
  deliver,
  deliveryDismiss,
  deliveryList,
  deliveryOpen,
  deliveryPropose,
  deliveryShow,
} from '../features/deliveries/contract.ts';
import { inboxAct, inboxList, inboxShortcuts } from '../features/inbox/contract.ts';
import * as councils from '../features/councils/descriptions.ts';
import * as conversations from '../features/gatherings/descriptions.ts';
import { gatheringDescriptions } from '../features/gatherings/descriptions/gatherings.ts';
import * as commissions from '../features/commissions/descriptions.ts';
import * as meetings from '../features/meetings/descriptions.ts';
import { overview } from '../features/overview/contract.ts';
import { search } from '../features/search/contract.ts';
import {
  projectAdd,
  projectList,
  projectRemove,
  projectSample,
  projectShow,
  projectSync,
} from '../features/projects/contract.ts';
import type { TerminalSent } from '../features/terminals/contract.ts';
import { terminalDescriptions } from '../features/terminals/descriptions.ts';
import { workerList, workerNew, workerShow } from '../features/workers/contract.ts';
import { signInLink, signInList, signInRevoke } from '../features/signins/contract.ts';
import { followCommissionLogs } from '../interfaces/cli/commission-logs.ts';
import { followCommissionWait } from '../interfaces/cli/commission-wait.ts';
import { followCouncil, runCouncil } from '../interfaces/cli/council-follow.ts';
import { followNext } from '../interfaces/cli/council-next.ts';
import { followGathering, startAndFollowGathering } from '../interfaces/cli/gathering-follow.ts';
import { followClick, followNew, followSaid } from '../interfaces/cli/session-follow.ts';
import { followAttach } from '../interfaces/cli/terminal-attach.ts';
import type { AnswerFollow, TurnFollow } from '../interfaces/cli/follow.ts';
import type { CliParts, Verdict } from '../interfaces/cli/parts.ts';
import type { RouteAlias } from '../interfaces/http/app.ts';
import type { OperationDescription } from '../kernel/pure/operations.ts';
import * as contexts from '../features/contexts/descriptions.ts';
import * as sessions from '../features/sessions/descriptions.ts';
import { statusShow } from '../features/hall/contract.ts';

export const descriptions: readonly OperationDescription[] = [
  statusShow,
  overview,
  briefingShow,
  inboxList,
  ...inboxShortcuts.map(({ description }) => description),
  inboxAct,
  projectAdd,
  projectSample,
  projectList,
  projectShow,
  projectRemove,
  projectSync,
  projectConflicts,
  workerList,
  workerShow,
  workerNew,
  meetings.meetingOpen,
  meetings.meetingSay,
  meetings.meetingRequest,
  meetings.meetingList,
  meetings.meetingShow,
  meetings.meetingArtifact,
  meetings.meetingDiff,
  meetings.meetingInterrupt,
  meetings.meetingNotes,
  meetings.meetingClose,
  meetings.meetingAccept,
  meetings.meetingDecline,
  meetings.meetingDefer,
  meetings.meetingRename,
  meetings.meetingDismiss,
  commissions.commissionCreate,
  commissions.commissionDispatch,
  commissions.commissionList,
  commissions.commissionShow,
  commissions.commissionGraph,
  commissions.commissionLogs,
  commissions.commissionWait,
  commissions.commissionDiff,
  commissions.commissionEdit,
  commissions.commissionHold,
  commissions.commissionCancel,
  commissions.commissionRedispatch,
  commissions.commissionAnswer,
  commissions.commissionComment,
  commissions.commissionReview,
  commissions.commissionMerge,
  commissions.commissionDismiss,
  councils.councilRun,
  councils.councilResume,
  councils.councilAnswer,
  councils.councilList,
  councils.councilShow,
  councils.councilNext,
  councils.councilPin,
  councils.councilInterrupt,
  sessions.sessionNew,
  sessions.sessionSay,
  sessions.sessionList,
  sessions.sessionShow,
  sessions.sessionSwitch,
  sessions.sessionMessages,
  sessions.sessionAnswer,
  sessions.sessionCancel,
  sessions.sessionWithdraw,
  sessions.sessionChoose,
  sessions.sessionChanges,
  sessions.sessionImage,
  sessions.sessionExport,
  sessions.sessionRename,
  sessions.sessionClose,
  sessions.sessionReopen,
  sessions.sessionRemove,
  sessions.sessionAgents,
  contexts.nextClick,
  contexts.contextList,
  contexts.contextShow,
  contexts.contextExport,
  ...terminalDescriptions,
  conversations.conversationStart,
  conversations.conversationList,
  conversations.conversationShow,
  conversations.conversationEnd,
  conversations.conversationExtend,
  ...gatheringDescriptions,
  deliver,
  deliveryPropose,
  deliveryList,
  deliveryShow,
  deliveryOpen,
  deliveryDismiss,
  artifactList,
  artifactShow,
  artifactEdit,
  search,
  doctor,
  configShow,
  configCheck,
  signInList,
  signInLink,
  signInRevoke,
];

/** What a noun is about, for `guild-hall --help`. */
export const nounSummaries: Readonly<Record<string, string>> = {
  project: 'The git repositories that the hall works in',
  artifact: 'What was written down: Markdown under .lore/',
  inbox: 'What waits for you, in one list',
  briefing: 'How the work stands, in a few lines',
  delivery: 'What the workers made, on its way to a pull request',
  config: 'The settings in config.yaml',
  meeting: 'Talk with one worker',
  commission: 'Jobs that a worker does by itself, and what came of them',
  session: 'Talk with a coding agent in your own checkout, prompt by prompt',
  context: 'Sessions of one piece of work, carried from phase to phase',
  next: 'The way to the next phase: what a button in an answer does',
  terminal: 'Programs that go on by themselves: agents and shells, to watch, type into and talk with',
  conversation: 'Two terminals talk with each other',
  gathering: 'Agents and you speak in turns by a talking piece, one harvests',
  council: 'Several agents discuss a charter in turns, and you decide at every yield',
  worker: 'Who can be met',
  signin: 'The browsers that are let in',
};

/** Under which headings `guild-hall --help` lists them; what is named nowhere comes where there are no words. */
export const commandGroups: CliParts['groups'] = [
  { heading: 'The hall', words: ['up', 'down', 'open', 'status', 'logs', 'doctor', 'config', 'signin'] },
  { heading: 'What you do', words: [] },
  { heading: 'For shells and programs', words: ['mcp', 'rule', 'completion', 'openapi', 'help'] },
];

export const firstSteps: CliParts['firstSteps'] = [
  { line: 'guild-hall up --detach', does: 'starts the hall' },
  { line: 'guild-hall project add .', does: 'registers this repository' },
  { line: 'guild-hall meeting open --worker researcher "…"', does: 'asks the researcher' },
  { line: 'guild-hall session new "…"', does: 'talks with a coding agent in this checkout' },
];

const followMeeting: TurnFollow = {
  subjectOf: (id) => `meeting:${id}`,
  eventType: 'meeting.turn',
  interrupt: 'meeting.interrupt',
  over: ['meeting.closed', 'meeting.merge_conflict'],
  goOn: (id) => `guild-hall meeting say ${id} "…"`,
  show: (id) => `guild-hall meeting show ${id}`,
};

/** Operations that send something and then show the answer as it comes. */
export const follows: Readonly<Record<string, TurnFollow | AnswerFollow>> = {
  'meeting.open': followMeeting,
  'meeting.say': followMeeting,
  'meeting.accept': followMeeting,
  'commission.logs': followCommissionLogs,
  'commission.wait': followCommissionWait,
  'council.run': runCouncil,
  'council.resume': followCouncil,
  'council.answer': followCouncil,
  'council.next': followNext,
  'session.new': followNew,
  'session.say': followSaid,
  'next.click': followClick,
  'terminal.attach': followAttach,
  'gathering.start': startAndFollowGathering,
  'gathering.join': followGathering,
};

/** What operations that may take long are waiting for. */
export const waits: CliParts['waits'] = {
  'meeting.open': 'a worktree for the meeting',
  'meeting.accept': 'a worktree for the meeting',
  'meeting.notes': 'the notes',
  'meeting.close': 'the notes and the merge',
  'commission.create': 'the commission to be written down',
  'commission.dispatch': 'a worktree and the worker’s process',
  'commission.redispatch': 'a new worktree and the worker’s process',
  'commission.cancel': 'the worker to stop',
  'commission.merge': 'the check and the merge',
  'council.run': 'the council to be written down',
  'session.new': 'the agent to start',
  'next.click': 'the agent to start',
  'session.close': 'the agent to end',
  'terminal.start': 'the terminal',
  'terminal.send': 'the terminal to take it',
  'terminal.end': 'its programs to end',
  'gathering.start': 'all members to be there',
  'briefing.show': 'the words of the model',
  'delivery.open': 'the push and the pull request',
  search: 'the texts to be read',
  'project.add': 'git to make the hall’s branch and checkout',
  'project.sample': 'git to make the sample',
  'project.remove': 'git to take the checkout away',
  'project.sync': 'git to merge your branch',
};

/** Operations whose answer a script has to be able to tell from good news. */
export const verdicts: Readonly<Record<string, Verdict>> = {
  doctor: {
    isBad: ({ healthy }: DoctorReport) => !healthy,
    code: 'conflict',
    when: 'there is something to mend',
  },
  'config.check': {
    isBad: ({ problems }: ConfigChecked) => problems.length > 0,
    code: 'conflict',
    when: 'something in the file cannot be understood',
  },
  'terminal.send': {
    isBad: ({ receipt }: TerminalSent) => receipt.state === 'failed',
    code: 'unavailable',
    when: 'the terminal did not take the message',
  },
};

/** Paths of their own for operations. */
export const routeAliases: readonly RouteAlias[] = [
  { method: 'POST', path: '/meetings', operation: 'meeting.open' },
  { method: 'POST', path: '/meetings/:id/messages', operation: 'meeting.say' },
  { method: 'DELETE', path: '/meetings/:id', operation: 'meeting.close' },
];
