/** The terminal of one member beside the words, to be watched: of whoever has the piece, or of the one who was chosen. */
import { Link } from '@tanstack/react-router';
import type { Seat } from '../../../src/features/gatherings/contract/gathering.ts';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { harvesterOf, seatOf } from '../../kit/gathering-words.ts';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { Skeleton } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Pane } from '../../kit/terminal/pane.tsx';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { useRead } from '../../state/hall.tsx';
import type { GatheringSearch } from './search.ts';

/** Whose terminal is meant. With the person's own turn it stays with whoever spoke before. */
export function shownSeat(gathering: GatheringView['gathering'], live: GatheringSearch['live']): Seat | undefined {
  if (live === undefined) return undefined;
  if (live !== 'piece') return seatOf(gathering, live);
  const { turn, spoken, seats } = gathering;
  const numbers = [turn?.holder, ...spoken.toReversed()];
  const had = numbers.map((number) => seatOf(gathering, number)).find((seat) => hasTerminal(seat));
  return had ?? (gathering.turn === null ? harvesterOf(gathering) : undefined) ?? seats.find(hasTerminal);
}

function hasTerminal(seat: Seat | undefined): boolean {
  return seat !== undefined && seat.terminal !== null && seat.state === 'here';
}

export function LiveMember({ seat }: { readonly seat: Seat }) {
  const list = useRead('terminal.list', { all: true });
  if (list.data === undefined) return <Skeleton lines={6} label="Reading the terminals" />;
  const row = list.data.terminals.find(({ id }) => id === seat.terminal);
  if (row === undefined) return <p className="text-13 text-soft">The terminal of {seat.name} is gone.</p>;
  return (
    <Pane
      key={row.id}
      readOnly
      terminal={row}
      head={
        <div className="flex min-w-0 items-center gap-2.5 text-13">
          <WorkerGlyph name={seat.name} />
          <h2 className="min-w-0 truncate text-13 font-semibold text-ink">{seat.name}</h2>
          <StateMark {...terminalState(row)} />
          <span className="flex-1" />
          <Link
            to="/terminals/$id"
            params={{ id: row.id }}
            className="text-12 whitespace-nowrap text-soft underline decoration-line underline-offset-2 hover:text-ink"
          >
            Open it to type
          </Link>
        </div>
      }
    />
  );
}
