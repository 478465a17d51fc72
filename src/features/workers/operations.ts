/** Which workers there are, and how a person gets one of their own. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createExclusively, readTextIfExists, writeAtomically } from '../../kernel/artifacts/write.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { WorkerName } from '../../kernel/pure/ids.ts';
import { requireWorker } from '../../kernel/workers/catalogue.ts';
import type { WorkerCatalogue, WorkerPackage } from '../../kernel/workers/contract.ts';
import { stewardName } from '../steward/contract.ts';
import {
  type ListedWorker,
  type WorkerEvents,
  workerList,
  type WorkerList,
  type WorkerMade,
  workerNew,
  workerShow,
  type WorkerShown,
} from './contract.ts';

export type WorkersContext = LocksContext &
  EventsContext & {
    /** The packages as they are on disk now. */
    readonly catalogue: () => Promise<WorkerCatalogue>;
    readonly home: Pick<HomePaths, 'packages'>;
  };

/** A worker with so many files brings more than a worker. */
const maxFiles = 200;

export function bindWorkerOperations(ctx: WorkersContext): BoundOperation[] {
  return [
    bindOperation(workerList, (_caller, { councillors }) => listWorkers(ctx, councillors)),
    bindOperation(workerShow, (_caller, { name }) => showWorker(ctx, name)),
    bindOperation(workerNew, (_caller, input) => makeWorker(ctx, input)),
  ];
}

async function listWorkers(ctx: WorkersContext, councillors: boolean): Promise<WorkerList> {
  const { workers, toolboxes, problems } = await ctx.catalogue();
  const listed = [...workers.values()].map(printWorker);
  return {
    workers: listed.filter(({ councillor }) => councillor === councillors),
    councillors: listed.filter(({ councillor }) => councillor).length,
    toolboxes: [...toolboxes.values()].map(({ name, description, source }) => ({ name, description, source })),
    problems: [...problems],
  };
}

async function showWorker(ctx: WorkersContext, name: string): Promise<WorkerShown> {
  const worker = requireWorker(await ctx.catalogue(), name);
  return {
    ...printWorker(worker),
    source: worker.source,
    model: worker.model ?? null,
    maxTurns: worker.maxTurns,
    maxBudgetUsd: worker.maxBudgetUsd ?? null,
    hasOwnActivation: worker.activation !== undefined,
    posture: worker.posture,
  };
}

function printWorker({ name, identity, origin, insteadOf, ...worker }: WorkerPackage): ListedWorker {
  return {
    name,
    displayName: identity.name,
    displayTitle: identity.displayTitle,
    description: identity.description,
    checkoutScope: worker.checkoutScope,
    toolboxes: [...worker.toolboxes],
    builtInTools: [...worker.builtInTools],
    origin,
    insteadOf: insteadOf ?? null,
    councillor: worker.byInvitation ?? false,
  };
}

/**
 * The package.json comes last: what a crash left half-copied is no package yet, and the same command completes it.
 */
async function makeWorker(ctx: WorkersContext, wanted: { name: WorkerName; from: string }): Promise<WorkerMade> {
  const { name } = wanted;
  const from = requireWorker(await ctx.catalogue(), wanted.from);
  const source = join(ctx.home.packages, name);
  const manifest = join(source, 'package.json');
  return ctx.locks.with(`package:${name}`, async () => {
    if ((await readTextIfExists(manifest)) !== undefined) throw nameTaken(name, source);
    for (const file of await listPackageFiles(from)) {
      await writeAtomically(join(source, file), await readFile(join(from.source, file)));
    }
    const text = renamedManifest(await readFile(join(from.source, 'package.json'), 'utf8'), name, from);
    if (!(await createExclusively(manifest, text))) throw nameTaken(name, source);
    const data: WorkerEvents['worker.made'] = { name, from: from.name };
    ctx.events.publish({ type: 'worker.made', project: null, subject: `worker:${name}`, data });
    return { name, from: from.name, source, edit: [join(source, 'posture.md'), manifest] };
  });
}

/** Everything of the package but its manifest and what a package manager put there. Relative to its folder. */
async function listPackageFiles({ name, source }: WorkerPackage): Promise<string[]> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((file) => file !== 'package.json' && !file.split('/').includes('node_modules'));
  if (files.length <= maxFiles) return files;
  throw fail(
    'too_large',
    `The package of "${name}" has ${files.length} files; at most ${maxFiles} are copied.`,
    `Copy it by hand: ${source}`,
  );
}

function renamedManifest(text: string, name: WorkerName, from: WorkerPackage): string {
  const manifest = JSON.parse(text.replace(/^\uFEFF/, '')) as {
    guildHall: { identity: object; toolboxes?: readonly string[] };
  };
  // A worker that stands in for another keeps its name; a new one gets the name that it was given.
  const shown = name === from.name ? from.identity.name : displayNameOf(name);
  const { toolboxes } = manifest.guildHall;
  const guildHall = {
    ...manifest.guildHall,
    identity: { ...manifest.guildHall.identity, name: shown },
    // The hall's own goes to the worker of its name alone.
    ...(toolboxes !== undefined && {
      toolboxes: toolboxes.filter((box) => box !== stewardName || name === stewardName),
    }),
  };
  return `${JSON.stringify({ ...manifest, name, guildHall }, null, 2)}\n`;
}

function displayNameOf(name: string): string {
  return name.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('-', ' ');
}

function nameTaken(name: string, source: string): Error {
  return fail(
    'conflict',
    `There is already a package "${name}" in ${source}; it was left as it is.`,
    `Choose another name, or change that one by hand: ${join(source, 'posture.md')}`,
    { name, source },
  );
}
