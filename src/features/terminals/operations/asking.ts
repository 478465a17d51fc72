/** Who asks, and what of the terminals is theirs. */
import type { Caller } from '../../../kernel/operations/operations.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { type ActivityRef, activityKey } from '../../../kernel/pure/ids.ts';
import { nearestOf } from '../../../kernel/pure/nearest.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import { type TerminalId, terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { type StartedBy, terminalKind } from '../contract.ts';
import { findByName } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';

type DeskContext = Pick<TerminalsFeatureContext, 'desk'>;

export function starterOf(caller: Caller): StartedBy {
  if (caller.kind === 'person') return { kind: 'person', id: null };
  return { kind: caller.activity.kind, id: caller.activity.id };
}

/** The living terminal whose program asks; undefined for the person, and for agents elsewhere. */
export function terminalOfCaller({ desk }: DeskContext, caller: Caller): TerminalRecord | undefined {
  if (caller.kind !== 'agent' || caller.activity.kind !== terminalKind) return undefined;
  const id = terminalIdSchema.safeParse(caller.activity.id);
  const record = id.success ? desk.records.get(id.data) : undefined;
  return record?.end === null ? record : undefined;
}

/** `hall`, `person`, a terminal's id, or another activity. */
export function originOf(caller: Caller): string {
  if (caller.kind === 'person') return 'person';
  return caller.activity.kind === terminalKind ? caller.activity.id : activityKey(caller.activity);
}

/** An agent sees of its own project what is open to agents, itself, and what it started; the person all. */
export function visibleTo({ desk }: DeskContext, caller: Caller): TerminalRecord[] {
  const all = [...desk.records.values()];
  if (caller.kind === 'person') return all;
  const { kind, id: own, project: here } = caller.activity;
  return all.filter(({ id, project, toAgents, startedBy }) => {
    const isOwn = kind === terminalKind && String(id) === String(own);
    return project === here && (toAgents || isOwn || (startedBy.kind === kind && startedBy.id === own));
  });
}

/**
 * The terminal that a name, an id or a part of one means.
 * @throws HallError `not_found`, `invalid` where several are meant
 */
export function resolveTerminal(ctx: DeskContext, caller: Caller, given: string): TerminalRecord {
  const all = visibleTo(ctx, caller);
  const named = findByName(
    all.map((record) => ({ ...record, isOver: record.end !== null })),
    given,
  );
  const byId = all.find(({ id }) => id === given);
  const found = byId ?? (named === undefined ? undefined : ctx.desk.records.get(named.id));
  if (found !== undefined) return found;
  const near = nearestOf(
    given,
    all.map(({ name }) => name),
  );
  if (near !== undefined && !all.some(({ id }) => id.startsWith(given) || id.endsWith(given))) {
    const hint = `Did you mean "${near}"? See: guild-hall terminal list`;
    throw fail('not_found', `There is no terminal "${given}".`, hint, { near });
  }
  const words = { noun: 'terminal', listCommand: 'guild-hall terminal list' };
  const ids: TerminalId[] = all.map(({ id }) => id);
  return ctx.desk.records.get(resolveShortId(given, ids, words))!;
}

/** @throws HallError `conflict` for one whose program has ended */
export function requireLiving(record: TerminalRecord): TerminalRecord {
  if (record.end === null) return record;
  throw fail(
    'conflict',
    `The terminal "${record.id}" has ended.`,
    `See what it showed last: guild-hall terminal show ${record.id}; or start another one: guild-hall terminal start --name <name> -- <command>`,
    { id: record.id, exitCode: record.end.exitCode },
  );
}

/** How the words of an agent begin in a terminal, so that nobody takes them for the person's. */
export function headingOf(caller: Caller, own: TerminalRecord | undefined): string {
  if (caller.kind === 'person') return '';
  if (own !== undefined) return `${own.name} (${own.id}):\n\n`;
  return `${nameOfAgent(caller.activity, caller.worker)}:\n\n`;
}

function nameOfAgent(activity: ActivityRef, worker: string | undefined): string {
  const where = `${activity.kind} ${activity.id}`;
  return worker === undefined ? where : `${worker} (${where})`;
}
