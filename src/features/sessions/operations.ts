/** Binds the descriptions of sessions to what does them. */
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { SessionsContext } from './context.ts';
import type { SessionView } from './contract.ts';
import { agentNameSchema } from './contract/words.ts';
import * as verbs from './descriptions.ts';
import { infoOf } from './fold/reading.ts';
import { close, remove, rename, reopen } from './operations/keeping.ts';
import { changesOf, listSessions, messagesBefore } from './operations/reading.ts';
import { resolveKnown, resolveSession } from './operations/resolve.ts';
import {
  answer,
  choose,
  freshPromptId,
  imagesOf,
  requireMeant,
  say,
  withdraw,
  type Words,
} from './operations/talking.ts';
import { bearSession } from './reactions/birth.ts';
import { viewOf } from './reactions/live.ts';
import { cancelTurn } from './reactions/turns.ts';
import { markdownOf } from './rules/markdown.ts';
import { mimeTypeOf, readImage } from './store/images.ts';

export function bindSessions(ctx: SessionsContext): BoundOperation[] {
  return [...bindTalking(ctx), ...bindKeeping(ctx), ...bindReading(ctx)];
}

function bindTalking(ctx: SessionsContext): BoundOperation[] {
  return [
    bindOperation(verbs.sessionNew, async (_caller, wish) => await begin(ctx, wish)),
    bindOperation(verbs.sessionSay, async (_caller, { project, id, ...words }) => {
      const session = await resolveSession(ctx, { project, id });
      return { id: session.id, ...(await say(ctx, session, words)) };
    }),
    bindOperation(verbs.sessionWithdraw, async (_caller, { promptId, ...words }) => {
      const session = await resolveSession(ctx, words);
      return { id: session.id, promptId, text: await withdraw(ctx, session, promptId) };
    }),
    bindOperation(verbs.sessionCancel, async (_caller, { promptId, ...words }) => {
      const session = await resolveSession(ctx, words);
      // Said again by a page that got no answer, it is not to stop what was begun since.
      const isMeant = promptId === undefined || session.turn?.promptId === promptId;
      return { id: session.id, cancelled: isMeant && (await cancelTurn(ctx, session)) };
    }),
    bindOperation(verbs.sessionChoose, async (_caller, { choice, option, ...words }) => {
      const session = await resolveSession(ctx, words);
      return { id: session.id, choices: await choose(ctx, session, { choice, option }) };
    }),
    bindOperation(verbs.sessionAnswer, async (_caller, { request, option, ...words }) => {
      const session = await resolveSession(ctx, words);
      const answered = await answer(ctx, session, { request, option });
      return { id: session.id, ...answered, session: infoOf(session.state) };
    }),
  ];
}

interface Wish extends Omit<Words, 'text'> {
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
}

async function begin(ctx: SessionsContext, wish: Wish): Promise<SessionView> {
  const project = chooseProject(ctx, wish.project);
  const { prompt: text, allowSecrets } = wish;
  if (text !== undefined) await requireMeant({ text, allowSecrets });
  const session = await bearSession(ctx, {
    project: project.name,
    agent: agentNameSchema.parse(wish.agent ?? ctx.defaultAgent()),
    folder: project.path,
    title: await ctx.scrub(wish.title ?? ''),
    from: null,
    prompt: text === undefined ? null : { promptId: wish.promptId ?? freshPromptId(ctx), text, images: imagesOf(wish) },
    metaContext: null,
  });
  return viewOf(ctx, session);
}

function bindKeeping(ctx: SessionsContext): BoundOperation[] {
  return [
    bindOperation(verbs.sessionRename, async (_caller, { title, ...words }) =>
      rename(ctx, await resolveSession(ctx, words), title),
    ),
    bindOperation(verbs.sessionClose, async (_caller, words) => close(ctx, await resolveSession(ctx, words))),
    bindOperation(verbs.sessionReopen, async (_caller, words) => reopen(ctx, await resolveSession(ctx, words))),
    bindOperation(verbs.sessionRemove, async (_caller, words) => {
      const known = await resolveKnown(ctx, words);
      await remove(ctx, known);
      return { id: known.id, project: known.head.project };
    }),
  ];
}

function bindReading(ctx: SessionsContext): BoundOperation[] {
  return [
    bindOperation(verbs.sessionList, async (_caller, { project }) =>
      listSessions(ctx, chooseProject(ctx, project).name),
    ),
    bindOperation(verbs.sessionShow, async (_caller, words) => viewOf(ctx, await resolveSession(ctx, words))),
    bindOperation(verbs.sessionSwitch, async (_caller, { sessionId }) => {
      const session = await resolveSession(ctx, { id: sessionId });
      return { event: 'SessionSwitched' as const, sessionId: session.id, view: viewOf(ctx, session) };
    }),
    bindOperation(verbs.sessionMessages, async (_caller, { before, count, ...words }) =>
      messagesBefore(await resolveSession(ctx, words), before, count),
    ),
    bindOperation(verbs.sessionAgents, async () => ({ default: ctx.defaultAgent(), agents: await ctx.listAgents() })),
    bindOperation(verbs.sessionImage, async (_caller, { name, ...words }) => {
      const { id } = await resolveKnown(ctx, words);
      const bytes = await readImage(ctx, id, name);
      return { name, mimeType: mimeTypeOf(name) ?? 'image/png', bytes: bytes.length, data: bytes.toString('base64') };
    }),
    bindOperation(verbs.sessionChanges, async (_caller, words) => {
      const session = await resolveSession(ctx, words);
      const { files, ...changes } = await changesOf(ctx, session);
      return { id: session.id, ...changes, files: [...files] };
    }),
    bindOperation(verbs.sessionExport, async (_caller, words) => {
      const { state } = await resolveSession(ctx, words);
      return { id: state.id, title: state.title, markdown: markdownOf(state) };
    }),
  ];
}
