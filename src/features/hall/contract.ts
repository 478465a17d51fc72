/** What a running hall says of itself. */
import { z } from 'zod';
import { describeOperation } from '../../kernel/pure/operations.ts';

const statusSchema = z.object({
  pid: z.number(),
  url: z.string(),
  version: z.string(),
  home: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  uptimeSeconds: z.number(),
  projects: z.array(z.string()),
  model: z.object({ name: z.string(), label: z.string(), isRehearsal: z.boolean() }),
  /** What agents run in: `bubblewrap`, `seatbelt`, or `none` with the reason and what to do. */
  sandbox: z.object({ kind: z.enum(['bubblewrap', 'seatbelt', 'none']), reason: z.string(), hint: z.string() }),
  /** Activities that are open: `<kind> <id>`. */
  running: z.array(z.string()),
  /** What went wrong at the start, and in config.yaml. */
  problems: z.array(z.string()),
});
export type HallStatus = z.infer<typeof statusSchema>;

export const statusShow = describeOperation({
  name: 'status',
  access: 'read',
  audience: 'person',
  summary: 'Show the running hall: its address, projects, model, what is open',
  input: z.strictObject({}),
  output: statusSchema,
  commandLine: { examples: [{ line: 'guild-hall status --json', does: 'the same for a script' }] },
});

/** For `guild-hall down`; the command line does not list it by itself. */
export const hallStop = describeOperation({
  name: 'hall.stop',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Stop the hall: turns are interrupted, agents ended',
  input: z.strictObject({}),
  output: z.object({ pid: z.number(), running: z.array(z.string()) }),
  commandLine: { examples: [] },
});
