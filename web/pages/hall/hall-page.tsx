/** The hall at a glance: what waits for me, what runs, what came out, what today cost. */
import { Link } from '@tanstack/react-router';
import { FileText, MessagesSquare, Plus } from 'lucide-react';
import type { CommissionRow } from '../../../src/features/commissions/contract.ts';
import { sumAsked } from '../../../src/features/inbox/fold.ts';
import { useIntent } from '../../app/intents.tsx';
import { Briefing } from '../../kit/briefing.tsx';
import { Button } from '../../kit/button.tsx';
import { CommissionLine } from '../../kit/commission-row.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { ObjectHead, Page, Section } from '../../kit/layout.tsx';
import { sayUsage } from '../../kit/money.ts';
import { plainTitle } from '../../kit/plain-title.ts';
import { rowClass, Rows, RowText } from '../../kit/rows.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { type Read, useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { FirstProject } from './first-project.tsx';
import { activityMark } from '../../kit/activity-mark.tsx';
import { QueuedRows } from './queued-rows.tsx';
import { WaitingRows } from './waiting-rows.tsx';

type Overview = OutputOf<'overview'>;

export function HallPage() {
  const show = useIntent();
  const away = useAwayReason();
  const overview = useRead('overview', {});
  const hasProjects = (overview.data?.projects.length ?? 0) > 0;
  return (
    <Page
      title="Hall"
      head={
        <ObjectHead
          title="Hall"
          facts={overview.data && <Glance overview={overview.data} />}
          actions={
            hasProjects && (
              <>
                <Button blockedBecause={away} onClick={() => show({ kind: 'commission' })}>
                  Write a commission
                </Button>
                <Button tone="primary" icon={Plus} blockedBecause={away} onClick={() => show({ kind: 'meeting' })}>
                  Open a meeting
                </Button>
              </>
            )
          }
        />
      }
    >
      <div className="flex flex-col gap-10 px-4 py-6 phone:px-8">
        {overview.problem && <Problem facts={overview.problem} />}
        {overview.data && !hasProjects && <FirstProject />}
        {(overview.data ? hasProjects : !overview.problem) && <Sections overview={overview} />}
      </div>
    </Page>
  );
}

/** The head's one line: words before figures, nothing that is nothing. */
function Glance({ overview }: { readonly overview: Overview }) {
  const { running, waiting, today, model } = overview;
  const isOf = (kind: string) => (activity: Overview['running'][number]) => activity.kind === kind;
  const answering = running.filter(isOf('meeting')).filter(({ state }) => state === 'answering').length;
  const commissions = running.filter(isOf('commission')).length;
  const asked = sumAsked(waiting);
  const turns = running.filter(({ state }) => state === 'waiting').length;
  const used = sayUsage(today);
  return (
    <>
      {answering > 0 && <StateMark kind="active" word={`${answering} answering`} isMoving />}
      {commissions > 0 && (
        <StateMark
          kind="active"
          word={commissions === 1 ? '1 commission runs' : `${commissions} commissions run`}
          isMoving
        />
      )}
      {asked > 0 && <StateMark kind="waiting" word={asked === 1 ? '1 waits for you' : `${asked} wait for you`} />}
      {turns > 0 && <span>{turns === 1 ? '1 talk is yours to go on' : `${turns} talks are yours to go on`}</span>}
      {answering + commissions + asked + turns === 0 && <span>{sayQuiet(running.length)}</span>}
      {used !== undefined && <span title={`${today.turns} turns since midnight`}>{used} today</span>}
      {/* What a rehearsal is stands above every page. */}
      {!model.isRehearsal && <span>{model.label}</span>}
    </>
  );
}

function sayQuiet(open: number): string {
  if (open === 0) return 'Nothing is open, nothing waits';
  return open === 1 ? 'Quiet; one talk is open' : `Quiet; ${open} talks are open`;
}

function Sections({ overview }: { readonly overview: Read<Overview> }) {
  const inbox = useRead('inbox.list', {});
  const { data } = overview;
  const rows = useRead('commission.list', {}).data?.commissions ?? [];
  const several = (data?.projects.length ?? 0) > 1;
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 desk:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-10">
        <Briefing />
        {inbox.data && inbox.data.items.length > 0 && <WaitingRows inbox={inbox.data} />}
        <Section title="Under way" count={data?.running.length}>
          {data === undefined ? <Skeleton lines={3} /> : <Running overview={data} rows={rows} />}
        </Section>
        <QueuedRows rows={rows} showsProject={several} />
      </div>
      <Section title="Came out lately">
        {data === undefined ? <Skeleton lines={4} /> : <Recent overview={data} />}
      </Section>
    </div>
  );
}

interface RunningProps {
  readonly overview: Overview;
  /** Of the commissions more is known: their progress. */
  readonly rows: readonly CommissionRow[];
}

function Running({ overview, rows }: RunningProps) {
  const show = useIntent();
  const away = useAwayReason();
  if (overview.running.length === 0) {
    return (
      <Empty
        icon={MessagesSquare}
        action={
          <Button blockedBecause={away} onClick={() => show({ kind: 'meeting' })}>
            Open a meeting
          </Button>
        }
      >
        Nothing is under way. A meeting is a talk with one worker on a branch of its own; a commission is work that one
        does alone.
      </Empty>
    );
  }
  return (
    <Rows label="Under way">
      {overview.running.map((activity) => (
        <li key={`${activity.kind}-${activity.project}-${activity.id}`}>
          <UnderWay activity={activity} rows={rows} showsProject={overview.projects.length > 1} />
        </li>
      ))}
    </Rows>
  );
}

interface UnderWayProps {
  readonly activity: Overview['running'][number];
  readonly rows: readonly CommissionRow[];
  readonly showsProject: boolean;
}

function UnderWay({ activity, rows, showsProject }: UnderWayProps) {
  const { kind, id, project } = activity;
  const row = rows.find((each) => kind === 'commission' && each.id === id && each.project === project);
  if (row !== undefined) return <CommissionLine row={row} showsProject={showsProject} />;
  return (
    <SubjectLink project={activity.project} subject={activity} className={rowClass} isRow>
      <RowText
        mark={<WorkerGlyph name={activity.worker} size={24} />}
        title={activity.title}
        detail={[activity.worker, activity.project, sayUsage(activity.usage)].filter(Boolean).join(' · ')}
        facts={
          <>
            {activityMark(activity.state, kind)}
            <TimeAgo at={activity.since} />
          </>
        }
      />
    </SubjectLink>
  );
}

function Recent({ overview }: { readonly overview: Overview }) {
  const several = overview.projects.length > 1;
  if (overview.recentArtifacts.length === 0) {
    return <Empty icon={FileText}>What is written down under .lore/ appears here.</Empty>;
  }
  return (
    <ul aria-label="Came out lately" className="flex flex-col">
      {overview.recentArtifacts.map(({ project, path, title, at }) => (
        <li key={`${project}:${path}`}>
          <Link
            to="/projects/$project/artifacts/$"
            params={{ project, _splat: path }}
            data-row
            className="-mx-2 flex flex-col rounded-md px-2 py-1.5 transition-colors duration-120 hover:bg-hover"
          >
            <span dir="auto" className="truncate font-serif text-15 text-ink">
              {plainTitle(title)}
            </span>
            <span className="flex gap-2 text-12 text-faint">
              <span className="truncate">{several ? `${project} · ${path}` : path}</span>
              <span className="flex-1" />
              <TimeAgo at={at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
