/** Builds the program and its web app once for all browser tests, in a folder of its own, and removes it at the end. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import type {} from './browser-hall.ts';

export async function setup(project: TestProject): Promise<() => void> {
  const root = join(import.meta.dirname, '../..');
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'guild-hall-browser-'));
  const { build } = (await import(pathToFileURL(join(root, 'scripts/build.mjs')).href)) as {
    build: (outdir: string) => Promise<void>;
  };
  await build(folder);
  project.provide('builtProgram', join(folder, 'cli.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}
