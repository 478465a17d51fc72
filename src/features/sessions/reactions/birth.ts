/** A session comes to be: the agent's own first, then its whole log in one step; a failure before that leaves nothing. */
import { rm, stat } from 'node:fs/promises';
import type { AgentChoice, AgentSession } from '../../../kernel/agents/contract.ts';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { requireProject } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { composeId } from '../../../kernel/pure/ids.ts';
import { rememberFrom } from '../../../kernel/secrets/find.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import type { NewSessionEvent, SessionEvent, SessionId } from '../contract.ts';
import type { SessionBirth } from '../contract/birth.ts';
import { sessionIdSchema } from '../contract/words.ts';
import { newTitle, titleFrom } from '../rules/titles.ts';
import { keepImages, nameImages, type NamedImage } from '../store/images.ts';
import { createLog } from '../store/log.ts';
import { logFile, sessionFolder } from '../store/place.ts';
import { keepWords } from '../store/words.ts';
import { endIdleAgents, openAgent, removeAgentFiles } from './agent.ts';
import { askPerson } from './asking.ts';
import { knowSession } from './known.ts';
import { keepOpen, numbered, openSession, tellLogged } from './live.ts';
import { tellList } from './list.ts';
import { wakeSession } from './turns.ts';

/** Made and told; its prompt is sent by and by. @throws HallError of the project, the folder, the agent or the images */
export async function bearSession(ctx: SessionsContext, birth: SessionBirth): Promise<OpenSession> {
  requireProject(ctx, birth.project);
  await requireFolder(birth.folder);
  const images = nameImages(birth.prompt?.images ?? []);
  const id = freshId(ctx, birth.agent);
  const agent = await openAgent(
    ctx,
    { id, project: birth.project, agent: birth.agent, folder: birth.folder },
    async (request, signal) => await askPerson(ctx, await openSession(ctx, id), request, signal),
  );
  let born: Born;
  try {
    born = await commit(ctx, birth, { id, agent, images });
  } catch (error) {
    await forget(ctx, birth, id, agent);
    throw error;
  }
  faultPoint('session:born');
  try {
    await birth.afterCommit?.(id);
  } catch (error) {
    // It is there; whoever has more to do with it takes that up at the next start.
    ctx.log.error({ err: error, session: id }, 'something that follows from a new session could not be done');
  }
  // Everything of it from its first line on, then the list that it is in.
  tellLogged(ctx, born.session.state, born.events);
  tellList(ctx, birth.project);
  wakeSession(ctx, born.session);
  await endIdleAgents(ctx);
  return born.session;
}

/** Of none that is there: what comes to nothing is removed under its id. */
function freshId(ctx: SessionsContext, agent: string): SessionId {
  const id = sessionIdSchema.parse(composeId(agent, ctx.clock.nowIso(), ctx.ids.random(4)));
  return ctx.sessionDesk.known.has(id) ? freshId(ctx, agent) : id;
}

async function requireFolder(folder: string): Promise<void> {
  // What cannot be looked at cannot be worked in.
  const facts = await stat(folder).catch(() => undefined);
  if (facts?.isDirectory() === true) return;
  throw fail(
    'not_found',
    `The folder ${folder}, in which the session would work, is not there.`,
    'Put it back, or register the project where it is now: guild-hall project add <path>',
    { folder },
  );
}

interface Unborn {
  readonly id: SessionId;
  readonly agent: AgentSession;
  readonly images: readonly NamedImage[];
}

interface Born {
  readonly session: OpenSession;
  readonly events: readonly SessionEvent[];
}

async function commit(ctx: SessionsContext, birth: SessionBirth, unborn: Unborn): Promise<Born> {
  const { id, agent, images } = unborn;
  const begun = await agent.begin?.();
  const text = birth.prompt?.text ?? '';
  const shown = await ctx.scrub(text);
  await keepImages(ctx, id, images);
  if (birth.prompt !== null && shown !== text) await keepWords(ctx, id, birth.prompt.promptId, text);
  await birth.beforeCommit?.(id);
  const events = numbered(firstEvents(birth, unborn, shown, begun), 0, ctx.clock.nowIso());
  const log = await createLog(logFile(ctx, id), events);
  if (log === undefined) throw fail('conflict', `There is a session ${id} already.`, 'Try again.');
  const session = keepOpen(ctx, log, events);
  session.agent = agent;
  session.known = rememberFrom(text);
  knowSession(ctx, session.state);
  return { session, events };
}

interface Begun {
  readonly sessionId: string;
  readonly choices: readonly AgentChoice[];
}

function firstEvents(
  birth: SessionBirth,
  { id, images }: Unborn,
  text: string,
  begun: Begun | undefined,
): NewSessionEvent[] {
  const { project, agent, folder, from, prompt, metaContext } = birth;
  const title = birth.title.trim() || (prompt === null ? newTitle : titleFrom(text));
  const events: NewSessionEvent[] = [];
  if (metaContext?.isNew === true) {
    events.push({ type: 'MetaContextCreated', metaContextId: metaContext.id, name: metaContext.name });
  }
  events.push({ type: 'SessionCreated', sessionId: id, project, agent, folder, title, from });
  if (metaContext !== null) {
    const { id: metaContextId, name } = metaContext;
    events.push({ type: 'SessionAddedToMetaContext', metaContextId, name, sessionId: id });
  }
  if (prompt !== null) {
    const refs = images.map(({ ref }) => ref);
    events.push({ type: 'PromptSubmitted', promptId: prompt.promptId, text, images: refs });
  }
  if (begun !== undefined) {
    events.push({ type: 'AgentSessionStarted', agentSessionId: begun.sessionId, reason: 'new' });
    if (begun.choices.length > 0) {
      const choices = begun.choices.map((choice) => ({ ...choice, options: [...choice.options] }));
      events.push({ type: 'ChoicesUpdated', choices });
    }
  }
  // What a person calls it no agent calls otherwise; a click's title is its button's.
  if (birth.title.trim() !== '' && from === null) events.push({ type: 'TitleChanged', title, by: 'person' });
  return events;
}

/** Nothing came of it. Never fails: what stays is removed at the next start. */
async function forget(
  ctx: SessionsContext,
  { project }: SessionBirth,
  id: SessionId,
  agent: AgentSession,
): Promise<void> {
  try {
    await agent.close();
    await removeAgentFiles(ctx, project, id);
    await rm(sessionFolder(ctx, id), { recursive: true, force: true });
  } catch (error) {
    ctx.log.warn({ err: error, session: id }, 'what a session left that came to nothing could not be removed');
  }
}
