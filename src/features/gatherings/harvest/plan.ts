/** What a harvest comes to, decided once and written down: each step of the saving can be done again by it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import { followIntegration } from '../../../kernel/git/follow.ts';
import { localKind } from '../../../kernel/git/local.ts';
import { integrationLock, type Project, requireProject } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { projectNameSchema, slugOf } from '../../../kernel/pure/ids.ts';
import { lstat } from 'node:fs/promises';
import type { GatheringsContext } from '../context.ts';
import { type Gathering, type GatheringId, gatheringIdSchema, harvestKindSchema } from '../contract/gathering.ts';
import type { KeptMessage } from '../rules/conversation.ts';
import { harvestFromRecord } from '../rules/ceremony/from-record.ts';
import { type Harvest, type HarvestItem, isEmptyHarvest, parseHarvest } from '../rules/ceremony/harvest.ts';
import { gatheringFolder } from '../store/ceremony/place.ts';
import {
  type FileKind,
  homesOfItems,
  type Linked,
  markOf,
  type Origin,
  printItem,
  printMemoryEntry,
  printTrailEntry,
  printTrailHead,
  trailsFolder,
} from './print.ts';

export type HarvestContext = Pick<
  GatheringsContext,
  'clock' | 'ids' | 'log' | 'locks' | 'home' | 'config' | 'scrub' | 'isRehearsal'
>;

const planSchema = z.object({
  gathering: gatheringIdSchema,
  project: projectNameSchema,
  isWrittenByHall: z.boolean(),
  /** `.lore/gatherings/<rhythm>.md`, or a file of its own where that one cannot be used. */
  trail: z.string(),
  /** What a trail begins with where there is none. */
  head: z.string(),
  entry: z.string(),
  files: z.array(z.object({ kind: harvestKindSchema, title: z.string(), path: z.string(), text: z.string() })),
  memory: z.object({ name: z.string(), titles: z.array(z.string()), text: z.string() }).nullable(),
});
export type HarvestPlan = z.infer<typeof planSchema>;

/** In the home. */
export function planFile(ctx: Pick<HarvestContext, 'home'>, id: GatheringId): StateFile<HarvestPlan> {
  return stateFile({ path: join(gatheringFolder(ctx, id), 'harvest.json'), schema: planSchema, version: 1 });
}

/** A trail that is longer is left as it is; entries go into files of their own. Bytes. */
const longestTrail = 8_000_000;
const memoryName = 'gatherings';

/**
 * The plan that was made before, or a new one, which is on disk when it resolves.
 * @param text what the harvester said; undefined for nothing. What is empty counts as nothing
 * @throws `conflict` where `.lore` of the checkout is no folder; `not_found` for a project that is gone
 */
export async function planHarvest(
  ctx: HarvestContext,
  gathering: Gathering,
  text: string | undefined,
  messages: readonly Pick<KeptMessage, 'kind' | 'from' | 'text'>[],
): Promise<HarvestPlan> {
  const file = planFile(ctx, gathering.id);
  const before = await file.read();
  if (before !== undefined) return before;
  const project = requireProject(ctx, gathering.project);
  const given = text === undefined ? undefined : parseHarvest(await ctx.scrub(text));
  const isWrittenByHall = given === undefined || isEmptyHarvest(given);
  const harvest = isWrittenByHall ? harvestFromRecord(gathering, messages) : given;
  const plan = await ctx.locks.with(integrationLock(project.name), async () => {
    await followCheckout(ctx, project);
    return await decidePlan(project, { gathering, harvest, isWrittenByHall, isRehearsal: ctx.isRehearsal() });
  });
  await file.write(plan);
  return plan;
}

/** The checkout as its branch is. The caller holds the integration lock. */
export async function followCheckout(ctx: HarvestContext, project: Project): Promise<void> {
  const { integrationWorktree, integrationBranch: branch } = project;
  await followIntegration(ctx, { integrationWorktree, branch });
}

interface Wanted {
  readonly gathering: Gathering;
  readonly harvest: Harvest;
  readonly isWrittenByHall: boolean;
  readonly isRehearsal: boolean;
}

/** By what stands on the disk: nothing is written through a link, and nothing over what is there. */
async function decidePlan(project: Project, wanted: Wanted): Promise<HarvestPlan> {
  const { gathering, harvest, isWrittenByHall, isRehearsal } = wanted;
  const { integrationWorktree: root, name } = project;
  const date = (gathering.close?.at ?? gathering.startedAt).slice(0, 10);
  const trail = await trailFor(root, gathering);
  const origin: Origin = { gathering, date, trail };
  const { files, homeless } = await filesFor(root, origin, harvest.items);
  const remembered = harvest.items.filter(({ kind }) => kind === 'memory');
  const titles = remembered.map(({ title }) => title);
  const memory =
    remembered.length === 0 ? null : { name: memoryName, titles, text: printMemoryEntry(origin, remembered) };
  const place = `memory:project/${memoryName}`;
  const entry = printTrailEntry(origin, {
    harvest,
    links: files,
    homeless,
    memory: memory === null ? null : { place, titles },
    isWrittenByHall,
    isRehearsal,
  });
  return {
    gathering: gathering.id,
    project: name,
    isWrittenByHall,
    trail,
    head: printTrailHead(origin),
    entry,
    files,
    memory,
  };
}

/**
 * The trail of the rhythm. A file of its own where that is a link, a folder or too long, or where somebody put the mark
 * of this gathering there before it wrote anything.
 */
async function trailFor(root: string, { id, rhythm }: Gathering): Promise<string> {
  const usual = `${trailsFolder}/${rhythm}.md`;
  const kind = await localKind(root, usual);
  if (kind === 'blocked') throw noFolder(usual);
  if (kind === 'missing') return usual;
  if (kind === 'file' && (await lstat(join(root, usual))).size <= longestTrail) {
    const bytes = await readFile(join(root, usual));
    if (!bytes.includes(markOf(id))) return usual;
  }
  return await freePath(root, `${trailsFolder}/${id}`);
}

function noFolder(path: string): Error {
  return fail(
    'conflict',
    `The harvest cannot be written to ${path}: a part of that path is a link or a file, and no folder.`,
    'Take it away in the integration checkout and commit that; the hall tries again by itself.',
    { path },
  );
}

async function filesFor(
  root: string,
  origin: Origin,
  items: readonly HarvestItem[],
): Promise<{ files: (Linked & { text: string })[]; homeless: HarvestItem[] }> {
  const files: (Linked & { text: string })[] = [];
  const homeless: HarvestItem[] = [];
  for (const item of items) {
    if (item.kind === 'memory') continue;
    const path = await pathFor(root, origin, item, new Set(files.map((file) => file.path)));
    if (path === undefined) homeless.push(item);
    else files.push({ kind: item.kind as FileKind, title: item.title, path, text: printItem(origin, item) });
  }
  return { files, homeless };
}

/** Undefined where its home is no folder. */
async function pathFor(
  root: string,
  { gathering, date }: Origin,
  { kind, title }: HarvestItem,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const home = homesOfItems[kind as FileKind];
  const tail = gathering.id.split('-').at(-1)!;
  const stem = `${home}/${date}-${slugOf(title) || kind}-${tail}`;
  if ((await localKind(root, `${stem}.md`)) === 'blocked') return undefined;
  return await freePath(root, stem, taken);
}

async function freePath(root: string, stem: string, taken: ReadonlySet<string> = new Set()): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${stem}.md` : `${stem}-${number}.md`;
    if (!taken.has(path) && (await localKind(root, path)) === 'missing') return path;
  }
}
