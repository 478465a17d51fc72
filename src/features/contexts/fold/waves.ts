/** Whether the tasks of a spec can be done in their waves: what is missing, what depends on too late, what meets in one file. Pure. */
import type { Task } from '../contract/blocks.ts';

export interface Wave {
  readonly wave: number;
  readonly tasks: readonly CheckedTask[];
}

export interface CheckedTask {
  readonly task: Task;
  /** In words for the person, of very many the first; empty where all is well. */
  readonly faults: readonly string[];
}

/** In their order; within one in the order of the list. */
export function checkWaves(tasks: readonly Task[]): readonly Wave[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waves = [...new Set(tasks.map(({ wave }) => wave))].toSorted((one, other) => one - other);
  return waves.map((wave) => {
    const own = tasks.filter((task) => task.wave === wave);
    return { wave, tasks: own.map((task) => ({ task, faults: faultsOf(task, { byId, tasks, own }) })) };
  });
}

interface Around {
  readonly byId: ReadonlyMap<string, Task>;
  readonly tasks: readonly Task[];
  /** Of the same wave. */
  readonly own: readonly Task[];
}

/** Who mends so many sees the others then. Hundreds of tasks with one file would have some hundred thousands. */
const mostFaults = 20;

function faultsOf(task: Task, around: Around): string[] {
  const faults: string[] = [];
  for (const fault of faultsIn(task, around)) {
    if (faults.length === mostFaults) return [...faults, 'There is more of this kind.'];
    faults.push(fault);
  }
  return faults;
}

function* faultsIn(task: Task, { byId, tasks, own }: Around): Generator<string> {
  if (tasks.filter(({ id }) => id === task.id).length > 1) yield `The id ${task.id} is given twice.`;
  for (const id of task.depends) {
    const needed = byId.get(id);
    if (needed === undefined) yield `It depends on ${id}, which is not there.`;
    else if (needed.wave >= task.wave) {
      const when = needed.wave === task.wave ? 'the same wave' : `wave ${needed.wave}, which is later`;
      yield `It depends on ${id}, which is in ${when}.`;
    }
  }
  const files = new Set([...task.creates, ...task.modifies]);
  for (const other of own) {
    if (other === task) continue;
    const shared = [...new Set([...other.creates, ...other.modifies])].filter((file) => files.has(file));
    if (shared.length > 0) yield `It touches ${shared.join(', ')} at the same time as ${other.id}.`;
  }
}
