/** What Tab offers for sessions and contexts. */
import type { MetaContextList } from '../features/contexts/contract.ts';
import type { SessionAgent, SessionInfo, SessionList, SessionView } from '../features/sessions/contract.ts';
import type { ProjectList } from '../features/projects/contract.ts';
import {
  type Candidate,
  type CandidateSource,
  idCandidates,
  type Question,
} from '../interfaces/cli/completion/candidates.ts';

const isOpen = ({ state }: SessionInfo): boolean => state !== 'closed' && state !== 'unreadable';
const isBusy = ({ state }: SessionInfo): boolean => state === 'running' || state === 'waiting';

/** Which sessions a verb is for. */
const verbs: Readonly<Record<string, (session: SessionInfo) => boolean>> = {
  say: isOpen,
  choose: isOpen,
  rename: isOpen,
  close: isOpen,
  cancel: isBusy,
  withdraw: isBusy,
  answer: ({ state }) => state === 'waiting',
  reopen: ({ state }) => state === 'closed',
  show: () => true,
  messages: () => true,
  changes: () => true,
  image: () => true,
  export: () => true,
  remove: () => true,
};

export const sessionCandidates: Readonly<Record<string, CandidateSource>> = {
  ...Object.fromEntries(Object.entries(verbs).map(([verb, fits]) => [`session.${verb}.id`, sessionsThat(fits)])),
  'session.switch.sessionId': wholeIds,
  'session.answer.option': options,
  'session.choose.choice': async (question) =>
    (await choicesOf(question)).map(({ id, name }) => ({ value: id, about: name })),
  'session.choose.option': chosen,
  'session.new.agent': agents,
  'next.click.agent': agents,
  'next.click.metaContext': contexts,
  'context.show.name': contexts,
  'context.export.name': contexts,
};

async function sessionsIn({ client, given }: Question): Promise<readonly SessionInfo[]> {
  const { projects } = (await client.call('project.list', {})) as ProjectList;
  const names = given['project'] === undefined ? projects.map(({ name }) => name) : [given['project']];
  const lists = await Promise.all(names.map(async (project) => client.call('session.list', { project })));
  return (lists as SessionList[]).flatMap(({ sessions }) => sessions);
}

function sessionsThat(fits: (session: SessionInfo) => boolean): CandidateSource {
  return async (question) => {
    const rows = (await sessionsIn(question)).map((session) => ({
      id: session.id,
      about: session.title,
      fits: fits(session),
    }));
    return idCandidates(rows, question.typed);
  };
}

async function wholeIds(question: Question): Promise<Candidate[]> {
  return (await sessionsIn(question)).map(({ id, title }) => ({ value: id, about: title }));
}

async function viewOf({ client, given }: Question): Promise<SessionView['session'] | undefined> {
  const id = given['id'] ?? '';
  return id === '' ? undefined : ((await client.call('session.show', { id })) as SessionView).session;
}

/** Of the question that waits. */
async function options(question: Question): Promise<Candidate[]> {
  const parts = (await viewOf(question))?.messages.flatMap((message) =>
    message.role === 'agent' ? message.parts : [],
  );
  const asked = parts?.find((part) => part.type === 'permission' && part.outcome === null);
  return asked?.type === 'permission' ? asked.options.map(({ id, name }) => ({ value: id, about: name })) : [];
}

async function choicesOf(question: Question): Promise<SessionView['session']['choices']> {
  return (await viewOf(question))?.choices ?? [];
}

async function chosen(question: Question): Promise<Candidate[]> {
  const choice = (await choicesOf(question)).find(({ id }) => id === question.given['choice']);
  return (choice?.options ?? []).map(({ id, description }) => ({ value: id, about: description }));
}

async function agents({ client }: Question): Promise<Candidate[]> {
  const answer = (await client.call('session.agents', {})) as { agents: readonly SessionAgent[] };
  return answer.agents.map(({ name, title }) => ({ value: name, about: title }));
}

async function contexts({ client }: Question): Promise<Candidate[]> {
  const answer = (await client.call('context.list', {})) as MetaContextList;
  return answer.contexts.map(({ name, project }) => ({ value: name, about: project }));
}
