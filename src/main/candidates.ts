/** What Tab offers for fields that only the running hall can tell. */
import type { ArtifactList } from '../features/artifacts/contract.ts';
import type { CommissionList, CommissionRow } from '../features/commissions/contract.ts';
import type { CouncilList, CouncilRow, CouncilView } from '../features/councils/contract.ts';
import { readModes } from '../features/councils/knowledge.ts';
import { type InboxList, inboxVerbs } from '../features/inbox/contract.ts';
import type { MeetingList, MeetingRecord } from '../features/meetings/contract.ts';
import type { ProjectList } from '../features/projects/contract.ts';
import type { SignInList } from '../features/signins/contract.ts';
import type { WorkerList } from '../features/workers/contract.ts';
import {
  type Candidate,
  type CandidateSource,
  idCandidates,
  type Question,
} from '../interfaces/cli/completion/candidates.ts';
import { sessionCandidates } from './session-candidates.ts';
import { talkCandidates } from './talk-candidates.ts';

const waits = ({ status }: CommissionRow): boolean => status === 'pending' || status === 'blocked';
const runs = ({ status }: CommissionRow): boolean => status === 'dispatched' || status === 'in_progress';
const isOver = ({ status }: CommissionRow): boolean => status === 'failed' || status === 'cancelled';
const isUnmerged = ({ merge }: CommissionRow): boolean =>
  ['merge_conflict', 'gate_failed', 'secrets'].includes(merge.state);

/** Which commissions a verb is for. */
const commissionVerbs: Readonly<Record<string, (commission: CommissionRow) => boolean>> = {
  edit: waits,
  dispatch: (commission) => commission.status === 'pending' && commission.queuedAt === null,
  hold: (commission) => waits(commission) && commission.queuedAt !== null,
  cancel: (commission) => waits(commission) || runs(commission),
  redispatch: isOver,
  wait: (commission) => runs(commission) || commission.queuedAt !== null,
  answer: (commission) => commission.openQuestions > 0 || runs(commission),
  review: (commission) => commission.status === 'completed' && commission.reviewedAt === null,
  merge: isUnmerged,
  dismiss: isUnmerged,
  comment: ({ attempt }) => attempt > 0,
  diff: ({ attempt }) => attempt > 0,
  logs: ({ attempt }) => attempt > 0,
  show: () => true,
};

/** Which councils a verb is for. */
const councilVerbs: Readonly<Record<string, (council: CouncilRow) => boolean>> = {
  answer: ({ status }) => status === 'asking',
  resume: ({ status }) => ['asking', 'paused', 'halted'].includes(status),
  pin: ({ status, phase }) =>
    status !== 'saved' && status !== 'aborted' && !['CLOSE', 'REVIEW', 'SAVE'].includes(phase),
  interrupt: ({ status }) => status === 'running',
  show: () => true,
};

const isOpen = ({ status }: MeetingRecord): boolean => status === 'open';
const isRequested = ({ status }: MeetingRecord): boolean => status === 'requested';
const isInConflict = ({ merge }: MeetingRecord): boolean => merge.state === 'merge_conflict';

/** By operation and field, else by the field alone. */
export const candidates: Readonly<Record<string, CandidateSource>> = {
  project: projects,
  'project.remove.name': projects,
  worker: workers,
  'worker.show.name': workers,
  'worker.new.from': workers,
  artifacts,
  'artifact.show.path': artifacts,
  'artifact.list.under': folders,
  'artifact.list.status': (question) => wordsOf(question, ({ status }) => status ?? []),
  'artifact.list.tag': (question) => wordsOf(question, ({ tags }) => tags),
  ...Object.fromEntries(
    ['say', 'interrupt', 'notes', 'artifact', 'diff'].map((verb) => [`meeting.${verb}.id`, meetingsThat(isOpen)]),
  ),
  ...Object.fromEntries(
    ['accept', 'decline', 'defer'].map((verb) => [`meeting.${verb}.id`, meetingsThat(isRequested)]),
  ),
  'meeting.close.id': meetingsThat((meeting) => isOpen(meeting) || isInConflict(meeting)),
  'meeting.dismiss.id': meetingsThat(isInConflict),
  'meeting.show.id': meetingsThat(() => true),
  'meeting.rename.id': meetingsThat(() => true),
  ...Object.fromEntries(
    Object.entries(commissionVerbs).map(([verb, fits]) => [`commission.${verb}.id`, commissionsThat(fits)]),
  ),
  ...Object.fromEntries(Object.entries(councilVerbs).map(([verb, fits]) => [`council.${verb}.id`, councilsThat(fits)])),
  'council.run.resume': councilsThat(councilVerbs['resume']!),
  'council.run.invitees': speakers,
  'council.run.mode': modes,
  'council.answer.answer': answers,
  ...talkCandidates,
  ...sessionCandidates,
  depends: dependencies,
  'signin.revoke.id': signIns,
  ...Object.fromEntries(inboxVerbs.map((verb) => [`inbox.${verb}.id`, waitingFor(verb)])),
  'inbox.act.id': waitingFor(undefined),
  'inbox.act.verb': verbsOfItem,
};

/** Items that can be answered so; any for no verb. */
function waitingFor(verb: string | undefined): CandidateSource {
  return async ({ client, typed }) => {
    const { items } = (await client.call('inbox.list', {})) as InboxList;
    return idCandidates(
      items.map(({ id, title, actions }) => ({
        id,
        about: title,
        fits: verb === undefined ? actions.length > 0 : actions.some((action) => action.verb === verb),
      })),
      typed,
    );
  };
}

async function verbsOfItem({ client, given }: Question): Promise<Candidate[]> {
  const { items } = (await client.call('inbox.list', {})) as InboxList;
  const item = items.find(({ id }) => id === given['id'] || id.endsWith(given['id'] ?? '-'));
  return (item?.actions ?? []).map(({ verb, label }) => ({ value: verb, about: label }));
}

async function projects({ client }: Question): Promise<Candidate[]> {
  const { projects: known } = (await client.call('project.list', {})) as ProjectList;
  return known.map(({ name, path }) => ({ value: name, about: path }));
}

async function signIns({ client, typed }: Question): Promise<Candidate[]> {
  const { signIns: known } = (await client.call('signin.list', {})) as SignInList;
  return idCandidates(
    known.map(({ id, origin }) => ({ id, about: origin, fits: true })),
    typed,
  );
}

/** Councillors only where one is meant already: whom a person looks for are the others. */
async function workers({ client, typed }: Question): Promise<Candidate[]> {
  const lists = await Promise.all(
    (typed === '' ? [false] : [false, true]).map(async (councillors) => client.call('worker.list', { councillors })),
  );
  return (lists as WorkerList[]).flatMap((list) =>
    list.workers.map(({ name, displayTitle }) => ({ value: name, about: displayTitle })),
  );
}

function meetingsThat(fits: (meeting: MeetingRecord) => boolean): CandidateSource {
  return async ({ client, typed, given }) => {
    const input = given['project'] === undefined ? {} : { project: given['project'] };
    const { meetings } = (await client.call('meeting.list', input)) as MeetingList;
    return idCandidates(
      meetings.map((meeting) => ({ id: meeting.id, about: meeting.title, fits: fits(meeting) })),
      typed,
    );
  };
}

function commissionsThat(fits: (commission: CommissionRow) => boolean): CandidateSource {
  return async ({ client, typed, given }) => {
    const input = given['project'] === undefined ? {} : { project: given['project'] };
    const { commissions } = (await client.call('commission.list', input)) as CommissionList;
    return idCandidates(
      commissions.map((commission) => ({ id: commission.id, about: commission.title, fits: fits(commission) })),
      typed,
    );
  };
}

function councilsThat(fits: (council: CouncilRow) => boolean): CandidateSource {
  return async ({ client, typed, given }) => {
    const input = given['project'] === undefined ? {} : { project: given['project'] };
    const { councils } = (await client.call('council.list', input)) as CouncilList;
    return idCandidates(
      councils.map((council) => ({ id: council.id, about: council.charter, fits: fits(council) })),
      typed,
    );
  };
}

async function modes(): Promise<Candidate[]> {
  return (await readModes()).map(({ name, bias }) => ({ value: name, about: bias }));
}

/** What the council that is named asks now. */
async function answers({ client, given }: Question): Promise<Candidate[]> {
  const id = given['id'] ?? '';
  if (id === '') return [];
  const { asked } = (await client.call('council.show', { id })) as CouncilView;
  const own = asked?.question.kind === 'yield' ? [{ value: 'interject', about: 'say something yourself' }] : [];
  return [...(asked?.options ?? []).map(({ answer, label }) => ({ value: answer, about: label })), ...own];
}

/** Who may be invited, after those that stand there already: `Theo,V` → `Theo,Vera`. */
async function speakers({ client, typed }: Question): Promise<Candidate[]> {
  const lists = [true, false].map(
    async (councillors) => (await client.call('worker.list', { councillors })) as WorkerList,
  );
  const known = (await Promise.all(lists)).flatMap(({ workers: listed }) => listed);
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  return known
    .filter(({ displayName }) => !before.split(',').includes(displayName))
    .map(({ displayName, displayTitle }) => ({ value: `${before}${displayName}`, about: displayTitle }));
}

/** What a commission can wait for: others that are not completed, and artifacts. */
async function dependencies(question: Question): Promise<Candidate[]> {
  const commissions = await commissionsThat(({ status }) => status !== 'completed')(question);
  return [...commissions, ...(await artifacts(question))];
}

async function artifactsOf({ client, project }: Question): Promise<ArtifactList['artifacts']> {
  const name = await project();
  return ((await client.call('artifact.list', name === undefined ? {} : { project: name })) as ArtifactList).artifacts;
}

async function artifacts(question: Question): Promise<Candidate[]> {
  return (await artifactsOf(question)).map(({ path, title }) => ({ value: path, about: title }));
}

async function folders(question: Question): Promise<Candidate[]> {
  const paths = (await artifactsOf(question)).map(({ path }) => path.split('/').slice(0, -1));
  const all = paths.flatMap((parts) => parts.map((_part, depth) => parts.slice(0, depth + 1).join('/')));
  return [...new Set(all)].toSorted().map((value) => ({ value, about: '' }));
}

async function wordsOf(
  question: Question,
  of: (artifact: ArtifactList['artifacts'][number]) => string | readonly string[],
): Promise<Candidate[]> {
  const words = (await artifactsOf(question)).flatMap((artifact) => of(artifact));
  return [...new Set(words)].toSorted().map((value) => ({ value, about: '' }));
}
