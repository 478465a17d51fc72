/**
 * Opens a worker for one turn of a council: with its own posture and memory, and otherwise with exactly what every
 * speaker has. Whatever its package declares, it gets the built-in tools of the phase and the council's toolbox, reads
 * the checkout and writes nothing. Its programs, its folders and its token end with the turn.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSession } from '../../../kernel/agents/contract.ts';
import type { Tool } from '../../../kernel/agents/tools.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { workerNameSchema } from '../../../kernel/pure/ids.ts';
import { activateWorker } from '../../../kernel/workers/activate.ts';
import type { ActivityFace, ArtifactAccess } from '../../../kernel/workers/contract.ts';
import { councilKind } from '../contract/kind.ts';
import { activityOf, agentFolder, type CouncilRef, sessionsFolder } from '../store/place.ts';
import type { TurnsContext } from './context.ts';
import { removeLeftovers } from './leftovers.ts';
import { readPrompt } from './prompts.ts';

export interface Opening {
  /** Package of the worker. */
  readonly worker: string;
  /** Markdown, for its system prompt. */
  readonly contextText: string;
  readonly builtInTools: readonly string[];
  readonly toolbox: readonly Tool[];
  /** `model-only`: nothing but its model; undefined: what config.yaml says. */
  readonly network: 'model-only' | undefined;
  /** Of the whole turn, with all its tries. Undefined: none. */
  readonly outputTokens: number | undefined;
}

export interface OpenTurn {
  readonly session: AgentSession;
  /** Ends its programs, takes its token back, removes its folders. */
  readonly close: () => Promise<void>;
}

/** @throws `not_found` for a worker that is not there any more */
export async function openTurn(ctx: TurnsContext, ref: CouncilRef, opening: Opening): Promise<OpenTurn> {
  const folder = agentFolder(ctx, ref);
  // What a hall left that was killed within a turn.
  await removeLeftovers(ctx, folder);
  const configDir = join(folder, 'config');
  const tmpDir = join(folder, 'tmp');
  const close = async (session?: AgentSession): Promise<void> => {
    await session?.close();
    ctx.gateway.revoke(activityOf(ref));
    await removeLeftovers(ctx, folder).catch((error: unknown) => {
      // What was said counts all the same; the next turn tries again.
      ctx.log.warn({ err: error, folder }, 'what a turn left could not be removed');
    });
  };
  try {
    for (const path of [configDir, tmpDir]) await mkdir(path, { recursive: true, mode: 0o700 });
    const session = await openSession(ctx, ref, opening, { configDir, tmpDir });
    return { session, close: async () => close(session) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSession(
  ctx: TurnsContext,
  ref: CouncilRef,
  opening: Opening,
  folders: { readonly configDir: string; readonly tmpDir: string },
): Promise<AgentSession> {
  const { builtInTools, outputTokens, network } = opening;
  const catalogue = await ctx.catalogue();
  const name = workerNameSchema.parse(opening.worker);
  const face = await faceOf(ctx, ref, opening);
  const activated = await activateWorker(ctx, catalogue, name, ref.project, face);
  const { model, limits } = activated;
  const granted = ctx.gateway.grant(activityOf(ref), {
    worker: name,
    maxBudgetUsd: limits.maxBudgetUsd,
    ...(model !== undefined && { modelName: model }),
    ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
  });
  return ctx.driver.open({
    activity: activityOf(ref),
    cwd: ref.root,
    systemPrompt: activated.systemPrompt,
    tools: activated.tools,
    builtInTools,
    // Nobody sees a prelude before all have landed, and how a council is kept is not for its speakers.
    access: { root: ref.root, write: false, hidden: hiddenIn(ref) },
    ...(network !== undefined && { network }),
    limits: {
      ...limits,
      silenceMs: ctx.config().agents.silenceSeconds * 1000,
      ...(outputTokens !== undefined && { maxOutputTokens: outputTokens }),
    },
    model: granted,
    ...folders,
  });
}

function hiddenIn({ root }: CouncilRef): readonly string[] {
  const folder = join(root, sessionsFolder);
  return existsSync(folder) ? [folder] : [];
}

async function faceOf(ctx: TurnsContext, ref: CouncilRef, opening: Opening): Promise<ActivityFace> {
  const { contextText, builtInTools, toolbox } = opening;
  return {
    ref: activityOf(ref),
    kindLabel: councilKind,
    contextText,
    context: { activity: councilKind, councilId: ref.id },
    toolbox,
    confined: { builtInTools, rules: await readPrompt(ctx, 'rules') },
    artifacts: noArtifacts,
    decisions: { record: async () => Promise.reject(notInCouncil()) },
  };
}

/** No tool of a council reaches these. */
const noArtifacts: ArtifactAccess = {
  list: async () => Promise.reject(notInCouncil()),
  read: async () => Promise.reject(notInCouncil()),
  write: async () => Promise.reject(notInCouncil()),
};

function notInCouncil(): Error {
  return fail('forbidden', 'A speaker of a council has no artifacts.', 'Read files of the checkout instead.');
}
