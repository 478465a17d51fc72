/** What a piece of work changes, as every activity tells it. */
import { z } from 'zod';

export const workDiffFields = {
  files: z.array(
    z.object({
      path: z.string(),
      /** Added, modified, deleted, or T: it became something else, like a link. */
      status: z.string(),
      isBinary: z.boolean(),
      /** Unified hunks; empty for what is binary or cut altogether. */
      text: z.string(),
      /** The text is not all of the change. */
      isCut: z.boolean(),
      added: z.number(),
      removed: z.number(),
    }),
  ),
  /** How many changed files are not named. */
  more: z.number(),
};
