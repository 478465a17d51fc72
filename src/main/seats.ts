/** Joins the terminals that a gathering brings together: those that run and may be reached, and those that it starts. */
import type { SeatsOf, TerminalFacts } from '../features/gatherings/context.ts';
import type { TerminalsFeatureContext } from '../features/terminals/context.ts';
import { resolveTerminal } from '../features/terminals/operations/asking.ts';
import { startOne } from '../features/terminals/operations/starting.ts';
import { endOne } from '../features/terminals/operations/typing.ts';
import { personCaller } from '../kernel/operations/operations.ts';
import { HallError } from '../kernel/pure/errors.ts';
import { factsOf } from './gatherings.ts';

export function seatsOf(ctx: TerminalsFeatureContext): SeatsOf {
  return {
    entries: () => ctx.programs.entries().flatMap(({ name, isAgent, isShell }) => (isAgent && !isShell ? [name] : [])),
    invite: (caller, given): TerminalFacts | undefined => {
      try {
        return factsOf(ctx, resolveTerminal(ctx, caller, given));
      } catch (error) {
        // It may be the name of an agent that can be started.
        if (error instanceof HallError && error.code === 'not_found') return undefined;
        throw error;
      }
    },
    spawn: async (caller, { name, entry, project }, onReserved) => {
      const wish = { name, command: [entry], direct: true, toAgents: false, plain: false, sandbox: true };
      const where = caller.kind === 'person' ? { project } : {};
      return factsOf(ctx, await startOne(ctx, caller, { ...wish, ...where }, onReserved));
    },
    end: async (id) => {
      const record = ctx.desk.records.get(id);
      // What the gathering started, the hall ends for it.
      if (record !== undefined) await endOne(ctx, personCaller, record);
    },
  };
}
