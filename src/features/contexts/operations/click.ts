/**
 * The click on a `conclave:next` block: one piece of work, one at a time for a name. The agent's own session comes first;
 * the creation of the new session's log is the moment from which it counts. Before it, a failure leaves nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { composeId } from '../../../kernel/pure/ids.ts';
import { type AskedText, requireNoSecrets } from '../../../kernel/secrets/ask.ts';
import { scrub } from '../../../kernel/secrets/scrub.ts';
import type { BlockRef, NewSessionEvent, SessionId, SessionState } from '../../sessions/contract.ts';
import type { SessionBirth } from '../../sessions/contract/birth.ts';
import type { ContextsContext, KeptRegistry } from '../context.ts';
import type { NextBlockClick, NextBlockClicked } from '../contract.ts';
import { standingOf } from '../fold/live-blocks.ts';
import { refuseBlock, refuseWords } from '../rules/click.ts';
import { removeClick, writeClick } from '../store/journal.ts';
import { addToRegistry, settledRegistry } from '../store/kept.ts';
import { isEpic } from '../store/specs.ts';

type Click = Omit<NextBlockClick, 'project' | 'clickId'> & { readonly clickId: string };

/** @throws HallError, and then nothing was made: no session, no context, no words that wait */
export async function clickNext(
  ctx: ContextsContext,
  project: Project,
  given: Omit<NextBlockClick, 'project'>,
): Promise<NextBlockClicked> {
  throwIf(refuseWords(given));
  if (given.block === undefined && !given.allowSecrets) await requireNoSecrets(ownWords(given));
  const click: Click = {
    ...given,
    metaContext: given.metaContext.trim(),
    clickId: given.clickId ?? composeId('click', ctx.clock.nowIso(), ctx.ids.random(8)),
  };
  // Somebody else chooses the ids: none may read as the lock of a name, or the click would wait for itself.
  return await ctx.locks.with(`click-id:${click.clickId}`, async () => {
    const made = await ctx.sessions.byClick(click.clickId);
    if (made !== undefined) return repeated(ctx, project, click, made);
    if (await ctx.sessions.wasClicked(click.clickId)) throw madeBefore(click, undefined);
    return await ctx.locks.with(`click-name:${project.name}:${click.metaContext}`, async () =>
      carryOut(ctx, project, click, await originOf(ctx, project, click)),
    );
  });
}

/** Of a click without a block the words are the person's. */
function ownWords({ label, command, metaContext }: Omit<NextBlockClick, 'project'>): AskedText[] {
  const words = { label, command, 'name of the context': metaContext };
  return Object.entries(words).map(([name, text]) => ({ what: `the ${name}`, text, isCommitted: false }));
}

/** The same answer as to the first. */
async function repeated(
  ctx: ContextsContext,
  project: Project,
  click: Click,
  made: SessionState,
): Promise<NextBlockClicked> {
  const { id, project: of, metaContext } = made;
  if (of !== project.name || metaContext === null || !(await isSameClick(click, made))) throw madeBefore(click, id);
  const { registry } = await settledRegistry(ctx, project);
  const context = registry.contexts.get(metaContext.id);
  const isNew = context?.sessionIds[0] === id;
  return { project: of, sessionId: id, metaContextId: metaContext.id, name: metaContext.name, isNew, isRepeated: true };
}

/** @param sessionId of the session that it made, where that is still there */
function madeBefore({ clickId }: Click, sessionId: SessionId | undefined): HallError {
  return fail(
    'conflict',
    `The click ${clickId} was made before, ${sessionId === undefined ? 'and the session that it began was removed' : 'with other words'}.`,
    'Give each click an id of its own.',
    sessionId === undefined ? { reason: 'used', usedBy: null } : { sessionId },
  );
}

/** What is logged has secrets masked, so the words are compared as they would be logged. */
async function isSameClick(click: Click, { from, metaContext, messages }: SessionState): Promise<boolean> {
  if (!isSameBlock(from?.block ?? null, click.block ?? null)) return false;
  const first = messages.find((message) => message.role === 'person');
  const asLogged = async (words: readonly (string | undefined)[]) =>
    await Promise.all(words.map(async (each) => await scrub(each ?? '')));
  const given = await asLogged([click.label, click.metaContext, click.command]);
  return isDeepStrictEqual(given, await asLogged([from?.label, metaContext?.name, first?.text]));
}

function isSameBlock(one: BlockRef | null, other: BlockRef | null): boolean {
  return one?.sessionId === other?.sessionId && one?.message === other?.message && one?.position === other?.position;
}

interface Origin extends Pick<SessionBirth, 'agent' | 'folder'> {
  readonly kept: KeptRegistry;
}

/** Where the click comes from, looked at again in its turn: what was clicked before it may have used the block. */
async function originOf(ctx: ContextsContext, project: Project, click: Click): Promise<Origin> {
  const kept = await settledRegistry(ctx, project);
  if (click.block === undefined) {
    return { kept, agent: click.agent ?? ctx.sessions.defaultAgent(), folder: project.path };
  }
  const session = await ctx.sessions.find(click.block.sessionId);
  if (session === undefined || session.project !== project.name) {
    throw fail(
      'not_found',
      `There is no session ${click.block.sessionId} in the project ${project.name}, so the button cannot be pressed.`,
      'See what is there: guild-hall session list',
    );
  }
  if (await ctx.sessions.wasUsed(click.block)) throwIf(refuseBlock(usedAndGone, click));
  const sessions = await ctx.sessions.listInfos(project.name);
  const metaContexts = [...kept.registry.contexts.values()];
  throwIf(refuseBlock(standingOf(session, { sessions, metaContexts }, click.block), click));
  return { kept, agent: session.agent, folder: session.folder };
}

const usedAndGone = {
  works: false,
  reason: 'used',
  why: 'It is used: the session that it began was removed.',
  usedBy: null,
} as const;

async function carryOut(
  ctx: ContextsContext,
  project: Project,
  click: Click,
  { kept, agent, folder }: Origin,
): Promise<NextBlockClicked> {
  const { metaContext: name, clickId, label } = click;
  if (kept.trouble !== null) throw fail('conflict', kept.trouble.message, kept.trouble.hint);
  if (await isEpic(project, name)) throw isAnEpic(name);
  const known = kept.registry.nameIndex.get(name);
  const metaContext = {
    id: known ?? composeId(name, ctx.clock.nowIso(), ctx.ids.random(4)),
    name,
    isNew: known === undefined,
  };
  let begun: SessionId | undefined;
  try {
    const { id } = await ctx.sessions.make({
      project: project.name,
      agent,
      folder,
      title: label,
      from: { clickId, block: click.block ?? null, label },
      prompt: { promptId: composeId('prompt', ctx.clock.nowIso(), ctx.ids.random(8)), text: click.command, images: [] },
      metaContext,
      beforeCommit: async (sessionId) => {
        begun = sessionId;
        await writeClick(ctx, { project: project.name, sessionId, metaContext: { id: metaContext.id, name } });
      },
      afterCommit: async (sessionId) => {
        begun = undefined;
        await register(ctx, project, metaContext, sessionId);
      },
    });
    return {
      project: project.name,
      sessionId: id,
      metaContextId: metaContext.id,
      name,
      isNew: metaContext.isNew,
      isRepeated: false,
    };
  } finally {
    // Of a click that came to nothing.
    if (begun !== undefined) await removeClick(ctx, begun);
  }
}

/** The log has the session: from here on nothing takes it back. */
async function register(
  ctx: ContextsContext,
  project: Project,
  { id: metaContextId, name, isNew }: NonNullable<SessionBirth['metaContext']>,
  sessionId: SessionId,
): Promise<void> {
  const events: NewSessionEvent[] = [{ type: 'SessionAddedToMetaContext', metaContextId, name, sessionId }];
  if (isNew) events.unshift({ type: 'MetaContextCreated', metaContextId, name });
  const { trouble } = await addToRegistry(ctx, project, events);
  if (trouble === null) await removeClick(ctx, sessionId);
}

function isAnEpic(name: string): HallError {
  return fail(
    'conflict',
    `${JSON.stringify(name)} is an epic: its spec.json says so, and an epic has no context.`,
    'Go on with one of its specs, each in a context of its own.',
  );
}

function throwIf(refused: ConstructorParameters<typeof HallError>[0] | undefined): void {
  if (refused !== undefined) throw new HallError(refused);
}
