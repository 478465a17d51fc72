/** A session of the hall with an ACP agent: one turn at a time, in a process that it shares with others of its project. */
import * as acp from '@agentclientprotocol/sdk';
import { fail } from '../../../pure/errors.ts';
import { activityKey, type AgentSessionId } from '../../../pure/ids.ts';
import type { AgentChoice, AgentEvent, OpenOptions, PromptPart } from '../../contract.ts';
import { promptText } from '../../prompt-text.ts';
import { readChannel } from '../channel.ts';
import { readSkills, skillFor } from '../claude/skills.ts';
import { type AcpContext, type AgentProcess, answerInTime, failureAtEnd, seconds } from './agent.ts';
import { attach, orBrokenOff, tellState } from './attach.ts';
import { choicesOf, isModeChoice, setMode } from './choices.ts';
import { type Failure, failure, wordsOfError } from './failures.ts';
import { setConfigShape } from './shapes.ts';
import { leaveSlot, obtainSlot } from './slots.ts';
import type { Attached, DriverState, LiveSession, SessionState, Turn } from './state.ts';
import { converse, createTurn, finishEarly, give, interruptTurn } from './turn.ts';

export function newSession(driver: DriverState, open: OpenOptions): SessionState {
  const session: SessionState = {
    driver,
    open,
    turn: undefined,
    isClosed: false,
    slot: undefined,
    pending: new Set(),
    skills: [],
    toolToken: undefined,
    callToken: undefined,
    toldChoices: undefined,
    toldCommands: [],
    toldTitle: '',
  };
  driver.sessions.add(session);
  return session;
}

export function promptSession(
  ctx: AcpContext,
  session: SessionState,
  prompt: string | readonly PromptPart[],
  resume: AgentSessionId | undefined,
): AsyncIterable<AgentEvent> {
  const name = activityKey(session.open.activity);
  if (session.isClosed) throw fail('conflict', `The session of ${name} is closed.`, 'Open a new one.');
  if (session.turn && !session.turn.map.isOver) {
    throw fail('conflict', `A turn of ${name} is running.`, 'Wait for its end, or interrupt it first.');
  }
  const before = session.turn?.gone.promise;
  const { entry, settings } = session.driver;
  const { maxRetries } = settings();
  const turn = createTurn({ entry, open: session.open, prompt, maxRetries });
  session.turn = turn;
  ctx.spawn('run a turn', async (hallStops) => {
    const stop = (): void => ctx.spawn('interrupt a turn', async () => interruptTurn(ctx, turn, 'interrupt'));
    if (hallStops.aborted) stop();
    hallStops.addEventListener('abort', stop);
    await before;
    await runTurn(ctx, session, turn, resume);
    hallStops.removeEventListener('abort', stop);
  });
  return readChannel(turn.events, async () => interruptTurn(ctx, turn, 'interrupt'));
}

/** Runs the turn and resolves when the agent is done with it. Failures become events. */
async function runTurn(
  ctx: AcpContext,
  session: SessionState,
  turn: Turn,
  resume: AgentSessionId | undefined,
): Promise<void> {
  try {
    if (turn.map.isOver) return;
    const ready = await reach(ctx, session, resume);
    if ('failure' in ready) {
      finishEarly(turn, ready.failure);
      return;
    }
    await runIn(ctx, session, turn, ready);
  } catch (error) {
    ctx.log.error({ err: error }, 'a turn failed in the driver');
    const hint = 'Send the message again; see `guild-hall logs`.';
    finishEarly(turn, failure('crashed', `The turn failed inside the hall: ${String(error).slice(0, 200)}.`, hint));
  } finally {
    turn.gone.resolve();
  }
}

interface Ready {
  readonly live: LiveSession;
  readonly process: AgentProcess;
}

async function runIn(ctx: AcpContext, session: SessionState, turn: Turn, { live, process }: Ready): Promise<void> {
  if (turn.map.isOver) return;
  turn.map.sessionId = live.id;
  turn.live = live;
  give(turn, [{ type: 'session', sessionId: live.id }]);
  tellState(live, turn);
  const blocks = blocksOf(session, live, process, turn.prompt);
  if ('failure' in blocks) {
    finishEarly(turn, blocks.failure);
    return;
  }
  live.hasBegun = true;
  await converse(ctx, turn, process, blocks.blocks);
}

/** The agent's process with the session loaded in it. */
async function reach(
  ctx: AcpContext,
  session: SessionState,
  resume: AgentSessionId | undefined,
): Promise<Ready | { readonly failure: Failure }> {
  session.skills = await readSkills(session.open.plugins ?? []);
  const { slot, outcome } = await obtainSlot(ctx, session);
  if ('failure' in outcome) return outcome;
  const { process } = outcome;
  const wasThere = resume !== undefined && slot.live.get(resume)?.owner === session;
  const attached: Attached = await attach(ctx, session, slot, process, resume);
  if ('failure' in attached) return attached;
  if (resume !== undefined && !wasThere) await chooseAgain(ctx, session, attached.live, process);
  return { live: attached.live, process };
}

function blocksOf(
  session: SessionState,
  live: LiveSession,
  process: AgentProcess,
  prompt: string | readonly PromptPart[],
): { readonly blocks: acp.ContentBlock[] } | { readonly failure: Failure } {
  const { entry } = session.driver;
  const parts: readonly PromptPart[] = typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt;
  if (parts.some(({ type }) => type === 'image') && !process.facts.takesImages) {
    const hint = 'Send the words without the image, or name its file: the agent can read that by itself.';
    return { failure: failure('protocol', `${entry.title} takes no images.`, hint) };
  }
  const { systemPrompt } = session.open;
  const isFirst = !live.hasBegun && systemPrompt !== '' && entry.carriesSystemPrompt !== true;
  const skill = skillFor(session.skills, promptText(prompt));
  // Before the words and in one piece with them: an agent's program that has a command of that name would take words that begin with it.
  const words = (text: string): string => (skill === undefined ? text : `${noteOf(skill)}\n\n${text}`);
  const last = parts.findLastIndex(({ type }) => type === 'text');
  const said = parts.map((part, nth): acp.ContentBlock =>
    part.type === 'text' && nth === last ? { ...part, text: words(part.text) } : { ...part },
  );
  // Behind the words: agents make a session's title of what they hear first.
  const lasting: acp.ContentBlock[] = isFirst
    ? [{ type: 'text', text: noteOf(`In this whole session:\n${systemPrompt}`) }]
    : [];
  return { blocks: [...said, ...lasting] };
}

/** Marked, so that it is not taken for the person's words. */
const noteOf = (text: string): string => `<system-reminder>\n${text}\n</system-reminder>`;

/** Keeps `work` for a close to wait for. */
async function tracked<T>(session: SessionState, work: Promise<T>): Promise<T> {
  session.pending.add(work);
  try {
    return await work;
  } finally {
    session.pending.delete(work);
  }
}

export async function beginSession(
  ctx: AcpContext,
  session: SessionState,
): Promise<{ readonly sessionId: AgentSessionId; readonly choices: readonly AgentChoice[] }> {
  const { live } = await reachOrThrow(ctx, session, undefined);
  return { sessionId: live.id, choices: choicesOf(live.offer, session.driver.entry.takesGateway) };
}

async function reachOrThrow(ctx: AcpContext, session: SessionState, id: AgentSessionId | undefined): Promise<Ready> {
  if (session.isClosed)
    throw fail('conflict', `The session of ${activityKey(session.open.activity)} is closed.`, 'Open a new one.');
  const ready = await tracked(session, reach(ctx, session, id));
  if ('failure' in ready) throw asError(ready.failure);
  return ready;
}

function asError({ message, hint, errorClass }: Failure): Error {
  return fail('unavailable', message, hint, { errorClass });
}

export async function chooseInSession(
  ctx: AcpContext,
  session: SessionState,
  {
    sessionId,
    choice,
    option,
  }: { readonly sessionId: AgentSessionId; readonly choice: string; readonly option: string },
): Promise<readonly AgentChoice[]> {
  const { entry } = session.driver;
  const { live, process } = await reachOrThrow(ctx, session, sessionId);
  const offered = choicesOf(live.offer, entry.takesGateway);
  const known = offered.find(({ id }) => id === choice);
  if (known === undefined || !known.options.some(({ id }) => id === option)) {
    const names = known === undefined ? offered.map(({ id }) => id) : known.options.map(({ id }) => id);
    const what = known === undefined ? `no choice "${choice}"` : `no "${option}" for ${known.name}`;
    throw fail('invalid', `${entry.title} offers ${what}.`, `It offers: ${names.join(', ') || 'nothing'}`);
  }
  let taken: 'taken' | 'late';
  try {
    taken = await answerInTime(ctx, process.answerMs, sendChoice(process, live, choice, option));
  } catch (error) {
    if (!(error instanceof acp.RequestError)) throw asError(await failureAtEnd(ctx, process));
    const said = wordsOfError(error);
    throw fail(
      'conflict',
      `${entry.title} did not take "${option}" for ${known.name}. It said: ${said}`,
      'Choose another one.',
    );
  }
  if (taken === 'late') throw asError(failureOfChoice(entry.title, known.name, process.answerMs));
  const chosen = choicesOf(live.offer, entry.takesGateway);
  session.toldChoices = chosen;
  return chosen;
}

/** In a process that has just loaded it, a session stands as its agent begins one, and not as the person chose. */
async function chooseAgain(
  ctx: AcpContext,
  session: SessionState,
  live: LiveSession,
  process: AgentProcess,
): Promise<void> {
  const { entry } = session.driver;
  for (const { id, current } of session.toldChoices ?? []) {
    const now = choicesOf(live.offer, entry.takesGateway).find((choice) => choice.id === id);
    if (now === undefined || now.current === current || !now.options.some((option) => option.id === current)) continue;
    try {
      await orBrokenOff(ctx, process, sendChoice(process, live, id, current));
    } catch (error) {
      // One that has ended fails what comes next, too.
      ctx.log.warn({ err: error, agent: entry.name, choice: id }, 'what was chosen could not be chosen again');
    }
  }
}

/** It is not ended for that: some take a choice only when their turn is over, and a turn may run. */
function failureOfChoice(title: string, name: string, limitMs: number): Failure {
  const message = `${title} did not answer within ${seconds(limitMs)} when it was to change ${name}.`;
  return failure('protocol', message, 'Choose again when its turn is over; else close the session and open it again.');
}

async function sendChoice(
  { connection }: AgentProcess,
  live: LiveSession,
  choice: string,
  option: string,
): Promise<'taken'> {
  const { session } = acp.methods.agent;
  if (isModeChoice(live.offer, choice)) {
    await connection.agent.request(session.setMode, { sessionId: live.id, modeId: option });
    setMode(live.offer, option);
    return 'taken';
  }
  const answer = await connection.agent.request(session.setConfigOption, {
    sessionId: live.id,
    configId: choice,
    value: option,
  });
  const read = setConfigShape.safeParse(answer);
  if (read.success) live.offer.config = read.data.configOptions;
  return 'taken';
}

/** Has the process and the session in it ready before the turn comes. */
export function prepareSession(ctx: AcpContext, session: SessionState, resume: AgentSessionId): void {
  if (session.isClosed) return;
  ctx.spawn('prepare a turn', async () => {
    await session.turn?.gone.promise;
    if (session.isClosed) return;
    const ready = await tracked(session, reach(ctx, session, resume));
    // The turn itself will meet the same failure and tell the person.
    if ('failure' in ready) ctx.log.debug({ failure: ready.failure }, 'a turn could not be prepared');
  });
}

export async function interruptSession(ctx: AcpContext, session: SessionState): Promise<void> {
  if (session.turn) await interruptTurn(ctx, session.turn, 'interrupt');
}

/** Ends everything of the session; its process too when no other session works in it. */
export async function closeSession(ctx: AcpContext, session: SessionState): Promise<void> {
  session.isClosed = true;
  await interruptSession(ctx, session);
  await session.turn?.gone.promise;
  await Promise.allSettled(session.pending);
  await leaveSlot(ctx, session);
  const door = await session.driver.door;
  for (const token of [session.toolToken, session.callToken]) if (token !== undefined) door?.dismiss(token);
  session.driver.sessions.delete(session);
}
