/** How the hall starts the process of a commission's worker: the built file beside it, or the sources by `tsx`. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WorkerProgram } from '../features/commissions/context.ts';
import { packageRoot } from './package.ts';

const name = 'run-commission';

export function workerProgram(): WorkerProgram {
  const here = dirname(fileURLToPath(import.meta.url));
  // What is built lies in `dist/` itself, or in its `chunks/`.
  const built = [here, dirname(here)].map((folder) => join(folder, `${name}.js`)).find((file) => existsSync(file));
  if (built !== undefined) return { file: process.execPath, args: [built] };
  const loader = createRequire(import.meta.url).resolve('tsx');
  const source = join(packageRoot(), 'src', 'main', `${name}.ts`);
  return { file: process.execPath, args: ['--import', pathToFileURL(loader).href, source] };
}
