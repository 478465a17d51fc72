/**
 * Questions to the person at the client, where a call lacks what a person can say. An agent is never asked, nor is
 * anybody asked for an agent; who cannot be asked, or does not answer, gets the ordinary refusal.
 */
import { type ElicitRequestFormParams, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { InputField } from '../../kernel/operations/fields.ts';
import type { ErrorFacts } from '../../kernel/pure/errors.ts';
import { inputOfTool, snakeOf } from './fields.ts';
import type { ConnectionDoor, ToolCall } from './shapes.ts';
import type { HallTool } from './tools.ts';

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

/** More than a person wants to be asked at once. */
const maxAsked = 5;

/** The input, with what was missing where the person said it. */
export async function askForMissing(
  door: ConnectionDoor,
  call: ToolCall,
  tool: HallTool,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const missing = tool.fields.list.filter(({ name, required }) => required && input[name] === undefined);
  const canBeSaid = missing.every(({ kind }) => kind === 'text' || kind === 'number' || kind === 'boolean');
  if (missing.length === 0 || missing.length > maxAsked || !canBeSaid) return input;
  const properties = Object.fromEntries(missing.map((field) => [snakeOf(field.name), propertyOf(field)]));
  const said = await ask(door, call, tool, { message: `${tool.listed.title}: what is missing?`, properties });
  return { ...input, ...said };
}

/** Of several that could have been meant, the one that the person names; undefined where it is not about that. */
export async function askWhich(
  door: ConnectionDoor,
  call: ToolCall,
  tool: HallTool,
  { message, details }: ErrorFacts,
): Promise<Record<string, unknown> | undefined> {
  const { field, choices } = details ?? {};
  if (typeof field !== 'string' || !Array.isArray(choices) || !choices.every((each) => typeof each === 'string')) {
    return undefined;
  }
  const properties: Properties = { [snakeOf(field)]: { type: 'string', title: snakeOf(field), enum: choices } };
  return await ask(door, call, tool, { message, properties });
}

interface Question {
  readonly message: string;
  readonly properties: Properties;
}

/** @returns what was said, by the operation's names; undefined where nobody was asked or nothing was said */
async function ask(
  { settings }: ConnectionDoor,
  { facts, canAsk, extra }: ToolCall,
  tool: HallTool,
  { message, properties }: Question,
): Promise<Record<string, unknown> | undefined> {
  if (!canAsk || facts.caller.kind !== 'person') return undefined;
  const required = Object.keys(properties);
  const params = { message, requestedSchema: { type: 'object' as const, properties, required } };
  try {
    const { action, content } = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, {
      timeout: settings.askMs,
      signal: extra.signal,
    });
    if (action !== 'accept') return undefined;
    const asked = Object.entries(content ?? {}).filter(([name]) => required.includes(name));
    return inputOfTool(tool.fields, Object.fromEntries(asked));
  } catch (error) {
    // Cancelled: nobody waits for the call any more. Otherwise the client could not ask, which is no fault of the call.
    if (extra.signal.aborted) throw error;
    return undefined;
  }
}

function propertyOf({ name, kind, choices, help }: InputField): Properties[string] {
  const words = { title: snakeOf(name), ...(help !== '' && { description: help }) };
  if (kind === 'number') return { type: 'number', ...words };
  if (kind === 'boolean') return { type: 'boolean', ...words };
  return { type: 'string', ...words, ...(choices.length > 0 && { enum: [...choices] }) };
}
