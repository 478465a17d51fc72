/** Programs of the system that tests need. One row each; a row that is missing here takes its tests along. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './install.mjs';

/**
 * @typedef {object} SystemPackage
 * @property {string} command what is called
 * @property {string} debian its package on Debian
 * @property {readonly [number, number]} atLeast the oldest version that will do
 * @property {string} neededBy the folder or file of the tests that need it, or `all`
 */

/** @type {readonly SystemPackage[]} */
export const systemPackages = [
  { command: 'git', debian: 'git', atLeast: [2, 38], neededBy: 'all' },
  // Tests that type into a real terminal; the one of BSD and macOS has other flags, and no version.
  { command: 'script', debian: 'bsdutils', atLeast: [2, 30], neededBy: 'test/e2e/terminal.test.ts' },
  { command: 'script', debian: 'bsdutils', atLeast: [2, 30], neededBy: 'test/e2e/completion.test.ts' },
  { command: 'script', debian: 'bsdutils', atLeast: [2, 30], neededBy: 'test/e2e/terminals-program.test.ts' },
  { command: 'zsh', debian: 'zsh', atLeast: [5, 0], neededBy: 'test/e2e/completion.test.ts' },
  { command: 'fish', debian: 'fish', atLeast: [3, 0], neededBy: 'test/e2e/completion.test.ts' },
  // The sandbox of agents; user namespaces have to be allowed too.
  { command: 'bwrap', debian: 'bubblewrap', atLeast: [0, 6], neededBy: 'test/e2e/sandbox.test.ts' },
  ...['src/kernel/agents/sandbox/sandbox.test.ts', 'src/kernel/agents/drivers/claude/sandbox.test.ts'].map(
    (neededBy) => ({
      command: 'bwrap',
      debian: 'bubblewrap',
      atLeast: /** @type {const} */ ([0, 6]),
      neededBy,
    }),
  ),
  // What the hall's terminals are windows of.
  { command: 'tmux', debian: 'tmux', atLeast: [3, 3], neededBy: 'src/kernel/terminals' },
  { command: 'tmux', debian: 'tmux', atLeast: [3, 3], neededBy: 'test/e2e/terminals.test.ts' },
  { command: 'tmux', debian: 'tmux', atLeast: [3, 3], neededBy: 'test/e2e/terminals-program.test.ts' },
  // What agents start has a sandbox.
  { command: 'bwrap', debian: 'bubblewrap', atLeast: [0, 6], neededBy: 'test/e2e/terminals.test.ts' },
  // The pages use light-dark() and field-sizing, which Chromium has since 123.
  { command: 'chromium', debian: 'chromium', atLeast: [123, 0], neededBy: 'test/browser' },
];

/**
 * Installs what is missing where that is possible (as root, on a Debian-like system), and says so. Elsewhere names the
 * one command, and gives the tests to leave out. Under CI=true nothing may be left out.
 * @param {string} root
 * @param {readonly SystemPackage[]} [rows]
 * @returns {Promise<{ counts: { passed: number, failed: number, skipped: number }, exclude: string[] }>}
 */
export async function ensureSystemPackages(root, rows = systemPackages) {
  let missing = rows.filter((row) => !isPresent(row));
  if (missing.length > 0 && canInstall()) {
    const names = missing.map(({ debian }) => debian);
    console.log(`Installing with apt-get, since this is root on a Debian-like system: ${names.join(' ')}`);
    await run(root, 'apt-get', ['update', '-qq']);
    await run(root, 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
    });
    missing = missing.filter((row) => !isPresent(row));
  }
  if (missing.length === 0) return { counts: { passed: 0, failed: 0, skipped: 0 }, exclude: [] };
  return withoutThem(root, missing);
}

/**
 * @param {string} root
 * @param {readonly SystemPackage[]} missing
 */
function withoutThem(root, missing) {
  const wants = missing.map(({ command, atLeast }) => `${command} ${atLeast.join('.')} or newer`).join(', ');
  const advice = `Missing: ${wants}. On Debian or Ubuntu: sudo apt-get install ${missing.map(({ debian }) => debian).join(' ')}`;
  if (missing.some(({ neededBy }) => neededBy === 'all')) throw new Error(advice);
  const left = [...new Set(missing.flatMap(({ neededBy }) => testFiles(root, neededBy)))];
  console.log(
    `${advice}\nLeft out here: ${left.length} test files under ${missing.map(({ neededBy }) => neededBy).join(', ')}`,
  );
  const failed = process.env['CI'] === 'true' ? left.length : 0;
  return { counts: { passed: 0, failed, skipped: left.length - failed }, exclude: left };
}

/** @param {SystemPackage} row */
function isPresent({ command, atLeast: [major, minor] }) {
  const version = versionOf(command);
  return version !== undefined && (version[0] > major || (version[0] === major && version[1] >= minor));
}

/**
 * The first version number that `<command> --version` prints (tmux wants -V).
 * @param {string} command
 * @returns {[number, number] | undefined}
 */
function versionOf(command) {
  try {
    const said = execFileSync(command, [command === 'tmux' ? '-V' : '--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? [];
    return [Number(major), Number(minor)];
  } catch {
    // Not there, or not able to say its version: either way it will not do.
    return undefined;
  }
}

const canInstall = () =>
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && versionOf('apt-get') !== undefined;

/**
 * @param {string} root
 * @param {string} place
 */
function testFiles(root, place) {
  if (place.endsWith('.test.ts')) return [place];
  const names = readdirSync(join(root, place), { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => `${place}/${name}`);
}
