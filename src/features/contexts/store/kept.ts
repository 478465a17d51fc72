/**
 * The registries that the hall keeps. Each is filled from the file and the logs before an event reaches it, and written
 * through at every change. Before it is used the file is looked at: what somebody else wrote there meanwhile is merged.
 */
import { removeStaleTempFiles } from '../../../kernel/artifacts/write.ts';
import { keepOutOfStatus } from '../../../kernel/git/excluding.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import type { NewSessionEvent } from '../../sessions/contract.ts';
import type { ContextsContext, KeptRegistry } from '../context.ts';
import type { MetaContextInfo } from '../contract.ts';
import { foldRegistry, type MetaContextRegistry } from '../fold/registry.ts';
import { emptyDocument, printDocument, type RegistryDocument } from '../rules/document.ts';
import { documentOf, mergeDocuments, registryOfDocument, registryOfLogs } from '../rules/merge.ts';
import { registryFile, stateFolder } from './place.ts';
import { keepAside, markOf, readRegistry, writeRegistry } from './registry-file.ts';

/** As they are in memory. Where the file has changed, it is read after this, and everybody is told. */
export function contextsNow(ctx: ContextsContext, name: ProjectName): readonly MetaContextInfo[] {
  const project = listProjects(ctx).find((each) => each.name === name);
  if (project === undefined) return [];
  const kept = ctx.registries.get(name);
  ctx.spawn('contexts.look', async () => await lookAgain(ctx, project, kept));
  return kept === undefined || kept.path !== project.path ? [] : [...kept.registry.contexts.values()];
}

async function lookAgain(ctx: ContextsContext, project: Project, before: KeptRegistry | undefined): Promise<void> {
  const shown = before?.registry;
  const { registry } = await settledRegistry(ctx, project);
  const isSame = shown === undefined ? registry.contexts.size === 0 : sameContexts(shown, registry);
  if (!isSame) ctx.sessions.tellList(project.name);
}

function sameContexts(one: MetaContextRegistry, other: MetaContextRegistry): boolean {
  return one === other || JSON.stringify([...one.contexts.values()]) === JSON.stringify([...other.contexts.values()]);
}

/** The registry, agreed with its file. Never fails for the file's sake: `trouble` tells. */
export async function settledRegistry(ctx: ContextsContext, project: Project): Promise<KeptRegistry> {
  return await ctx.locks.with(registryLock(project), async () => await settle(ctx, project));
}

/** Adds what a log has just taken. It is in memory in any case; whether the file has it, `trouble` tells. */
export async function addToRegistry(
  ctx: ContextsContext,
  project: Project,
  events: readonly NewSessionEvent[],
): Promise<KeptRegistry> {
  return await ctx.locks.with(registryLock(project), async () => {
    const kept = await settle(ctx, project);
    const registry = foldRegistry(kept.registry, events);
    if (registry === kept.registry) return kept;
    kept.document = documentOf(registry, kept.document);
    kept.registry = registry;
    await writeThrough(ctx, project, kept);
    return kept;
  });
}

function registryLock({ name }: Project): string {
  return `contexts:${name}`;
}

async function settle(ctx: ContextsContext, project: Project): Promise<KeptRegistry> {
  const kept = await keptOf(ctx, project);
  try {
    await agree(ctx, project, kept);
  } catch (error) {
    const trouble = troubleOf(project, error, 'read');
    // It is looked at with every list: the same trouble is logged once.
    if (trouble.message !== kept.trouble?.message)
      ctx.log.error({ err: error, file: registryFile(project) }, 'a registry of contexts could not be read');
    kept.seen = undefined;
    kept.trouble = trouble;
  }
  return kept;
}

/** @throws whatever the system says of a folder that cannot be looked into */
async function agree(ctx: ContextsContext, project: Project, kept: KeptRegistry): Promise<void> {
  const mark = await markOf(project);
  if (mark === kept.seen) return;
  if (kept.seen === undefined && mark !== 'blocked') await removeStaleTempFiles(`${project.path}/${stateFolder}`);
  const read = await readRegistry(project);
  if (read.kind === 'refused') {
    kept.trouble = errorFactsOf(read.refusal);
    kept.seen = undefined;
    return;
  }
  kept.trouble = null;
  if (read.kind === 'corrupt' && !(await isKeptAside(ctx, project, kept, read.why))) return;
  const file = read.kind === 'read' ? read.document : emptyDocument;
  if (!kept.hasFile) kept.document = await documentOfLogs(ctx, project, file);
  kept.hasFile = true;
  const merged = mergeDocuments(file, kept.document);
  const registry = registryOfDocument(merged);
  kept.document = merged;
  if (!sameContexts(registry, kept.registry)) kept.registry = registry;
  kept.seen = read.kind === 'read' ? mark : 'missing';
  const isWanted = merged.entries.length > 0 || Object.keys(merged.rest).length > 0;
  if (isWanted && (read.kind !== 'read' || printDocument(merged) !== printDocument(file)))
    await writeThrough(ctx, project, kept);
}

/** Filled from the heads of the logs, to be merged with the file. */
async function keptOf(ctx: ContextsContext, project: Project): Promise<KeptRegistry> {
  const known = ctx.registries.get(project.name);
  if (known?.path === project.path) return known;
  const document = await documentOfLogs(ctx, project, emptyDocument);
  const registry = registryOfDocument(document);
  const kept: KeptRegistry = {
    path: project.path,
    registry,
    document,
    hasFile: false,
    seen: undefined,
    trouble: null,
  };
  ctx.registries.set(project.name, kept);
  return kept;
}

async function documentOfLogs(
  ctx: ContextsContext,
  project: Project,
  file: RegistryDocument,
): Promise<RegistryDocument> {
  const heads = await ctx.sessions.headsOf(project.name);
  const added = heads
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .flatMap(({ sessionId, metaContext }) => {
      if (metaContext === null) return [];
      const { id: metaContextId, name } = metaContext;
      return [{ type: 'SessionAddedToMetaContext' as const, metaContextId, name, sessionId }];
    });
  return documentOf(registryOfLogs(file, added), emptyDocument);
}

async function isKeptAside(ctx: ContextsContext, project: Project, kept: KeptRegistry, why: string): Promise<boolean> {
  try {
    const aside = await keepAside(ctx, project);
    ctx.log.error({ file: registryFile(project), aside, why }, 'a registry of contexts could not be read');
    return true;
  } catch (error) {
    kept.seen = undefined;
    kept.trouble = troubleOf(project, error, 'write');
    return false;
  }
}

/** What the hall knows is safe in the logs: a disk that takes nothing now is tried again the next time. */
async function writeThrough(ctx: ContextsContext, project: Project, kept: KeptRegistry): Promise<void> {
  try {
    await keepOutOfStatus(ctx, project.path, `/${stateFolder}/`);
    await writeRegistry(project, kept.document);
    kept.seen = await markOf(project);
    kept.trouble = null;
  } catch (error) {
    ctx.log.error({ err: error, file: registryFile(project) }, 'a registry of contexts could not be written');
    kept.seen = undefined;
    kept.trouble = troubleOf(project, error, 'write');
  }
}

function troubleOf(project: Project, error: unknown, failed: 'read' | 'write'): NonNullable<KeptRegistry['trouble']> {
  const facts = errorFactsOf(error);
  if (facts.code !== 'internal') return facts;
  const words = error instanceof Error ? error.message : String(error);
  return {
    message: `The registry of contexts ${registryFile(project)} cannot be ${failed === 'read' ? 'read' : 'written'}: ${words}.`,
    hint:
      failed === 'read'
        ? 'Let yourself look into that folder; it is tried again at the next look.'
        : 'Make room on the disk, or let yourself write there; it is tried again at the next look.',
  };
}
