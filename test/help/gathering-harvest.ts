/** A project that harvests are kept in: a real repository with its integration checkout, and a home. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HarvestContext } from '../../src/features/gatherings/harvest/plan.ts';
import { ensureIntegration } from '../../src/kernel/git/integration.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { harvestContext } from './gathering-values.ts';
import { type FileContent, makeRepository, repositoryAt, tempFolder, type TestRepository } from './repositories.ts';

export interface HarvestRig {
  readonly ctx: HarvestContext;
  readonly folder: string;
  /** The integration checkout. */
  readonly checkout: TestRepository;
  readonly read: (path: string) => string;
  /** Paths of all files below `.lore/` but the first README, in order. */
  readonly lore: () => string[];
  /** Of the project; empty where there is none. */
  readonly memory: (name?: string) => string;
  /** Subject and trailer of the commits since the checkout was made, the newest first. */
  readonly commits: () => string[];
}

/** @param files committed before the integration branch begins */
export async function harvestRig(files: Readonly<Record<string, FileContent>> = {}): Promise<HarvestRig> {
  const folder = await tempFolder();
  const repository = await makeRepository({
    path: join(folder, 'repository'),
    files: { 'README.md': 'x\n', ...files },
  });
  const ctx = harvestContext(folder);
  mkdirSync(ctx.home.root, { recursive: true });
  const name = projectNameSchema.parse('sample');
  const worktree = ctx.home.integrationWorktree(name);
  await ensureIntegration(ctx, { repo: repository.path, branch: 'claude/main', worktree, name });
  const checkout = repositoryAt(worktree);
  const begun = checkout.git('rev-parse', 'HEAD');
  return {
    ctx,
    folder,
    checkout,
    read: (path) => readFileSync(join(worktree, path), 'utf8'),
    lore: () => filesBelow(join(worktree, '.lore')).map((path) => `.lore/${path}`),
    memory: (memory = 'gatherings') => {
      const path = join(ctx.home.memory, 'projects', name, `${memory}.md`);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    },
    commits: () => {
      const format = '--format=%s | %(trailers:key=Guild-Hall,valueonly,separator=%x2C)';
      const text = checkout.git('log', format, `${begun}..claude/main`);
      return text === '' ? [] : text.split('\n');
    },
  };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}
