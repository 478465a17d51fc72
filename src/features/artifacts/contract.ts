/** Artifacts of a project, as a reader sees them: shapes and operations. */
import { z } from 'zod';
import type { ErrorFacts } from '../../kernel/pure/errors.ts';
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

/** One artifact that names another, or is named by it. */
export const artifactLinkSchema = z.object({
  path: z.string(),
  /** Of the artifact at the other end; null where there is none. */
  title: z.string().nullable(),
  /** False: the artifact that is named is not there. */
  exists: z.boolean(),
  /** Where it is named: frontmatter fields by name, `text` for a link in the body. */
  where: z.array(z.string()),
});
export type ArtifactLink = z.infer<typeof artifactLinkSchema>;

/** One commit that touched an artifact. */
export const artifactCommitSchema = z.object({
  /** Abbreviated hash. */
  commit: z.string(),
  /** ISO 8601. */
  at: z.string(),
  author: z.string(),
  subject: z.string(),
  /** What stands in its `Guild-Hall:` trailer: `meeting <id>`, `artifact edit`; null for a commit of somebody else. */
  by: z.string().nullable(),
  /** The activity that the trailer names. */
  activity: z.object({ kind: z.string(), id: z.string() }).nullable(),
});
export type ArtifactCommit = z.infer<typeof artifactCommitSchema>;

const shownSchema = z.object({
  project: projectNameSchema,
  path: z.string(),
  title: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  body: z.string(),
  problems: z.array(artifactProblemSchema),
  produced_by: z.array(producerSchema),
  /** The whole text: frontmatter and body, as they stand in the file. */
  raw: z.string(),
  /** Stands for the file's bytes: two revisions are equal when the files are. An edit names the one it began with. */
  revision: z.string(),
  /** Why it cannot be edited now, and what to do; null when it can. */
  locked: z.object({ message: z.string(), hint: z.string() }).nullable(),
  /** Of the integration branch, the newest first, at most 20. */
  history: z.array(artifactCommitSchema),
  linksTo: z.array(artifactLinkSchema),
  linkedFrom: z.array(artifactLinkSchema),
});
export type ArtifactShown = z.infer<typeof shownSchema>;

export const artifactShow = describeOperation({
  name: 'artifact.show',
  access: 'read',
  audience: 'agents',
  summary: 'Show one artifact: its fields, its text, who made it, what it links and what links it',
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

/** Bytes. A longer text is refused as `too_large`. */
export const maxArtifactBytes = 1024 * 1024;

const editedSchema = z.object({
  project: projectNameSchema,
  path: z.string(),
  /** Of what is there now. */
  revision: z.string(),
  /** Null: the text was the same, and nothing was committed. */
  commit: z.string().nullable(),
  /** What cannot be read in the new frontmatter. */
  problems: z.array(artifactProblemSchema),
});
export type ArtifactEdited = z.infer<typeof editedSchema>;

export const artifactEdit = describeOperation({
  name: 'artifact.edit',
  access: 'write',
  audience: 'person',
  summary: 'Replace the text of an artifact, and commit it on the integration branch',
  input: z.strictObject({
    project: projectField,
    path: z.string().min(1).max(1000).describe('Path relative to the project, like .lore/specs/x.md'),
    raw: z.string().describe('The whole new text; - reads it from standard input'),
    baseRevision: z
      .string()
      .min(1)
      .max(100)
      .describe('`revision` of the text that the edit began with; see: guild-hall artifact show <path> --json'),
    allowSecrets: z.boolean().default(false).describe('Write it although it looks as if a key or password is in it'),
  }),
  output: editedSchema,
  commandLine: {
    positionals: [{ field: 'path' }, { field: 'raw', rest: true }],
    examples: [
      {
        line: 'guild-hall artifact edit .lore/specs/x.md --base-revision 69029c6aff2cd39c "# Another text"',
        does: 'writes it, if nobody changed it since that revision; - in place of the text reads standard input',
      },
    ],
  },
});

/** `details` of the `conflict` that refuses an edit which began with an older text. Both versions are in it. */
export const editConflictSchema = z.object({
  kind: z.literal('revision'),
  path: z.string(),
  yours: z.string(),
  /** Null: the artifact is no longer there. */
  theirs: z.object({ revision: z.string(), raw: z.string() }).nullable(),
  /** Both changes in one text, where they do not touch the same lines; to be looked at and sent with `theirs.revision`. */
  merged: z.string().nullable(),
  /** How many places both changed; null where the text that the edit began with is not known any more. */
  conflicts: z.number().nullable(),
});
export type EditConflict = z.infer<typeof editConflictSchema>;

/** `details` of the `conflict` that asks whether a secret is meant to be written. Never the secret itself. */
export const editSecretsSchema = z.object({
  kind: z.literal('secrets'),
  path: z.string(),
  /** Lines of the text that was sent, from 1. */
  secrets: z.array(z.object({ line: z.number(), kind: z.string() })),
});
export type EditSecrets = z.infer<typeof editSecretsSchema>;

/** How a feature that writes records has a say in edits by hand. */
export interface RecordKeeper {
  /** Key of the lock under which the feature changes that record; undefined when the path is none of its records. */
  readonly lockOf: (project: string, path: string) => string | undefined;
  /** Why the record may not become `text`; undefined when it may. Called with that lock held. */
  readonly judge: (project: string, path: string, text: string) => Promise<ErrorFacts | undefined>;
  readonly isRecord: (path: string) => boolean;
  /** True for the record of an activity that has not come to its end: nothing that came out of anything yet. */
  readonly isUnfinished: (path: string, status: string | null) => boolean;
}

/** An open activity on whose branch an artifact stands, and the command that shows it. */
export interface Elsewhere {
  readonly kind: string;
  readonly id: string;
  readonly command: string;
}

/** Events of the hall's stream whose subject is `artifact:<path>`. */
export interface ArtifactEvents {
  'artifact.edited': { path: string; revision: string; commit: string | null };
}
