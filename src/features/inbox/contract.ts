/** The inbox: whatever waits for the person, in one list, each with the operations that answer it. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';

export const inboxKindSchema = z.enum(['request', 'question', 'approval', 'conflict', 'yield', 'review', 'problem']);
export type InboxKind = z.infer<typeof inboxKindSchema>;

/** A way to deal with an item: an operation whose input is ready, but for what the person adds. */
export const inboxActionSchema = z.object({
  /** Unique within the item: `approve`, `deny`, `defer`. */
  verb: z.string(),
  /** For a button. */
  label: z.string(),
  operation: z.string(),
  input: z.record(z.string(), z.unknown()),
  /**
   * `text`, `date`: words of the person go into the input field `field`; left out where not `required`.
   * `confirm`: show `warning`, and ask before it is done. `nothing`: it can be done at once.
   */
  asks: z.enum(['nothing', 'text', 'date', 'confirm']),
  field: z.string().nullable(),
  required: z.boolean(),
  /** What is lost and what is kept. */
  warning: z.string().nullable(),
});
export type InboxAction = z.infer<typeof inboxActionSchema>;

export const inboxItemSchema = z.object({
  /** Stays the same while the thing waits. May be shortened while it is unique. */
  id: z.string(),
  kind: inboxKindSchema,
  /** Null for what concerns the hall itself. */
  project: z.string().nullable(),
  subject: z.object({ kind: z.string(), id: z.string(), title: z.string() }),
  /** Who or what asks, in a few words. */
  title: z.string(),
  /** What is asked; Markdown of whoever asks. Empty when the title says it all. */
  detail: z.string(),
  /** Since when it waits, ISO 8601; of a problem: since the hall knows of it. */
  since: z.string(),
  actions: z.array(inboxActionSchema),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

/** What a feature has that waits for the person; `since` null is filled in with when it was first told. */
export type Waiting = () => Promise<readonly WaitingItem[]>;
export type WaitingItem = Omit<InboxItem, 'since'> & { readonly since: string | null };

/** Something that is wrong, as an item: its id follows from what it says. */
export function problemItem(problem: Omit<WaitingItem, 'id' | 'kind' | 'since'>): WaitingItem {
  const { project, subject, title, detail } = problem;
  const mark = shortMark([project ?? '', subject.kind, subject.id, title, detail].join('\n'));
  return { ...problem, id: `problem.${project ?? 'hall'}.${mark}`, kind: 'problem', since: null };
}

/** Eight characters that two texts hardly share (FNV-1a). No secret is kept by it. */
function shortMark(text: string): string {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    low = Math.imul(low ^ code, 0x01000193) >>> 0;
    high = Math.imul(high ^ low, 0x01000193) >>> 0;
  }
  return (low.toString(36).padStart(7, '0') + high.toString(36)).slice(-8);
}

const listedSchema = z.object({
  /** The longest waiting first; problems last. */
  items: z.array(inboxItemSchema),
  /** Without problems: the number beside the word Inbox. */
  waiting: z.number(),
  problems: z.number(),
});
export type InboxList = z.infer<typeof listedSchema>;

export const inboxList = describeOperation({
  name: 'inbox.list',
  access: 'read',
  audience: 'person',
  summary: 'List whatever waits for you, the oldest first',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
    kind: inboxKindSchema.optional().describe('Only of this kind'),
  }),
  output: listedSchema,
  commandLine: {
    isDefault: true,
    ofAllProjects: true,
    examples: [{ line: 'guild-hall inbox', does: 'lists it, with what each can be answered with' }],
  },
});

const idField = z.string().min(1).max(400).describe('Id of the item, its beginning or its last part');
const textField = z.string().max(400_000).optional().describe('Your words, where the answer takes some');
const allowSecretsField = z
  .boolean()
  .default(false)
  .describe('Send your words although it looks as if a key or password is in them');

const actedSchema = z.object({
  id: z.string(),
  verb: z.string(),
  /** What was done, in words: `meeting.accept`. */
  operation: z.string(),
  label: z.string(),
  subject: inboxItemSchema.shape.subject,
  project: z.string().nullable(),
  /** What that operation answered. */
  output: z.unknown(),
});
export type InboxActed = z.infer<typeof actedSchema>;

export const inboxAct = describeOperation({
  name: 'inbox.act',
  access: 'write',
  audience: 'person',
  summary: 'Deal with an item of the inbox in one of the ways that it names',
  input: z.strictObject({
    id: idField,
    verb: z.string().min(1).max(40).describe('One of its verbs'),
    text: textField,
    allowSecrets: allowSecretsField,
  }),
  output: actedSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'verb' }, { field: 'text', rest: true }],
    examples: [{ line: 'guild-hall inbox act k3f9 defer 2026-03-31', does: 'answers by any verb of the item' }],
  },
});

/** The answers that most items take, as verbs of their own. */
export const inboxVerbs = ['answer', 'approve', 'deny', 'dismiss', 'defer', 'retry'] as const;
export type InboxVerb = (typeof inboxVerbs)[number];

const verbWords: Readonly<
  Record<InboxVerb, { readonly summary: string; readonly line: string; readonly does: string }>
> = {
  answer: {
    summary: 'Answer a question that waits in the inbox',
    line: 'guild-hall inbox answer k3f9 "The second one"',
    does: 'sends the answer',
  },
  approve: {
    summary: 'Say yes: accept a request, approve what was asked',
    line: 'guild-hall inbox approve k3f9 "Start with the tests"',
    does: 'accepts it',
  },
  deny: {
    summary: 'Say no: decline a request, deny what was asked',
    line: 'guild-hall inbox deny k3f9 "Not this week"',
    does: 'declines it, with the reason',
  },
  dismiss: {
    summary: 'Give something up that waits, so that it waits no longer',
    line: 'guild-hall inbox dismiss k3f9',
    does: 'gives it up; what is kept is told',
  },
  defer: {
    summary: 'Leave something for later',
    line: 'guild-hall inbox defer k3f9 2026-03-31',
    does: 'takes it out of the inbox until that day',
  },
  retry: {
    summary: 'Try again what did not work',
    line: 'guild-hall inbox retry k3f9',
    does: 'tries a merge again that was in conflict',
  },
};

/** `inbox.answer`, `inbox.approve`, …: what `inbox.act` does with that verb. */
export const inboxShortcuts = inboxVerbs.map((verb) => ({
  verb,
  description: describeOperation({
    name: `inbox.${verb}`,
    access: 'write',
    ...(verb === 'deny' || verb === 'dismiss' ? { destroys: true } : {}),
    audience: 'person',
    summary: verbWords[verb].summary,
    input: z.strictObject({ id: idField, text: textField, allowSecrets: allowSecretsField }),
    output: actedSchema,
    commandLine: {
      positionals: [{ field: 'id' }, { field: 'text', rest: true }],
      examples: [{ line: verbWords[verb].line, does: verbWords[verb].does }],
    },
  }),
}));

/** Events of the hall's stream; the subject is null. Other changes of the inbox follow from the features' own events. */
export interface InboxEvents {
  /** Problems came or went without anybody having done something, or a new day began. */
  'inbox.changed': { problems: number };
}
