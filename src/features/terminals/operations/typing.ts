/** What the person does at a terminal: keys, its size, sitting down at it, its end. */
import type { Caller } from '../../../kernel/operations/operations.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { endTerminal, typeInto } from '../../../kernel/terminals/terminals.ts';
import { endLeftovers } from '../../../kernel/terminals/tmux/leftovers.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import type { TerminalAttached } from '../contract.ts';
import type { keyNames } from '../descriptions.ts';
import { takeEnd } from '../reactions/ending.ts';
import { choicesIn } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';
import { requireLiving, starterOf } from './asking.ts';
import { shownScreenOf, visibleOf } from './reading.ts';

const keys: Readonly<Record<(typeof keyNames)[number], string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  right: '\u001b[C',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
};

interface Typing {
  readonly text: string;
  readonly key: readonly (typeof keyNames)[number][];
  readonly question?: string | undefined;
  readonly choice?: string | undefined;
}

/** A program may overlook a key that comes as soon as its dialog is there: Claude Code does for some 200 ms. Milliseconds. */
const dialogSettledMs = 600;

/** @throws HallError `conflict` where its dialog asks something else by now */
export async function typeAt(ctx: TerminalsFeatureContext, record: TerminalRecord, wish: Typing): Promise<void> {
  const { id, name } = requireLiving(record);
  const bytes = wish.text + wish.key.map((each) => keys[each]).join('');
  if (bytes === '') throw fail('invalid', 'There is nothing to type.', `guild-hall terminal type ${name} <text>`);
  requireAsked(ctx, record, wish);
  if (wish.question !== undefined || wish.choice !== undefined) {
    await ctx.clock.sleep(settlesInMs(ctx, id));
    requireAsked(ctx, record, wish);
  }
  await typeInto(await ctx.terminals.open(), id, bytes);
}

function settlesInMs({ desk, clock }: TerminalsFeatureContext, id: TerminalRecord['id']): number {
  const since = Date.parse(desk.live.get(id)?.since ?? '') || 0;
  // A clock that was set back makes nobody wait.
  return Math.min(dialogSettledMs, Math.max(0, since + dialogSettledMs - clock.nowMs()));
}

/** @throws HallError `conflict` */
function requireAsked(ctx: TerminalsFeatureContext, { id, name }: TerminalRecord, wish: Typing): void {
  const { status, question = null } = ctx.desk.live.get(id) ?? {};
  const shown = status === 'dialog' ? shownScreenOf(ctx, id) : undefined;
  const choices = shown === undefined ? [] : choicesIn(visibleOf(shown));
  const isSame = wish.question === undefined || wish.question === question;
  const hasChoice = choices.some(({ key, label }) => key === wish.text && label === wish.choice);
  if (isSame && (wish.choice === undefined || hasChoice)) return;
  const hint = `See what it shows now: guild-hall terminal show ${name}`;
  const message = `The terminal "${name}" does not ask that any more; nothing was typed.`;
  throw fail('conflict', message, hint, { asked: question });
}

/** How long what a program has started may take to end by itself. Milliseconds. */
const graceMs = 2_000;

/** Resolves when nothing of it lives. @throws HallError `forbidden` for an agent that did not start it */
export async function endOne(ctx: TerminalsFeatureContext, caller: Caller, record: TerminalRecord): Promise<void> {
  const { id, name, startedBy, mark } = record;
  const asker = starterOf(caller);
  if (caller.kind === 'agent' && (startedBy.kind !== asker.kind || startedBy.id !== asker.id)) {
    throw fail(
      'forbidden',
      `The terminal "${name}" was not started by the one who wants it ended.`,
      'Ask the person: guild-hall terminal end <name>',
    );
  }
  if (record.end !== null) return;
  const open = ctx.terminals.now();
  if (open?.live.has(id) === true) await endTerminal(open, id);
  else await endLeftovers(ctx, mark, { graceMs });
  await takeEnd(ctx, id);
}

/** The words that show it to a person, in a terminal of theirs. */
export async function attachTo(
  ctx: TerminalsFeatureContext,
  record: TerminalRecord,
  readOnly: boolean,
): Promise<TerminalAttached> {
  const { id, name } = requireLiving(record);
  await ctx.terminals.open();
  const target = ['-t', `=hall:=${id}`];
  // A person may be in a tmux of their own.
  const command = ['env', '-u', 'TMUX', 'tmux', '-u', '-S', ctx.terminals.socket];
  return { id, name, command: [...command, 'attach-session', ...(readOnly ? ['-r'] : []), ...target], readOnly };
}
