/** What may be found, and how: shapes and the operation. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

export const searchKinds = [
  'artifact',
  'meeting',
  'commission',
  'council',
  'conversation',
  'gathering',
  'session',
] as const;
export const searchKindSchema = z.enum(searchKinds);
export type SearchKind = z.infer<typeof searchKindSchema>;

export const searchHitSchema = z.object({
  project: projectNameSchema,
  /** `meeting`: the record with its notes, or what was said in an open one; and so on. */
  kind: searchKindSchema,
  /** Of the activity or conversation; null for an artifact. */
  id: z.string().nullable(),
  /** In the project: `.lore/…`; null for what is no file of it. */
  path: z.string().nullable(),
  title: z.string(),
  /** ISO 8601: when the passage was said or written. */
  at: z.string(),
  snippet: z.object({
    /** One line, secrets masked. */
    text: z.string(),
    /** Where the words stand in it: from, to. */
    marks: z.array(z.tuple([z.number(), z.number()])),
  }),
  /** Passages of it that match besides this one. */
  more: z.number(),
  /** The command that shows it. */
  command: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** One commit that touched the file which was asked for. */
export const touchSchema = z.object({
  project: projectNameSchema,
  path: z.string(),
  /** Abbreviated hash. */
  commit: z.string(),
  at: z.string(),
  author: z.string(),
  subject: z.string(),
  /** The activity that its trailer names. */
  activity: z.object({ kind: z.string(), id: z.string() }).nullable(),
  /** The command that shows the activity. */
  command: z.string().nullable(),
});
export type Touch = z.infer<typeof touchSchema>;

export const searchAnswerSchema = z.object({
  /** What was looked for, folded; phrases in quotes. */
  terms: z.array(z.string()),
  /** The best first. */
  hits: z.array(searchHitSchema),
  /** Sources that match. */
  total: z.number(),
  /** Commits of the integration branch that touched `file`, the newest first; empty unless one was asked for. */
  touched: z.array(touchSchema),
  file: z.string().nullable(),
  searched: z.object({
    projects: z.array(projectNameSchema),
    kinds: z.array(searchKindSchema),
    sources: z.number(),
    passages: z.number(),
    /** Texts that are still being read: they are found a moment later. */
    unread: z.number(),
    /** Texts of which nothing, or only the beginning, is searched. */
    leftOut: z.number(),
  }),
});
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;

export const search = describeOperation({
  name: 'search',
  tool: 'search_history',
  access: 'read',
  audience: 'agents',
  summary: 'Search artifacts, notes, transcripts and conversations for words, the best match first',
  input: z.strictObject({
    words: z
      .string()
      .max(2_000)
      .default('')
      .describe('Words, joined by OR; beginnings of words are enough. What stands in quotes is looked for as it is'),
    project: z.string().optional().describe('Only this project'),
    kind: z.array(searchKindSchema).max(searchKinds.length).default([]).describe('Only of this kind'),
    file: z.string().min(1).max(1_000).optional().describe('Tell which activities touched this file of the project'),
    limit: z.int().min(1).max(50).default(10).describe('At most so many hits'),
  }),
  output: searchAnswerSchema,
  commandLine: {
    positionals: [{ field: 'words', rest: true }],
    narrowsByFolder: true,
    examples: [
      { line: 'guild-hall search rounding of hours', does: 'finds texts with any of the words' },
      { line: 'guild-hall search \'"half up"\' --kind meeting', does: 'finds the phrase in meetings' },
      { line: 'guild-hall search --file src/count.ts', does: 'tells which activities touched the file' },
    ],
  },
});

/** What a ceremony knows of earlier talks: a few hits in few words. */
export interface HistoryRequest {
  readonly project: string;
  /** A question in plain words. */
  readonly words: string;
  readonly hits: number;
  /** Of all snippets together. */
  readonly characters: number;
}

/** The best first; empty where nothing is found, or nothing can be searched. */
export type FindHistory = (request: HistoryRequest) => Promise<readonly SearchHit[]>;
