/** Beside the talk: what it is about, what came out of it, which files changed, what happened. */
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Section } from '../../kit/layout.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { Log } from './log.tsx';

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
      {isAgendaNew && meeting.status !== 'requested' && (
        <Section title="Agenda">
          <div className="text-13 [&_.prose]:font-sans [&_.prose]:text-13">
            <Markdown text={meeting.agenda} addressOf={addressOf} />
          </div>
        </Section>
      )}
      {meeting.referencedArtifacts.length > 0 && (
        <Section title="About" count={meeting.referencedArtifacts.length}>
          <Paths project={meeting.project} paths={meeting.referencedArtifacts} />
        </Section>
      )}
      <Log entries={meeting.log} />
    </>
  );
}

/** Artifacts by their paths: the last part is what one reads. */
export function Paths({ project, paths }: { readonly project: string; readonly paths: readonly string[] }) {
  return (
    <ul className="flex flex-col">
      {paths.map((path) => (
        <li key={path}>
          <Link
            to="/projects/$project/artifacts/$"
            params={{ project, _splat: path }}
            title={path}
            className="-mx-2 flex min-h-8 items-center gap-2 rounded-md px-2 text-13 text-ink hover:bg-hover"
          >
            <FileText aria-hidden size={14} className="shrink-0 text-faint" />
            <PathName path={path} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function PathName({ path }: { readonly path: string }): ReactNode {
  const parts = path.split('/');
  const name = parts.pop() ?? path;
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="truncate">{name}</span>
      <span className="min-w-0 shrink-[3] truncate text-12 text-faint">{parts.join('/')}</span>
    </span>
  );
}
