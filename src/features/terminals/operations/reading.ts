/** What is told of terminals. */
import { printCursor } from '../../../kernel/pure/events.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import { screenOf, statusOf } from '../../../kernel/terminals/terminals.ts';
import type { ShownScreen, TerminalState } from '../../../kernel/terminals/shapes.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import type { TerminalList, TerminalShown, TerminalView } from '../contract.ts';
import { choicesIn } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';

/** Of the screen that is kept of an ended one. */
const usualSize = { cols: 120, rows: 36 };

export function viewOf(ctx: TerminalsFeatureContext, record: TerminalRecord): TerminalView {
  const { id, name, entry, command, project, cwd, sandbox, startedBy, toAgents, startedAt, end } = record;
  const live = end === null ? ctx.desk.live.get(id) : undefined;
  const waiting = stateOf(ctx, id)?.waiting ?? 0;
  return {
    id,
    name,
    entry,
    command,
    project,
    cwd,
    status: live?.status ?? 'ended',
    question: live?.question ?? null,
    since: live?.since ?? end?.at ?? startedAt,
    sandbox,
    startedBy,
    toAgents,
    startedAt,
    end,
    conversation: end === null ? ctx.conversing.of(id) : null,
    waiting: end === null ? waiting : 0,
  };
}

/** Undefined for one that the kernel does not hold. */
function stateOf({ terminals }: TerminalsFeatureContext, id: TerminalId): TerminalState | undefined {
  const open = terminals.now();
  return open?.live.has(id) === true ? statusOf(open, id) : undefined;
}

export function shownScreenOf({ terminals }: TerminalsFeatureContext, id: TerminalId): ShownScreen | undefined {
  const open = terminals.now();
  return open?.live.has(id) === true ? screenOf(open, id) : undefined;
}

export function listTerminals(
  ctx: TerminalsFeatureContext,
  records: readonly TerminalRecord[],
  wanted: { readonly project?: string | undefined; readonly all: boolean; readonly isByAgent: boolean },
): TerminalList {
  const chosen = records.filter(
    ({ project, end }) => (wanted.project === undefined || project === wanted.project) && (wanted.all || end === null),
  );
  const views = chosen.map((record) => viewOf(ctx, record));
  const isOver = ({ end }: TerminalView): number => (end === null ? 0 : 1);
  return {
    terminals: views.toSorted((a, b) => isOver(a) - isOver(b) || b.startedAt.localeCompare(a.startedAt)),
    entries: ctx.programs
      .entries()
      .filter(({ isAgent }) => isAgent || !wanted.isByAgent)
      .map(({ name, about }) => ({ name, about })),
    problems: [...ctx.desk.problems],
  };
}

/** @param lines so many of the last ones; without it the screen */
export async function showTerminal(
  ctx: TerminalsFeatureContext,
  record: TerminalRecord,
  lines: number | undefined,
): Promise<TerminalShown> {
  const cursor = printCursor(ctx.events.cursor());
  const view = viewOf(ctx, record);
  const shown = record.end === null ? shownScreenOf(ctx, record.id) : undefined;
  const kept = shown === undefined ? record.lastLines : linesOf(shown, lines);
  const text = shown === undefined ? kept.join('\n') : await ctx.scrub(kept.join('\n'));
  const all = text === '' ? [] : text.split('\n');
  return {
    ...view,
    screen: {
      lines: lines === undefined ? all : all.slice(-lines),
      cols: shown?.cols ?? usualSize.cols,
      rows: shown?.rows ?? usualSize.rows,
    },
    choices: view.status === 'dialog' && shown !== undefined ? choicesIn(visibleOf(shown)) : [],
    cursor,
  };
}

function linesOf(shown: ShownScreen, lines: number | undefined): string[] {
  const all = withoutBlankEnd(shown.lines);
  return lines === undefined ? all.slice(shown.firstVisible) : all.slice(-lines);
}

export function visibleOf(shown: ShownScreen): readonly string[] {
  return shown.lines.slice(shown.firstVisible);
}

/** The last lines of what it showed, secrets masked. */
export async function lastLinesOf(ctx: TerminalsFeatureContext, id: TerminalId, most: number): Promise<string[]> {
  try {
    const shown = shownScreenOf(ctx, id);
    if (shown === undefined) return [];
    const text = await ctx.scrub(withoutBlankEnd(shown.lines).slice(-most).join('\n'));
    return text === '' ? [] : text.split('\n');
  } catch (error) {
    ctx.log.warn({ terminal: id, reason: errorFactsOf(error).message }, 'the last lines of a terminal are not known');
    return [];
  }
}

function withoutBlankEnd(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
