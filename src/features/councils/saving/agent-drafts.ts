/** Drafts as the original helpers took them: lines first, YAML where it is YAML. */
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { MemoryDraft } from '../contract/drafts.ts';
import { type ItemText, parseItems } from './items.ts';
import { parseMemory } from './memory.ts';
import { parseYamlFields } from './yaml-fields.ts';

/**
 * Items that begin with `- type:` at the edge, fields indented below. YAML, or lines as the original read them: a colon
 * within a value is then a part of it.
 */
export function parseDrafts(text: string): ItemText[] {
  try {
    return parseItems(text);
  } catch (error) {
    const items = error instanceof HallError ? itemsByLine(text) : [];
    if (items.length === 0) throw error;
    return items;
  }
}

function itemsByLine(text: string): ItemText[] {
  const items: Record<string, string>[] = [];
  /** The field whose text stands on the lines below it, and how far in. */
  let block: { readonly name: string; readonly indent: number } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const indent = /^ */.exec(line)![0].length;
    if (line.startsWith('- ')) items.push({});
    const item = items.at(-1);
    if (item !== undefined && block !== undefined && (line.trim() === '' || indent > block.indent)) {
      item[block.name] += `${line.slice(block.indent + 2)}\n`;
      continue;
    }
    block = undefined;
    const [, name, given = ''] = /^(?:- |[ \t]+)([a-z_]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (item === undefined || name === undefined) continue;
    const isBlock = /^[|>][+-]?$/.test(given.trim());
    if (isBlock) block = { name, indent: line.startsWith('- ') ? 2 : indent };
    item[name] = isBlock ? '' : unquoted(given.trim());
  }
  return items.map((item) => ({
    id: undefined,
    type: item['type'] ?? '',
    priority: item['priority'] || 'normal',
    assignee: item['assignee'] || 'unassigned',
    contextForTarget: (item['context_for_target'] ?? '').trimEnd(),
    acceptance: (item['acceptance'] ?? '').trimEnd(),
    pins: [],
  }));
}

function unquoted(value: string): string {
  const found = /^"((?:[^"\\]|\\.)*)"$/.exec(value) ?? /^'(.*)'$/.exec(value);
  return found === null ? value : found[1]!.replaceAll(/\\(["\\])/g, '$1');
}

const fieldNames: Readonly<Record<Exclude<keyof MemoryDraft, 'agent'>, readonly string[]>> = {
  tags: ['tags'],
  decided: ['decisions', 'decided', 'what_i_decided'],
  constraints: ['constraints'],
  tracking: ['open_items', 'tracking', 'action_items'],
  sources: ['sources'],
};

/** One agent's draft: fields with block or inline lists, in front matter or alone, or the four sections of a memory file. */
export function parseAgentDraft(text: string, agent: string): MemoryDraft {
  const head = /^---\r?\n(.*?)^---[ \t]*(?:\r?\n|$)/ms.exec(text);
  const rest = head === null ? text : text.slice(head[0].length);
  const hasSections = /^## /m.test(rest);
  const fields = parseYamlFields(head?.[1] ?? (hasSections ? '' : text), `the draft of ${agent}`);
  const body = hasSections ? parseMemory(rest, agent) : undefined;
  const listOf = (name: keyof typeof fieldNames): string[] => {
    const value = fieldNames[name].map((key) => fields[key]).find((held) => held !== undefined && held !== null);
    return [...listed(value, agent), ...(body?.[name] ?? [])];
  };
  return {
    agent,
    tags: listOf('tags'),
    decided: listOf('decided'),
    constraints: listOf('constraints'),
    tracking: listOf('tracking'),
    sources: listOf('sources'),
  };
}

function listed(value: unknown, agent: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String);
  throw fail('invalid', `A list in the draft of ${agent} is none.`, 'Write lists as - one, or as [one, two].');
}
