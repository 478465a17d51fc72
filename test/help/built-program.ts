/**
 * The built program for all tests of a run, in a folder of its own that is removed at the end: a build that somebody
 * runs meanwhile does not change what is tested. What stands in `dist/` is taken when it is of these sources.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the built `cli.js`; for tests in a browser, the web app lies beside it. */
    readonly builtProgram: string;
  }
}

interface Building {
  isBuildOld(): boolean;
  build(outdir: string): Promise<void>;
  buildProgram(outdir: string): Promise<void>;
}

const root = join(import.meta.dirname, '../..');

export async function setup(project: TestProject): Promise<() => void> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, `guild-hall-${project.name}-`));
  await make(folder, project.name === 'browser');
  project.provide('builtProgram', join(folder, 'cli.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}

async function make(folder: string, hasPages: boolean): Promise<void> {
  const building = (await import(pathToFileURL(join(root, 'scripts/build.mjs')).href)) as Building;
  const dist = join(root, 'dist');
  if (!building.isBuildOld() && existsSync(join(dist, 'web/index.html'))) {
    cpSync(dist, folder, { recursive: true });
    return;
  }
  await (hasPages ? building.build(folder) : building.buildProgram(folder));
}
