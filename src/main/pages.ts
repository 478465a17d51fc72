/** Joins what gathers from all features: artifacts with what is around them, the inbox, the overview. */
import type { ArtifactsContext } from '../features/artifacts/context.ts';
import { finishEdits } from '../features/artifacts/committing.ts';
import { bindArtifacts } from '../features/artifacts/operations.ts';
import { recentArtifacts } from '../features/artifacts/recent.ts';
import { createInboxMemory, type InboxContext } from '../features/inbox/context.ts';
import type { Waiting } from '../features/inbox/contract.ts';
import { bindInbox, followDays, followProblems, listInbox } from '../features/inbox/operations.ts';
import type { OverviewContext } from '../features/overview/context.ts';
import { createUsageCount, followUsage } from '../features/overview/counting.ts';
import { bindOverview } from '../features/overview/operations.ts';
import { callOperation, type Caller } from '../kernel/operations/operations.ts';
import { chooseProject } from '../kernel/projects/choose.ts';
import { listProjects, requireProject } from '../kernel/projects/projects.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { HallContext } from './context.ts';
import { gathered, type HallFeature } from './feature.ts';

/** @param features all of the hall; those that are joined later count as well */
export function joinPages(ctx: HallContext, features: readonly HallFeature[]): HallFeature[] {
  const artifacts = artifactsContext(ctx, features);
  const inbox = inboxContext(ctx, features);
  const overview: OverviewContext = {
    ...ctx,
    projects: (name) => (name === undefined ? listProjects(ctx) : [requireProject(ctx, name)]),
    activities: async (project) => await gathered(features, (each) => each.activities?.(project)),
    inbox: async (project) => await listInbox(inbox, { project }, 'none'),
    recentArtifacts: async (projects, limit) => await recentArtifacts(artifacts, projects, limit),
    describeModel: () => {
      const { name, label, isRehearsal } = ctx.gateway.describeModel();
      return { name, label, isRehearsal };
    },
    usage: createUsageCount(),
  };
  return [
    {
      name: 'artifacts',
      operations: bindArtifacts(artifacts),
      recover: async () => await finishEdits(artifacts, listProjects(ctx)),
      // So that the first page does not have to wait for it.
      settle: () => {
        ctx.spawn('read artifacts', async () => void (await recentArtifacts(artifacts, listProjects(ctx), 1)));
      },
    },
    {
      name: 'inbox',
      operations: bindInbox(inbox),
      settle: () => {
        followProblems(inbox);
        followDays(inbox);
      },
    },
    { name: 'overview', operations: bindOverview(overview), recover: async () => followUsage(overview) },
  ];
}

function artifactsContext(ctx: HallContext, features: readonly HallFeature[]): ArtifactsContext {
  return {
    ...ctx,
    chooseProject: (name) => chooseProject(ctx, name),
    producersOf: async (project, path) => await gathered(features, (each) => each.producersOf?.(project, path)),
    recordKeepers: () => features.flatMap(({ records }) => records ?? []),
    activityKinds: () => features.flatMap(({ activityKind }) => activityKind ?? []),
    elsewhere: async (project, path) => await gathered(features, (each) => each.elsewhere?.(project, path)),
    library: new Map(),
    knownCommits: new Map(),
  };
}

function inboxContext(ctx: HallContext, features: readonly HallFeature[]): InboxContext {
  const asked = (askOf: (feature: HallFeature) => Waiting | undefined) =>
    features.flatMap((feature) => {
      const ask = askOf(feature);
      return ask === undefined ? [] : [{ feature: feature.name, ask }];
    });
  return {
    ...ctx,
    waiting: () => asked(({ waiting }) => waiting),
    problems: () => asked(({ problems }) => problems),
    call: async (caller, operation, input) => await callByName(features, caller, operation, input),
    memory: createInboxMemory(),
  };
}

/** @throws HallError `internal` for an operation that no feature has */
export async function callByName(
  features: readonly HallFeature[],
  caller: Caller,
  name: string,
  input: unknown,
): Promise<unknown> {
  const operations = features.flatMap((feature) => feature.operations);
  const operation = operations.find(({ description }) => description.name === name);
  if (operation !== undefined) return await callOperation(operation, caller, input);
  throw fail(
    'internal',
    `The hall has no operation "${name}", and something in it asks for it.`,
    'Mend the feature that names it.',
  );
}
