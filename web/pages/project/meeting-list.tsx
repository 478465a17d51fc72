/** The meetings of a project: what is open and asked for first, what is over behind a fold. */
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { rowClass, Rows, RowText } from '../../kit/rows.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Empty } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { activityMark } from '../../kit/activity-mark.tsx';
import { ShowMore } from '../../kit/show-more.tsx';

type List = OutputOf<'meeting.list'>;
type Meeting = List['meetings'][number];
type Running = OutputOf<'overview'>['running'];

/** So many of what is over are shown before the rest is asked for. */
const overAtFirst = 5;

export interface MeetingListProps {
  readonly project: string;
  readonly list: List;
  /** What is under way in the project: says of an open meeting whose turn it is. Undefined until it is read. */
  readonly running: Running | undefined;
  readonly onOpen: () => void;
}

export function MeetingList({ project, list, running, onOpen }: MeetingListProps) {
  const [isAll, setAll] = useState(false);
  const isOver = ({ status, merge }: Meeting) =>
    status === 'declined' || (status === 'closed' && merge.state !== 'merge_conflict');
  const alive = list.meetings.filter((meeting) => !isOver(meeting));
  const over = list.meetings.filter(isOver);
  if (list.meetings.length === 0 && list.problems.length === 0) {
    return (
      <Empty icon={MessagesSquare} action={<Button onClick={onOpen}>Open the first meeting</Button>}>
        No meeting yet. Ask a worker something about this project; what comes out is kept as notes.
      </Empty>
    );
  }
  const shownOver = isAll ? over : over.slice(0, overAtFirst);
  return (
    <>
      <Rows label="Meetings">
        {[...alive, ...shownOver].map((meeting) => (
          <li key={meeting.id}>
            <Link
              to="/projects/$project/meetings/$id"
              params={{ project, id: meeting.id }}
              data-row
              className={rowClass}
            >
              <RowText
                mark={<WorkerGlyph name={meeting.worker} size={24} />}
                title={meeting.title}
                detail={meeting.worker}
                facts={
                  <>
                    {markOf(meeting, running)}
                    <TimeAgo at={meeting.log.at(-1)?.timestamp ?? meeting.date} />
                  </>
                }
              />
            </Link>
          </li>
        ))}
      </Rows>
      {over.length > shownOver.length && (
        <ShowMore shown={alive.length + shownOver.length} onShow={() => setAll(true)}>
          {`${over.length - shownOver.length} more that are over`}
        </ShowMore>
      )}
      {list.problems.map(({ file, line, message }) => (
        <p key={`${file}:${line}`} className="text-13 text-soft">
          <span className="text-failed">▲ Cannot be read:</span>{' '}
          <code className="font-mono text-12">
            {file}:{line}
          </code>{' '}
          {message}
        </p>
      ))}
    </>
  );
}

function markOf({ id, status, merge }: Meeting, running: Running | undefined): ReactNode {
  if (merge.state === 'merge_conflict') return <StateMark kind="failed" word="conflict" />;
  switch (status) {
    case 'open': {
      const now = running?.find((activity) => activity.kind === 'meeting' && activity.id === id);
      return now && activityMark(now.state);
    }
    case 'requested':
      return <StateMark kind="waiting" word="requested" />;
    case 'closed':
      return <StateMark kind="done" word={merge.state === 'dismissed' ? 'closed, not merged' : 'closed'} />;
    case 'declined':
      return <StateMark kind="done" word="declined" />;
    case null:
      return <StateMark kind="failed" word="unreadable state" />;
  }
}
