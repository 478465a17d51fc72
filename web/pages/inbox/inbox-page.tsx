/** Whatever waits for the person, the oldest first, each with the answers that it takes. */
import { useSearch } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { isAsked } from '../../../src/features/inbox/fold.ts';
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
  const asked = items.filter(isAsked);
  const problems = items.filter((item) => !isAsked(item));
  useShortcut('o', 'Open or fold the row', () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset['item'];
    if (row !== undefined) setOpen(row === open ? undefined : row);
  });
  const focus = useFocusKept(inbox.data);
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
      <div {...focus} tabIndex={-1} className="flex max-w-4xl flex-col gap-10 px-4 py-6 outline-none phone:px-8">
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

/** A row that had the focus and is answered gives it to the next one, or to the one before, or to the page. */
function useFocusKept(data: unknown) {
  const ref = useRef<HTMLDivElement>(null);
  const last = useRef<{ readonly element: Element; readonly nth: number }>(null);
  useEffect(() => {
    if (last.current === null || last.current.element.isConnected || document.activeElement !== document.body) return;
    const rows = [...(ref.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    (rows[Math.min(last.current.nth, rows.length - 1)] ?? ref.current)?.focus();
  }, [data]);
  return {
    ref,
    onFocus: ({ target }: FocusEvent) => {
      const items = [...(ref.current?.querySelectorAll('[data-item]') ?? [])];
      const nth = items.findIndex((item) => item.contains(target));
      if (nth !== -1) last.current = { element: items[nth]!, nth };
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget === null) last.current = null;
    },
  };
}

function sayCount(count: number): string {
  return count === 0
    ? 'Nothing waits'
    : count === 1
      ? '1 thing waits for you'
      : `${count} things wait for you, the oldest first`;
}
