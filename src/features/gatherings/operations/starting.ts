/** Beginning a conversation: by an agent with its first words to another one, or by the person. */
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { composeId } from '../../../kernel/pure/ids.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { requireNoSecrets } from '../../../kernel/secrets/ask.ts';
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import type { GatheringsContext, LiveConversation, TerminalFacts } from '../context.ts';
import { type Conversation, conversationIdSchema, type ConversationStarted } from '../contract.ts';
import { advance, shownMessage } from '../reactions/advance.ts';
import { watchIdle } from '../reactions/idling.ts';
import { deadMember, endInRelay } from '../reactions/listening.ts';
import { publish } from '../reactions/live.ts';
import { closeBroken, holdLive } from '../reactions/recovery.ts';
import { keepMessage, openMessageLog } from '../relay/message-log.ts';
import { inRelay } from '../relay/relay.ts';
import { conversationFile, messagesPath } from '../store/place.ts';
import { chooseTerminal, requireTerminal } from './choosing.ts';

export interface WantedConversation {
  /** The terminal whose program calls: it is number 1. */
  readonly caller: TerminalId;
  readonly target: TerminalId;
  /** Its first words to the target; secrets are masked here. */
  readonly message: string;
}

/**
 * Brings the caller's words to the target, and from then on the words of each to the other. For `send_message` with
 * `direct=true`; what the caller may reach is asked by whoever calls this.
 * @throws `not_found`, `conflict` for a terminal that has ended or takes part in another conversation, `invalid` for itself
 */
export async function startConversation(
  ctx: GatheringsContext,
  { caller, target, message }: WantedConversation,
): Promise<ConversationStarted> {
  const members = [requireTerminal(ctx, caller), requireTerminal(ctx, target)] as const;
  const opening = { from: 1, to: [2], text: wellFormed(await ctx.scrub(message)) };
  return begin(ctx, { members, startedBy: 1, turns: ctx.config().conversations.turns, opening });
}

export interface WantedByPerson {
  readonly first: string;
  readonly second: string;
  readonly opening?: string | undefined;
  readonly budget?: number | undefined;
  readonly allowSecrets: boolean;
}

/** The person's words go to the first one; what it answers goes to the other. */
export async function startForPerson(ctx: GatheringsContext, input: WantedByPerson): Promise<ConversationStarted> {
  const { first, second, opening: words, budget, allowSecrets } = input;
  const members = [chooseTerminal(ctx, first), chooseTerminal(ctx, second)] as const;
  if (words !== undefined && !allowSecrets)
    await requireNoSecrets([{ what: 'the opening', text: words, isCommitted: false }]);
  const opening = words === undefined ? undefined : { from: 'person' as const, to: [1], text: wellFormed(words) };
  const turns = budget ?? ctx.config().conversations.turns;
  return begin(ctx, { members, startedBy: 'person', turns, opening });
}

interface Beginning {
  readonly members: readonly [TerminalFacts, TerminalFacts];
  readonly startedBy: Conversation['startedBy'];
  readonly turns: number;
  readonly opening: { readonly from: 'person' | number; readonly to: number[]; readonly text: string } | undefined;
}

async function begin(ctx: GatheringsContext, beginning: Beginning): Promise<ConversationStarted> {
  const { members } = beginning;
  requireFree(ctx, members);
  const names = members.map(({ name }) => name).join(' ');
  const id = conversationIdSchema.parse(composeId(names, ctx.clock.nowIso(), ctx.ids.random(4)));
  // Nobody else gets them from here on; what they say before it is there is not for the other.
  for (const member of members) ctx.conversations.byTerminal.set(member.id, id);
  try {
    for (const member of members) await ctx.terminalsOf.forgetUnsaid(member.id);
    return await beginReserved(ctx, recordOf(ctx, id, beginning), beginning.opening);
  } catch (error) {
    if (ctx.conversations.known.has(id)) await giveUp(ctx, id, error);
    for (const member of members) ctx.conversations.byTerminal.delete(member.id);
    throw error;
  }
}

/** It is on disk, and nobody could go on with it: who asked for it hears why, and nothing of it is left open. */
async function giveUp(ctx: GatheringsContext, id: Conversation['id'], cause: unknown): Promise<void> {
  const { live } = ctx.conversations;
  live.get(id)?.leaving.abort();
  live.delete(id);
  try {
    await closeBroken(ctx, id, errorFactsOf(cause).message);
  } catch (error) {
    // The next hall takes it up, or closes it.
    ctx.log.error({ err: error, conversation: id }, 'a conversation that could not begin is not closed');
  }
}

function requireFree(ctx: GatheringsContext, members: Beginning['members']): void {
  const [first, second] = members;
  if (first.id === second.id)
    throw fail(
      'invalid',
      `"${first.name}" cannot talk with itself.`,
      'Name another terminal: guild-hall terminal list',
    );
  const theirs = ctx.conversations.byTerminal.get(first.id);
  if (theirs !== undefined && theirs === ctx.conversations.byTerminal.get(second.id)) {
    throw fail(
      'conflict',
      `"${first.name}" and "${second.name}" talk with each other already: ${theirs}.`,
      'No tool is needed for that: what either says in plain words is carried to the other.',
      { id: theirs },
    );
  }
  for (const { id, name, isShell } of members) {
    // What an agent says is never run.
    if (isShell) {
      const message = `"${name}" is a shell: what is said there is run as commands.`;
      throw fail('forbidden', message, 'Name a terminal with an agent in it: guild-hall terminal list');
    }
    const other = ctx.conversations.byTerminal.get(id);
    if (other === undefined) continue;
    throw fail(
      'conflict',
      `"${name}" takes part in another conversation: ${other}.`,
      `End that one first: guild-hall ${isGathering(ctx, other) ? 'gathering' : 'conversation'} end ${other}`,
      { id: other },
    );
  }
}

function isGathering({ gatherings }: GatheringsContext, id: string): boolean {
  return [...gatherings.known.keys()].some((known) => known === id);
}

function recordOf(
  ctx: GatheringsContext,
  id: Conversation['id'],
  { members, startedBy, turns }: Beginning,
): Conversation {
  return {
    id,
    project: members[0].project,
    members: members.map(({ id: terminal, name }, index) => ({ terminal, name, number: index + 1 })),
    state: 'open',
    startedBy,
    startedAt: ctx.clock.nowIso(),
    turns,
    countedFrom: 1,
    pauses: 0,
    pause: null,
    end: null,
  };
}

/** The first words are on disk before the file that makes it a conversation: with it, they are handed over. */
async function beginReserved(
  ctx: GatheringsContext,
  record: Conversation,
  opening: Beginning['opening'],
): Promise<ConversationStarted> {
  const { id, startedAt: at } = record;
  const message = `${id}-opening`;
  if (opening !== undefined) {
    const log = await openMessageLog(ctx, messagesPath(ctx, id));
    await keepMessage(log, { id: message, kind: 'opening', own: opening.text, at, fate: 'sent', ...opening });
  }
  await conversationFile(ctx, id).write(record);
  ctx.conversations.known.set(id, record);
  const live = await holdLive(ctx, record);
  live.isTakenUp = true;
  publish(ctx, record, 'conversation.started', { conversation: record });
  await handFirst(ctx, live);
  watchIdle(ctx, live);
  const receipt = live.relay.log.messages.get(message)?.receipts[0]?.receipt ?? { state: 'queued' as const };
  return { conversation: live.record, opening: opening === undefined ? null : { message, receipt } };
}

async function handFirst(ctx: GatheringsContext, live: LiveConversation): Promise<void> {
  const { record, relay } = live;
  await inRelay(ctx, relay, async () => {
    for (const message of relay.log.messages.values())
      publish(ctx, record, 'conversation.message', { message: shownMessage(message) });
    await advance(ctx, live);
    // It ended before anybody listened for that.
    const dead = record.members.find(({ terminal }) => ctx.terminalsOf.find(terminal)?.isAlive !== true);
    if (dead !== undefined && live.record.state !== 'ended')
      await endInRelay(ctx, live, deadMember(dead.number, ctx.terminalsOf.find(dead.terminal)?.endedWhy));
  });
}
