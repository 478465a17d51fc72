/** Bundles the program: `src/main/cli.ts` and what it loads lazily, into `dist/`. Text files (postures, prompts) are read from the package's own folders. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages that find files beside themselves, and so must stay where npm put them. */
const external = ['@anthropic-ai/claude-agent-sdk', '@secretlint/*', 'pino', 'esbuild', 'fsevents'];

/** True when there is no build, or a source or the lock is newer than it. */
export function isBuildOld() {
  const built = join(root, 'dist', 'cli.js');
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return [...sources, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)].some(
    (file) => statSync(file).mtimeMs > since,
  );
}

/**
 * Builds into an emptied folder. Takes well under two seconds.
 * @param {string} outdir inside the package, so that what is built finds the package's other files
 */
export async function build(outdir = join(root, 'dist')) {
  const { build: bundle } = await import('esbuild');
  const entries = ['cli', 'runner', 'run-commission']
    .map((name) => join(root, 'src/main', `${name}.ts`))
    .filter((file) => existsSync(file));
  rmSync(outdir, { recursive: true, force: true });
  await bundle({
    absWorkingDir: root,
    entryPoints: entries,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external,
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    // Some packages are CommonJS and call `require`, which a module does not have.
    banner: {
      js: "import { createRequire as hallRequire } from 'node:module'; const require = hallRequire(import.meta.url);",
    },
    chunkNames: 'chunks/[name]-[hash]',
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const start = performance.now();
  await build();
  console.log(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
