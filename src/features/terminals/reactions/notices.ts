/** One line to whoever started a terminal, when something of it is over. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import { deliver } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { terminalKind } from '../contract.ts';
import { isShell } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';

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
