/** What follows when a program has ended: its record says so, what it left behind is ended, others are told. */
import { forgetTerminal } from '../../../kernel/terminals/terminals.ts';
import { endLeftovers } from '../../../kernel/terminals/tmux/leftovers.ts';
import type { TerminalEnd } from '../../../kernel/terminals/shapes.ts';
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { tell, type TerminalsFeatureContext } from '../context.ts';
import { lastLinesOf } from '../operations/reading.ts';
import { endedInMemory, endedNotice } from '../rules.ts';
import { removeTerminalFolder, type TerminalRecord, writeRecord } from '../store.ts';
import { notifyStarter } from './notices.ts';

/** Lines of its screen that are kept. */
const keptLines = 200;
/** How long what a program has started may take to end by itself. Milliseconds. */
const graceMs = 2_000;

type How = Omit<TerminalEnd, 'terminal'>;

const unseen: How = { exitCode: null, why: null };

/** Safe to call twice: it ends once. Resolves when the record says it. */
export async function takeEnd(ctx: TerminalsFeatureContext, id: TerminalId, how: How = unseen): Promise<void> {
  await ctx.locks.with(`terminal:${id}`, async () => {
    const record = ctx.desk.records.get(id);
    if (record === undefined || record.end !== null) return;
    await endOnce(ctx, record, how);
  });
}

async function endOnce(ctx: TerminalsFeatureContext, record: TerminalRecord, how: How): Promise<void> {
  const { id, name, project, mark } = record;
  const { desk } = ctx;
  await leaveProgram(ctx, record);
  await endLeftovers(ctx, mark, { graceMs });
  const lastLines = await lastLinesOf(ctx, id, keptLines);
  const { exitCode } = how;
  const end = { ...how, at: ctx.clock.nowIso() };
  const ended: TerminalRecord = { ...record, end, lastLines, kept: null };
  await writeRecord(ctx, ended);
  desk.records.set(id, ended);
  desk.live.delete(id);
  desk.notices.delete(id);
  tell(ctx, 'terminal.ended', project, { id, name, exitCode });
  await notifyStarter(ctx, ended, { id: `ended-${id}`, text: endedNotice(ended, how) });
  ctx.spawn('forget ended terminals', async () => await freeMemory(ctx));
}

async function leaveProgram(ctx: TerminalsFeatureContext, record: TerminalRecord): Promise<void> {
  try {
    const live = ctx.desk.live.get(record.id);
    if (live !== undefined) await live.leave();
    // It ended while no hall ran: nobody asks any more what became of its messages.
    else await removeTerminalFolder(ctx, record.id);
  } catch (error) {
    ctx.log.warn({ terminal: record.id, reason: errorFactsOf(error).message }, 'a place of a program is left behind');
  }
}

/** A screen takes a megabyte: of the ended, the oldest are let go. Their records stay. */
async function freeMemory({ desk, terminals, locks }: TerminalsFeatureContext): Promise<void> {
  await locks.with('forget ended terminals', async () => {
    const open = terminals.now();
    if (open === undefined || open.isClosed) return;
    const ended = [...open.live.keys()].flatMap((id) => desk.records.get(id) ?? []).filter(({ end }) => end !== null);
    const oldest = ended.toSorted((a, b) => b.end!.at.localeCompare(a.end!.at)).slice(endedInMemory);
    for (const { id } of oldest) await forgetTerminal(open, id);
  });
}
