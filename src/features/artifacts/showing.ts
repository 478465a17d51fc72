/** One artifact, with what is around it: who made it, how it came to be, what it links and what links it. */
import { open } from 'node:fs/promises';
import { resolveInside } from '../../kernel/artifacts/paths.ts';
import { documentOfBytes, summaryOf } from '../../kernel/artifacts/read.ts';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import { fileHistory } from '../../kernel/git/history.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf, fail } from '../../kernel/pure/errors.ts';
import type { ArtifactsContext } from './context.ts';
import type { ArtifactCommit, ArtifactLink, ArtifactShown } from './contract.ts';
import { whyLocked } from './guarding.ts';
import { artifactsInFields, type LibraryRead, placesNaming, readLibrary } from './library.ts';
import { linkedInText } from './links.ts';
import { requireLore, revisionOf } from './paths.ts';
import { activityOfTrailer } from './rules.ts';

const maxHistory = 20;
/** A longer file is no page that anybody reads. Bytes. */
const maxShownBytes = 16 * 1024 * 1024;

export async function showOne(
  ctx: ArtifactsContext,
  wanted: { project?: string | undefined; path: string },
): Promise<ArtifactShown> {
  const project = ctx.chooseProject(wanted.project);
  const path = requireLore(wanted.path);
  const bytes = await requireBytes(ctx, project, path);
  const { frontmatter, body, problems, source } = documentOfBytes(bytes, path);
  const library = await readLibrary(ctx.library, project.integrationWorktree);
  const [produced, history, linkedFrom, locked] = await Promise.all([
    ctx.producersOf(project.name, path),
    historyOf(ctx, project, path),
    linksFrom(project, library, path),
    whyLocked(ctx, project, path, bytes),
  ]);
  return {
    project: project.name,
    path,
    title: summaryOf({ frontmatter, body, problems, source }, path).title,
    frontmatter,
    body,
    problems: [...problems],
    produced_by: [...produced],
    raw: source,
    revision: revisionOf(bytes),
    locked,
    history,
    linksTo: await linksOf(library, path, { frontmatter, body }),
    linkedFrom,
  };
}

async function requireBytes(ctx: ArtifactsContext, project: Project, path: string): Promise<Buffer> {
  const bytes = await readFileBytes(await resolveInside(project.integrationWorktree, path), path);
  if (bytes !== undefined) return bytes;
  const [open_] = await ctx.elsewhere(project.name, path);
  if (open_ === undefined)
    throw fail('not_found', `There is no artifact ${path}.`, 'See: guild-hall artifact list', { path });
  throw fail(
    'not_found',
    `There is no artifact ${path} yet: it stands on the branch of ${open_.kind} ${open_.id}, which is not merged.`,
    `See: ${open_.command}`,
    { path, kind: open_.kind, id: open_.id },
  );
}

/** Undefined where there is no such file. @throws HallError `too_large` */
export async function readFileBytes(file: string, path: string): Promise<Buffer | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const facts = await handle.stat();
      if (facts.size > maxShownBytes) throw tooLong(path, facts.size);
      return facts.isFile() ? await handle.readFile() : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
    throw error;
  }
}

function tooLong(path: string, size: number): Error {
  return fail(
    'too_large',
    `${path} has ${size} bytes; artifacts of at most ${maxShownBytes} are shown.`,
    'Open the file in the integration checkout: guild-hall project list',
    { path },
  );
}

async function historyOf(ctx: ArtifactsContext, project: Project, path: string): Promise<ArtifactCommit[]> {
  try {
    const request = { branch: project.integrationBranch, path, max: maxHistory };
    const commits = await fileHistory(ctx, project.path, request);
    return commits.map(({ commit, at, author, subject, trailer }) => ({
      commit: commit.slice(0, 10),
      at,
      author,
      subject,
      by: trailer,
      activity: activityOfTrailer(trailer, ctx.activityKinds()),
    }));
  } catch (error) {
    // The text is there all the same: a story that cannot be told, or takes too long, is left out.
    ctx.log.warn({ project: project.name, path, reason: errorFactsOf(error).message }, 'no history of an artifact');
    return [];
  }
}

async function linksOf(
  library: LibraryRead,
  path: string,
  document: { frontmatter: Record<string, unknown>; body: string },
): Promise<ArtifactLink[]> {
  const inFields = artifactsInFields(path, document);
  const inText = await linkedInText(path, document.body);
  const named = [...new Set([...inFields.keys(), ...inText])].filter((each) => each !== path);
  return named.map((each) => ({
    path: each,
    title: library.entries.get(each)?.summary.title ?? null,
    exists: library.entries.has(each),
    where: [...(inFields.get(each) ?? []), ...(inText.has(each) ? ['text'] : [])],
  }));
}

async function linksFrom(project: Project, library: LibraryRead, path: string): Promise<ArtifactLink[]> {
  const links: ArtifactLink[] = [];
  for (const [from, entry] of library.entries) {
    if (from === path) continue;
    const where = await placesNaming(project.integrationWorktree, from, entry, path);
    if (where.length > 0) links.push({ path: from, title: entry.summary.title, exists: true, where: [...where] });
  }
  return links.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
