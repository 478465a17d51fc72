/** What is well with this installation and what is not: shapes and operations. */
import { z } from 'zod';
import { describeOperation } from '../../kernel/pure/operations.ts';

export const checkSchema = z.object({
  name: z.string(),
  /** `note`: works, but worth knowing. `bad`: something will not work. */
  state: z.enum(['good', 'note', 'bad']),
  /** What was found, in a sentence. */
  found: z.string(),
  /** The next thing to do; empty when there is nothing. */
  hint: z.string(),
});
export type DoctorCheck = z.infer<typeof checkSchema>;

const doctorSchema = z.object({
  /** False when any check is bad. */
  healthy: z.boolean(),
  checks: z.array(checkSchema),
});
export type DoctorReport = z.infer<typeof doctorSchema>;

export const doctor = describeOperation({
  name: 'doctor',
  access: 'read',
  audience: 'person',
  summary: 'Check what the hall needs, and say how to get what is missing',
  input: z.strictObject({}),
  output: doctorSchema,
  commandLine: { examples: [{ line: 'guild-hall doctor', does: 'works with or without a running hall' }] },
});

export const configProblemSchema = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
});

const configShownSchema = z.object({
  file: z.string(),
  /** The settings in force; keys and secrets are left out. */
  config: z.record(z.string(), z.unknown()),
  problems: z.array(configProblemSchema),
});
export type ConfigShown = z.infer<typeof configShownSchema>;

export const configShow = describeOperation({
  name: 'config.show',
  access: 'read',
  audience: 'person',
  summary: 'Show the settings in force, without secrets',
  input: z.strictObject({}),
  output: configShownSchema,
  commandLine: { examples: [{ line: 'guild-hall config show --json', does: 'shows them for a program' }] },
});

const configCheckedSchema = z.object({
  file: z.string(),
  /** Without the file the defaults hold. */
  exists: z.boolean(),
  problems: z.array(configProblemSchema),
});
export type ConfigChecked = z.infer<typeof configCheckedSchema>;

export const configCheck = describeOperation({
  name: 'config.check',
  access: 'read',
  audience: 'person',
  summary: 'Read config.yaml and name what cannot be understood, by line',
  input: z.strictObject({}),
  output: configCheckedSchema,
  commandLine: { examples: [{ line: 'guild-hall config check', does: 'works with or without a running hall' }] },
});
