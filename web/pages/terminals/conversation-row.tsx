/** A conversation as one line of a list. */
import { Link } from '@tanstack/react-router';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { rowClass, RowText } from '../../kit/rows.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { conversationState, membersOf, whyEnded, whyPaused } from '../../kit/terminal/conversation-words.ts';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Row = OutputOf<'conversation.list'>['conversations'][number];

export function ConversationLine({ row }: { readonly row: Row }) {
  const { id, members, project, messages, lastAt } = row;
  return (
    <Link to="/conversations/$id" params={{ id }} data-row className={rowClass}>
      <RowText
        mark={
          <span className="flex shrink-0 gap-1">
            {members.slice(0, 2).map(({ name, number }) => (
              <WorkerGlyph key={number} name={name} size={24} />
            ))}
          </span>
        }
        title={membersOf(members)}
        detail={[tellOf(row), project, messages === 1 ? '1 message' : `${messages} messages`]
          .filter(Boolean)
          .join(' · ')}
        facts={
          <>
            <StateMark {...conversationState(row)} />
            <TimeAgo at={lastAt} />
          </>
        }
      />
    </Link>
  );
}

function tellOf({ pause, end, turns, members }: Row): string | undefined {
  const why = end ? whyEnded(end.reason, members) : pause && whyPaused(pause.why, turns);
  return why?.replace(/\.$/, '');
}
