/**
 * Builds the program (`src/main/cli.ts` and what it loads lazily) into `dist/`, and the web app into `dist/web/`. Text
 * files (postures, prompts) are read from the package's own folders.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Packages that find files beside themselves, and so must stay where npm put them. */
const external = ['@anthropic-ai/claude-agent-sdk', '@secretlint/*', 'pino', 'esbuild', 'fsevents'];

/** True when there is no build, or a source or the lock is newer than it. */
export function isBuildOld() {
  const built = join(root, 'dist', 'cli.js');
  if (!existsSync(built)) return true;
  const since = statSync(built).mtimeMs;
  const sources = ['src', 'web']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(test\.tsx?|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return [...sources, join(root, 'package-lock.json'), fileURLToPath(import.meta.url)].some(
    (file) => statSync(file).mtimeMs > since,
  );
}

/**
 * Builds into an emptied folder. Takes some seconds.
 * @param {string} outdir inside the package, so that what is built finds the package's other files
 */
export async function build(outdir = join(root, 'dist')) {
  await buildProgram(outdir);
  await buildWeb(join(outdir, 'web'));
}

/**
 * zod brings its messages in fifty languages, and reading them takes a tenth of the time that `--help` takes. English,
 * which is the one that is used, it takes from its own file.
 * @type {import('esbuild').Plugin}
 */
const withoutLanguages = {
  name: 'without languages',
  setup: (bundle) => {
    const list = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
    bundle.onLoad({ filter: list }, () => ({ contents: "export { default as en } from './en.js';", loader: 'js' }));
  },
};

/**
 * `import { z }` is one object with all that zod can do, and all of it would be read at every start. Of `import * as z`
 * only what is used comes into the bundle.
 * @type {import('esbuild').Plugin}
 */
const withUsedOfZod = {
  name: 'used of zod',
  setup: (bundle) => {
    bundle.onLoad({ filter: /[\\/]src[\\/](features|interfaces|kernel|main)[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replace("import { z } from 'zod';", "import * as z from 'zod';"), loader: 'ts' };
    });
  },
};

/**
 * Bundles, the second loaded by the first as it is. In one, all that the command line shares with what it loads later
 * would be cut into files of its own, some 36 for `--help`, and each takes a millisecond at every start. A module that
 * both need is there twice: what passes between them must not depend on whose it is (as `HallError` does not). By `cli.js`
 * a build is known to be there, so the first is written last. The search's thread needs little, and reads only its own.
 */
const programs = [
  ['cli', 'command-line'],
  ['up', 'down', 'open', 'logs', 'mcp-bridge', 'without-hall', 'openapi', 'rule', 'dispatch-turn', 'run-commission'],
  ['search-thread'],
];

/**
 * @param {readonly string[]} own
 * @returns {import('esbuild').Plugin}
 */
const apartFrom = (own) => ({
  name: 'loaded as they are',
  setup: (bundle) => {
    const others = programs.flat().filter((name) => !own.includes(name));
    const entry = new RegExp(`^\\./(${others.join('|')})\\.ts$`);
    bundle.onResolve({ filter: entry }, ({ path, importer, kind }) =>
      kind === 'dynamic-import' && dirname(importer) === join(root, 'src/main')
        ? { path: path.replace(/ts$/, 'js'), external: true }
        : undefined,
    );
  },
});

/**
 * The program without its pages: what tests of the command line need.
 * @param {string} outdir
 */
export async function buildProgram(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  for (const own of programs.toReversed()) await bundleProgram(own, outdir);
}

/**
 * @param {readonly string[]} own
 * @param {string} outdir
 */
async function bundleProgram(own, outdir) {
  const { build: bundle } = await import('esbuild');
  await bundle({
    absWorkingDir: root,
    entryPoints: own.map((name) => join(root, 'src/main', `${name}.ts`)),
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
    plugins: [withoutLanguages, withUsedOfZod, apartFrom(own)],
    // Some packages are CommonJS and call `require`, which a module does not have.
    banner: {
      js: "import { createRequire as hallRequire } from 'node:module'; const require = hallRequire(import.meta.url);",
    },
    chunkNames: 'chunks/[name]-[hash]',
  });
}

/**
 * The web app, each text file with a smaller form beside it (`.gz`, `.br`), so that the hall compresses nothing itself.
 * @param {string} outDir
 */
async function buildWeb(outDir) {
  const { build: bundle } = await import('vite');
  await bundle({
    configFile: join(root, 'web', 'vite.config.ts'),
    configLoader: 'runner',
    logLevel: 'warn',
    build: { outDir },
  });
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|svg|html)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const content = readFileSync(file);
    // The page itself is written anew for each request, with a nonce of its own.
    if (content.length < 1024 || file.endsWith('.html')) continue;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const start = performance.now();
  await build();
  console.log(`built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
