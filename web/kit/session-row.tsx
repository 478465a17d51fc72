/** A context, or a session that stands alone, as a row: how it stands, and the way to it. */
import { Link } from '@tanstack/react-router';
import { rowClass, RowText } from './rows.tsx';
import type { Entry } from './session-entries.ts';
import { sessionMark } from './session-words.ts';
import { StateMark } from './state-mark.tsx';
import { TimeAgo } from './time.tsx';

export interface EntryRowProps {
  readonly project: string;
  readonly entry: Entry;
  /** From the picker. */
  readonly isHidden?: boolean;
}

export function EntryRow({ project, entry: { id, kind, label, session }, isHidden = false }: EntryRowProps) {
  const detail = kind === 'context' ? session?.title : session?.agent;
  const words = [detail, isHidden ? 'hidden from the picker' : ''].filter(Boolean).join(' · ');
  if (session === undefined) {
    return (
      <Link
        to="/projects/$project/sessions"
        params={{ project }}
        search={{ context: id }}
        className={rowClass}
        data-row
      >
        <RowText title={label} detail="no session of it is left" />
      </Link>
    );
  }
  return (
    <Link
      to="/projects/$project/sessions/$id"
      params={{ project, id: session.id }}
      search={{}}
      className={rowClass}
      data-row
    >
      <RowText
        title={label}
        {...(words !== '' && { detail: words })}
        facts={
          <>
            <StateMark {...sessionMark(session.state)} />
            <TimeAgo at={session.lastAt} />
          </>
        }
      />
    </Link>
  );
}
