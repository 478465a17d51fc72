/**
 * Workers: what a package says of itself, and what passes between the kernel and a feature that gives a worker
 * something to do. A worker is a definition, never a process.
 */
import type { ActivityRef, WorkerName, ProjectName } from '../pure/ids.ts';
import type { Tool } from '../agents/tools.ts';

/** Where something is wrong in a file. `line` and `column` count from 1. The same shape as `Problem` of kernel/artifacts. */
export interface PackageProblem {
  /** Absolute. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `shipped`: comes with the program. `home`: put into the home's `packages/` by the person. */
export type PackageOrigin = 'shipped' | 'home';

export interface WorkerIdentity {
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  readonly displayTitle: string;
  /** Relative to the package's folder. */
  readonly portraitPath?: string;
}

/** What every package has, whether it holds a worker, a toolbox or both. */
export interface PackageFacts {
  /** The package's folder, absolute. */
  readonly source: string;
  readonly origin: PackageOrigin;
  /** The shipped package of the same name that this one of the home stands in for. */
  readonly insteadOf?: string;
}

export interface WorkerPackage extends PackageFacts {
  readonly name: WorkerName;
  readonly identity: WorkerIdentity;
  /** `posture.md`, whole. */
  readonly posture: string;
  /** Names of domain toolboxes, in the order in which they are resolved. */
  readonly toolboxes: readonly string[];
  /** Names out of `builtInToolNames`. */
  readonly builtInTools: readonly string[];
  readonly checkoutScope: 'sparse' | 'full';
  /** Can be named like any other, but is not offered where somebody chooses among workers: they are too many for that. */
  readonly byInvitation?: boolean;
  /** A name of config's `models[]`; without it the hall's default. */
  readonly model?: string;
  readonly maxTurns: number;
  readonly maxBudgetUsd?: number;
  /** The package's own activation module, absolute; loaded only when this worker is activated. */
  readonly activation?: string;
}

export interface ToolboxPackage extends PackageFacts {
  readonly name: string;
  readonly description: string;
  /** The module that holds the tools, absolute; loaded only when a worker that names this toolbox is activated. */
  readonly module: string;
}

export interface WorkerCatalogue {
  /** By name, in alphabetical order. */
  readonly workers: ReadonlyMap<WorkerName, WorkerPackage>;
  readonly toolboxes: ReadonlyMap<string, ToolboxPackage>;
  /** What could not be read, and what clashes; everything else is loaded all the same. */
  readonly problems: readonly PackageProblem[];
}

/** One line of a list of artifacts. The shape of `ArtifactSummary` of kernel/artifacts. */
export interface ArtifactEntry {
  /** Relative to the project: `.lore/…`. */
  readonly path: string;
  readonly title: string;
  readonly date: string | null;
  readonly status: string | null;
  readonly tags: readonly string[];
  readonly problems: readonly PackageProblem[];
}

/**
 * The artifacts that one activity's worker may see and change. The feature decides where they really live
 * (`createWorktreeArtifacts` is the plain case) and what else follows from a write.
 */
export interface ArtifactAccess {
  /** @param under a folder or file below `.lore`; all of `.lore` when left out */
  list(under?: string): Promise<readonly ArtifactEntry[]>;
  /** The whole text. Throws `not_found`, `invalid` or `forbidden`. */
  read(path: string): Promise<string>;
  /** Writes the whole text. `note` is a sentence for the worker about what followed. */
  write(path: string, content: string): Promise<{ readonly path: string; readonly note?: string }>;
}

export interface Decision {
  readonly question: string;
  readonly decision: string;
  readonly reasoning: string;
}

/** What a feature hands over when it activates a worker. One face belongs to one activation; nothing of it is shared. */
export interface ActivityFace {
  readonly ref: ActivityRef;
  /** The feature's word for the activity, as a person says it, lower case. */
  readonly kindLabel: string;
  /** Markdown: id, what it is about, referenced artifacts. Reaches the system prompt of every worker. */
  readonly contextText: string;
  /** What it is about, in the words of whoever asked for it: what the hall remembers is found by it. */
  readonly about?: string;
  /** The same facts as data, for a package's own activation. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The activity's own tools. */
  readonly toolbox: readonly Tool[];
  readonly artifacts: ArtifactAccess;
  readonly decisions: { record(decision: Decision): Promise<void> };
  /** Left out: the worker has the base tools and whatever its package declares besides those of the activity. */
  readonly confined?: Confinement;
}

/** An activity in which every worker has the same tools, whatever its package declares. */
export interface Confinement {
  /** Exactly these, beside the activity's toolbox; no base toolbox, no declared one. */
  readonly builtInTools: readonly string[];
  /** Stands in the system prompt in place of how to work in the hall. Markdown without headings. */
  readonly rules: string;
}

/**
 * Toolboxes that the hall itself provides, by the names under which packages ask for them. Undefined: it has none of that
 * name. Throws `forbidden` where the worker may not have it.
 */
export type HallToolboxes = (
  name: string,
  wanted: { readonly worker: WorkerName; readonly activity: ActivityRef },
) => readonly Tool[] | undefined;

/**
 * What the hall itself remembers of a worker, beside its memory, for what an activity is about: Markdown with a heading of
 * its own, empty for nothing. Asked at each activation.
 */
export type HallMemory = (wanted: {
  readonly project: ProjectName;
  /** Its package, and the name that people see. */
  readonly names: readonly string[];
  readonly about: string;
}) => Promise<string>;

/** What an agent is opened with. */
export interface ActivatedWorker {
  readonly systemPrompt: string;
  /** Base, then the activity's, then the declared toolboxes'; names are unique. */
  readonly tools: readonly Tool[];
  readonly builtInTools: readonly string[];
  readonly limits: { readonly maxTurns: number; readonly maxBudgetUsd: number | null };
  readonly model?: string;
}
