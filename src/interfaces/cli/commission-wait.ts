/**
 * `commission wait`: until all have ended. On a terminal it says meanwhile how they stand; the exit code tells a script
 * how they ended.
 */
import { commissionsAwaitedSchema, type CommissionsAwaited } from '../../features/commissions/contract.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import { hallWentAway } from './commission-logs.ts';
import { type AnswerFollow, type FollowParts, isGone, leftByInterrupt } from './follow.ts';
import { renderAwaited } from './render/commission-answers.ts';
import { stateMark, stateWord } from './render/commission-states.ts';
import { spanOf } from './render/facts.ts';
import { oneLine } from './terminal.ts';

/** Exit codes, the gravest first: of several commissions the worst counts. */
export const waitExits = { failed: 8, cancelled: 9, unmerged: 5, completed: 0 } as const;

type Awaited = CommissionsAwaited['commissions'][number];

interface Waiting {
  readonly parts: FollowParts;
  readonly client: HallClient;
  /** Says meanwhile how they stand: a line that is taken back. */
  readonly isShown: boolean;
  /** For how long it has been waited. */
  seconds: number;
  present: CommissionsAwaited;
  /** A line stands that has to be taken back. */
  hasLine: boolean;
}

const takeBack = '\r\u001b[2K';
const eventsThatTell = [
  'commission.status',
  'commission.merge',
  'commission.timeline',
  'commission.queue',
  'commission.changed',
];

export const followCommissionWait: AnswerFollow = {
  exits: `${waitExits.failed} when one failed, ${waitExits.cancelled} when one was cancelled, ${waitExits.unmerged} when one is completed and not merged, nobody dispatched it, or what it waits for does not come by itself`,
  run: async (parts, client, answer, asJson) => {
    const isShown = parts.terminal.canTakeBack && !asJson;
    const present = commissionsAwaitedSchema.parse(answer);
    const waiting: Waiting = { parts, client, isShown, seconds: 0, present, hasLine: false };
    const leaving = new AbortController();
    const stopListening = parts.onInterrupt(() => leaving.abort());
    try {
      sayStates(waiting, []);
      await untilOver(waiting, leaving.signal);
    } catch (error) {
      if (leaving.signal.aborted) return leftByInterrupt;
      const ids = present.commissions.map(({ id }) => id).join(' ');
      throw isGone(error) ? hallWentAway(`guild-hall commission wait ${ids}`) : error;
    } finally {
      clear(waiting);
      stopListening();
      leaving.abort();
    }
    const { present: final } = waiting;
    parts.terminal.out(asJson ? `${JSON.stringify(final)}\n` : renderAwaited(final, parts.terminal));
    requireUnderWay(final);
    return exitOf(final);
  },
};

async function untilOver(waiting: Waiting, signal: AbortSignal): Promise<void> {
  const { client } = waiting;
  if (waiting.present.isOver) return;
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  // Its only failure is that it is ended.
  const ticking = waiting.isShown ? tick(waiting, either).catch(() => undefined) : undefined;
  try {
    for await (const event of client.events({ after: waiting.present.cursor, signal: either })) {
      if (!concerns(waiting.present, event)) continue;
      await look(waiting);
      if (waiting.present.isOver) return;
    }
    signal.throwIfAborted();
  } finally {
    ended.abort();
    await ticking;
  }
}

async function look(waiting: Waiting): Promise<void> {
  const before = waiting.present.commissions;
  const input = { id: before.map(({ id }) => id), ...projectOf(before) };
  waiting.present = commissionsAwaitedSchema.parse(await waiting.client.call('commission.wait', input));
  sayStates(waiting, before);
}

/** Ids of two projects may be the same; of one project they are not. */
function projectOf(commissions: readonly Awaited[]): { readonly project?: string } {
  const names = [...new Set(commissions.map(({ project }) => project))];
  return names.length === 1 ? { project: names[0]! } : {};
}

function concerns({ commissions }: CommissionsAwaited, { type, subject, project }: HallEvent): boolean {
  if (!eventsThatTell.includes(type)) return false;
  // What a blocked one waits for may have failed.
  if (type !== 'commission.timeline' && commissions.some((one) => one.status === 'blocked' && one.project === project))
    return true;
  return subject === null || commissions.some(({ id }) => subject === `commission:${id}`);
}

/** On a terminal, a line for each that stands otherwise than before. */
function sayStates(waiting: Waiting, before: readonly Awaited[]): void {
  if (!waiting.isShown || waiting.present.isOver) return;
  const { terminal: term } = waiting.parts;
  for (const one of waiting.present.commissions) {
    const state = markOf(one);
    const known = before.find(({ id, project }) => id === one.id && project === one.project);
    if (known !== undefined && markOf(known) === state) continue;
    clear(waiting);
    term.err(`${stateWord({ ...one, merge: one.merge.state }, term)}  ${term.style('dim', one.id)}\n`);
  }
  drawLine(waiting);
}

function markOf(one: Awaited): string {
  return stateMark({ ...one, merge: one.merge.state })[0];
}

async function tick(waiting: Waiting, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    drawLine(waiting);
    await waiting.parts.sleep(1000, signal);
    waiting.seconds += 1;
  }
}

function drawLine(waiting: Waiting): void {
  const { terminal: term } = waiting.parts;
  const line = oneLine(lineOf(waiting), Math.max(20, term.width - 1));
  term.err(`${takeBack}${term.style('dim', line)}`);
  waiting.hasLine = true;
}

/** `◐ 3 min 20 s · in progress · healthy · reads the parser`, or how many of several have ended. */
function lineOf({ present, seconds }: Waiting): string {
  const elapsed = spanOf(seconds * 1000);
  const open = present.commissions.filter((one) => !hasEnded(one));
  const [first] = open;
  const several =
    present.commissions.length > 1
      ? [`${present.commissions.length - open.length} of ${present.commissions.length} have ended`]
      : [];
  const about = first === undefined ? [] : aboutOne(first, present.commissions.length > 1);
  return ['◐ ' + elapsed, ...several, ...about].join(' · ');
}

function aboutOne(one: Awaited, isNamed: boolean): string[] {
  const state = one.status === 'in_progress' ? 'in progress' : (one.status ?? '');
  return [
    isNamed ? `${one.id.slice(one.id.lastIndexOf('-') + 1)} ${state}` : state,
    one.heartbeat ?? '',
    one.openQuestions > 0 ? `${one.openQuestions} open question${one.openQuestions === 1 ? '' : 's'}` : '',
    one.queue?.text ?? (one.missing.length > 0 ? `waits for ${one.missing.join(', ')}` : one.progress),
  ].filter((part) => part !== '');
}

function clear(waiting: Waiting): void {
  if (waiting.hasLine) waiting.parts.terminal.err(takeBack);
  waiting.hasLine = false;
}

function hasEnded({ status }: Awaited): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** @throws HallError `conflict` for one that nothing will move, so that nobody waits for ever */
function requireUnderWay({ commissions }: CommissionsAwaited): void {
  const stuck = commissions.find((one) => one.isStuck);
  if (stuck !== undefined) {
    throw fail('conflict', `${stuck.id} does not start by itself: what it waits for does not come.`, stuck.hint, {
      id: stuck.id,
      status: stuck.status,
    });
  }
  const idle = commissions.find((one) => !hasEnded(one));
  if (idle === undefined) return;
  throw fail(
    'conflict',
    `Nobody has dispatched ${idle.id}: it is ${idle.status ?? 'unreadable'} and does not start by itself.`,
    wayOn(idle),
    { id: idle.id, status: idle.status },
  );
}

function wayOn({ id, status }: Awaited): string {
  if (status === null) return `guild-hall commission show ${id}`;
  // The plain dispatch of a blocked one is refused.
  return `guild-hall commission dispatch ${id}${status === 'blocked' ? ' --with-dependencies' : ''}`;
}

function exitOf({ commissions }: CommissionsAwaited): number {
  if (commissions.some(({ status }) => status === 'failed')) return waitExits.failed;
  if (commissions.some(({ status }) => status === 'cancelled')) return waitExits.cancelled;
  const isStuck = ({ merge }: Awaited): boolean => ['merge_conflict', 'gate_failed', 'secrets'].includes(merge.state);
  return commissions.some(isStuck) ? waitExits.unmerged : waitExits.completed;
}
