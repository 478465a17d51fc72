/** Binds the descriptions of terminals to what does them. */
import { bindOperation, type BoundOperation, type Caller } from '../../kernel/operations/operations.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { resizeTerminal } from '../../kernel/terminals/terminals.ts';
import { cleaned, maxMessageLength } from '../../kernel/terminals/delivery/text.ts';
import type { TerminalsFeatureContext } from './context.ts';
import type { TerminalStarted } from './contract.ts';
import * as verbs from './descriptions.ts';
import { requireLiving, resolveTerminal, terminalOfCaller, visibleTo } from './operations/asking.ts';
import { listTerminals, showTerminal, viewOf } from './operations/reading.ts';
import { requireFree, requireTalker, say, sendTo } from './operations/sending.ts';
import { startOne, type StartWish } from './operations/starting.ts';
import { seenStarting } from './operations/early-end.ts';
import { attachTo, endOne, typeAt } from './operations/typing.ts';

export function bindTerminals(ctx: TerminalsFeatureContext): BoundOperation[] {
  return [...bindForAll(ctx), ...bindForPerson(ctx)];
}

function bindForAll(ctx: TerminalsFeatureContext): BoundOperation[] {
  return [
    bindOperation(verbs.terminalStart, async (caller, wish) => await start(ctx, caller, wish)),
    bindOperation(verbs.terminalList, async (caller, wanted) =>
      listTerminals(ctx, visibleTo(ctx, caller), { ...wanted, isByAgent: caller.kind === 'agent' }),
    ),
    bindOperation(verbs.terminalShow, async (caller, { id, lines }) =>
      showTerminal(ctx, resolveTerminal(ctx, caller, id), lines),
    ),
    bindOperation(verbs.terminalSend, async (caller, { sessionId, ...words }) => {
      const target = resolveTerminal(ctx, caller, sessionId);
      requireWords(words.message);
      return await sendTo(ctx, caller, target, words);
    }),
    bindOperation(verbs.terminalEnd, async (caller, { id: given }) => {
      const { id, name } = resolveTerminal(ctx, caller, given);
      await endOne(ctx, caller, ctx.desk.records.get(id)!);
      return { id, name, exitCode: ctx.desk.records.get(id)?.end?.exitCode ?? null };
    }),
  ];
}

function bindForPerson(ctx: TerminalsFeatureContext): BoundOperation[] {
  const resolve = (caller: Caller, given: string) => resolveTerminal(ctx, caller, given);
  return [
    bindOperation(verbs.terminalType, async (caller, { id, ...typing }) => {
      const record = resolve(caller, id);
      await typeAt(ctx, record, typing);
      return viewOf(ctx, record);
    }),
    bindOperation(verbs.terminalResize, async (caller, { id: given, ...size }) => {
      const record = requireLiving(resolve(caller, given));
      await resizeTerminal(await ctx.terminals.open(), record.id, size);
      return viewOf(ctx, record);
    }),
    bindOperation(verbs.terminalAttach, async (caller, { id, readOnly }) =>
      attachTo(ctx, resolve(caller, id), readOnly),
    ),
  ];
}

/** So many of the last lines of one that ended at once are told. */
const toldLines = 20;

/** Its first words go with it, or it is not started. */
async function start(ctx: TerminalsFeatureContext, caller: Caller, wish: StartWish): Promise<TerminalStarted> {
  const { message, direct } = wish;
  if (message !== undefined) requireWords(message);
  if (direct && message === undefined) {
    throw fail('invalid', 'A conversation begins with words.', 'Say them: message', { field: 'message' });
  }
  const own = direct ? requireTalker(terminalOfCaller(ctx, caller)) : undefined;
  if (own !== undefined) requireFree(ctx, own);
  const record = await startOne(ctx, caller, wish);
  if (message !== undefined) {
    try {
      if (own === undefined) await say(ctx, caller, record.id, message);
      else await ctx.conversing.openDirect({ from: own.id, to: record.id, message });
    } catch (error) {
      // One that has ended by now has its record.
      if (ctx.desk.records.get(record.id)?.end === null) await endOne(ctx, caller, record);
      throw error;
    }
  }
  await seenStarting(ctx, record.id);
  const now = ctx.desk.records.get(record.id) ?? record;
  return { ...viewOf(ctx, now), lastLines: now.lastLines.slice(-toldLines) };
}

function requireWords(message: string): void {
  if (cleaned(message) === '') throw fail('invalid', 'The message has no words in it.', 'Say something.');
  if (message.length <= maxMessageLength) return;
  throw fail(
    'too_large',
    `The message has ${message.length} characters, and a terminal takes ${maxMessageLength}.`,
    'Put it into a file, and send its path.',
  );
}
