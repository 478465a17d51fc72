/** What the projects feature needs of the hall. */
import type { Document } from 'yaml';
import type { Problem } from '../../kernel/artifacts/parse.ts';
import type { IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { ProjectEvents } from './contract.ts';

export type ProjectsContext = GitContext &
  IdContext &
  LocksContext &
  EventsContext &
  ConfigContext & {
    /** Edits config.yaml, keeping its order and comments; the change is in force when it resolves. */
    readonly changeConfig: (edit: (document: Document) => void) => Promise<void>;
    /** What of config.yaml cannot be understood. */
    readonly configProblems: () => readonly Problem[];
    /** What is open in a project: `<kind> <id>` each. */
    readonly runningIn: (project: string) => Promise<readonly string[]>;
    /** The command that ends an activity; undefined: `<kind> close <id>`. */
    readonly endCommand?: (kind: string, id: string) => string | undefined;
    /** Folder of the sample project's files. */
    readonly sampleSource: string;
  };

/** Tells everybody what happened to a project. */
export function announce<Type extends keyof ProjectEvents>(
  ctx: EventsContext,
  type: Type,
  data: ProjectEvents[Type],
): void {
  ctx.events.publish({ type, project: data.name, subject: `project:${data.name}`, data });
}

/** Registering and removing change config.yaml and the same folders: one at a time. */
export const registryLock = 'projects';
