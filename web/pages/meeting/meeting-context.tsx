/** Beside the talk: what it is about, what came out of it, which files changed, what happened. */
import { Section } from '../../kit/layout.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { Log } from './log.tsx';
import { ArtifactLink, Work } from './work.tsx';

export interface MeetingContextProps {
  readonly store: ConversationStore;
  readonly addressOf: (path: string) => string | undefined;
}

export function MeetingContext({ store, addressOf }: MeetingContextProps) {
  const view = useShown(store, (state) => state.view);
  if (view === undefined) return null;
  const { meeting } = view;
  const firstWords = view.turns[0]?.text ?? view.running?.text;
  const agenda = meeting.agenda.trim();
  const isAgendaNew = agenda !== '' && agenda !== firstWords?.trim() && agenda !== meeting.title.trim();
  return (
    <>
      <Work view={view} />
      {isAgendaNew && meeting.status !== 'requested' && (
        <Section title="Agenda">
          <div className="[&_.prose]:font-sans [&_.prose]:text-13">
            <Markdown text={agenda} addressOf={addressOf} />
          </div>
        </Section>
      )}
      {meeting.referencedArtifacts.length > 0 && (
        <Section title="About" count={meeting.referencedArtifacts.length}>
          <ul className="flex flex-col">
            {meeting.referencedArtifacts.map((path) => (
              <li key={path}>
                <ArtifactLink project={meeting.project} path={path} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Log entries={meeting.log} />
    </>
  );
}
