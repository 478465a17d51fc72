/** How far a spec is, by what its files hold. Pure. */
import type { SpecPhase } from '../contract.ts';
import { readBlock } from '../fold/blocks.ts';

interface Found {
  readonly state: 'missing' | 'read' | 'unreadable';
  readonly text: string;
}

interface SpecFiles {
  readonly research: Found;
  readonly analysis: Found;
  readonly breakdown: Found;
  /** `note` undefined: it is no list of tasks. */
  readonly tasks: Found & { readonly note: string | undefined };
}

/** @param folder from the project's folder */
export function phasesOf(folder: string, { research, analysis, breakdown, tasks }: SpecFiles): SpecPhase[] {
  const useCases = fencesOf(analysis.text, 'usecase');
  const slices = fencesOf(analysis.text, 'eventmodel');
  return [
    phase('/rsrc', 'Research', `${folder}/research.md`, research),
    phase('/req', 'Requirements', `${folder}/analysis.md`, analysis, counted(useCases, 'use case')),
    {
      ...phase('/arq', 'Architecture', `${folder}/analysis.md`, analysis, counted(slices, 'slice')),
      // Requirements stand there before.
      ...(analysis.state === 'read' && slices === 0 && { state: 'open' as const }),
    },
    phase('/plan', 'Breakdown', `${folder}/breakdown.md`, breakdown),
    {
      ...phase('/org', 'Waves', `${folder}/implementation.json`, tasks, tasks.note),
      ...(tasks.state === 'read' && tasks.note === undefined && { state: 'unreadable' as const }),
    },
    { command: '/orc', title: 'Carried out', file: null, state: 'untold', note: '' },
  ];
}

/** @returns undefined for what is no list of tasks */
export function noteOfTasks(value: unknown): string | undefined {
  const block = readBlock('conclave:tasks', printed(value));
  if (block?.kind !== 'tasks') return undefined;
  const waves = new Set(block.tasks.map(({ wave }) => wave)).size;
  return `${counted(block.tasks.length, 'task')} in ${counted(waves, 'wave')}`;
}

/** Empty for what was read, and is too deep to be printed again: a list of tasks is not. */
function printed(value: unknown): string {
  try {
    return JSON.stringify(value ?? null);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function phase(command: string, title: string, file: string, found: Found, note = ''): SpecPhase {
  const states = { missing: 'open', read: 'done', unreadable: 'unreadable' } as const;
  const state = states[found.state];
  return { command, title, file, state, note: state === 'done' ? note : '' };
}

/** Counted by their first lines: a spec is long, and only their number is wanted. */
function fencesOf(text: string, kind: string): number {
  return text.match(new RegExp(`^[ \\t>*-]*(?:\`{3,}|~{3,})[ \\t]*conclave:${kind}[ \\t]*\\r?$`, 'gm'))?.length ?? 0;
}

function counted(count: number, word: string): string {
  if (count === 0) return '';
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
