/** What the worker says and does, as it comes. The page goes along only while the reader is at its end. */
import { useEffect, useState } from 'react';
import type { CommissionView, JournalEntry } from '../../../src/features/commissions/contract.ts';
import { emptyLog, foldLive, type LiveLog as Log, liveOf } from '../../../src/features/commissions/fold/live.ts';
import { Button } from '../../kit/button.tsx';
import { FilterChoice } from '../../kit/filter-bar.tsx';
import { useReadersPlace } from '../../kit/readers-place.ts';
import { Problem } from '../../kit/states.tsx';
import { Since } from '../../kit/time.tsx';
import { ToNewest } from '../../kit/to-newest.tsx';
import { inBackground } from '../../state/background.ts';
import { callHall, useHall, useRead } from '../../state/hall.tsx';
import { factsOf } from '../../state/session.ts';
import { LogView } from './log-view.tsx';
import { TellWorker } from './tell-worker.tsx';

export function LiveLog({ view }: { readonly view: CommissionView }) {
  const { commission, process } = view;
  const { attempt } = commission;
  const [shown, setShown] = useState<number>();
  const isLive = process !== null && shown === undefined;
  return (
    <section aria-label="Log" className="flex flex-1 flex-col gap-4 border-t border-line pt-4">
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        <h2 className="text-13 font-semibold text-soft">Log</h2>
        {isLive && (
          <span className="inline-flex items-baseline gap-1.5 text-13 text-active">
            <span aria-hidden className="animate-breathe">
              ●
            </span>
            <span>
              at work for <Since at={process.startedAt} />
            </span>
          </span>
        )}
        <span className="flex-1" />
        {attempt > 1 && (
          <FilterChoice
            label="Attempt"
            value={shown === undefined ? '' : String(shown)}
            onChange={(value) => setShown(value === '' ? undefined : Number(value))}
            options={[
              { value: '', label: `Attempt ${attempt}, the last` },
              ...Array.from({ length: attempt - 1 }, (_, nth) => ({
                value: String(attempt - 1 - nth),
                label: `Attempt ${attempt - 1 - nth}`,
              })),
            ]}
          />
        )}
      </div>
      {shown === undefined ? <LastLog key={attempt} view={view} /> : <EarlierLog view={view} attempt={shown} />}
    </section>
  );
}

/** That of the attempt that runs, or ran last. */
function LastLog({ view }: { readonly view: CommissionView }) {
  const { commission, process, journal } = view;
  const [before, setBefore] = useState<readonly JournalEntry[]>([]);
  const log = useLog(journal, before, view.journalIsCut);
  const isLive = process !== null;
  const first = before[0]?.n ?? journal[0]?.n ?? 1;
  return (
    <>
      {first > 1 && <Earlier view={view} first={first} onRead={(entries) => setBefore([...entries, ...before])} />}
      {log.items.length === 0 && (
        <p className="text-13 text-soft">{isLive ? 'Nothing was said yet.' : 'Nothing was said in this attempt.'}</p>
      )}
      <LogView items={log.items} view={view} isLive={isLive} />
      {commission.status === 'in_progress' && <TellWorker view={view} />}
      {isLive && <Follow />}
    </>
  );
}

/** Keeps to the end while the worker works and the reader is there. What came of it stands above: then nothing is moved. */
function Follow() {
  const place = useReadersPlace('where-short');
  return (
    <div className="sticky bottom-4 z-10 h-0 max-phone:bottom-18">
      {!place.isAtEnd && <ToNewest onPress={place.goToEnd} />}
    </div>
  );
}

/** The log of the entries, folded on from where it was. What was read of earlier ones comes before. */
function useLog(journal: readonly JournalEntry[], before: readonly JournalEntry[], isCut: boolean): Log {
  const [held, setHeld] = useState(() => ({ before, log: liveOf(journal, isCut) }));
  const goesOn = held.before === before && (journal[0]?.n ?? 1) <= held.log.n + 1;
  const from = goesOn ? held.log : { ...before.reduce(foldLive, emptyLog), isCut };
  const log = journal.reduce(foldLive, from);
  if (log !== held.log) setHeld({ before, log });
  return log;
}

interface EarlierProps {
  readonly view: CommissionView;
  /** Number of the first entry that is there. */
  readonly first: number;
  readonly onRead: (entries: readonly JournalEntry[]) => void;
}

const readAtOnce = 500;

function Earlier({ view, first, onRead }: EarlierProps) {
  const client = useHall();
  const { project, id, attempt } = view.commission;
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly thrown?: unknown }>({ isBusy: false });
  const read = async () => {
    setState({ isBusy: true });
    try {
      const from = Math.max(1, first - readAtOnce);
      const { entries } = await callHall(client, 'commission.logs', {
        project,
        id,
        attempt,
        from,
        limit: first - from,
      });
      setState({ isBusy: false });
      onRead(entries.filter(({ n }) => n < first));
    } catch (thrown) {
      setState({ isBusy: false, thrown });
    }
  };
  return (
    <>
      <Button tone="quiet" className="self-start" isBusy={state.isBusy} onClick={() => inBackground(read())}>
        Show what was before
      </Button>
      {state.thrown !== undefined && <Problem facts={factsOf(state.thrown)} />}
    </>
  );
}

function EarlierLog({ view, attempt }: { readonly view: CommissionView; readonly attempt: number }) {
  const { project, id } = view.commission;
  const { data, problem } = useRead('commission.logs', { project, id, attempt });
  const [log, setLog] = useState<Log>(emptyLog);
  useEffect(() => setLog(liveOf(data?.entries ?? [])), [data]);
  if (problem) return <Problem facts={problem} />;
  return (
    <>
      {log.items.length === 0 && data !== undefined && (
        <p className="text-13 text-soft">Nothing was said in this attempt.</p>
      )}
      <LogView items={log.items} view={view} isLive={false} />
    </>
  );
}
