/** What a commission hands over when its worker is activated: its context, its tools, its artifacts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../kernel/pure/errors.ts';
import type { ActivityFace, ArtifactAccess } from '../../../kernel/workers/contract.ts';
import { createWorktreeArtifacts } from '../../../kernel/workers/worktree-artifacts.ts';
import { commissionKind, commissionsFolder } from '../contract.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import { type CommissionDesk, createCommissionToolbox } from '../toolbox.ts';
import type { Attempt, WorkerContext } from './context.ts';
import { type Made, tellMade } from './made.ts';

export async function createCommissionFace(
  ctx: WorkerContext,
  { order, journal }: Attempt,
  desk: CommissionDesk,
  made: Made,
): Promise<ActivityFace> {
  return {
    ref: { project: order.project, kind: commissionKind, id: order.id },
    kindLabel: commissionKind,
    contextText: await printContext(ctx, order),
    about: order.prompt,
    context: {
      activity: commissionKind,
      commissionId: order.id,
      prompt: order.prompt,
      dependencies: order.dependencies,
      attempt: order.attempt,
    },
    toolbox: createCommissionToolbox(desk),
    artifacts: createCommissionArtifacts(ctx, order.worktree, made),
    decisions: {
      record: async ({ question, decision, reasoning }) =>
        journal.add({
          kind: 'decision',
          question: await ctx.scrub(question),
          decision: await ctx.scrub(decision),
          reasoning: await ctx.scrub(reasoning),
        }),
    },
  };
}

function createCommissionArtifacts(ctx: WorkerContext, worktree: string, made: Made): ArtifactAccess {
  const inWorktree = createWorktreeArtifacts(worktree);
  return {
    list: (under) => inWorktree.list(under),
    read: (path) => inWorktree.read(path),
    write: async (given, content) => {
      requireNoRecord(given);
      if ((await ctx.scrub(given)) !== given) throw looksLikeSecret();
      const written = await inWorktree.write(given, content);
      await tellMade(made, written.path);
      return { ...written, note: written.note ?? 'It reaches the project when the commission is completed.' };
    },
  };
}

/** The hall alone writes the records of commissions. */
function requireNoRecord(given: string): void {
  const path = given
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  if (!path.startsWith(`${commissionsFolder}/`)) return;
  throw fail(
    'forbidden',
    `${path} would be the record of a commission; those are written by the hall.`,
    'Write your result to another folder of .lore/, and hand it over with submit_result.',
  );
}

/** A name is told at many places, and in the history for good. */
function looksLikeSecret(): Error {
  return fail('invalid', 'The path looks as if it held a secret.', 'Choose another name for the file.');
}

async function printContext(ctx: WorkerContext, order: AttemptOrder): Promise<string> {
  const template = await readFile(join(ctx.commissionPrompts, 'context.md'), 'utf8');
  const dependencies = order.dependencies.map((one) => `- ${one}`).join('\n');
  const values: Readonly<Record<string, string>> = {
    id: order.id,
    title: order.title,
    attempt: String(order.attempt),
    dependencies: dependencies === '' ? 'Nothing of other commissions.' : dependencies,
    earlier: order.earlier === '' ? '' : `\n### Earlier attempts\n\n${order.earlier}`,
  };
  return template
    .trimEnd()
    .replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? '')
    .trimEnd();
}
