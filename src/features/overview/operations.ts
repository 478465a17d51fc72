/** The overview, put together from what every feature knows. */
import { localDayOf, startOfLocalDay } from '../../kernel/clock/local-day.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { InboxItem } from '../inbox/contract.ts';
import type { OverviewContext } from './context.ts';
import { overview, type Overview, type RunningActivity } from './contract.ts';
import { activityKeyOf, noUsage, usageOfDay } from './fold.ts';

const recentShown = 12;

export function bindOverview(ctx: OverviewContext): BoundOperation[] {
  return [bindOperation(overview, (_caller, { project }) => overviewOf(ctx, project))];
}

async function overviewOf(ctx: OverviewContext, project: string | undefined): Promise<Overview> {
  const projects = ctx.projects(project);
  const [running, inbox, recent] = await Promise.all([
    ctx.activities(project),
    ctx.inbox(project),
    ctx.recentArtifacts(projects, recentShown),
    ctx.usage.counted.promise,
  ]);
  const now = ctx.clock.nowMs();
  const { ledger } = ctx.usage;
  return {
    running: ordered(running).map((activity) => {
      const key = activityKeyOf(activity.project, `${activity.kind}:${activity.id}`);
      return { ...activity, usage: ledger.byActivity.get(key) ?? noUsage };
    }),
    waiting: countsOf(inbox.items),
    recentArtifacts: [...recent],
    today: {
      ...usageOfDay(ledger, localDayOf(now), project),
      since: new Date(startOfLocalDay(now)).toISOString(),
    },
    model: ctx.describeModel(),
    projects: projects.map(({ name }) => ({
      name,
      open: running.filter((activity) => activity.project === name).length,
      problems: inbox.items.filter((item) => isProblemOf(item, name)).map(({ title }) => title),
    })),
  };
}

/** What works now, the longest at it first; then what waits for the person, the newest first. */
function ordered(running: readonly RunningActivity[]): RunningActivity[] {
  const isAtWork = ({ state }: RunningActivity): boolean => state !== 'waiting' && state !== 'idle';
  const inOrder = (a: RunningActivity, b: RunningActivity): number => a.since.localeCompare(b.since);
  return [
    ...running.filter(isAtWork).toSorted(inOrder),
    ...running.filter((activity) => !isAtWork(activity)).toSorted((a, b) => inOrder(b, a)),
  ];
}

function countsOf(items: readonly InboxItem[]): Overview['waiting'] {
  const counts: Overview['waiting'] = {};
  for (const { kind } of items) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function isProblemOf({ kind, project }: InboxItem, name: string): boolean {
  return kind === 'problem' && project === name;
}
