/** The first of what waits for the person; the inbox has all of it, with the answers. */
import { Link } from '@tanstack/react-router';
import { isAsked } from '../../../src/features/inbox/fold.ts';
import { rowClass, Rows, RowText } from '../../kit/rows.tsx';
import { Section } from '../../kit/layout.tsx';
import { InboxMark } from '../../kit/inbox-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';

const shownAtMost = 5;

export function WaitingRows({ inbox }: { readonly inbox: OutputOf<'inbox.list'> }) {
  return (
    <>
      <Part title="Waits for you" items={inbox.items.filter(isAsked)} count={inbox.waiting} />
      <Part title="Problems" items={inbox.items.filter((item) => !isAsked(item))} count={inbox.problems} />
    </>
  );
}

interface PartProps {
  readonly title: string;
  readonly items: OutputOf<'inbox.list'>['items'];
  readonly count: number;
}

function Part({ title, items, count }: PartProps) {
  if (items.length === 0) return null;
  return (
    <Section
      title={title}
      count={count}
      action={
        <Link to="/inbox" className="text-13 text-soft hover:text-ink hover:underline">
          All in the inbox
        </Link>
      }
    >
      <Rows label={title}>
        {items.slice(0, shownAtMost).map((item) => (
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
