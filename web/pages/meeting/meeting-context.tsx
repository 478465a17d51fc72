/** Beside the talk: what it is about, what came out of it, which files changed, what happened. */
import { Link } from '@tanstack/react-router';
import { Section } from '../../kit/layout.tsx';
import { type AddressOf, Markdown } from '../../kit/markdown/markdown.tsx';
import { ArtifactLink } from '../../kit/path-name.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { TimeAgo } from '../../kit/time.tsx';
import { useShown } from '../../state/conversation.ts';
import { useRead } from '../../state/hall.tsx';
import { Log } from './log.tsx';
import { Work } from './work.tsx';

export interface MeetingContextProps {
  readonly store: ConversationStore;
  readonly addressOf: AddressOf;
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
      {meeting.merge.state === 'merged' && <MergedAs project={meeting.project} id={meeting.id} path={meeting.path} />}
    </>
  );
}

/** The one commit in which the work came to the project: the newest of the record that bears the meeting's name. */
function MergedAs({ project, id, path }: { readonly project: string; readonly id: string; readonly path: string }) {
  const { data } = useRead('artifact.show', { project, path });
  const merge = data?.history.find(({ activity }) => activity?.kind === 'meeting' && activity.id === id);
  if (merge === undefined) return null;
  return (
    <Section title="Merged">
      <p className="text-13 text-soft">
        As commit <code className="font-mono text-12 text-ink">{merge.commit}</code>, <TimeAgo at={merge.at} />. Its{' '}
        <Link
          to="/projects/$project/artifacts/$"
          params={{ project, _splat: path }}
          className="underline hover:text-ink"
        >
          record
        </Link>{' '}
        is an artifact.
      </p>
    </Section>
  );
}
