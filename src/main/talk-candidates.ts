/** What Tab offers for terminals and conversations. */
import type { ConversationList } from '../features/gatherings/contract.ts';
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
