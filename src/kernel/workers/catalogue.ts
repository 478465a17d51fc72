/**
 * The packages of workers and toolboxes that are at hand: those that ship with the program and those that the person
 * put into the home's `packages/`. Reading them runs no code of theirs and takes milliseconds, so the catalogue is read
 * anew whenever it is needed; a package that was just changed by hand is seen at once.
 */
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isInside } from '../artifacts/paths.ts';
import { hasErrorCode, readTextIfExists } from '../artifacts/write.ts';
import type { LogContext } from '../log/log.ts';
import { fail } from '../pure/errors.ts';
import type { WorkerName } from '../pure/ids.ts';
import { didYouMean } from '../pure/nearest.ts';
import type { PackageOrigin, PackageProblem, ToolboxPackage, WorkerCatalogue, WorkerPackage } from './contract.ts';
import { type Manifest, parseManifest } from './manifest.ts';

/** A posture is read with every model call of a turn; what is longer is a document, not a posture. */
const maxPostureLength = 100_000;

interface PackageSources {
  /** Folder of the packages that ship with the program. */
  readonly shipped: string;
  /** The home's `packages/`. */
  readonly packages: string;
}

interface ReadPackage {
  readonly worker?: WorkerPackage;
  readonly toolbox?: ToolboxPackage;
  readonly problems: readonly PackageProblem[];
}

/** Never throws for what a package contains: what is broken is left out and stands among the problems. */
export async function loadWorkers(ctx: LogContext, sources: PackageSources): Promise<WorkerCatalogue> {
  const shipped = await readPackages(sources.shipped, 'shipped');
  const home = await readPackages(sources.packages, 'home');
  const problems = [...shipped, ...home].flatMap((read) => read.problems);
  const workers = joined(shipped, home, (read) => read.worker, problems);
  const toolboxes = joined(shipped, home, (read) => read.toolbox, problems);
  ctx.log.debug({ workers: workers.size, toolboxes: toolboxes.size, problems: problems.length }, 'read the packages');
  return { workers, toolboxes, problems };
}

/** @throws `not_found` naming the workers that there are; `conflict` when the package is there but broken */
export function requireWorker(catalogue: WorkerCatalogue, name: string): WorkerPackage {
  const worker = catalogue.workers.get(name as WorkerName);
  if (worker) return worker;
  const broken = catalogue.problems.find(({ file }) => file.split('/').at(-2) === name);
  if (broken) {
    throw fail(
      'conflict',
      `The package of the worker "${name}" cannot be used: ${broken.message}`,
      `Mend ${broken.file}:${broken.line}:${broken.column}, then repeat the command.`,
      { worker: name, problem: broken },
    );
  }
  const names = [...catalogue.workers.values()]
    .filter(({ byInvitation }) => !byInvitation)
    .map((worker) => worker.name);
  throw fail(
    'not_found',
    `There is no worker "${name.slice(0, 100)}". There are: ${names.join(', ') || 'none'}.`,
    `${didYouMean(name, [...catalogue.workers.keys()])}See: guild-hall worker list`,
    { worker: name.slice(0, 100), workers: names },
  );
}

type Named = WorkerPackage | ToolboxPackage;

/** A package of the home stands in for a shipped one; of two with one name in the same folder the first counts. */
function joined<Kind extends Named>(
  shipped: readonly ReadPackage[],
  home: readonly ReadPackage[],
  pick: (read: ReadPackage) => Kind | undefined,
  problems: PackageProblem[],
): Map<Kind['name'], Kind> {
  const fromShipped = uniqueByName(shipped, pick, problems);
  const fromHome = uniqueByName(home, pick, problems);
  const all = new Map<Kind['name'], Kind>(fromShipped);
  for (const [name, found] of fromHome) {
    const replaced = fromShipped.get(name);
    all.set(name, replaced ? { ...found, insteadOf: replaced.source } : found);
  }
  return new Map([...all].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function uniqueByName<Kind extends Named>(
  packages: readonly ReadPackage[],
  pick: (read: ReadPackage) => Kind | undefined,
  problems: PackageProblem[],
): Map<Kind['name'], Kind> {
  const byName = new Map<Kind['name'], Kind>();
  for (const read of packages) {
    const found = pick(read);
    if (!found) continue;
    const first = byName.get(found.name);
    if (!first) byName.set(found.name, found);
    else if (first.source !== found.source) problems.push(clash(found, first));
  }
  return byName;
}

function clash(second: Named, first: Named): PackageProblem {
  const message = `The name "${second.name}" is taken by the package in ${first.source}; this one is left out.`;
  return problemOf(join(second.source, 'package.json'), message);
}

function problemOf(file: string, message: string): PackageProblem {
  return { file, line: 1, column: 1, message };
}

async function readPackages(folder: string, origin: PackageOrigin): Promise<ReadPackage[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  const read = names
    .filter((name) => !name.startsWith('.') && name !== 'node_modules')
    .toSorted()
    .map((name) => readPackage(join(folder, name), origin));
  return (await Promise.all(read)).filter((found) => found !== undefined);
}

/** Undefined for a file that merely lies beside the packages. */
async function readPackage(source: string, origin: PackageOrigin): Promise<ReadPackage | undefined> {
  const file = join(source, 'package.json');
  try {
    if (!(await stat(source)).isDirectory()) return undefined;
    const text = await readTextIfExists(file);
    if (text === undefined)
      return { problems: [problemOf(file, 'A package needs a package.json with the key "guildHall".')] };
    const { manifest, problems } = parseManifest(text, file);
    return manifest ? await readParts(manifest, source, origin, problems) : { problems };
  } catch (error) {
    return { problems: [problemOf(file, `This package cannot be read: ${(error as Error).message}.`)] };
  }
}

async function readParts(
  manifest: Manifest,
  source: string,
  origin: PackageOrigin,
  known: readonly PackageProblem[],
): Promise<ReadPackage> {
  const problems = [...known];
  const { type } = manifest.guildHall;
  const worker = type === 'toolbox' ? undefined : await readWorker(manifest, source, origin, problems);
  const toolbox = type === 'worker' ? undefined : await readToolbox(manifest, source, origin, problems);
  return { problems, ...(worker && { worker }), ...(toolbox && { toolbox }) };
}

async function readWorker(
  manifest: Manifest,
  source: string,
  origin: PackageOrigin,
  problems: PackageProblem[],
): Promise<WorkerPackage | undefined> {
  const { identity, model, maxBudgetUsd, activation, ...rest } = manifest.guildHall;
  const file = join(source, 'posture.md');
  const posture = ((await readTextIfExists(file)) ?? '').trim();
  if (posture === '' || posture.length > maxPostureLength) {
    const what = posture === '' ? 'some text' : `at most ${maxPostureLength} characters`;
    problems.push(problemOf(file, `A worker needs a posture.md with ${what}: how it works and what it takes care of.`));
    return undefined;
  }
  const module =
    activation === undefined ? undefined : await readModulePath(source, activation, 'activation', problems);
  if (activation !== undefined && module === undefined) return undefined;
  const { portraitPath, ...named } = identity;
  return {
    name: manifest.name,
    identity: { ...named, ...(portraitPath !== undefined && { portraitPath }) },
    posture,
    toolboxes: rest.toolboxes,
    builtInTools: [...new Set(rest.builtInTools)],
    checkoutScope: rest.checkoutScope,
    ...(rest.byInvitation && { byInvitation: true }),
    maxTurns: rest.maxTurns,
    source,
    origin,
    ...(model !== undefined && { model }),
    ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
    ...(module !== undefined && { activation: module }),
  };
}

async function readToolbox(
  manifest: Manifest,
  source: string,
  origin: PackageOrigin,
  problems: PackageProblem[],
): Promise<ToolboxPackage | undefined> {
  const { toolbox, identity } = manifest.guildHall;
  if (toolbox === undefined) {
    const message = 'A toolbox names its module, "toolbox": "./toolbox.js", in the key "guildHall"; it is missing.';
    problems.push(problemOf(join(source, 'package.json'), message));
    return undefined;
  }
  const module = await readModulePath(source, toolbox, 'toolbox', problems);
  if (module === undefined) return undefined;
  return { name: manifest.name, description: identity.description, module, source, origin };
}

async function readModulePath(
  source: string,
  path: string,
  key: string,
  problems: PackageProblem[],
): Promise<string | undefined> {
  const module = resolve(source, path);
  if (isInside(source, module) && (await isFile(module))) return module;
  const message = `"guildHall.${key}" names ${relative(source, module)}, but the package has no such file.`;
  problems.push(problemOf(join(source, 'package.json'), message));
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
