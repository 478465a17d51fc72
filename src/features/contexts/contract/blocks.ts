/** The blocks of a spec: fenced code with the language `conclave:<kind>` and JSON in it. Shapes only; `fold/blocks.ts` reads them. */

/** The way to the next phase: a button that runs the command. */
export interface NextBlock {
  readonly label: string;
  readonly command: string;
  /** What belongs together has the same name in it. */
  readonly metaContext: string;
}

export interface UseCase {
  readonly id: string;
  readonly name: string;
  readonly actor: string;
  readonly summary: string;
  readonly given: readonly string[];
  readonly when: readonly string[];
  readonly then: readonly string[];
  readonly priority: string;
  /** Ids of use cases that must be there first. */
  readonly dependencies: readonly string[];
}

/** A command, an event or a projection. */
export interface ModelElement {
  readonly name: string;
  readonly isNew: boolean;
  /** Name and type of each. */
  readonly fields: readonly (readonly [string, string])[];
  /** Names of projections. */
  readonly feeds: readonly string[];
}

/** One slice of an event model. */
export interface Slice {
  readonly slice: string;
  readonly label: string;
  readonly screen: string | undefined;
  readonly command: ModelElement | undefined;
  readonly events: readonly ModelElement[];
  readonly projections: readonly ModelElement[];
  readonly sideEffects: readonly string[];
}

export interface Task {
  readonly id: string;
  readonly name: string;
  readonly ucs: readonly string[];
  readonly depends: readonly string[];
  readonly wave: number;
  readonly kind: string;
  readonly creates: readonly string[];
  readonly modifies: readonly string[];
  readonly description: string;
}

export type SpecBlock =
  | { readonly kind: 'next'; readonly next: NextBlock }
  /** It has no `metaContext`: nothing can be pressed. */
  | { readonly kind: 'nameless'; readonly label: string; readonly command: string }
  | { readonly kind: 'usecase'; readonly useCase: UseCase }
  | { readonly kind: 'eventmodel'; readonly slice: Slice }
  | { readonly kind: 'tasks'; readonly tasks: readonly Task[] }
  /** Not what its language says: shown as code, and why. */
  | { readonly kind: 'code'; readonly why: string };

/** A block within a message or a document. */
export interface PlacedBlock {
  /** 0, 1, 2 … among all of them in that text: with the message, its identity. */
  readonly position: number;
  readonly block: SpecBlock;
}

/** Longer texts are not looked through, and neither are blocks that are longer. Characters. */
export const longestText = 400_000;
/** The parser takes a second for so many lines, and as long for so many quotations: the square of those. */
const mostLines = 20_000;
const mostQuotations = 1_000;
const quotation = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*>/;

/** Whether a text can have blocks that are found: in one that would hold the hall or a page for seconds there are none. */
export function mayHaveBlocks(markdown: string): boolean {
  // Most texts have none, and a tree costs.
  if (!markdown.includes('conclave:') || markdown.length > longestText) return false;
  const lines = markdown.split('\n');
  return lines.length <= mostLines && lines.filter((line) => quotation.test(line)).length <= mostQuotations;
}
