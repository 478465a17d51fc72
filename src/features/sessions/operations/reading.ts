/** What is shown of sessions. */
import { diffTrees } from '../../../kernel/git/diff.ts';
import { runGit } from '../../../kernel/git/run.ts';
import { withSnapshot } from '../../../kernel/git/snapshot.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { scrubValue } from '../../../kernel/secrets/scrub.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import type { Diff, SessionList, SessionMessage } from '../contract.ts';
import { listOf } from '../reactions/list.ts';
import { readKnown } from '../reactions/known.ts';

/** A diff as a page can show it. */
const diffLimits = { perFile: 100_000, inAll: 1_000_000, files: 500 };

export async function listSessions(ctx: SessionsContext, project: string): Promise<SessionList> {
  await readKnown(ctx);
  return listOf(ctx, project);
}

/** @throws HallError `not_found` where `before` is the number of no message */
export function messagesBefore(
  { state, id }: OpenSession,
  before: number,
  count: number,
): { messages: readonly SessionMessage[]; earlier: number } {
  const end = state.messages.findIndex(({ seq }) => seq === before);
  if (end === -1) {
    throw fail('not_found', `Session ${id} has no message ${before}.`, `See: guild-hall session show ${id}`);
  }
  const earlier = Math.max(0, end - count);
  return { messages: state.messages.slice(earlier, end), earlier };
}

export interface Changes {
  readonly folder: string;
  readonly files: Awaited<ReturnType<typeof diffTrees>>['files'];
  readonly more: number;
  readonly gitProblem: string | null;
  readonly told: readonly { readonly path: string; readonly diffs: readonly Diff[] }[];
}

/** Of git what differs from the last commit, whoever changed it; of the agent what it told. */
export async function changesOf(ctx: SessionsContext, { state }: OpenSession): Promise<Changes> {
  const { folder } = state;
  const git = await gitChanges(ctx, folder);
  return { folder, ...git, told: toldChanges(state.messages, state.changedFiles) };
}

async function gitChanges(
  ctx: SessionsContext,
  folder: string,
): Promise<Pick<Changes, 'files' | 'more' | 'gitProblem'>> {
  try {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'];
    const found = await runGit(ctx, { cwd: folder, args, okExitCodes: [0, 1] });
    const head = found.stdout.trim();
    if (head === '') return { files: [], more: 0, gitProblem: 'The repository has no commit yet.' };
    const diff = await withSnapshot(ctx, folder, async (git, tree) => {
      return await diffTrees(git, folder, { from: head, to: tree }, diffLimits);
    });
    return { ...(scrubValue(diff) as typeof diff), gitProblem: null };
  } catch (error) {
    ctx.log.warn({ err: error, folder }, 'what changed in the folder of a session cannot be told');
    return { files: [], more: 0, gitProblem: errorFactsOf(error).message };
  }
}

function toldChanges(messages: readonly SessionMessage[], paths: readonly string[]): Changes['told'] {
  const diffs = new Map<string, Diff[]>(paths.map((path) => [path, []]));
  for (const message of messages) {
    if (message.role === 'person') continue;
    for (const part of message.parts) {
      if (part.type !== 'tool' || part.state !== 'done') continue;
      for (const diff of part.diffs) diffs.get(diff.path)?.push(diff);
    }
  }
  return [...diffs].map(([path, all]) => ({ path, diffs: all }));
}
