/** The first of what waits for the person; the inbox has all of it, with the answers. */
import { Link } from '@tanstack/react-router';
import { rowClass, Rows, RowText } from '../../kit/rows.tsx';
import { Section } from '../../kit/layout.tsx';
import { InboxMark } from '../../kit/inbox-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';

const shownAtMost = 5;

export function WaitingRows({ inbox }: { readonly inbox: OutputOf<'inbox.list'> }) {
  return (
    <Section
      title="Waits for you"
      count={inbox.items.length}
      action={
        <Link to="/inbox" className="text-13 text-soft hover:text-ink hover:underline">
          All in the inbox
        </Link>
      }
    >
      <Rows label="Waits for you">
        {inbox.items.slice(0, shownAtMost).map((item) => (
          <li key={item.id}>
            <Link to="/inbox" search={{ item: item.id }} data-row className={rowClass}>
              <RowText
                mark={<InboxMark kind={item.kind} />}
                title={item.subject.title}
                detail={[item.title, item.project].filter(Boolean).join(' · ')}
                facts={<TimeAgo at={item.since} />}
              />
            </Link>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
