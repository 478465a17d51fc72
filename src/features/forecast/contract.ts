/** Which open activities will not merge with each other, or with the project, before any of them is merged. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

/** An open activity with a branch of its own, as its feature tells it. Paths are absolute. */
export interface ActivityBranch {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly branch: string;
  readonly worktree: string;
  /** For whom the worktree was made. */
  readonly owner: string;
}

const activitySchema = z.object({ kind: z.string(), id: z.string(), title: z.string() });

export const conflictPairSchema = z.object({
  project: projectNameSchema,
  a: activitySchema,
  /** Null: the integration branch, which moved on since `a` began. */
  b: activitySchema.nullable(),
  /** Files that both change; with a conflict those that would not merge. */
  files: z.array(z.string()),
  /** False: both change the same files, and as they stand now they would merge. */
  isConflict: z.boolean(),
});
export type ConflictPair = z.infer<typeof conflictPairSchema>;

/** How one activity's page shows it: the other one, or the integration branch as `{kind: 'branch', id: its name}`. */
export const foreseenSchema = activitySchema.extend({ files: z.array(z.string()), isConflict: z.boolean() });
export type Foreseen = z.infer<typeof foreseenSchema>;

const conflictsSchema = z.object({
  /** Conflicts first. */
  pairs: z.array(conflictPairSchema),
  /** Why something could not be compared, in sentences. */
  problems: z.array(z.string()),
});
export type Conflicts = z.infer<typeof conflictsSchema>;

export const projectConflicts = describeOperation({
  name: 'project.conflicts',
  access: 'read',
  audience: 'person',
  summary: 'List which open meetings and commissions change the same files, and which will not merge',
  input: z.strictObject({ project: projectNameSchema.optional().describe('Only of this project') }),
  output: conflictsSchema,
  commandLine: {
    positionals: [{ field: 'project' }],
    examples: [{ line: 'guild-hall project conflicts', does: 'looks at what all of them changed so far' }],
  },
});
