/** From the words at a door to the terminal, or the conversation, that is meant. */
import { fail } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import type { Caller } from '../../../kernel/operations/operations.ts';
import { type TerminalId, terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import type { GatheringsContext, TerminalFacts } from '../context.ts';
import { type Conversation, conversationKind } from '../contract.ts';

/** The kind of the activity that an agent in a terminal calls as. */
const terminalKind = 'terminal';

/** The terminal that the caller's program runs in; undefined for the person, and for agents elsewhere. */
export function terminalOfCaller(caller: Caller): TerminalId | undefined {
  if (caller.kind === 'person' || caller.activity.kind !== terminalKind) return undefined;
  return terminalIdSchema.safeParse(caller.activity.id).data;
}

/**
 * The one that runs and has that name, else that id or a part of it.
 * @throws `not_found`; `invalid` where several are meant
 */
export function chooseTerminal(ctx: GatheringsContext, given: string): TerminalFacts {
  const alive = ctx.terminalsOf.list().filter(({ isAlive }) => isAlive);
  const named = alive.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (named.length === 1) return named[0]!;
  const ended = named.length === 0 ? endedOf(ctx, given) : undefined;
  if (ended !== undefined) return requireTerminal(ctx, ended.id);
  const ids = (named.length > 1 ? named : alive).map(({ id }) => id);
  if (named.length > 1 && !ids.some((id) => id === given)) {
    throw fail(
      'invalid',
      `"${given}" is the name of ${ids.length} terminals: ${ids.slice(0, 5).join(', ')}.`,
      'Give the id of one: guild-hall terminal list',
      { matches: ids },
    );
  }
  const id = resolveShortId(given, ids, { noun: terminalKind, listCommand: 'guild-hall terminal list' });
  return alive.find((each) => each.id === id)!;
}

/** The one of that name or id that ended, where none that runs has it. */
function endedOf(ctx: GatheringsContext, given: string): TerminalFacts | undefined {
  const over = ctx.terminalsOf.list().filter(({ isAlive }) => !isAlive);
  return over.findLast(({ id, name }) => id === given || name.toLowerCase() === given.toLowerCase());
}

/** @throws `not_found`; `conflict` for one that has ended */
export function requireTerminal(ctx: GatheringsContext, id: TerminalId): TerminalFacts {
  const facts = ctx.terminalsOf.find(id);
  if (facts === undefined)
    throw fail('not_found', `There is no terminal "${id}".`, 'See which there are: guild-hall terminal list', { id });
  if (facts.isAlive) return facts;
  throw fail(
    'conflict',
    `The terminal "${id}" has ended.`,
    `See what it showed last: guild-hall terminal show ${id}; or start another one: guild-hall terminal start --name <name> -- <command>`,
    { id },
  );
}

/**
 * @param given left out: the one that the caller takes part in
 * @throws `not_found`; `invalid` where it has to be said which; `forbidden` for an agent that takes no part in it
 */
export function chooseConversation(ctx: GatheringsContext, caller: Caller, given: string | undefined): Conversation {
  const { known, byTerminal } = ctx.conversations;
  const terminal = terminalOfCaller(caller);
  if (given === undefined) {
    const own = [...known.values()].find(({ id }) => terminal !== undefined && byTerminal.get(terminal) === id);
    if (own !== undefined) return own;
    throw caller.kind === 'person'
      ? fail('invalid', 'It is not said which conversation is meant.', 'See the ids: guild-hall conversation list')
      : fail('not_found', 'You take part in no conversation.', 'Begin one with send_message and direct=true.');
  }
  if (caller.kind === 'person') {
    const words = { noun: conversationKind, listCommand: 'guild-hall conversation list' };
    return known.get(resolveShortId(given, known.keys(), words))!;
  }
  const own = [...known.values()].find(
    ({ id, members }) => id.endsWith(given) && members.some((member) => member.terminal === terminal),
  );
  if (own !== undefined) return own;
  throw fail(
    'forbidden',
    'That is none of your conversations.',
    'Leave the id out for the one that you take part in, or ask the person.',
  );
}
