/** At the hall's start: what lives is joined, what has ended meanwhile is written down, what is old is forgotten. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { tmuxEnded } from '../../../kernel/terminals/contract.ts';
import { joinTerminal } from '../../../kernel/terminals/terminals.ts';
import type { Terminals } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { keepDays } from '../rules.ts';
import { folderOf, readRecords, removeTerminalFiles, type TerminalRecord } from '../store.ts';
import { takeEnd } from './ending.ts';

const dayMs = 86_400_000;

/** @throws HallError `unavailable` where programs may live and tmux is not to be had: their records stay as they are */
export async function recoverTerminals(ctx: TerminalsFeatureContext): Promise<void> {
  const { desk, terminals } = ctx;
  const { records, problems } = await readRecords(ctx);
  desk.problems = problems;
  for (const record of records) {
    if (isOld(ctx, record)) await removeTerminalFiles(ctx, record.id);
    else desk.records.set(record.id, record);
  }
  const living = [...desk.records.values()].filter(({ end }) => end === null);
  if (!(await terminals.isUp())) {
    // It ended with all that was in it; a machine that was started anew has none.
    for (const { id } of living) await takeEnd(ctx, id, { exitCode: null, why: tmuxEnded });
    return;
  }
  const open = await terminals.open();
  for (const record of living) {
    // Without what takes it up again, it was not begun: the hall was killed while it made its place ready.
    if (record.kept === null) await takeEnd(ctx, record.id);
    else await joinOne(ctx, open, record);
  }
}

function isOld({ clock }: TerminalsFeatureContext, { end }: TerminalRecord): boolean {
  return end !== null && clock.nowMs() - Date.parse(end.at) > keepDays * dayMs;
}

async function joinOne(ctx: TerminalsFeatureContext, open: Terminals, record: TerminalRecord): Promise<void> {
  const { id } = record;
  try {
    const { kind, leave } = await ctx.programs.rejoin(record, folderOf(ctx, id));
    ctx.desk.live.set(id, { id, kind, leave, status: 'starting', question: null, since: ctx.clock.nowIso() });
    await joinTerminal(open, { ...kind, mark: record.mark });
  } catch (error) {
    ctx.desk.live.delete(id);
    const { message } = errorFactsOf(error);
    ctx.log.error({ err: error, terminal: id }, 'a terminal could not be taken up');
    ctx.desk.problems.push(`The terminal "${record.name}" (${id}) could not be taken up: ${message}`);
  }
}
