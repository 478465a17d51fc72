/** A commission as one line of a list: who does it, how it stands, and the one thing that is to be known of it. */
import { Link } from '@tanstack/react-router';
import type { CommissionRow } from '../../src/features/commissions/contract.ts';
import { commissionState, mergeTrouble } from './commission-state.ts';
import { WorkerGlyph } from './glyph.tsx';
import { sayUsage } from './money.ts';
import { firstLine } from './plain-words.ts';
import { rowClass, RowText } from './rows.tsx';
import { StateMark } from './state-mark.tsx';
import { Since, TimeAgo } from './time.tsx';

export interface CommissionLineProps {
  readonly row: CommissionRow;
  /** The list is of several projects. */
  readonly showsProject?: boolean;
  /** There is room for what it used, and when it was heard of. */
  readonly isWide?: boolean;
  /** Titles of commissions by their ids, where what is missing may be one. */
  readonly titles?: ReadonlyMap<string, string>;
}

export function CommissionLine({ row, showsProject = false, isWide = false, titles = noTitles }: CommissionLineProps) {
  const { id, project, title, worker, status, since, process } = row;
  const told = tellOf(row, titles);
  const isRunning = status === 'in_progress' && process !== null;
  const used = row.usage === null ? undefined : sayUsage(row.usage);
  return (
    <Link to="/projects/$project/commissions/$id" params={{ project, id }} data-row className={rowClass}>
      <RowText
        mark={<WorkerGlyph name={worker} size={24} />}
        title={title}
        detail={[showsProject && project, worker, told].filter(Boolean).join(' · ')}
        facts={
          <>
            {isWide && used !== undefined && <span className="max-desk:hidden">{used}</span>}
            {isWide && isRunning && process.heartbeat === 'healthy' && (
              <span className="max-desk:hidden" title={`Last sign of life: ${process.lastHeartbeat}`}>
                heard <TimeAgo at={process.lastHeartbeat} />
              </span>
            )}
            <StateMark {...commissionState(row)} />
            {isRunning ? (
              <span className="shrink-0">
                <Since at={process.startedAt} />
              </span>
            ) : (
              <TimeAgo at={since} />
            )}
          </>
        }
      />
    </Link>
  );
}

const noTitles: ReadonlyMap<string, string> = new Map();

/** What is to be known of it in its state: progress, why it waits, what came out, why it failed. */
function tellOf(row: CommissionRow, titles: ReadonlyMap<string, string>): string {
  switch (row.status) {
    case 'dispatched':
      return 'Its branch and folder are being made';
    case 'in_progress':
      return firstLine(row.currentProgress) || 'No report yet';
    case 'pending':
      return row.queue?.text ?? '';
    case 'blocked':
      return `Waits for ${row.missing.map((on) => titles.get(on) ?? on).join(', ')}`;
    case 'completed':
      if (mergeTrouble(row.merge) !== undefined && row.merge.files.length > 0) return row.merge.files.join(', ');
      return firstLine(row.result?.summary ?? '');
    case 'failed':
    case 'cancelled':
    case null:
      return firstLine(row.reason);
  }
}
