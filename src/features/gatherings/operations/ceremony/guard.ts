/** Who may begin a gathering, where, and with whom. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import { listProjects, requireProject } from '../../../../kernel/projects/projects.ts';
import type { GatheringsContext } from '../../context.ts';
import type { ConversationId } from '../../contract.ts';
import type { Gathering } from '../../contract/gathering.ts';
import { type Asked, type Guest, type Seating, seatingOf } from '../../rules/ceremony/seating.ts';
import { terminalOfCaller } from '../choosing.ts';

export interface StarterPlace {
  readonly startedBy: Gathering['startedBy'];
  readonly project: Gathering['project'];
}

/** @throws `conflict` for a member of a gathering, `forbidden` for an agent without a terminal or of another project */
export function starterOf(
  ctx: GatheringsContext,
  caller: Caller,
  wanted: Gathering['project'] | undefined,
): StarterPlace {
  if (caller.kind === 'person') return { startedBy: 'person', project: projectOf(ctx, wanted) };
  const terminal = terminalOfCaller(caller);
  if (terminal === undefined)
    throw fail('forbidden', 'Gatherings are begun by agents in terminals, and by the person.', 'Ask the person.');
  const inside = ctx.conversations.byTerminal.get(terminal);
  // Also of one that is being made: it is not among the known ones yet.
  if (inside !== undefined && !ctx.conversations.known.has(inside as ConversationId)) {
    const message = `You sit in the gathering ${inside}, and a gathering is not begun from inside one.`;
    throw fail('conflict', message, 'Begin it when that one is closed.', { id: inside });
  }
  const { project: own } = caller.activity;
  if (wanted !== undefined && wanted !== own)
    throw fail('forbidden', `An agent of the project "${own}" gathers in that project alone.`, 'Leave out project.');
  return { startedBy: terminal, project: requireProject(ctx, own).name };
}

function projectOf(ctx: GatheringsContext, wanted: Gathering['project'] | undefined): Gathering['project'] {
  if (wanted !== undefined) return requireProject(ctx, wanted).name;
  const all = listProjects(ctx);
  if (all.length === 1) return all[0]!.name;
  throw fail(
    'invalid',
    all.length === 0 ? 'There is no project yet.' : 'It is not said in which project.',
    all.length === 0 ? 'Register one: guild-hall project add <path>' : 'Name it: --project <name>',
    { field: 'project' },
  );
}

/** @throws HallError that names the field */
export function seatingFor(
  ctx: GatheringsContext,
  caller: Caller,
  asked: Omit<Asked, 'human'> & { human?: string | undefined },
): Seating {
  const { seats, terminalsOf, conversations } = ctx;
  const find = (given: string): Guest | undefined => {
    const facts = seats.invite(caller, given);
    return facts === undefined ? undefined : { ...facts, takenBy: conversations.byTerminal.get(facts.id) };
  };
  const taken = terminalsOf.list().flatMap(({ name, isAlive }) => (isAlive ? [name] : []));
  const { participants, harvester, human } = asked;
  return seatingOf({ participants, harvester, human }, { entries: seats.entries(), taken, find });
}
