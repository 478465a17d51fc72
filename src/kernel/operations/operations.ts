/**
 * Operations: a described verb joined to the code that does it. Every door calls them through `callOperation`, so
 * that input is parsed once, by the same schema, and the answer has the shape that was promised.
 */
import { z } from 'zod';
import { fail } from '../pure/errors.ts';
import type { ActivityRef, WorkerName } from '../pure/ids.ts';
import { type OperationDescription, toolNameOf } from '../pure/operations.ts';
import { explainIssues } from './explain.ts';

/** Who asks: the person (with the hall's token), or an agent (with the token of its activity) and which worker that is. */
export type Caller =
  | { readonly kind: 'person' }
  | { readonly kind: 'agent'; readonly activity: ActivityRef; readonly worker?: WorkerName };

export const personCaller: Caller = { kind: 'person' };

/** A description with its code; the types of input and output are checked by the schemas from here on. */
export interface BoundOperation {
  readonly description: OperationDescription;
  /** Takes input that the schema has parsed already. Called by `callOperation` alone. */
  readonly run: (caller: Caller, input: unknown) => Promise<unknown>;
}

/**
 * Joins a description to its code.
 * @param run gets parsed input; throws `HallError` for what a person should read
 */
export function bindOperation<Input extends z.ZodType, Output extends z.ZodType>(
  description: OperationDescription<Input, Output>,
  run: (caller: Caller, input: z.output<Input>) => Promise<z.input<Output>>,
): BoundOperation {
  return { description, run: (caller, input) => run(caller, input as z.output<Input>) };
}

/** The operations of a hall by name. */
export interface OperationRegistry {
  readonly list: readonly BoundOperation[];
  find(name: string): BoundOperation | undefined;
}

const namePattern = /^[a-z][a-z-]*(?:\.[a-z][a-z-]*)?$/;

/** @throws HallError `internal` for a name that is malformed or taken twice: a mistake of the program, seen at its start */
export function createRegistry(bound: readonly BoundOperation[]): OperationRegistry {
  const byName = new Map<string, BoundOperation>();
  for (const operation of bound) {
    const { name } = operation.description;
    if (!namePattern.test(name)) {
      throw fail('internal', `The operation "${name}" is not named <noun>.<verb>.`, 'Mend the description.');
    }
    if (byName.has(name)) {
      throw fail('internal', `Two operations are named "${name}".`, 'Bind each description once.');
    }
    byName.set(name, operation);
  }
  requireToolNames(bound);
  return { list: [...byName.values()], find: (name) => byName.get(name) };
}

const toolPattern = /^[a-z][a-z0-9_]{0,63}$/;

function requireToolNames(bound: readonly BoundOperation[]): void {
  const byTool = new Map<string, string>();
  for (const { description } of bound) {
    const tool = toolNameOf(description);
    const other = byTool.get(tool);
    if (other !== undefined || !toolPattern.test(tool)) {
      const why = other === undefined ? 'is no name of a tool' : `is taken by "${other}"`;
      throw fail('internal', `The tool name "${tool}" of "${description.name}" ${why}.`, 'Mend the description.');
    }
    byTool.set(tool, description.name);
  }
}

/**
 * Calls an operation with input as it came through a door.
 * @throws HallError `invalid` naming each wrong field; `forbidden` for an agent at a person's operation; whatever the
 *   operation refuses; `internal` when its answer does not have the promised shape
 */
export async function callOperation(operation: BoundOperation, caller: Caller, rawInput: unknown): Promise<unknown> {
  const { description } = operation;
  requireAudience(description, caller);
  const input = parseInput(description, rawInput);
  const output = await operation.run(caller, input);
  const kept = description.output.safeParse(output);
  if (kept.success) return kept.data;
  throw fail(
    'internal',
    `"${description.name}" did its work, but its answer has an unexpected shape: ${explainIssues(kept.error, output).summary}`,
    'Look at the thing itself to see what was done; `guild-hall logs` has the details.',
  );
}

/** The parsed input. @throws HallError `invalid`; `details.fields` lists {field, expected, given} */
export function parseInput(description: OperationDescription, rawInput: unknown): unknown {
  const parsed = strictly(description.input).safeParse(rawInput);
  if (parsed.success) return parsed.data;
  const { summary, fields } = explainIssues(parsed.error, rawInput);
  const command = description.name.replace('.', ' ');
  throw fail('invalid', summary, `See: guild-hall ${command} --help`, { operation: description.name, fields });
}

/** Whether the operation is open to the caller at all. */
export function mayCall({ audience, workers }: OperationDescription, caller: Caller): boolean {
  if (caller.kind === 'person') return true;
  const isMeant = workers === undefined || (caller.worker !== undefined && workers.includes(caller.worker));
  return audience === 'agents' && isMeant;
}

function requireAudience(description: OperationDescription, caller: Caller): void {
  if (mayCall(description, caller)) return;
  throw fail(
    'forbidden',
    `"${description.name}" is for the person alone; an agent asked for it.`,
    'Ask the person to do it, or to answer in the inbox.',
  );
}

const strictForms = new WeakMap<z.ZodType, z.ZodType>();

/** The schema with unknown fields refused, also where its author forgot to say so. */
function strictly(schema: z.ZodType): z.ZodType {
  const known = strictForms.get(schema);
  if (known) return known;
  const strict = schema instanceof z.ZodObject ? schema.strict() : schema;
  strictForms.set(schema, strict);
  return strict;
}
