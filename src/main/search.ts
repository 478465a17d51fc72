/** Joins the search: where the texts of each feature lie, and the thread that looks through them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SearchContext } from '../features/search/context.ts';
import type { FindHistory } from '../features/search/contract.ts';
import { followChanges, forgetRemoved } from '../features/search/keeping.ts';
import { findHistoryBy } from '../features/search/history.ts';
import { bindSearch } from '../features/search/operations.ts';
import { closeSearch, createSearchThread } from '../kernel/artifacts/search/ask.ts';
import { listProjects, type Project, requireProject } from '../kernel/projects/projects.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';
import { packageRoot } from './package.ts';
import { shelvesOf } from './search-shelves.ts';

/** What a ceremony asks before it begins, besides the feature itself. */
export interface SearchFeature extends HallFeature {
  readonly findHistory: FindHistory;
}

/** @param features all of the hall; those that are joined later count as well */
export function joinSearch(hall: HallContext, features: readonly HallFeature[]): SearchFeature {
  const ctx: SearchContext = {
    ...hall,
    projects: (name) => (name === undefined ? listProjects(hall) : [requireProject(hall, name)]),
    shelvesOf: (project) => shelvesOf(hall.home, project, talksOf(features, project)),
    activityKinds: () => features.flatMap(({ activityKind }) => activityKind ?? []),
    thread: createSearchThread(searchProgram),
    stale: new Set(),
  };
  return {
    name: 'search',
    operations: bindSearch(ctx),
    settle: () => {
      followChanges(ctx);
      ctx.spawn('search of removed projects', async () => await forgetRemoved(ctx));
    },
    stop: async () => await closeSearch(ctx.thread),
    findHistory: findHistoryBy(ctx),
  };
}

function talksOf(features: readonly HallFeature[], { name }: Project): ReadonlyMap<string, string> {
  return new Map(features.flatMap(({ talks }) => [...(talks?.(name) ?? [])]));
}

const programName = 'search-thread';

/** The built file beside this one; of a program that runs from its sources, one that is made in memory. */
export async function searchProgram(): Promise<URL> {
  const here = dirname(fileURLToPath(import.meta.url));
  // What is built lies in `dist/` itself, or in its `chunks/`.
  const built = [here, dirname(here)]
    .map((folder) => join(folder, `${programName}.js`))
    .find((file) => existsSync(file));
  return built === undefined ? await (bundled ??= bundle()) : pathToFileURL(built);
}

let bundled: Promise<URL> | undefined;

async function bundle(): Promise<URL> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(packageRoot(), 'src', 'main', `${programName}.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
  return new URL(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`);
}
