/**
 * `npm run check`: everything that can be known without running the program, one line a check.
 * `npm run check -- lint types` runs only those; `--list` says what each holds; `--report <file>` writes the counts as JSON.
 */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { budgetCheck } from './checks/budget.ts';
import { importsCheck } from './checks/imports.ts';
import { lockCheck } from './checks/lock.ts';
import { promisesCheck } from './checks/promises.ts';
import type { Check } from './checks/step.ts';
import { disablesCheck, leaksCheck, namesCheck, nounsCheck } from './checks/text.ts';
import {
  browserTypesCheck,
  formatCheck,
  lintCheck,
  pureTypesCheck,
  typesCheck,
  unusedCheck,
  webTypesCheck,
} from './checks/tools.ts';

const checks: readonly Check[] = [
  formatCheck,
  lintCheck,
  disablesCheck,
  typesCheck,
  pureTypesCheck,
  webTypesCheck,
  browserTypesCheck,
  importsCheck,
  unusedCheck,
  promisesCheck,
  nounsCheck,
  namesCheck,
  lockCheck,
  leaksCheck,
  budgetCheck,
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function main(args: readonly string[]): Promise<void> {
  const reportAt = args.indexOf('--report');
  const names = args.filter((arg, index) => !arg.startsWith('--') && (reportAt < 0 || index !== reportAt + 1));
  const unknown = names.filter((name) => !checks.some((check) => check.name === name));
  if (args.includes('--list'))
    return console.log(checks.map(({ name, holds }) => `${name.padEnd(14)}${holds}`).join('\n'));
  if (unknown.length > 0) {
    console.error(`No check named ${unknown.join(', ')}. There are: ${checks.map(({ name }) => name).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const chosen = names.length === 0 ? checks : checks.filter(({ name }) => names.includes(name));
  let failed = 0;
  for (const check of chosen) if (!(await runCheck(check))) failed += 1;
  const passed = chosen.length - failed;
  if (reportAt >= 0) writeFileSync(args[reportAt + 1]!, JSON.stringify({ passed, failed, skipped: 0 }));
  console.log(`check: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Prints the check's line, and its findings when there are any. */
async function runCheck(check: Check): Promise<boolean> {
  const start = performance.now();
  // A check that breaks has not passed: what broke it is its finding.
  const findings = await check.find(root).catch((error: unknown) => [`the check itself broke: ${String(error)}`]);
  const figure = findings.length === 0 ? await check.figure?.(root) : undefined;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${findings.length === 0 ? 'ok  ' : 'FAIL'}  ${check.name.padEnd(14)}${seconds.padStart(5)} s${figure ? `   ${figure}` : ''}`,
  );
  for (const finding of findings) console.log(finding.replaceAll(/^/gm, '      '));
  return findings.length === 0;
}

await main(process.argv.slice(2));
