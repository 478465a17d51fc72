/** The hall at a glance: what waits for me, what runs, what came out, what today cost. */
import { Link } from '@tanstack/react-router';
import { FileText, MessagesSquare, Plus } from 'lucide-react';
import { useIntent } from '../../app/intents.tsx';
import { Button } from '../../kit/button.tsx';
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
              <Button tone="primary" icon={Plus} blockedBecause={away} onClick={() => show({ kind: 'meeting' })}>
                Open a meeting
              </Button>
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
  const answering = running.filter(({ state }) => state === 'answering').length;
  const asked = Object.entries(waiting).reduce((sum, [kind, count]) => (kind === 'problem' ? sum : sum + count), 0);
  const turns = running.filter(({ state }) => state === 'waiting').length;
  const used = sayUsage(today);
  return (
    <>
      {answering > 0 && <StateMark kind="active" word={`${answering} answering`} isMoving />}
      {asked > 0 && <StateMark kind="waiting" word={asked === 1 ? '1 waits for you' : `${asked} wait for you`} />}
      {turns > 0 && <span>{turns === 1 ? '1 talk is yours to go on' : `${turns} talks are yours to go on`}</span>}
      {answering + asked + turns === 0 && <span>{sayQuiet(running.length)}</span>}
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
  return (
    <div className="grid grid-cols-1 gap-x-14 gap-y-10 desk:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="flex min-w-0 flex-col gap-10">
        {inbox.data && inbox.data.items.length > 0 && <WaitingRows inbox={inbox.data} />}
        <Section title="Under way" count={data?.running.length}>
          {data === undefined ? <Skeleton lines={3} /> : <Running overview={data} />}
        </Section>
      </div>
      <Section title="Came out lately">
        {data === undefined ? <Skeleton lines={4} /> : <Recent overview={data} />}
      </Section>
    </div>
  );
}

function Running({ overview }: { readonly overview: Overview }) {
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
        Nothing is under way. A meeting is a talk with one worker on a branch of its own; notes come out of it when you
        close it.
      </Empty>
    );
  }
  return (
    <Rows label="Under way">
      {overview.running.map((activity) => (
        <li key={`${activity.kind}-${activity.project}-${activity.id}`}>
          <SubjectLink project={activity.project} subject={activity} className={rowClass} isRow>
            <RowText
              mark={<WorkerGlyph name={activity.worker} size={24} />}
              title={activity.title}
              detail={[activity.worker, activity.project, sayUsage(activity.usage)].filter(Boolean).join(' · ')}
              facts={
                <>
                  {activityMark(activity.state)}
                  <TimeAgo at={activity.since} />
                </>
              }
            />
          </SubjectLink>
        </li>
      ))}
    </Rows>
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
