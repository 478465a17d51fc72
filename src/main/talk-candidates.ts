/** What Tab offers for terminals, conversations and gatherings. */
import type { ConversationList } from '../features/gatherings/contract.ts';
import type { GatheringList, GatheringRow, RhythmList } from '../features/gatherings/contract/gathering-views.ts';
import type { TerminalList, TerminalView } from '../features/terminals/contract.ts';
import { type Candidate, type CandidateSource, idCandidates } from '../interfaces/cli/completion/candidates.ts';

const lives = ({ end }: TerminalView): boolean => end === null;

export const talkCandidates: Readonly<Record<string, CandidateSource>> = {
  ...Object.fromEntries(
    ['type', 'resize', 'end', 'attach'].map((verb) => [`terminal.${verb}.id`, terminalsThat(lives, false)]),
  ),
  'terminal.send.sessionId': terminalsThat(lives, false),
  'terminal.show.id': terminalsThat(() => true, true),
  'terminal.start.command': entries,
  'conversation.start.first': terminalsThat(({ conversation }) => conversation === null, false),
  'conversation.start.second': terminalsThat(({ conversation }) => conversation === null, false),
  'conversation.show.id': conversationsThat(() => true),
  'conversation.end.id': conversationsThat((state) => state !== 'ended'),
  'conversation.extend.id': conversationsThat((state) => state !== 'ended'),
  ...Object.fromEntries(
    ['join', 'say', 'pass', 'typing', 'end'].map((verb) => [`gathering.${verb}.id`, gatheringsThat(isOpen)]),
  ),
  'gathering.show.id': gatheringsThat(() => true),
  'gathering.status.id': gatheringsThat(() => true),
  'gathering.pass.to': speakers,
  'gathering.start.rhythm': rhythms,
  'gathering.start.participants': afterComma(members),
  'gathering.start.harvester': members,
};

/** The living by their names, the ended by their ids. */
function terminalsThat(fits: (terminal: TerminalView) => boolean, all: boolean): CandidateSource {
  return async ({ client }) => {
    const { terminals } = (await client.call('terminal.list', { all })) as TerminalList;
    return terminals.filter(fits).map((view) => ({
      value: lives(view) ? view.name : view.id,
      about: `${view.entry ?? view.command[0]}, ${view.status}`,
    }));
  };
}

async function entries({ client }: Parameters<CandidateSource>[0]): Promise<Candidate[]> {
  const { entries: known } = (await client.call('terminal.list', {})) as TerminalList;
  return known.map(({ name, about }) => ({ value: name, about }));
}

function conversationsThat(fits: (state: string) => boolean): CandidateSource {
  return async ({ client, typed }) => {
    const { conversations } = (await client.call('conversation.list', {})) as ConversationList;
    const rows = conversations.map(({ id, members, state }) => ({
      id,
      about: members.map(({ name }) => name).join(', '),
      fits: fits(state),
    }));
    return idCandidates(rows, typed);
  };
}

function isOpen({ stage }: GatheringRow): boolean {
  return stage !== 'closed';
}

function gatheringsThat(fits: (gathering: GatheringRow) => boolean): CandidateSource {
  return async ({ client, typed }) => {
    const { gatherings } = (await client.call('gathering.list', {})) as GatheringList;
    const rows = gatherings.map((row) => ({ id: row.id, about: row.question, fits: fits(row) }));
    return idCandidates(rows, typed);
  };
}

/** Of the gathering that is named, else of the only one that runs. */
async function speakers({ client, given }: Parameters<CandidateSource>[0]): Promise<Candidate[]> {
  const { gatherings } = (await client.call('gathering.list', {})) as GatheringList;
  const open = gatherings.filter(isOpen);
  const wanted = given['id'];
  const meant = wanted === undefined ? open : open.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted));
  if (meant.length !== 1) return [];
  const here = meant[0]!.seats.filter(({ role, state }) => role === 'speaker' && state === 'here');
  return here.map(({ name, number }) => ({ value: name, about: `number ${number}` }));
}

async function rhythms({ client }: Parameters<CandidateSource>[0]): Promise<Candidate[]> {
  const { rhythms: known } = (await client.call('gathering.rhythms', {})) as RhythmList;
  return known.map(({ name, title }) => ({ value: name, about: title }));
}

/** Who may sit in one: what runs and takes part in nothing, and agents that can be started. */
async function members({ client }: Parameters<CandidateSource>[0]): Promise<Candidate[]> {
  const { terminals, entries: known } = (await client.call('terminal.list', {})) as TerminalList;
  const free = terminals.filter((view) => lives(view) && view.conversation === null && view.entry !== 'shell');
  const running = free.map(({ name, status }) => ({ value: name, about: status }));
  const agents = known.filter(({ name }) => name !== 'shell');
  return [...running, ...agents.map(({ name, about }) => ({ value: name, about: `start it: ${about}` }))];
}

/** `Ada,B` → `Ada,Ben`: what stands there already is not offered again. */
function afterComma(source: CandidateSource): CandidateSource {
  return async (question) => {
    const before = question.typed.slice(0, question.typed.lastIndexOf(',') + 1);
    const taken = new Set(before.split(','));
    const known = await source(question);
    return known.flatMap(({ value, about }) => (taken.has(value) ? [] : [{ value: `${before}${value}`, about }]));
  };
}
