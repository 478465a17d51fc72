/** Shapes that many settings have. */
import { z } from 'zod';
import type { Shape } from './shape.ts';

export const wholeNumber = (min: number, max: number, of = ''): Shape => ({
  is: 'value',
  schema: z.int().min(min).max(max),
  expected: `a whole number${of} from ${min} to ${max}`,
});
export const yesOrNo: Shape = { is: 'value', schema: z.boolean(), expected: 'true or false' };
export const line = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u);
