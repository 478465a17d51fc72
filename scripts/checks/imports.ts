/**
 * The import law, by dependency-cruiser. A cruiser that sees nothing says that all is well, so it has to prove itself
 * each time: it must have seen nearly all source files on disk, and every rule must catch the violation planted for it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { type Check, runTool } from './step.ts';

type Rules = readonly IForbiddenRuleType[];

/** The share of source files on disk that must have been cruised. */
const floor = 0.9;

export const importsCheck: Check = {
  name: 'imports',
  holds: 'the import law (.dependency-cruiser.cjs), with a floor of cruised files and planted violations',
  find: async (root) => {
    const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as { forbidden: Rules };
    const found = await Promise.all([findViolations(root, forbidden), findBlindRules(root, forbidden)]);
    return found.flat();
  },
};

const sourceFolders = ['src', 'web'];

/** Cruises `src` and `web` below `folder` with the law of `root`; text when the cruiser itself failed. */
async function runCruise(root: string, folder: string): Promise<ICruiseResult | string> {
  const script = join(root, 'scripts/checks/cruise.mjs');
  const args = [script, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...sourceFolders];
  const { stdout, stderr } = await runTool(folder, process.execPath, args);
  // Exit codes count violations, so only the form of the output tells a failure.
  return stdout.startsWith('{')
    ? (JSON.parse(stdout) as ICruiseResult)
    : `dependency-cruiser failed: ${stderr || stdout}`;
}

async function findViolations(root: string, rules: Rules): Promise<string[]> {
  const result = await runCruise(root, root);
  if (typeof result === 'string') return [result];
  const seen = new Set(result.modules.map((module) => module.source));
  const onDisk = listSources(root).map((file) => relative(root, file));
  const missed = onDisk.filter((file) => !seen.has(file));
  const needed = Math.ceil(onDisk.length * floor);
  const findings = result.summary.violations.map(({ rule, from, to, cycle }) => {
    const way = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`;
    return `${rule.name}: ${way}\n    ${rules.find(({ name }) => name === rule.name)?.comment ?? ''}`;
  });
  if (onDisk.length === 0 || onDisk.length - missed.length < needed) {
    findings.push(
      `the cruiser saw ${onDisk.length - missed.length} of ${onDisk.length} files under src/ and web/, and at least ${needed} are needed. ` +
        `Is @swc/core installed, and "parser" still swc in .dependency-cruiser.cjs? Not seen: ${missed.slice(0, 5).join(', ')}`,
    );
  }
  return findings;
}

/** Files under test/house/planted break one rule each, the one that their first line names after `must trip:`. */
async function findBlindRules(root: string, rules: Rules): Promise<string[]> {
  const planted = join(root, 'test/house/planted');
  const result = await runCruise(root, planted);
  if (typeof result === 'string') return [result];
  const tripped = new Set(
    result.summary.violations.flatMap(({ rule, from, cycle = [] }) =>
      [from, ...cycle.map(({ name }) => name)].map((file) => `${rule.name} ${file}`),
    ),
  );
  const findings: string[] = [];
  const covered = new Set<string>();
  for (const file of listSources(planted)) {
    const rule = /^\/\/ must trip: (\S+)/.exec(readFileSync(file, 'utf8'))?.[1];
    if (rule === undefined) continue;
    covered.add(rule);
    const source = relative(planted, file);
    if (!tripped.has(`${rule} ${source}`)) {
      findings.push(
        `rule ${rule} did not catch the violation planted in test/house/planted/${source}: the rule is blind`,
      );
    }
  }
  const unproved = rules.filter(({ name }) => !covered.has(name ?? '')).map(({ name }) => name);
  if (unproved.length > 0) {
    findings.push(`no violation is planted for ${unproved.join(', ')}: add a file under test/house/planted/`);
  }
  return findings;
}

/** Source files of `src` and `web` below `folder`. */
function listSources(folder: string): string[] {
  return sourceFolders
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
