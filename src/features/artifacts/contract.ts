/** Artifacts of a project, as a reader sees them: shapes and operations. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

export const artifactProblemSchema = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
});

export const artifactSummarySchema = z.object({
  /** Relative to the project, with `/`: `.lore/…`. */
  path: z.string(),
  title: z.string(),
  /** As the file says it; null where it says nothing. */
  date: z.string().nullable(),
  status: z.string().nullable(),
  tags: z.array(z.string()),
  problems: z.array(artifactProblemSchema),
});

/** Which activity made an artifact, or worked on it. */
export const producerSchema = z.object({ kind: z.string(), id: z.string(), title: z.string() });
export type Producer = z.infer<typeof producerSchema>;

/** What a feature whose activities make artifacts can say of one. */
export type ProducersOf = (project: string, path: string) => Promise<readonly Producer[]>;

const projectField = z.string().optional().describe('Project; may be left out where only one fits');

const listedSchema = z.object({
  project: projectNameSchema,
  artifacts: z.array(artifactSummarySchema),
  /** Why the list is empty, where something was looked for that none has. */
  note: z.string().optional(),
});
export type ArtifactList = z.infer<typeof listedSchema>;

export const artifactList = describeOperation({
  name: 'artifact.list',
  access: 'read',
  audience: 'agents',
  summary: 'List the artifacts of a project, the newest first',
  input: z.strictObject({
    project: projectField,
    under: z.string().min(1).max(1000).default('.lore').describe('Folder to list'),
    status: z.string().max(100).optional().describe('Only those with this status'),
    tag: z.string().max(100).optional().describe('Only those with this tag'),
  }),
  output: listedSchema,
  commandLine: {
    examples: [
      { line: 'guild-hall artifact list', does: 'lists all' },
      { line: 'guild-hall artifact list --under .lore/specs --status approved', does: 'lists some' },
    ],
  },
});

const shownSchema = z.object({
  project: projectNameSchema,
  path: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  body: z.string(),
  problems: z.array(artifactProblemSchema),
  produced_by: z.array(producerSchema),
});
export type ArtifactShown = z.infer<typeof shownSchema>;

export const artifactShow = describeOperation({
  name: 'artifact.show',
  access: 'read',
  audience: 'agents',
  summary: 'Show one artifact: its fields, its text, who made it',
  input: z.strictObject({
    project: projectField,
    path: z.string().min(1).max(1000).describe('Path relative to the project, like .lore/specs/x.md'),
  }),
  output: shownSchema,
  commandLine: {
    positionals: [{ field: 'path' }],
    examples: [{ line: 'guild-hall artifact show .lore/specs/x.md', does: 'shows it' }],
  },
});
