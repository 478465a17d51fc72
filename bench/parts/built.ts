/** The built program, for benches that measure it as people run it. */
import { join } from 'node:path';
import { build, isBuildOld } from '../../scripts/build.mjs';

/** Path of `cli.js`: of the build named by `GH_CLI`, else of `dist/`, which is built first where a source is newer. */
export async function builtProgram(): Promise<string> {
  const named = process.env['GH_CLI'];
  if (named !== undefined) return named;
  if (isBuildOld()) {
    process.stdout.write('Building.\n');
    await build();
  }
  return join(import.meta.dirname, '..', '..', 'dist', 'cli.js');
}
