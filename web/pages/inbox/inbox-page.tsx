/** Whatever waits for the person, the oldest first, each with the answers that it takes. */
import { useSearch } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { useShortcut } from '../../app/keyboard.tsx';
import { ObjectHead, Page, Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { InboxRow } from './inbox-row.tsx';

type Item = OutputOf<'inbox.list'>['items'][number];

export function InboxPage() {
  const inbox = useRead('inbox.list', {});
  const wanted = useSearch({ from: '/inbox' }).item;
  const [open, setOpen] = useState(wanted);
  const items = inbox.data?.items ?? [];
  const asked = items.filter(({ kind }) => kind !== 'problem');
  const problems = items.filter(({ kind }) => kind === 'problem');
  useShortcut('o', 'Open or fold the row', () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset['item'];
    if (row !== undefined) setOpen(row === open ? undefined : row);
  });
  const rowsOf = (list: readonly Item[], label: string) => (
    <Rows label={label}>
      {list.map((item) => (
        <InboxRow
          key={item.id}
          item={item}
          isOpen={item.id === open}
          onToggle={() => setOpen(item.id === open ? undefined : item.id)}
        />
      ))}
    </Rows>
  );
  return (
    <Page
      title={asked.length > 0 ? `Inbox (${asked.length})` : 'Inbox'}
      head={<ObjectHead title="Inbox" facts={inbox.data && sayCount(asked.length)} />}
    >
      <div className="flex max-w-4xl flex-col gap-10 px-4 py-6 phone:px-8">
        {inbox.problem && <Problem facts={inbox.problem} />}
        {inbox.isLoading && !inbox.problem && <Skeleton lines={4} />}
        {inbox.data && asked.length === 0 && (
          <Empty icon={Inbox}>
            Nothing waits for you. Requests, questions and conflicts come here when there are any.
          </Empty>
        )}
        {asked.length > 0 && rowsOf(asked, 'Waits for you')}
        {problems.length > 0 && (
          <Section title="Problems" count={problems.length}>
            {rowsOf(problems, 'Problems')}
          </Section>
        )}
      </div>
    </Page>
  );
}

function sayCount(count: number): string {
  return count === 0
    ? 'Nothing waits'
    : count === 1
      ? '1 thing waits for you'
      : `${count} things wait for you, the oldest first`;
}
