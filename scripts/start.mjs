/**
 * `npm start`: from a fresh clone to a running hall. Installs and builds when needed, makes `npx guild-hall` work in the
 * clone, runs the hall in this terminal, and says what to type next. Plain Node, since nothing is installed when it starts.
 */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, isBuildOld } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { wantsBrowser } from './screen.mjs';

/** @typedef {{ pid: number, url: string, home: string, projects: string[], model: { label: string, isRehearsal: boolean }, problems: string[] }} HallStatus */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'bin', 'guild-hall.js');
const args = process.argv.slice(2).filter((word) => word !== '--no-open');
const opensBrowser = wantsBrowser(process.argv.slice(2), process.stdout.isTTY, process.env, process.platform);

// With `npm start | head` nobody reads on; the hall runs all the same.
process.stdout.on('error', () => {});

async function main() {
  await ensureInstalled(root);
  if (isBuildOld()) {
    console.log('Building.');
    await build();
  }
  linkProgram();
  const running = await readStatus();
  if (running !== undefined) {
    console.log('A hall already runs on this home; it is left as it is.');
    console.log(firstFiveMinutes(running));
    // Where nobody looks on, a link would only lie in some file.
    if (process.stdout.isTTY) await runProgram('open', ...(opensBrowser ? [] : ['--no-open']));
    return;
  }
  const open = opensBrowser ? ['--open'] : [];
  const hall = spawn(process.execPath, [program, 'up', ...open, ...args], { stdio: 'inherit' });
  const ended = new Promise((resolve) => hall.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1))));
  // Ctrl-C reaches the hall by itself; waiting for it here lets it end what it started.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => hall.kill('SIGTERM'));
  const status = await Promise.race([waitForStatus(), ended.then(() => undefined)]);
  if (status !== undefined) console.log(firstFiveMinutes(status));
  process.exitCode = Number(await ended);
}

/** @param {string[]} words */
async function runProgram(...words) {
  const ended = spawn(process.execPath, [program, ...words], { stdio: 'inherit' });
  await new Promise((resolve) => ended.on('exit', resolve));
}

/** npm links a package's program only for others that depend on it, so the clone does it for itself. */
function linkProgram() {
  const link = join(root, 'node_modules', '.bin', 'guild-hall');
  if (existsSync(link) && lstatSync(link).isSymbolicLink()) return;
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../bin/guild-hall.js', link);
  chmodSync(program, 0o755);
}

/**
 * What a running hall says of itself; undefined when none runs on this home.
 * @returns {Promise<HallStatus | undefined>}
 */
async function readStatus() {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'status', '--json'], { timeout: 10_000 });
    const status = JSON.parse(stdout);
    return typeof status.url === 'string' && typeof status.pid === 'number' ? status : undefined;
  } catch {
    // `status` ends with an error code where no hall runs: that is the answer.
    return undefined;
  }
}

/** @returns {Promise<HallStatus | undefined>} */
async function waitForStatus() {
  for (let tries = 0; tries < 120; tries += 1) {
    const status = await readStatus();
    if (status !== undefined) return status;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return undefined;
}

/** @param {HallStatus} status */
function firstFiveMinutes({ url, home, model, projects, problems }) {
  const wrong = problems
    .map((problem, index) => `\n  ${index === 0 ? 'problems' : '        '}     ▲ ${problem}`)
    .join('');
  const sample =
    projects.length > 0 ? [] : ['npx guild-hall project sample        a ready sample project, made and registered'];
  const next = [
    'npx guild-hall open                  its pages in your browser; each link works once',
    ...sample,
    'npx guild-hall project add <path>    a git repository of yours',
    'npx guild-hall worker list           who can be asked',
    'npx guild-hall meeting open --worker researcher "What does this project do?"',
    'npx guild-hall meeting say <id> "…"  and then: npx guild-hall meeting close <id>',
    'npx guild-hall commission create --help   a job that a worker does by itself; with examples',
    'npx guild-hall council run --help    several agents discuss a question; with examples',
    'npx guild-hall gathering start --help   agents, and you, speak in turns; with examples',
  ];
  return `
  Guild Hall   ${url}
  home         ${home}${wrong}
  projects     ${projects.join(', ') || 'none yet'}
  answers      ${model.label}

  Next, in another terminal, in this folder:
${next.map((line) => `    ${line}`).join('\n')}

  Stop with Ctrl-C, or: npx guild-hall down
`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
