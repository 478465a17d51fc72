/** Does what is due: dependencies that may have come, attempts to be tried again, places that are free. */
import { type FolderWatch, watchFolder } from '../../../kernel/artifacts/watch.ts';
import type { EventSubscription } from '../../../kernel/events/subscription.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { CommissionsContext } from '../context.ts';
import { pumpQueue } from '../operations/dispatching.ts';
import { retryDue } from '../operations/redispatching.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionRef } from '../store/place.ts';
import { forgetAsDaysPass } from './forgetting.ts';
import { wakeDependencies, wakeQueue } from './live.ts';
import { recoverProject } from './recovery.ts';
import { checkDependencies } from './waiting.ts';
import { pause } from './pause.ts';
import { commitWhatWasLeft } from './uncommitted.ts';

/** Artifacts are watched; other files that something waits for are looked for after merges and at every dispatch. */
const watched = '.lore';
/** The longest wait of a timer. Milliseconds. */
const longestSleepMs = 2 ** 31 - 1;

/** Follows until the hall stops. Resolves when what changes from now on is seen. */
export async function followWork(ctx: CommissionsContext): Promise<{ close(): Promise<void> }> {
  const watches: Watches = { of: new Map(), isClosed: false };
  await followProjects(ctx, watches);
  const types = new Set(['config.changed', 'project.added', 'project.removed', 'artifact.edited', 'project.synced']);
  const subscribe = (): EventSubscription => ctx.events.subscribe({ filter: ({ type }) => types.has(type) });
  let changes = subscribe();
  ctx.spawn('follow what commissions wait for', async (stopping) => {
    stopping.addEventListener('abort', () => changes.close(), { once: true });
    for (;;) {
      for await (const { type } of changes) await guarded(ctx, () => takeChange(ctx, watches, type));
      if (changes.ended !== 'dropped' || watches.isClosed) return;
      // There were more changes than could be read: everything is looked at.
      changes = subscribe();
      await guarded(ctx, () => takeChange(ctx, watches, 'project.added'));
    }
  });
  commitWhatWasLeft(ctx);
  forgetAsDaysPass(ctx);
  ctx.spawn('dispatch commissions', (stopping) => doWhatIsDue(ctx, stopping));
  return {
    close: async () => {
      changes.close();
      ctx.engine.wake = () => {};
      watches.isClosed = true;
      await Promise.all([...watches.of.values()].map((watch) => watch.close()));
    },
  };
}

/** A person writes projects into config.yaml, too: then nothing but that it was changed is told. */
async function takeChange(ctx: CommissionsContext, watches: Watches, type: string): Promise<void> {
  const isOfProjects = type === 'config.changed' || type === 'project.added' || type === 'project.removed';
  const fresh = isOfProjects ? await followProjects(ctx, watches) : [];
  for (const project of fresh) await recoverProject(ctx, project);
  if (type !== 'config.changed') for (const { name } of listProjects(ctx)) wakeDependencies(ctx, name);
  wakeQueue(ctx);
}

interface Watches {
  /** By the project's name. */
  readonly of: Map<string, FolderWatch>;
  isClosed: boolean;
}

/** @returns projects that were not followed before */
async function followProjects(ctx: CommissionsContext, watches: Watches): Promise<readonly Project[]> {
  const projects = listProjects(ctx);
  const fresh: Project[] = [];
  for (const [name, watch] of watches.of) {
    if (projects.some((project) => project.name === name)) continue;
    await watch.close();
    watches.of.delete(name);
  }
  for (const project of projects) {
    if (watches.of.has(project.name) || watches.isClosed) continue;
    const watch = await watchProject(ctx, project);
    watches.of.set(project.name, watch);
    fresh.push(project);
    // The hall stopped meanwhile: an open watch would keep its process from ending.
    if (watches.isClosed) await watch.close();
  }
  return fresh;
}

async function watchProject(ctx: CommissionsContext, project: Project): Promise<FolderWatch> {
  const { name, integrationWorktree } = project;
  const onChange = (): void => wakeDependencies(ctx, name);
  return watchFolder(ctx, integrationWorktree, onChange, { only: watched, above: ctx.home.root });
}

/** Sleeps until it is woken, or a retry is due. What fails is logged and looked at again at the next sign. */
async function doWhatIsDue(ctx: CommissionsContext, stopping: AbortSignal): Promise<void> {
  const { due } = ctx.engine;
  while (!stopping.aborted) {
    const sleeping = new AbortController();
    ctx.engine.wake = () => sleeping.abort();
    stopping.addEventListener('abort', ctx.engine.wake, { once: true });
    const waitMs = await guarded(ctx, async () => await takeDue(ctx));
    const isIdle = !due.queue && due.dependencies.size === 0;
    if (isIdle) await pause(ctx, Math.min(waitMs ?? longestSleepMs, longestSleepMs), sleeping.signal);
    stopping.removeEventListener('abort', ctx.engine.wake);
  }
}

async function guarded<T>(ctx: CommissionsContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    ctx.log.error({ err: error }, 'what is due for commissions could not be done');
    return undefined;
  }
}

/** Milliseconds. */
const retryAgainMs = 60_000;

/** One that cannot be tried again now (a full disk) is tried again a little later. */
async function retryOrLater(ctx: CommissionsContext, ref: CommissionRef): Promise<number | undefined> {
  try {
    return await retryDue(ctx, ref);
  } catch (error) {
    ctx.log.error({ err: error, commission: ref.id }, 'a commission could not be tried again yet');
    const isGone = errorFactsOf(error).code === 'not_found' || isWithoutProject(ctx, ref);
    return isGone ? undefined : retryAgainMs;
  }
}

function isWithoutProject(ctx: CommissionsContext, ref: CommissionRef): boolean {
  return listProjects(ctx).every(({ name }) => name !== ref.project.name);
}

/** @returns when the next retry is due, milliseconds from now */
async function takeDue(ctx: CommissionsContext): Promise<number | undefined> {
  const { due } = ctx.engine;
  const projects = [...due.dependencies];
  due.dependencies.clear();
  for (const project of projects) await guarded(ctx, () => checkDependencies(ctx, project));
  const wasDue = due.queue;
  due.queue = false;
  if (wasDue) await pumpQueue(ctx);
  let nextMs: number | undefined;
  for (const [key, ref] of due.retries) {
    const leftMs = await retryOrLater(ctx, ref);
    if (leftMs === undefined) due.retries.delete(key);
    else nextMs = Math.min(nextMs ?? leftMs, leftMs);
  }
  return nextMs;
}
