/** The members' terminals beside the thread, to be watched. */
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { Skeleton } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Pane } from '../../kit/terminal/pane.tsx';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

/** They have room beside the thread: the breakpoint `desk`. */
const isWide = matchMedia('(min-width: 64rem)');

type Members = OutputOf<'conversation.show'>['conversation']['members'];

export function LiveMembers({ members }: { readonly members: Members }) {
  const list = useRead('terminal.list', { all: true });
  // In a narrow window they stand above the thread, at whose end the reader may be.
  const bringIntoSight = useCallback((element: HTMLDivElement | null) => {
    if (!isWide.matches) element?.scrollIntoView({ block: 'start', behavior: 'instant' });
  }, []);
  if (list.data === undefined) return <Skeleton lines={6} label="Reading the terminals" />;
  const { terminals } = list.data;
  return (
    <div
      ref={bringIntoSight}
      className="flex min-w-0 scroll-mt-44 flex-col gap-6 max-desk:order-first desk:sticky desk:top-24 desk:self-start"
    >
      {members.map(({ terminal, name }) => {
        const row = terminals.find(({ id }) => id === terminal);
        if (row === undefined) {
          return (
            <p key={terminal} className="text-13 text-soft">
              The terminal of {name} is gone.
            </p>
          );
        }
        return (
          <Pane
            key={terminal}
            readOnly
            terminal={row}
            head={
              <div className="flex min-w-0 items-center gap-2.5 text-13">
                <WorkerGlyph name={name} />
                <h2 className="min-w-0 truncate text-13 font-semibold text-ink">{name}</h2>
                <StateMark {...terminalState(row)} />
                <span className="flex-1" />
                <Link
                  to="/terminals/$id"
                  params={{ id: terminal }}
                  className="text-12 text-soft underline decoration-line underline-offset-2 hover:text-ink"
                >
                  {row.status === 'ended' ? 'Open it' : 'Open it to type'}
                </Link>
              </div>
            }
          />
        );
      })}
    </div>
  );
}
