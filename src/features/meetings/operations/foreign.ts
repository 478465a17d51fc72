/** Records of meetings that a worker wrote in its own worktree, as its branch is merged. */
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { changedFiles, mergeBase, readFileAt } from '../../../kernel/git/read.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, meetingsFolder } from '../contract.ts';
import type { MeetingRef } from '../store/place.ts';
import { meetingPath, requestText } from '../store/record.ts';

/**
 * New files that ask for a meeting come along, with only what a request may say. Every other change below the folder
 * is left behind: the hall alone writes records.
 */
export async function recordChangesOnBranch(
  ctx: MeetingsContext,
  ref: MeetingRef,
  tip: string,
  author: string,
): Promise<{
  readonly requests: Readonly<Record<string, string>>;
  readonly dropPaths: readonly string[];
  /** Artifacts that the branch changed, records left out. */
  readonly artifacts: readonly string[];
}> {
  const { path: repo, integrationBranch } = ref.project;
  const base = await mergeBase(ctx, repo, integrationBranch, tip);
  const changed = base === undefined ? [] : await changedFiles(ctx, repo, base, tip);
  const requests: Record<string, string> = {};
  const dropPaths: string[] = [];
  for (const { path } of changed) {
    if (!path.startsWith(`${meetingsFolder}/`) || path === meetingPath(ref.id)) continue;
    dropPaths.push(path);
    const request = await readNewRequest(ctx, ref, tip, path, author);
    if (request !== undefined) requests[path] = request;
  }
  const isWork = (path: string): boolean => path.startsWith('.lore/') && !path.startsWith(`${meetingsFolder}/`);
  return {
    requests,
    dropPaths: dropPaths.filter((path) => requests[path] === undefined),
    artifacts: changed.map(({ path }) => path).filter(isWork),
  };
}

async function readNewRequest(
  ctx: MeetingsContext,
  ref: MeetingRef,
  tip: string,
  path: string,
  author: string,
): Promise<string | undefined> {
  const { path: repo, integrationBranch } = ref.project;
  const id = meetingIdSchema.safeParse(path.slice(meetingsFolder.length + 1).replace(/\.md$/, ''));
  if (!id.success || path !== meetingPath(id.data)) return undefined;
  if ((await readFileAt(ctx, repo, integrationBranch, path)) !== undefined) return undefined;
  const content = await readFileAt(ctx, repo, tip, path);
  if (content === undefined) return undefined;
  const document = parseArtifact(await ctx.scrub(content), path);
  if (document.problems.length > 0 || document.frontmatter['status'] !== 'requested') return undefined;
  return requestText(document, { author, now: ctx.clock.nowIso() });
}
