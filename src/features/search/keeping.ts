/** Keeps what search has made of the texts near to them, without anybody waiting for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../kernel/artifacts/names.ts';
import { askSearch, keepSearched } from '../../kernel/artifacts/search/ask.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { SearchContext } from './context.ts';

export function searchFolder({ home }: Pick<SearchContext, 'home'>): string {
  return join(home.state, 'search');
}

/** In one go, after which other questions are answered. Bytes. */
const readAtOnce = 32 * 1024 * 1024;

/** Reads on, until nothing is left to be read. Returns at once. */
export function readLater(ctx: SearchContext, projects: readonly Project[]): void {
  ctx.spawn('read texts for the search', async (stopping) => {
    for (const project of projects) {
      let [before, left] = [Infinity, await readOn(ctx, project)];
      while (left > 0 && left < before && !stopping.aborted) [before, left] = [left, await readOn(ctx, project)];
    }
  });
}

/** @returns how many texts are left to be read */
async function readOn(ctx: SearchContext, project: Project): Promise<number> {
  const { searched } = await askSearch(ctx, ctx.thread, {
    home: searchFolder(ctx),
    projects: [{ name: project.name, shelves: ctx.shelvesOf(project) }],
    terms: [],
    kinds: [],
    limit: 1,
    readBytes: readAtOnce,
    nowMs: ctx.clock.nowMs(),
  });
  return searched.unread;
}

/** Changes come in swarms; they are read together. Milliseconds. */
const settleMs = 20_000;

/**
 * After events of a project in which somebody has searched before, what is new is read, so that the next search need not.
 * Begins at once, and ends when the hall stops.
 */
export function followChanges(ctx: SearchContext): void {
  const coming = ctx.events.subscribe({
    after: ctx.events.cursor(),
    filter: ({ type, project }) => type === 'project.removed' || (project !== null && mayHaveTexts(type)),
  });
  ctx.spawn('texts for the search', async (stopping) => {
    stopping.addEventListener('abort', () => coming.close(), { once: true });
    if (stopping.aborted) coming.close();
    for await (const { project, type } of coming) {
      if (type === 'project.removed') await forgetRemoved(ctx);
      else if (project !== null && !ctx.stale.has(project)) noteStale(ctx, project);
    }
  });
}

/** Pieces of what is being said come hundreds a second, and are on no disk yet. */
function mayHaveTexts(type: string): boolean {
  return !/\.(turn|live|delta)$/.test(type);
}

function noteStale(ctx: SearchContext, project: string): void {
  if (!existsSync(join(searchFolder(ctx), project))) return;
  const isFirst = ctx.stale.size === 0;
  ctx.stale.add(project);
  if (!isFirst) return;
  ctx.spawn('read texts for the search', async (stopping) => {
    await ctx.clock.sleep(settleMs, stopping);
    const names = [...ctx.stale];
    ctx.stale.clear();
    for (const each of ctx.projects(undefined)) if (names.includes(each.name)) await readOn(ctx, each);
  });
}

/** What is kept of projects that are none any more goes. */
export async function forgetRemoved(ctx: SearchContext): Promise<void> {
  const home = searchFolder(ctx);
  const names = ctx.projects(undefined).map(({ name }) => String(name));
  try {
    if ((await namesIn(home)).every((name) => names.includes(name))) return;
    await keepSearched(ctx, ctx.thread, home, names);
  } catch (error) {
    ctx.log.warn({ reason: errorFactsOf(error).message }, 'what search kept of removed projects stays for now');
  }
}
