/** Turns what a third party gives as a tool's input into the zod shape that the hall works with. */
import { z } from 'zod';

/**
 * @param input a zod shape, a zod object, a JSON schema of an object, or nothing
 * @returns undefined for anything else, schemas of zod 3 among them
 */
export function shapeOfInput(input: unknown): z.ZodRawShape | undefined {
  if (input === undefined || input === null) return {};
  if (typeof input !== 'object') return undefined;
  if (isZodType(input)) return 'shape' in input ? shapeOfInput(input.shape) : undefined;
  if (Object.values(input).every(isZodType)) return { ...input };
  return shapeOfJsonSchema(input);
}

function isZodType(value: unknown): value is z.ZodType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function shapeOfJsonSchema(schema: object): z.ZodRawShape | undefined {
  if (!('type' in schema) || schema.type !== 'object') return undefined;
  try {
    const type = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    return type instanceof z.ZodObject ? type.shape : undefined;
  } catch {
    // Not a schema that can be understood; the caller names the tool and its package.
    return undefined;
  }
}
