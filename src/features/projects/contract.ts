/** Registered repositories: shapes and operations. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

/** A place in a file that could not be understood. */
export const problemSchema = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
});

export const projectSchema = z.object({
  name: projectNameSchema,
  /** Absolute path of the person's repository. */
  path: z.string(),
  integrationBranch: z.string(),
  /** Absolute path of the integration worktree, inside the home. */
  worktree: z.string(),
  /** What stands in the way of using it, in sentences; empty when all is well. */
  problems: z.array(z.string()),
});
export type ProjectView = z.infer<typeof projectSchema>;

/** What happened to a project's registration; the subject is `project:<name>`. */
export interface ProjectEvents {
  'project.added': { name: string; path: string };
  'project.removed': { name: string; path: string };
  'project.synced': { name: string; outcome: string };
}

const pathField = z.string().min(1).max(4096).meta({ isPath: true });
const nameField = projectNameSchema.describe('What the project is called here; the folder’s name when left out');

const addedSchema = projectSchema.extend({
  /** Whether it was registered now; false when it had been already. */
  added: z.boolean(),
  /** What was done, and what is good to know, in sentences. */
  notes: z.array(z.string()),
});
export type ProjectAdded = z.infer<typeof addedSchema>;

export const projectAdd = describeOperation({
  name: 'project.add',
  access: 'write',
  audience: 'person',
  summary: 'Register a git repository',
  input: z.strictObject({
    path: pathField.describe('The repository’s folder'),
    name: nameField.optional(),
    integrationBranch: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Branch that gathers the work; claude/main unless set'),
  }),
  output: addedSchema,
  commandLine: {
    positionals: [{ field: 'path' }],
    examples: [
      { line: 'guild-hall project add .', does: 'registers the repository of this folder' },
      { line: 'guild-hall project add ~/code/shop --name shop', does: 'registers it under a name of its own' },
    ],
  },
});

export const projectSample = describeOperation({
  name: 'project.sample',
  access: 'write',
  audience: 'person',
  summary: 'Make a small ready project to try things on, and register it',
  input: z.strictObject({
    path: pathField.optional().describe('Folder to make; in the home when left out'),
    name: nameField.optional(),
  }),
  output: addedSchema,
  commandLine: {
    positionals: [{ field: 'path' }],
    examples: [{ line: 'guild-hall project sample', does: 'makes the sample in the home' }],
  },
});

const listedSchema = z.object({
  projects: z.array(projectSchema),
  /** Of config.yaml. */
  problems: z.array(problemSchema),
});
export type ProjectList = z.infer<typeof listedSchema>;

export const projectList = describeOperation({
  name: 'project.list',
  access: 'read',
  audience: 'agents',
  summary: 'List registered projects and what stands in their way',
  input: z.strictObject({}),
  output: listedSchema,
  commandLine: { examples: [{ line: 'guild-hall project list', does: 'lists them' }] },
});

const shownSchema = projectSchema.extend({
  /** The branch that `project sync` brings in; null when none is recorded or checked out. */
  personBranch: z.string().nullable(),
  /** Commits of the person's branch that are not brought in yet; null where there is no such branch. */
  behind: z.number().nullable(),
  /** Commits of the integration branch that the person's branch lacks. */
  ahead: z.number().nullable(),
  /** When the person's branch was last brought in, ISO 8601; null for never. */
  lastSync: z.string().nullable(),
  /** How many artifacts there are. */
  artifacts: z.number(),
  /** Activities that are open: `<kind> <id>`. */
  open: z.array(z.string()),
});
export type ProjectShown = z.infer<typeof shownSchema>;

export const projectShow = describeOperation({
  name: 'project.show',
  access: 'read',
  audience: 'agents',
  summary: 'Show one project: how far its branches are apart, what is open, how many artifacts there are',
  input: z.strictObject({
    project: z.string().max(200).optional().describe('The project’s name; may be left out where only one fits'),
  }),
  output: shownSchema,
  commandLine: {
    positionals: [{ field: 'project' }],
    examples: [{ line: 'guild-hall project show shop', does: 'shows it' }],
  },
});

const removedSchema = z.object({
  name: projectNameSchema,
  path: z.string(),
  /** Branches of the hall that stay in the repository. */
  branches: z.array(z.string()),
  notes: z.array(z.string()),
});
export type ProjectRemoved = z.infer<typeof removedSchema>;

export const projectRemove = describeOperation({
  name: 'project.remove',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Forget a project and leave its repository as it was found; branches are listed, not deleted',
  input: z.strictObject({ name: projectNameSchema.describe('The project’s name') }),
  output: removedSchema,
  commandLine: {
    positionals: [{ field: 'name' }],
    examples: [{ line: 'guild-hall project remove shop', does: 'removes its worktree and its entry' }],
  },
});

const syncedSchema = z.object({
  name: projectNameSchema,
  outcome: z.enum(['up_to_date', 'synced', 'conflict']),
  /** The integration branch's commit afterwards; null when nothing changed. */
  commit: z.string().nullable(),
  /** Files that conflict. */
  files: z.array(z.string()),
  notes: z.array(z.string()),
});
export type ProjectSynced = z.infer<typeof syncedSchema>;

export const projectSync = describeOperation({
  name: 'project.sync',
  access: 'write',
  audience: 'person',
  summary: 'Bring the integration branch up to date with your own branch',
  input: z.strictObject({
    project: z.string().max(200).optional().describe('The project’s name; may be left out where only one fits'),
    branch: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Another branch of yours, this once; else the one that was checked out at `project add`'),
  }),
  output: syncedSchema,
  commandLine: {
    positionals: [{ field: 'project' }],
    examples: [{ line: 'guild-hall project sync shop', does: 'folds new commits of your branch in' }],
  },
});
