/** Gives a meeting its agent: activation of the worker, access to the model, an opened session. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSession } from '../../../kernel/agents/contract.ts';
import { addWorktree, ownsWorktree } from '../../../kernel/git/worktrees.ts';
import { activateWorker } from '../../../kernel/workers/activate.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { MeetingsContext } from '../context.ts';
import type { MeetingRecord } from '../contract.ts';
import { createMeetingFace } from '../face.ts';
import { readPrompt } from '../prompts.ts';
import { agentFolder, branchOf, type MeetingRef, ownerOf, worktreeOf } from '../store/place.ts';
import { activityOf, liveOf } from './live.ts';

/** The meeting's agent; opened when it is not. `earlier` asks for a fresh one that is told what was said before it began. */
export async function ensureSession(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  earlier = '',
): Promise<AgentSession> {
  const live = liveOf(ctx, ref);
  if (earlier !== '') {
    await live.session?.close();
    live.session = undefined;
  }
  if (live.session === undefined) live.session = await openSession(ctx, ref, record, earlier);
  else await ensureWorktree(ctx, ref, record);
  return live.session;
}

async function openSession(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  earlier: string,
): Promise<AgentSession> {
  const catalogue = await ctx.catalogue();
  const worker = requireWorker(catalogue, record.worker);
  await ensureWorktree(ctx, ref, record);
  const contextText = await contextOf(ctx, record, earlier);
  const face = createMeetingFace(ctx, ref, record, contextText);
  const activated = await activateWorker(ctx, catalogue, worker.name, ref.project, face);
  const folder = agentFolder(ctx, ref);
  const configDir = join(folder, 'config');
  const tmpDir = join(folder, 'tmp');
  for (const path of [configDir, tmpDir]) await mkdir(path, { recursive: true, mode: 0o700 });
  const { modelName, ...limits } = { ...activated.limits, modelName: activated.model };
  const model = ctx.gateway.grant(activityOf(ref), {
    worker: worker.name,
    maxBudgetUsd: limits.maxBudgetUsd,
    ...(modelName === undefined ? {} : { modelName }),
  });
  const root = worktreeOf(ctx, ref);
  return ctx.driver.open({
    activity: activityOf(ref),
    cwd: root,
    systemPrompt: activated.systemPrompt,
    tools: activated.tools,
    builtInTools: activated.builtInTools,
    access: { root, write: true },
    limits: { ...limits, silenceMs: ctx.config().agents.silenceSeconds * 1000 },
    model,
    configDir,
    tmpDir,
  });
}

/** Puts back a worktree that somebody deleted: the branch has what was committed. */
async function ensureWorktree(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): Promise<void> {
  const path = worktreeOf(ctx, ref);
  if (await ownsWorktree(ctx, { path, owner: ownerOf(ref) })) return;
  const worker = requireWorker(await ctx.catalogue(), record.worker);
  const branch = branchOf(ref);
  await ctx.locks.with(`worktrees:${ref.project.name}`, () =>
    addWorktree(ctx, {
      repo: ref.project.path,
      path,
      branch,
      startPoint: branch,
      scope: worker.checkoutScope,
      owner: ownerOf(ref),
    }),
  );
}

/** What every worker in a meeting is told about it, whatever its own activation does with it. */
async function contextOf(ctx: MeetingsContext, record: MeetingRecord, earlier: string): Promise<string> {
  const artifacts = record.referencedArtifacts.map((path) => `- ${path}`).join('\n');
  const text = await readPrompt(ctx, 'context', {
    id: record.id,
    title: record.title,
    agenda: record.agenda,
    artifacts: artifacts === '' ? 'None.' : artifacts,
  });
  return earlier === '' ? text : `${text}\n\n${await readPrompt(ctx, 'renewal', { summary: earlier })}`;
}

/** Removes the agent program's own files of this meeting: its sessions and what it left in its temporary folder. */
export async function removeAgentFiles(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  await rm(agentFolder(ctx, ref), { recursive: true, force: true });
}
