/** The queue of a round: twelve commissions in two projects, and what each may come to for its own reason. */
import type { ProjectOfPlace } from './place.ts';

/** How a commission ends when nobody disturbs its worker. */
export type Kind =
  | 'merges'
  /** Two of them write the same file: one merges, the other may not. */
  | 'rivals'
  | 'limit'
  | 'silent'
  | 'no result'
  | 'exits'
  | 'crashes after its result'
  | 'leaves children'
  | 'is cancelled';

export interface Wanted {
  /** Unique in the round. */
  readonly name: string;
  readonly project: ProjectOfPlace;
  readonly kind: Kind;
  readonly prompt: string;
  /** Names of others of the round, or paths. */
  readonly depends: readonly string[];
  /** The summary of its result, where it submits one. */
  readonly summary?: string;
  /** Files that are on the integration branch once it is merged. */
  readonly files: readonly string[];
  readonly isReal?: boolean;
}

type Step = readonly [string, ...unknown[]];

/** @param round makes names and paths its own; @param random how long each works */
export function queueOf(round: number, random: () => number): readonly Wanted[] {
  const at = (name: string): string => `.lore/notes/round-${round}-${name}.md`;
  const some = (most: number): number => 50 + Math.floor(random() * most);
  const small = (
    name: string,
    project: ProjectOfPlace,
    kind: Kind,
    steps: readonly Step[],
    more: Partial<Wanted> = {},
  ) => ({ name, project, kind, prompt: JSON.stringify(steps), depends: [], files: [], ...more }) satisfies Wanted;
  const works = (name: string, project: ProjectOfPlace, more: Partial<Wanted> = {}, after: readonly Step[] = []) => {
    const path = at(name);
    const summary = `Result of ${name} in round ${round}`;
    const steps: readonly Step[] = [
      ['progress', `Began ${name}`],
      ['alive', some(700)],
      ['write', path, `# ${name}\n`],
      ['artifact', path],
      ['progress', `Wrote ${name}`],
      ['decision', 'Which way?', `The way of ${name}`],
      ['usage', usage],
      ['alive', some(300)],
      ['result', summary, [path]],
      ...after,
    ];
    return small(name, project, 'merges', steps, { summary, files: [path], ...more });
  };
  const rival = (name: string) => {
    const summary = `Result of ${name} in round ${round}`;
    const path = `shared/round-${round}.txt`;
    const steps: readonly Step[] = [
      ['progress', `Began ${name}`],
      ['alive', 400 + some(600)],
      ['write', path, `by ${name}\n`],
      ['result', summary],
    ];
    return small(name, 'alder', 'rivals', steps, { summary });
  };
  return [
    works('first', 'alder'),
    works('after-first', 'alder', { depends: ['first'] }),
    works('after-file', 'alder', { depends: [at('after-first')] }),
    rival('rival-one'),
    rival('rival-two'),
    real(round, at('real')),
    small('limit', 'birch', 'limit', [
      ['progress', 'Began limit'],
      ['alive', some(500)],
      ['failed', 'turn limit reached (3)', { class: 'max_turns' }],
    ]),
    works('crashing', 'birch', { kind: 'crashes after its result' }, [['kill', 'SIGKILL']]),
    works('parent', 'birch', { kind: 'leaves children' }, [['children', 3]]),
    small('hanging', 'birch', round % 2 === 0 ? 'silent' : 'is cancelled', [['progress', 'Began hanging'], ['hang']]),
    small('exiting', 'birch', 'exits', [
      ['progress', 'Began exiting'],
      ['alive', some(300)],
      ['exit', 3],
    ]),
    small('asking', 'birch', 'no result', [
      ['question', 'q1.1', 'Which of the two?'],
      ['alive', 400 + some(800)],
    ]),
  ];
}

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 };

/** A worker on the real SDK; what it does stands in the scenario. */
function real(round: number, path: string): Wanted {
  const word = wordOfReal(round);
  return {
    name: 'real',
    project: 'alder',
    kind: 'merges',
    prompt: `Write ${path} as it is said for ${word}.`,
    depends: [],
    summary: `Made of ${word}`,
    files: [path],
    isReal: true,
  };
}

export function wordOfReal(round: number): string {
  return `torture-of-round-${round}-`;
}

export function pathOfReal(round: number): string {
  return `.lore/notes/round-${round}-real.md`;
}

/** Why an attempt that nobody disturbed may have ended: state and literal reason. */
export const ownEnds: Readonly<Record<Kind, readonly string[]>> = {
  merges: ['completed: Result submitted'],
  rivals: ['completed: Result submitted'],
  limit: ['failed: turn limit reached (3)'],
  silent: ['failed: process unresponsive'],
  'no result': ['failed: completed without submitting result'],
  exits: ['failed: process crashed (exit code 3)'],
  'crashes after its result': ['completed: Result submitted'],
  'leaves children': ['completed: Result submitted'],
  'is cancelled': ['cancelled: Not wanted any more'],
};

/** What a worker's end may be called when nobody saw how it ended: it was killed, or ended while no hall was there. */
export const unseenEnds = ['failed: process ended without a word', 'failed: process lost on restart'];
export const killedEnds = ['failed: process crashed (SIGKILL)', ...unseenEnds];
