/** Starting a terminal: all of it, or nothing is left. */
import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { z } from 'zod';
import type { Caller } from '../../../kernel/operations/operations.ts';
import { findProjectAt, type Project, requireProject } from '../../../kernel/projects/projects.ts';
import { errorFactsOf, fail, HallError } from '../../../kernel/pure/errors.ts';
import { nearestOf } from '../../../kernel/pure/nearest.ts';
import { composeId } from '../../../kernel/pure/ids.ts';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import { startTerminal, type Terminals } from '../../../kernel/terminals/terminals.ts';
import { tell, type ProgramReady, type TerminalsFeatureContext } from '../context.ts';
import type { terminalStart } from '../descriptions.ts';
import { foldName, freeNameOf, mayWriteFor, refusalOfMore, stemOf } from '../rules.ts';
import { folderOf, removeTerminalFiles, type TerminalRecord, writeRecord } from '../store.ts';
import { starterOf, terminalOfCaller } from './asking.ts';

export type StartWish = z.output<typeof terminalStart.input>;

/** Names and numbers of the living are looked at and taken by one at a time. */
const namesLock = 'names of terminals';

interface Place {
  readonly project: Project | null;
  readonly cwd: string;
}

/**
 * @param onReserved told of it when its record is written, and before its program is started
 * @throws HallError; then no program, no record and no folder of it is left
 */
export async function startOne(
  ctx: TerminalsFeatureContext,
  caller: Caller,
  wish: StartWish,
  onReserved?: (id: TerminalRecord['id']) => Promise<void>,
): Promise<TerminalRecord> {
  const entry = entryOf(ctx, wish);
  if (caller.kind === 'agent') requireFitForAgents(ctx, wish, entry);
  const place = await placeOf(ctx, caller, wish);
  const open = await ctx.terminals.open();
  const token = ctx.ids.secret();
  const record = await ctx.locks.with(namesLock, async () => await reserve(ctx, caller, { wish, entry, place, token }));
  let ready: ProgramReady | undefined;
  try {
    await onReserved?.(record.id);
    ready = await ctx.programs.prepare({
      id: record.id,
      entry,
      words: entry === null ? wish.command : wish.command.slice(1),
      project: record.project,
      cwd: record.cwd,
      wantsSandbox: wish.sandbox,
      isByAgent: caller.kind === 'agent',
      mayWrite: record.mayWrite,
      folder: folderOf(ctx, record.id),
      mark: record.mark,
      // Its token opens what is open to agents of its project.
      mcp: record.project === null ? null : { url: ctx.mcpUrl(), token },
      cols: wish.cols,
      rows: wish.rows,
    });
    return await begin(ctx, open, record, ready);
  } catch (error) {
    ctx.desk.records.delete(record.id);
    ctx.desk.live.delete(record.id);
    await ready?.leave();
    await removeTerminalFiles(ctx, record.id);
    throw withNearest(ctx, wish, error);
  }
}

/** Who writes `claud` is told of claude. */
function withNearest(
  { programs }: TerminalsFeatureContext,
  { command: [first = ''] }: StartWish,
  error: unknown,
): unknown {
  const facts = errorFactsOf(error);
  if (facts.code !== 'not_found' || !facts.message.startsWith('There is no program')) return error;
  const near = nearestOf(
    first,
    programs.entries().map(({ name }) => name),
  );
  if (near === undefined || near === first) return error;
  return new HallError({ ...facts, hint: `Did you mean "${near}"? ${facts.hint}` });
}

function entryOf({ programs }: TerminalsFeatureContext, { command, plain }: StartWish): string | null {
  const [first = ''] = command;
  return !plain && programs.entries().some(({ name }) => name === first) ? first : null;
}

function isAgent({ programs }: TerminalsFeatureContext, entry: string | null): boolean {
  return programs.entries().some((each) => each.name === entry && each.isAgent);
}

/** Agents choose among what is ready; how it is started is the hall's. */
function requireFitForAgents(ctx: TerminalsFeatureContext, wish: StartWish, entry: string | null): void {
  if (!isAgent(ctx, entry) || wish.command.length > 1) {
    throw fail(
      'forbidden',
      'Agents start terminals by the name of an agent alone, without words of their own.',
      'Give one name as the command, like ["claude"]; list_sessions names them all.',
    );
  }
  if (wish.cwd === undefined && !wish.plain && wish.sandbox) return;
  throw fail(
    'forbidden',
    'Where and how an agent’s terminal runs is not chosen by the one who starts it.',
    'Leave out cwd, plain and sandbox.',
  );
}

async function placeOf(ctx: TerminalsFeatureContext, caller: Caller, wish: StartWish): Promise<Place> {
  if (caller.kind === 'agent') {
    const { project: own } = caller.activity;
    if (wish.project !== undefined && wish.project !== own) {
      const message = `An agent of the project "${own}" starts terminals in that project alone.`;
      throw fail('forbidden', message, 'Leave out project.');
    }
    const project = requireProject(ctx, own);
    return { project, cwd: terminalOfCaller(ctx, caller)?.cwd ?? project.path };
  }
  const named = wish.project === undefined ? undefined : requireProject(ctx, wish.project);
  const wanted = wish.cwd ?? named?.path;
  if (wanted === undefined) {
    throw fail(
      'invalid',
      'It is not said where the terminal is to run.',
      'Name a project or a folder: --project <name> or --cwd <path>',
      { field: 'cwd' },
    );
  }
  const cwd = await requireFolder(wanted);
  return { project: named ?? findProjectAt(ctx, cwd) ?? null, cwd };
}

async function requireFolder(path: string): Promise<string> {
  if (isAbsolute(path) && (await isFolder(path))) return await realpath(path);
  throw fail('not_found', `There is no folder ${path.slice(0, 300)}.`, 'Name one that is there: --cwd <path>');
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Not there, or not to be looked at: nothing can run in it.
    return false;
  }
}

interface Reservation {
  readonly wish: StartWish;
  readonly entry: string | null;
  readonly place: Place;
  readonly token: string;
}

async function reserve(
  ctx: TerminalsFeatureContext,
  caller: Caller,
  { wish, entry, place, token }: Reservation,
): Promise<TerminalRecord> {
  const living = [...ctx.desk.records.values()].filter(({ end }) => end === null);
  const refusal = refusalOfMore(living, ctx.config().terminals, caller.kind === 'agent');
  if (refusal !== undefined) throw new HallError(refusal);
  const name = nameFor(wish, living);
  const startedAt = ctx.clock.nowIso();
  const record: TerminalRecord = {
    id: terminalIdSchema.parse(composeId(name, startedAt, ctx.ids.random(4))),
    name,
    entry,
    command: wish.command,
    project: place.project?.name ?? null,
    cwd: place.cwd,
    sandbox: { kind: 'none', reason: '' },
    startedBy: starterOf(caller),
    // What an agent says to a shell, or to an agent without a sandbox, would be done with the person's rights.
    toAgents: wish.toAgents || (wish.sandbox && isAgent(ctx, entry)),
    isShell: ctx.programs.entries().find((each) => each.name === entry)?.isShell === true,
    mayWrite: mayWriteFor(caller, terminalOfCaller(ctx, caller)),
    direct: wish.direct,
    startedAt,
    end: null,
    lastLines: [],
    mark: ctx.ids.secret(),
    kept: null,
    tokenDigest: digestOf(token),
  };
  await writeRecord(ctx, record);
  ctx.desk.records.set(record.id, record);
  return record;
}

function nameFor({ name, command }: StartWish, living: readonly TerminalRecord[]): string {
  const taken = living.map((each) => each.name);
  if (name === undefined) return freeNameOf(stemOf(command[0] ?? ''), taken);
  const other = living.find((each) => foldName(each.name) === foldName(name));
  if (other === undefined) return name;
  throw fail(
    'conflict',
    `The name "${name}" is taken by a terminal that lives: ${other.id}.`,
    `Take another: --name ${freeNameOf(name, taken)}; or end that one: guild-hall terminal end ${other.id}`,
    { id: other.id },
  );
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

async function begin(
  ctx: TerminalsFeatureContext,
  open: Terminals,
  reserved: TerminalRecord,
  { request, sandbox, kept, leave }: ProgramReady,
): Promise<TerminalRecord> {
  const { id, name, entry, project, startedBy, startedAt: since } = reserved;
  const record = { ...reserved, sandbox, kept };
  await writeRecord(ctx, record);
  ctx.desk.records.set(id, record);
  ctx.desk.live.set(id, { id, kind: request, leave, status: 'starting', question: null, since });
  await startTerminal(open, request);
  tell(ctx, 'terminal.started', project, { id, name, entry, startedBy });
  return record;
}
