/** Operations as MCP lists them: names, words, input, and what a client should know before it calls one. */
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import {
  type BoundOperation,
  type Caller,
  mayCall,
  type OperationRegistry,
} from '../../kernel/operations/operations.ts';
import { type OperationDescription, toolNameOf } from '../../kernel/pure/operations.ts';
import { snakeOf, toolFieldsOf, type ToolFields } from './fields.ts';

export interface HallTool {
  readonly name: string;
  readonly operation: BoundOperation;
  readonly fields: ToolFields;
  /** As clients get it. */
  readonly listed: Tool;
}

/** By name, in the order in which the operations are bound. */
export function toolsOf({ list }: OperationRegistry): ReadonlyMap<string, HallTool> {
  return new Map(list.map((operation) => toolOf(operation)).map((tool) => [tool.name, tool]));
}

/** What this caller may use; the others are as if they were not there, until they are called by name. */
export function toolsFor(tools: ReadonlyMap<string, HallTool>, caller: Caller): Tool[] {
  return [...tools.values()]
    .filter(({ operation }) => mayCall(operation.description, caller))
    .map(({ listed }) => listed);
}

function toolOf(operation: BoundOperation): HallTool {
  const { description } = operation;
  const name = toolNameOf(description);
  const listed: Tool = {
    name,
    title: description.name.replaceAll(/[.-]/g, ' '),
    description: `${description.summary}.`,
    inputSchema: inputSchemaOf(description),
    annotations: {
      readOnlyHint: description.access === 'read',
      destructiveHint: description.destroys === true,
      idempotentHint: description.access === 'read',
    },
  };
  return { name, operation, fields: toolFieldsOf(description), listed };
}

type Schema = Record<string, unknown> & {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
};

function inputSchemaOf({ input }: OperationDescription): Tool['inputSchema'] {
  const made = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', override: sayPaths });
  const { $schema: _dialect, properties, required, ...schema } = made as Schema;
  const named = Object.entries(properties ?? {}).map(([name, value]) => [snakeOf(name), value] as const);
  return {
    ...schema,
    type: 'object',
    properties: Object.fromEntries(named),
    ...(required && required.length > 0 && { required: required.map(snakeOf) }),
    additionalProperties: false,
  };
}

const pathNote = 'an absolute path on the machine of the hall';

/** Says in words what is a word of this program only. */
function sayPaths({ jsonSchema: schema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const own = schema as Record<string, unknown>;
  delete own['isOnce'];
  if (own['isPath'] !== true) return;
  delete own['isPath'];
  delete own['isHere'];
  schema.description = schema.description === undefined ? pathNote : `${schema.description}; ${pathNote}`;
}
