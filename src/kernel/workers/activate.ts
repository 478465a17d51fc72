/**
 * Gives a worker everything it has in one activity: prompt, tools, limits. The tool set is the trust boundary: base
 * toolbox, the activity's own, the declared toolboxes, the declared built-in tools, and nothing else. What is missing
 * fails the activation; a worker never runs with a part of its tools.
 */
import type { Tool } from '../agents/tools.ts';
import type { LogContext } from '../log/log.ts';
import { fail } from '../pure/errors.ts';
import type { ProjectName, WorkerName } from '../pure/ids.ts';
import { didYouMean } from '../pure/nearest.ts';
import { createArtifactTools } from './artifact-tools.ts';
import { requireWorker } from './catalogue.ts';
import type {
  ActivatedWorker,
  ActivityFace,
  HallMemory,
  HallToolboxes,
  ToolboxPackage,
  WorkerCatalogue,
  WorkerPackage,
} from './contract.ts';
import { type InjectedMemory, readInjectedMemory } from './injection.ts';
import { createMemoryTools } from './memory-tools.ts';
import type { MemoryContext, MemoryOwner } from './memory.ts';
import { loadToolbox, type OwnActivation, runOwnActivation } from './modules.ts';
import { printMemory, printSystemPrompt } from './prompt.ts';
import { joinTools, type ToolGroup } from './toolset.ts';

/** The part of the configuration that counts here. */
export interface MemoryBudgets {
  readonly memoryBudgetTokens: number;
  readonly projects: readonly { readonly name: string; readonly memoryBudgetTokens?: number | undefined }[];
}

export type ActivationContext = MemoryContext &
  LogContext & {
    readonly config: () => MemoryBudgets;
    /** Asked before the packages; where it is not given, the hall has none. */
    readonly hallToolboxes?: HallToolboxes | undefined;
    /** Where it is not given, the hall remembers nothing. */
    readonly hallMemory?: HallMemory | undefined;
  };

interface ActivatedProject {
  readonly name: ProjectName;
  readonly integrationBranch: string;
}

/**
 * @param name a worker of the catalogue
 * @throws `not_found` for an unknown worker or toolbox, `conflict` for a broken package or two tools of one name
 */
export async function activateWorker(
  ctx: ActivationContext,
  catalogue: WorkerCatalogue,
  name: WorkerName,
  project: ActivatedProject,
  asked: ActivityFace,
): Promise<ActivatedWorker> {
  const worker = requireWorker(catalogue, name);
  const face = await rememberInContext(ctx, worker, project.name, asked);
  const owner: MemoryOwner = { project: project.name, worker: worker.name };
  const builtInTools = face.confined?.builtInTools ?? worker.builtInTools;
  const tools =
    face.confined === undefined
      ? await resolveTools(ctx, catalogue, worker, owner, face)
      : joinTools([{ origin: `the ${face.kindLabel}'s toolbox`, tools: face.toolbox }], builtInTools);
  const memory = await readInjectedMemory(ctx, owner, budgetOf(ctx.config(), project.name));
  const own = await activateByPackage(ctx, worker, project, face, { tools, builtInTools }, memory);
  const model = own.model ?? worker.model;
  return {
    systemPrompt: printSystemPrompt({
      identity: worker.identity,
      posture: worker.posture,
      ...(own.systemPrompt !== undefined && { ownPrompt: own.systemPrompt }),
      ...(face.confined !== undefined && { rules: face.confined.rules }),
      tools,
      builtInTools,
      project,
      checkoutScope: worker.checkoutScope,
      memory,
      kindLabel: face.kindLabel,
      contextText: face.contextText,
    }),
    tools,
    builtInTools,
    limits: {
      maxTurns: own.maxTurns ?? worker.maxTurns,
      maxBudgetUsd: own.maxBudgetUsd ?? worker.maxBudgetUsd ?? null,
    },
    ...(model !== undefined && { model }),
  };
}

/** The activity as it was asked for, with what the hall remembers of it behind what it is about. */
async function rememberInContext(
  ctx: ActivationContext,
  worker: WorkerPackage,
  project: ProjectName,
  face: ActivityFace,
): Promise<ActivityFace> {
  if (ctx.hallMemory === undefined || face.about === undefined) return face;
  const names = [worker.name, worker.identity.name];
  const remembered = await ctx.hallMemory({ project, names, about: face.about });
  return remembered === '' ? face : { ...face, contextText: `${face.contextText.trimEnd()}\n\n${remembered}` };
}

/** A toolbox of the hall, or the package of one. */
function findToolbox(
  ctx: ActivationContext,
  catalogue: WorkerCatalogue,
  worker: WorkerPackage,
  name: string,
  { ref }: ActivityFace,
): ToolGroup | ToolboxPackage {
  const ofHall = ctx.hallToolboxes?.(name, { worker: worker.name, activity: ref });
  if (ofHall !== undefined) return { origin: `the hall's toolbox "${name}"`, tools: ofHall };
  return requireToolbox(catalogue, worker, name);
}

function requireToolbox(catalogue: WorkerCatalogue, worker: WorkerPackage, name: string): ToolboxPackage {
  const toolbox = catalogue.toolboxes.get(name);
  if (toolbox) return toolbox;
  const names = [...catalogue.toolboxes.keys()];
  throw fail(
    'not_found',
    `The worker "${worker.name}" needs the toolbox "${name}", which is not there. There are: ${names.join(', ') || 'none'}.`,
    `${didYouMean(name, names)}Put its package into the home's packages, or take it out of ${worker.source}/package.json.`,
    { worker: worker.name, toolbox: name, toolboxes: names },
  );
}

async function resolveTools(
  ctx: ActivationContext,
  catalogue: WorkerCatalogue,
  worker: WorkerPackage,
  owner: MemoryOwner,
  face: ActivityFace,
): Promise<Tool[]> {
  const toolboxes = worker.toolboxes.map((toolbox) => findToolbox(ctx, catalogue, worker, toolbox, face));
  const context = { project: owner.project, worker: worker.name, activity: { ...face.context, ...face.ref } };
  const declared: ToolGroup[] = [];
  for (const toolbox of toolboxes) {
    if ('tools' in toolbox) declared.push(toolbox);
    else declared.push({ origin: `the toolbox "${toolbox.name}"`, tools: await loadToolbox(ctx, toolbox, context) });
  }
  const base = [...createMemoryTools(ctx, owner), ...createArtifactTools(face)];
  return joinTools(
    [
      { origin: 'the base toolbox', tools: base },
      { origin: `the ${face.kindLabel}'s toolbox`, tools: face.toolbox },
      ...declared,
    ],
    worker.builtInTools,
  );
}

async function activateByPackage(
  ctx: ActivationContext,
  worker: WorkerPackage,
  project: ActivatedProject,
  face: ActivityFace,
  given: Pick<ActivatedWorker, 'tools' | 'builtInTools'>,
  memory: InjectedMemory,
): Promise<OwnActivation> {
  if (worker.activation === undefined) return {};
  ctx.log.info({ worker: worker.name, source: worker.source }, "running the package's own activation");
  return await runOwnActivation(ctx, worker, worker.activation, {
    identity: { ...worker.identity },
    posture: worker.posture,
    project: { name: project.name, integrationBranch: project.integrationBranch },
    activity: { ...face.context, ...face.ref },
    contextText: face.contextText,
    memory: printMemory(memory),
    tools: given.tools.map(({ name, description }) => ({ name, description })),
    builtInTools: [...given.builtInTools],
  });
}

function budgetOf({ projects, memoryBudgetTokens }: MemoryBudgets, name: string): number {
  return projects.find((project) => project.name === name)?.memoryBudgetTokens ?? memoryBudgetTokens;
}
