/** Starting those who are not there yet: all of them, or none is left. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { errorFactsOf, fail, HallError } from '../../../../kernel/pure/errors.ts';
import type { TerminalId } from '../../../../kernel/terminals/contract.ts';
import type { GatheringsContext } from '../../context.ts';
import type { Gathering, GatheringId } from '../../contract/gathering.ts';
import type { Invited, Seating } from '../../rules/ceremony/seating.ts';
import { foundingFile } from '../../store/ceremony/place.ts';

/** So long a program may take until it can be spoken to; then it is spoken to when it can. Milliseconds. */
const readyMs = 20_000;
const lookMs = 50;

interface Bringing {
  readonly id: GatheringId;
  readonly project: Gathering['project'];
  readonly seating: Seating;
}

type Starting = Extract<Invited, { readonly entry: string }>;

/** @returns those that were started, by name. @throws HallError that names who could not be */
export async function bringAll(
  ctx: GatheringsContext,
  caller: Caller,
  { id, project, seating: { speakers, harvester } }: Bringing,
): Promise<Map<string, TerminalId>> {
  const started = new Map<string, TerminalId>();
  const wanted = [...speakers, harvester].filter((invited): invited is Starting => 'entry' in invited);
  if (wanted.length === 0) return started;
  const file = foundingFile(ctx, id);
  await file.write({ spawned: [] });
  const outcomes = await Promise.allSettled(
    wanted.map(async ({ name, entry }) => {
      // Written down before its program runs: a hall that is killed between leaves none that nobody ends.
      const note = async (terminal: TerminalId): Promise<void> => {
        started.set(name, terminal);
        ctx.conversations.byTerminal.set(terminal, id);
        await ctx.locks.with(`founding:${id}`, async () => file.write({ spawned: [...started.values()] }));
      };
      const facts = await ctx.seats.spawn(caller, { name, entry, project }, note).catch((error: unknown) => {
        throw notStarted(name, error);
      });
      await untilReady(ctx, facts.id, name);
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason as Error;
  return started;
}

function notStarted(name: string, error: unknown): HallError {
  const { code, message, hint, details } = errorFactsOf(error);
  return fail(code, `${name} could not be started, so the gathering does not begin: ${message}`, hint, details);
}

async function untilReady(ctx: GatheringsContext, id: TerminalId, name: string): Promise<void> {
  const end = ctx.clock.monotonicMs() + readyMs;
  for (;;) {
    const facts = ctx.terminalsOf.find(id);
    if (facts?.isAlive !== true) {
      const message = `${name} ended as soon as it was started, so the gathering does not begin.`;
      throw fail('unavailable', message, 'See what it said: guild-hall terminal list --all', { id });
    }
    if (facts.status !== 'starting' || ctx.clock.monotonicMs() > end) return;
    await ctx.clock.sleep(lookMs);
  }
}

/** Who was to sit in it may take part in others. */
export function release({ conversations: { byTerminal } }: GatheringsContext, id: GatheringId): void {
  for (const [terminal, taken] of byTerminal) if (taken === id) byTerminal.delete(terminal);
}
