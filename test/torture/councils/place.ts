/** A home and a repository for one council, and the program that runs the hall there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTortureHome, packageRoot, removeTortureHome, type TortureHome } from '../parts/hall-process.ts';

export const projectName = 'tally';

const files = {
  'README.md': '# Tally\n\nCounts words in files. The cache keeps what was counted.\n',
  'src/count.ts':
    'export function countWords(text: string): number {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n',
  'src/cache.ts': 'export const cache = new Map<string, number>();\n',
};

export interface Place extends Omit<TortureHome, 'root'> {
  /** Everything of this place is below it. */
  readonly folder: string;
  /** The checkout of the integration branch. */
  readonly worktree: string;
  /** Where the council's files are: that, or the person's own checkout. */
  readonly root: string;
  readonly isInPlace: boolean;
}

export function makePlace(isInPlace: boolean): Place {
  const { root: folder, home, repo } = makeTortureHome(files, writeFileSync);
  const worktree = join(home, 'projects', projectName);
  return { folder, home, repo, worktree, root: isInPlace ? repo : worktree, isInPlace };
}

/** As what runs halls there knows it. */
export function homeOf({ folder, home, repo }: Place): TortureHome {
  return { root: folder, home, repo };
}

export function removePlace(place: Place): void {
  removeTortureHome(homeOf(place));
}

/** Built for this run alone: a build that somebody makes meanwhile changes nothing. */
export async function buildProgram(): Promise<{ readonly program: string; readonly remove: () => void }> {
  const cache = join(packageRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'guild-hall-torture-'));
  const { buildProgram: build } = (await import(pathToFileURL(join(packageRoot, 'scripts/build.mjs')).href)) as {
    buildProgram: (outdir: string) => Promise<void>;
  };
  await build(folder);
  return { program: join(folder, 'cli.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
