/** Where this program's own files lie: beside `dist/cli.js` when built, two folders up from here in the sources. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../kernel/pure/errors.ts';

/** Absolute path of the folder with the program's `package.json`, `workers/` and `examples/`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw fail('internal', 'The program’s own folder cannot be found.', 'Install it again.');
    folder = parent;
  }
  return folder;
}

let versionOnce: string | undefined;

export function packageVersion(): string {
  versionOnce ??= (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
    .version;
  return versionOnce;
}

/** Folder of the built web app: beside the built program; of one that runs from its sources, in the package's `dist/`. */
export function webRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [here, dirname(here)].find((folder) => existsSync(join(folder, 'cli.js')));
  return join(built ?? join(packageRoot(), 'dist'), 'web');
}
