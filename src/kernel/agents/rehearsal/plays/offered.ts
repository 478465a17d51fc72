/** Which tools the request offers, and how to fill the input that one of them asks for. */
import type { OfferedTool, Situation } from '../situation.ts';

/** The tool of that name, with or without the prefix of a tool server (`mcp__hall__write_artifact`). */
export function offeredTool(situation: Situation, name: string): OfferedTool | undefined {
  const { tools } = situation;
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(`__${name}`));
}

export function canSearch(situation: Situation): boolean {
  return offeredTool(situation, 'Grep') !== undefined;
}

/** Other names under which a tool may ask for the same thing. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  path: ['path', 'file_path', 'file', 'filename', 'artifact', 'artifact_path'],
  content: ['content', 'contents', 'text', 'body', 'markdown', 'entry'],
  title: ['title', 'name', 'heading', 'subject', 'topic', 'key'],
  question: ['question', 'problem'],
  decision: ['decision', 'answer', 'choice'],
  reasoning: ['reasoning', 'reason', 'rationale', 'why', 'because'],
  summary: ['summary', 'progress', 'notes', 'note', 'message', 'status'],
  agenda: ['agenda', 'prompt', 'description', 'task'],
  scope: ['scope', 'level'],
  worker: ['worker', 'assignee'],
};

interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
}

/**
 * Input for a tool from its own schema: each property gets the value of its name or of a synonym; a required one that
 * has none gets something of its type. Properties that nobody asked for are left out.
 */
export function fillInput(tool: OfferedTool, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const properties = (tool.inputSchema['properties'] ?? {}) as Record<string, PropertySchema>;
  const required = (tool.inputSchema['required'] ?? []) as readonly string[];
  const input: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = valueFor(name, values, properties);
    if (value !== undefined) input[name] = fitted(schema, value);
    else if (required.includes(name)) input[name] = placeholderOf(schema, values);
  }
  return input;
}

function valueFor(
  name: string,
  values: Readonly<Record<string, string>>,
  properties: Record<string, PropertySchema>,
): string | undefined {
  if (values[name] !== undefined) return values[name];
  const lower = name.toLowerCase();
  const concept = Object.keys(values).find((key) => !(key in properties) && synonyms[key]?.includes(lower));
  return concept === undefined ? undefined : values[concept];
}

function fitted(schema: PropertySchema, value: string): unknown {
  if (schema.enum !== undefined && !schema.enum.includes(value)) return schema.enum[0];
  return schema.type === 'array' ? [value] : value;
}

function placeholderOf(schema: PropertySchema, values: Readonly<Record<string, string>>): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return [];
  if (schema.type === 'object') return {};
  return values['summary'] ?? values['content'] ?? values['title'] ?? '';
}
