/** Several terminals live, side by side. Which ones is in the address. */
import { Link } from '@tanstack/react-router';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Pane } from '../../kit/terminal/pane.tsx';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { Since } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';
import type { TerminalsSearch } from './search.ts';

type Rows = OutputOf<'terminal.list'>['terminals'];

/** More at once than these are shown when they are asked for: nobody reads so many. */
const mostAtFirst = 6;

interface WallProps {
  readonly running: Rows;
  readonly search: TerminalsSearch;
  readonly onSearch: (part: Partial<TerminalsSearch>) => void;
}

export function Wall({ running, search, onSearch }: WallProps) {
  const chosen = search.show ?? running.slice(0, mostAtFirst).map(({ id }) => id);
  const shown = running.filter(({ id }) => chosen.includes(id));
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id];
    if (next.length > 0) onSearch({ show: next });
  };
  return (
    <>
      {running.length > 1 && (
        <div role="group" aria-label="Which are shown" className="flex flex-wrap gap-2">
          {running.map((row) => (
            <button
              key={row.id}
              type="button"
              data-row
              aria-pressed={chosen.includes(row.id)}
              onClick={() => toggle(row.id)}
              className="inline-flex h-8 items-center gap-2 rounded-full border border-line bg-raised pr-3 pl-1.5 text-13 text-soft transition-colors duration-120 hover:bg-hover hover:text-ink aria-pressed:border-ember aria-pressed:text-ink max-phone:h-10"
            >
              <WorkerGlyph name={row.name} />
              {row.name}
            </button>
          ))}
        </div>
      )}
      {shown.length === 0 && <p className="text-15 text-soft">Choose one above to see it live.</p>}
      <div
        className={`grid gap-x-6 gap-y-8 ${shown.length > 1 ? 'grid-cols-[repeat(auto-fit,minmax(min(100%,29rem),1fr))]' : 'max-w-[62rem] grid-cols-1'}`}
      >
        {shown.map((row) => (
          <Pane
            key={row.id}
            terminal={row}
            head={
              <div className="flex min-w-0 items-center gap-2.5 text-13">
                <WorkerGlyph name={row.name} />
                <h2 className="min-w-0 truncate text-13 font-semibold text-ink">
                  <Link to="/terminals/$id" params={{ id: row.id }} className="hover:underline">
                    {row.name}
                  </Link>
                </h2>
                <StateMark {...terminalState(row)} />
                <span className="text-12 text-faint">
                  <Since at={row.since} />
                </span>
                <span className="flex-1" />
                {row.waiting > 0 && <span className="text-12 text-waiting">{row.waiting} waiting</span>}
                {row.conversation !== null && (
                  <Link
                    to="/conversations/$id"
                    params={{ id: row.conversation }}
                    className="truncate text-12 text-soft underline decoration-line underline-offset-2 hover:text-ink"
                  >
                    In a conversation
                  </Link>
                )}
              </div>
            }
          />
        ))}
      </div>
    </>
  );
}
