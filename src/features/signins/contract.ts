/** Browsers that were let in, as a person sees them: shapes, events, operations. */
import { z } from 'zod';
import { signInIdSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { shortIdSchema } from '../../kernel/pure/short-ids.ts';

const listedSignInSchema = z.object({
  id: signInIdSchema,
  /** In a few words: `Firefox on Linux`. */
  browser: z.string(),
  /** Where it counts, and nowhere else: `http://127.0.0.1:4747`. */
  origin: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.string(),
  /** ISO 8601, UTC, to the hour; at first when it was made. */
  lastUsedAt: z.string(),
  /** When it ends unless it is used again. ISO 8601, UTC. */
  expiresAt: z.string(),
});

/** Why a sign-in ended: somebody revoked it, nobody used it, or a newer one needed its place. */
export const endReasonSchema = z.enum(['revoked', 'unused', 'room']);
export type EndReason = z.infer<typeof endReasonSchema>;

/** Events of the hall's stream whose subject is `signin:<id>`. */
export interface SignInEvents {
  'signin.made': { id: string; browser: string; origin: string };
  'signin.revoked': { id: string; browser: string; why: EndReason };
}

const linkSchema = z.object({
  /** Opened in a browser it signs that browser in, once. A secret. */
  url: z.string(),
  /** ISO 8601, UTC. */
  expiresAt: z.string(),
});
export type SignInLink = z.infer<typeof linkSchema>;

export const signInLink = describeOperation({
  name: 'signin.link',
  access: 'write',
  audience: 'person',
  summary: 'Make a link that signs one browser in, once, within ten minutes',
  input: z.strictObject({}),
  output: linkSchema,
  commandLine: { examples: [{ line: 'guild-hall signin link', does: 'prints a link; guild-hall open opens one' }] },
});

const signInListSchema = z.object({
  /** The one used last comes first. */
  signIns: z.array(listedSignInSchema),
});
export type SignInList = z.infer<typeof signInListSchema>;

export const signInList = describeOperation({
  name: 'signin.list',
  access: 'read',
  audience: 'person',
  summary: 'List the browsers that are signed in',
  input: z.strictObject({}),
  output: signInListSchema,
  commandLine: { examples: [{ line: 'guild-hall signin list', does: 'says which browsers, since when, last used' }] },
});

const revokedSchema = z.object({
  revoked: z.array(z.object({ id: signInIdSchema, browser: z.string() })),
  /** How many links that nobody had opened yet were made worthless with them. */
  spentLinks: z.number(),
});
export type SignInsRevoked = z.infer<typeof revokedSchema>;

export const signInRevoke = describeOperation({
  name: 'signin.revoke',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Sign a browser out at once, and make links that are not opened yet worthless',
  input: z.strictObject({
    id: shortIdSchema.optional().describe('Id of the sign-in; any part that fits only one'),
    all: z.boolean().default(false).describe('All of them'),
  }),
  output: revokedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall signin revoke k3f9', does: 'signs that browser out' },
      { line: 'guild-hall signin revoke --all', does: 'signs every browser out; the command line goes on' },
    ],
  },
});
