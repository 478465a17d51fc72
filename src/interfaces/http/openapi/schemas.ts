/** Schemas of operations as JSON Schema 2020-12, which is what OpenAPI 3.1 takes. */
import { z } from 'zod';

/** Part of the document: plain JSON. */
export type Json = { [name: string]: unknown };

/** What a caller may send: fields with a default may be left out, unknown ones are refused. */
export function inputSchemaOf(schema: z.ZodType): Json {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: tidy }));
}

/**
 * What the hall answers. Fields that a later version may add are not ruled out, so that what was generated from the
 * document goes on working.
 */
export function answerSchemaOf(schema: z.ZodType): Json {
  const override = (context: Context): void => {
    tidy(context);
    if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
  };
  return withoutDialect(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', override }));
}

interface Context {
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

const pathNote = 'an absolute path on the machine of the hall';

/** Takes off what says nothing to a reader, and says in words what is a word of this program only. */
function tidy({ jsonSchema: schema }: Context): void {
  const own = schema as Json;
  delete own['isOnce'];
  if (own['isPath'] === true) {
    delete own['isPath'];
    delete own['isHere'];
    schema.description = schema.description === undefined ? pathNote : `${schema.description}; ${pathNote}`;
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  const names = schema.propertyNames;
  if (typeof names === 'object' && Object.keys(names).join() === 'type') delete schema.propertyNames;
}

/** The document names its dialect once. */
function withoutDialect({ $schema: _dialect, ...schema }: z.core.JSONSchema.BaseSchema): Json {
  return schema;
}
