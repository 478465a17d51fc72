/** What the person says, takes back, stops, chooses and answers. */
import { requireNoSecrets } from '../../../kernel/secrets/ask.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { agentSessionIdSchema } from '../../../kernel/pure/ids.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import type { Choice, NewSessionEvent, PermissionPart, SessionState } from '../contract.ts';
import type { GivenImage } from '../contract/birth.ts';
import { hasPrompt, openPermissionsOf, queuedOf, runningOf } from '../fold/reading.ts';
import { ensureAgent } from '../reactions/agent.ts';
import { choicesEvent } from '../reactions/hearing.ts';
import { appendIf } from '../reactions/live.ts';
import { wakeSession } from '../reactions/turns.ts';
import { requireThere } from './resolve.ts';
import { newTitle, titleFrom } from '../rules/titles.ts';
import { keepImages, nameImages } from '../store/images.ts';
import { forgetWords, keepWords, readWords } from '../store/words.ts';

export interface Words {
  readonly text: string;
  readonly promptId?: string | undefined;
  readonly images: readonly { readonly data: string }[];
  readonly allowSecrets: boolean;
}

export interface Said {
  readonly promptId: string;
  readonly position: number;
  readonly cursor: string;
}

export function freshPromptId(ctx: SessionsContext): string {
  return `p-${ctx.ids.random(12)}`;
}

export function imagesOf({ images }: Pick<Words, 'images'>): GivenImage[] {
  return images.map(({ data }) => ({ bytes: Buffer.from(data, 'base64') }));
}

/** @throws HallError `conflict` that says what looks like a secret, and where, unless the person means it */
export async function requireMeant({ text, allowSecrets }: Pick<Words, 'text' | 'allowSecrets'>): Promise<void> {
  if (!allowSecrets) await requireNoSecrets([{ what: 'your words', text, isCommitted: false }]);
}

/** On disk when it resolves; answered in its turn, whatever happens to the hall. Said again under its id it is taken once. */
export async function say(ctx: SessionsContext, session: OpenSession, words: Words): Promise<Said> {
  await requireMeant(words);
  const { id } = session;
  const promptId = words.promptId ?? freshPromptId(ctx);
  const text = wellFormed(words.text);
  const shown = await ctx.scrub(text);
  const images = nameImages(imagesOf(words));
  // Read before the words can be answered, so that a reader who goes on from here sees the whole turn.
  const cursor = printCursor(ctx.events.cursor());
  const isKnown = hasPrompt(session.state, promptId);
  if (!isKnown) {
    requireOpen(session.state);
    await keepImages(ctx, id, images);
    if (shown !== text) await keepWords(ctx, id, promptId, text);
  }
  await submit(ctx, session, promptId, (state) => {
    if (hasPrompt(state, promptId)) return [];
    requireOpen(state);
    const submitted: NewSessionEvent = {
      type: 'PromptSubmitted',
      promptId,
      text: shown,
      images: images.map(({ ref }) => ref),
    };
    const isFirst = session.titleBy === 'hall' && state.title === newTitle;
    return isFirst ? [submitted, { type: 'TitleChanged', title: titleFrom(shown), by: 'hall' }] : [submitted];
  });
  const position = placeOf(session.state, promptId);
  wakeSession(ctx, session);
  return { promptId, position, cursor };
}

/** What comes to nothing keeps no words. */
async function submit(
  ctx: SessionsContext,
  session: OpenSession,
  promptId: string,
  decide: (state: SessionState) => readonly NewSessionEvent[],
): Promise<void> {
  try {
    await appendIf(ctx, session, decide);
    requireThere(session);
  } catch (error) {
    if (!hasPrompt(session.state, promptId)) await forgetWords(ctx, session.id, promptId);
    throw error;
  }
}

function placeOf(state: SessionState, promptId: string): number {
  const place = queuedOf(state).findIndex((message) => message.promptId === promptId);
  return place === -1 ? 0 : place + (runningOf(state) === undefined ? 0 : 1);
}

/** @throws HallError `conflict` */
function requireOpen({ isClosed, id }: SessionState): void {
  if (isClosed) throw fail('conflict', 'The session is closed.', `Open it again: guild-hall session reopen ${id}`);
}

/** @returns what the words were, as they were said. @throws HallError `not_found`, or `conflict` where they are being answered already */
export async function withdraw(ctx: SessionsContext, session: OpenSession, promptId: string): Promise<string> {
  let text = '';
  await appendIf(ctx, session, (state) => {
    const message = state.messages.find((one) => one.role === 'person' && one.promptId === promptId);
    if (message?.role !== 'person') {
      throw fail(
        'not_found',
        `No words with the id ${promptId} are in this session.`,
        `See: guild-hall session show ${session.id}`,
      );
    }
    text = message.text;
    if (message.state === 'withdrawn') return [];
    if (message.state === 'queued') return [{ type: 'PromptWithdrawn', promptId }];
    throw fail(
      'conflict',
      'The agent has those words already.',
      `To stop its answer: guild-hall session cancel ${session.id}`,
    );
  });
  // Taken back a second time they are as the log has them: what they hold is not kept for that.
  const said = await readWords(ctx, session.id, promptId);
  await forgetWords(ctx, session.id, promptId);
  return said ?? text;
}

/** The agent takes it at once where it runs, and else when it runs again. @throws HallError `invalid` for what is not offered */
export async function choose(
  ctx: SessionsContext,
  session: OpenSession,
  wish: { readonly choice: string; readonly option: string },
): Promise<readonly Choice[]> {
  const { state } = session;
  requireOpen(state);
  const choice = state.choices.find(({ id }) => id === wish.choice);
  const option = choice?.options.find(({ id }) => id === wish.option);
  if (choice === undefined || option === undefined) throw notOffered(state.choices, choice, wish);
  if (choice.current === option.id) return state.choices;
  const chosen = await chosenBy(ctx, session, wish);
  await appendIf(ctx, session, (now) => {
    const event = choicesEvent(now, chosen ?? withOption(now.choices, wish));
    return event === undefined ? [] : [event];
  });
  return session.state.choices;
}

/** What the agent offers now; undefined where it has no session yet, or takes no choice. */
async function chosenBy(
  ctx: SessionsContext,
  session: OpenSession,
  { choice, option }: { readonly choice: string; readonly option: string },
): Promise<readonly Choice[] | undefined> {
  const { agentSessionId } = session.state;
  if (agentSessionId === null) return undefined;
  const agent = await ensureAgent(ctx, session);
  const chosen = await agent.choose?.(agentSessionIdSchema.parse(agentSessionId), choice, option);
  return chosen?.map((one) => ({ ...one, options: [...one.options] }));
}

function withOption(
  choices: readonly Choice[],
  { choice, option }: { readonly choice: string; readonly option: string },
): Choice[] {
  return choices.map((one) => (one.id === choice ? { ...one, current: option } : one));
}

function notOffered(
  choices: readonly Choice[],
  choice: Choice | undefined,
  wish: { readonly choice: string; readonly option: string },
): Error {
  if (choices.length === 0) {
    return fail('invalid', 'The agent of this session offers no choice now.', 'Say something first: then it tells.');
  }
  if (choice === undefined) {
    const known = choices.map(({ id }) => id);
    const what = `The agent of this session has no choice "${wish.choice}".`;
    return fail('invalid', what, `It has: ${known.join(', ')}`, { known });
  }
  const known = choice.options.map(({ id }) => id);
  const what = `The agent of this session has no option "${wish.option}" of ${choice.id}.`;
  return fail('invalid', what, `It has: ${known.join(', ')}`, { known });
}

/**
 * Gives the agent its answer; on disk before it has it.
 * @param given.request `-` for the only question that waits
 * @param given.option an id; or `allow` or `refuse` (`reject`): what allows or refuses once, and only where there is none for good
 */
export async function answer(
  ctx: SessionsContext,
  session: OpenSession,
  given: { readonly request: string; readonly option: string },
): Promise<{ request: string; option: string }> {
  let answered = { request: '', option: '' };
  await appendIf(ctx, session, (state) => {
    const question = questionOf(session, openPermissionsOf(state), given.request);
    const option = optionOf(question, given.option);
    answered = { request: question.requestId, option };
    return [{ type: 'PermissionResolved', requestId: question.requestId, outcome: { optionId: option } }];
  });
  requireThere(session);
  session.asked.get(answered.request)?.({ optionId: answered.option });
  return answered;
}

function questionOf(session: OpenSession, open: readonly PermissionPart[], request: string): PermissionPart {
  const meant = request === '-' ? open : open.filter(({ requestId }) => requestId === request);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  const waiting = open.map(({ requestId }) => requestId);
  throw fail(
    request === '-' && open.length > 1 ? 'invalid' : 'conflict',
    open.length === 0 ? 'The agent waits for no answer.' : `The agent does not wait for an answer to "${request}".`,
    open.length === 0
      ? `It was answered already, or its turn is over. See: guild-hall session show ${session.id}`
      : `These wait: ${waiting.join(', ')}`,
    { waiting },
  );
}

/** What a person calls a kind of answer, whatever the agent's ids are. */
const kindOf: Readonly<Record<string, 'allow' | 'reject'>> = { allow: 'allow', reject: 'reject', refuse: 'reject' };

function optionOf({ options }: PermissionPart, given: string): string {
  const exact = options.find(({ id }) => id === given);
  if (exact !== undefined) return exact.id;
  const wanted = Object.hasOwn(kindOf, given) ? kindOf[given] : undefined;
  const ofKind = options.filter(({ kind }) => wanted !== undefined && kind.startsWith(`${wanted}_`));
  const found = ofKind.find(({ kind }) => kind.endsWith('_once')) ?? ofKind[0];
  if (found !== undefined) return found.id;
  const known = [...new Set([...options.map(({ id }) => id), 'allow', 'refuse'])];
  throw fail('invalid', `The question has no option "${given}".`, `It has: ${known.join(', ')}`, { known });
}
