/** What the tools of a commission do: each is on disk before the worker reads that it was done. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { createResult } from '../store/attempt.ts';
import type { CommissionDesk, Submission } from '../toolbox.ts';
import type { Attempt, WorkerContext } from './context.ts';
import type { Hearing } from './hearing.ts';

export function createDesk(ctx: WorkerContext, attempt: Attempt, hearing: Hearing): CommissionDesk {
  let asked = 0;
  return {
    report: async (text) => attempt.journal.add({ kind: 'progress', text: await ctx.scrub(text) }),
    ask: async (text) => {
      asked += 1;
      const id = `q${attempt.order.attempt}.${asked}`;
      hearing.questions.set(id, text);
      await attempt.journal.add({ kind: 'question', id, text: await ctx.scrub(text) });
      return id;
    },
    submit: async (summary, artifacts) => submit(ctx, attempt, summary, artifacts),
  };
}

/** `result.json` is the truth; the line in the journal only tells of it. */
async function submit(
  ctx: WorkerContext,
  { folder, order, journal }: Attempt,
  given: string,
  paths: readonly string[],
): Promise<Submission> {
  const artifacts: string[] = [];
  const missing: string[] = [];
  for (const path of paths) {
    // It is told in the result, and stays a file's name for good.
    const isSecret = (await ctx.scrub(path)) !== path;
    const checked = isSecret ? { reason: 'looks like a secret' } : await checkPath(order.worktree, path);
    if ('reason' in checked) return { outcome: 'bad_path', path: await ctx.scrub(path), reason: checked.reason };
    if (artifacts.includes(checked.path)) continue;
    artifacts.push(checked.path);
    if (!checked.exists) missing.push(checked.path);
  }
  const summary = await ctx.scrub(given);
  const result = { version: 1 as const, token: order.token, at: ctx.clock.nowIso(), summary, artifacts };
  if (!(await createResult(folder, result))) return { outcome: 'already' };
  await journal.add({ kind: 'result', summary, artifacts }).catch((error: unknown) => {
    ctx.log.error({ err: error }, 'the result is kept, but the journal does not tell of it');
  });
  return { outcome: 'kept', artifacts, missing };
}

type CheckedPath = { readonly path: string; readonly exists: boolean } | { readonly reason: string };

/** Plain and inside the worktree by real path; an absolute path below it is meant as one relative to the project. */
async function checkPath(worktree: string, given: string): Promise<CheckedPath> {
  const within = given.startsWith(`${worktree}/`) ? given.slice(worktree.length + 1) : given;
  const path = within
    .split('/')
    .filter((part, index) => part !== '.' && (part !== '' || index === 0))
    .join('/');
  if (path.split('/').some((part) => part.toLowerCase() === '.git')) return { reason: "belongs to git's own files" };
  try {
    await resolveInside(worktree, path);
  } catch (error) {
    return { reason: `is no path inside the project: ${errorFactsOf(error).message}` };
  }
  return { path, exists: existsSync(join(worktree, path)) };
}
