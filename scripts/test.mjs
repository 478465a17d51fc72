/**
 * `npm test`: everything, from a fresh clone. Installs what is missing, builds, checks, runs all tests with coverage, and
 * ends with one plain line that counts checks and tests alike. Plain Node, since nothing is installed when it starts.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeCoverage } from './coverage.mjs';
import { ensureInstalled, run } from './install.mjs';
import { findSecondTries, printSecondTries } from './second-tries.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = mkdtempSync(join(tmpdir(), 'guild-hall-report-'));
/** Tests that passed only at their second try. @type {string[]} */
const secondTries = [];
const bin = join(root, 'node_modules', '.bin');
/** How the kernel names a file system in memory. */
const tmpfs = 0x01021994;

/** @returns {Promise<Counts>} */
async function runAll() {
  const missing = await ensureSystemPackages(root);
  await ensureInstalled(root);
  const parts = [missing.counts, await runBuild(), await runChecks(), await runVitest(missing.exclude), readCoverage()];
  return parts.reduce(add);
}

/** @returns {Promise<Counts>} */
async function runBuild() {
  heading('build');
  return one((await run(root, process.execPath, ['scripts/build.mjs'])) === 0);
}

/** @returns {Promise<Counts>} */
async function runChecks() {
  heading('check');
  const report = join(reports, 'check.json');
  await run(root, join(bin, 'tsx'), ['scripts/check.ts', '--report', report]);
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : one(false);
}

/**
 * @param {readonly string[]} exclude test files that cannot run here
 * @returns {Promise<Counts>}
 */
async function runVitest(exclude) {
  heading('tests');
  const report = join(reports, 'tests.json');
  const outputs = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const excludes = exclude.map((pattern) => `--exclude=${pattern}`);
  const memory = folderInMemory();
  const env = memory === undefined ? process.env : { ...process.env, UNIT_TMPDIR: memory };
  const code = await run(root, join(bin, 'vitest'), ['run', '--coverage', ...outputs, ...excludes], env);
  if (memory !== undefined) rmSync(memory, { recursive: true, force: true, maxRetries: 10 });
  if (!existsSync(report)) return one(false);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  secondTries.push(...findSecondTries(root, testResults));
  // A file that cannot be loaded has no failed test of its own, and neither has a run that fails as a whole.
  const unloaded = testResults.filter(isUnloaded).length;
  const failed = numFailedTests + unloaded;
  return {
    passed: numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  };
}

/**
 * Tests of units make and remove some hundred thousand small files. Kept in memory, where there is room for them, those
 * cost a sixth less.
 */
function folderInMemory() {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return undefined;
  const { type, bavail, bsize } = statfsSync(memory);
  const isRoomy = type === tmpfs && bavail * bsize > 2 ** 31;
  return isRoomy ? mkdtempSync(join(memory, 'guild-hall-')) : undefined;
}

/** @param {{ status: string, assertionResults: { status: string }[] }} file */
const isUnloaded = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((result) => result.status === 'failed');

/** @returns {Counts} */
function readCoverage() {
  heading('coverage');
  const summary = join(root, 'coverage', 'coverage-summary.json');
  if (!existsSync(summary)) return one(false);
  const verdicts = judgeCoverage(JSON.parse(readFileSync(summary, 'utf8')), root);
  for (const { text } of verdicts) console.log(text);
  return verdicts.map(({ passed }) => one(passed)).reduce(add);
}

/** @param {string} name */
const heading = (name) => console.log(`\n== ${name}`);

/** @param {boolean} passed @returns {Counts} */
const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 });

/** @param {Counts} a @param {Counts} b @returns {Counts} */
const add = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped });

/** @type {Counts} */
let counts = one(false);
try {
  counts = await runAll();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  rmSync(reports, { recursive: true, force: true });
}
if (secondTries.length > 0) console.log(printSecondTries(secondTries));
process.exitCode = counts.failed === 0 ? 0 : 1;
console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
