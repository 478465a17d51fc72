/** Contexts as they are shown: in a list, whole, and as Markdown. */
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import type { SessionInfo } from '../../sessions/contract.ts';
import type { ContextsContext } from '../context.ts';
import type { MetaContext, MetaContextList, MetaContextView } from '../contract.ts';
import { settledRegistry } from '../store/kept.ts';
import { readPhases } from '../store/specs.ts';
import { registryProblems } from './problems.ts';

/** Those whose newest session was used last come first; those without any come last. */
export async function listContexts(ctx: ContextsContext, projects: readonly Project[]): Promise<MetaContextList> {
  const all = await Promise.all(
    projects.map(async (project) => {
      const { registry } = await settledRegistry(ctx, project);
      const infos = await infosOf(ctx, project);
      const rows = [...registry.contexts.values()].map(({ id, name, sessionIds }) => {
        const newest = sessionIds.map((each) => infos.get(each)).findLast((info) => info !== undefined) ?? null;
        return { project: project.name, id, name, sessions: sessionIds.length, newest };
      });
      return { rows, problems: (await registryProblems(project)).map(({ found, hint }) => `${found} ${hint}`) };
    }),
  );
  const rows = all.flatMap((each) => each.rows);
  return {
    contexts: rows.toSorted((a, b) => (b.newest?.lastAt ?? '').localeCompare(a.newest?.lastAt ?? '')),
    problems: all.flatMap((each) => each.problems),
  };
}

async function infosOf(ctx: ContextsContext, { name }: Project): Promise<ReadonlyMap<string, SessionInfo>> {
  return new Map((await ctx.sessions.listInfos(name)).map((info) => [info.id, info]));
}

export async function showContext(ctx: ContextsContext, project: Project, named: string): Promise<MetaContextView> {
  const { id, name, sessionIds } = await requireContext(ctx, project, named);
  const infos = await infosOf(ctx, project);
  return {
    project: project.name,
    id,
    name,
    sessions: sessionIds.flatMap((each) => infos.get(each) ?? []),
    gone: sessionIds.filter((each) => !infos.has(each)),
    phases: await readPhases(project, name),
  };
}

export async function exportContext(
  ctx: ContextsContext,
  project: Project,
  named: string,
): Promise<{ name: string; markdown: string }> {
  const { name, sessions } = await showContext(ctx, project, named);
  const parts: string[] = [];
  for (const { id } of sessions) parts.push(await ctx.sessions.markdownOf(id));
  return { name, markdown: parts.map((part) => part.trimEnd()).join('\n\n---\n\n') + (parts.length > 0 ? '\n' : '') };
}

async function requireContext(ctx: ContextsContext, project: Project, named: string): Promise<MetaContext> {
  const { registry } = await settledRegistry(ctx, project);
  const { contexts, nameIndex } = registry;
  const found = contexts.get(nameIndex.get(named.trim()) ?? '') ?? contexts.get(named);
  if (found !== undefined) return found;
  const known = [...nameIndex.keys()];
  throw fail(
    'not_found',
    `There is no context ${JSON.stringify(named.slice(0, 100))} in the project ${project.name}.`,
    known.length === 0
      ? 'A context is made by pressing the button of an agent, or by: guild-hall next'
      : `${didYouMean(named, known)}See: guild-hall context list`,
  );
}
