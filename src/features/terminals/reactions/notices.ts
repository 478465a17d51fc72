/** One line to whoever started a terminal, when something of it is over. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import { deliver, withdraw } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { terminalKind } from '../contract.ts';
import { isShell } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';

/** So many turns of one terminal are told in so long: whoever hears of a turn begins one himself. */
const limits = { times: 20, withinMs: 10 * 60_000 };

/**
 * Only agents in terminals are told, of what they started without a conversation; and not while it is in one: then they
 * hear its words themselves. A shell is never told: it would run what an agent said last. Given twice, by its id, the
 * line is delivered once.
 */
export async function notifyStarter(
  ctx: TerminalsFeatureContext,
  record: TerminalRecord,
  notice: { readonly id: string; readonly text: string },
): Promise<void> {
  const { startedBy, direct, id } = record;
  if (startedBy.kind !== terminalKind || direct || ctx.conversing.of(id) !== null) return;
  const starter = ctx.desk.records.get(terminalIdSchema.parse(startedBy.id));
  if (starter === undefined || starter.end !== null || isShell(starter)) return;
  const open = ctx.terminals.now();
  if (open === undefined) return;
  try {
    await deliver(open, starter.id, { id: notice.id, origin: 'hall', text: notice.text });
  } catch (error) {
    ctx.log.info({ terminal: starter.id, reason: errorFactsOf(error).message }, 'a terminal could not be told');
  }
}

/** Of a turn that is over. The last one says what the ones before said: those that wait are taken back; and never too many. */
export async function notifyOfTurn(
  ctx: TerminalsFeatureContext,
  record: TerminalRecord,
  notice: { readonly id: string; readonly text: string },
): Promise<void> {
  const { notices } = ctx.desk;
  const nowMs = ctx.clock.monotonicMs();
  const { toldMs, last } = notices.get(record.id) ?? { toldMs: [], last: undefined };
  if (last === notice.id) return;
  const lately = toldMs.filter((atMs) => nowMs - atMs < limits.withinMs);
  if (lately.length >= limits.times) return;
  const more = lately.length + 1 < limits.times ? '' : ' It finishes so many that no more are told for some minutes.';
  if (last !== undefined) await takeBack(ctx, record, last);
  notices.set(record.id, { toldMs: [...lately, nowMs], last: notice.id });
  await notifyStarter(ctx, record, { id: notice.id, text: `${notice.text}${more}` });
}

async function takeBack(ctx: TerminalsFeatureContext, { startedBy }: TerminalRecord, notice: string): Promise<void> {
  const open = ctx.terminals.now();
  const starter = terminalIdSchema.safeParse(startedBy.id);
  if (open === undefined || !starter.success || !open.live.has(starter.data)) return;
  try {
    await withdraw(open, starter.data, notice);
  } catch (error) {
    ctx.log.warn({ terminal: starter.data, reason: errorFactsOf(error).message }, 'a notice could not be taken back');
  }
}
