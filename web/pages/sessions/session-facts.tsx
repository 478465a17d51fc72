/** The head's quiet line: how the session stands, whose it is, what it used. */
import { Link } from '@tanstack/react-router';
import { infoOf } from '../../../src/features/sessions/fold/reading.ts';
import { StateMark } from '../../kit/state-mark.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { type SessionStore, useShownSession } from '../../state/agent-session.ts';
import { sessionMark } from '../../kit/session-words.ts';

export function SessionFacts({ project, store }: { readonly project: string; readonly store: SessionStore }) {
  const state = useShownSession(store, ({ view }) => (view ? infoOf(view.session).state : undefined));
  const agent = useShownSession(store, ({ view }) => view?.session.agent);
  const title = useShownSession(store, ({ view }) => view?.session.title);
  const isInContext = useShownSession(store, ({ view }) => (view?.session.metaContext ?? null) !== null);
  if (state === undefined || title === undefined) return null;
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1 text-13 text-faint phone:gap-x-4">
      <StateMark {...sessionMark(state)} />
      {isInContext && (
        <span dir="auto" className="min-w-0 truncate text-soft">
          {plainTitle(title)}
        </span>
      )}
      <span>{agent}</span>
      <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline max-phone:hidden">
        {project}
      </Link>
    </div>
  );
}
