/** How a tool call and its output are told to people. */
import type { ToolCallWire } from './shapes.ts';

/** The hall's own tools stand in a server of this name, and agents make names of both in their own ways. */
export const hallServerName = 'hall';

const maxSummaryLength = 2_000;

/** The hall's own tool that an agent means; undefined for any other. */
export function hallToolName(tools: ReadonlySet<string>, said: string): string | undefined {
  if (tools.has(said)) return said;
  const name = /^(?:Tool: )?(?:mcp(?:__|\.))?hall(?:__|[_./:]| - ?)\s*([\w-]+)(?:\s|\(|$)/.exec(said)?.[1];
  return name !== undefined && tools.has(name) ? name : undefined;
}

/** A tool's name as people know it: the agent's own word for it where it says one, else what kind of thing it does. */
export function shownName(tools: ReadonlySet<string>, call: ToolCallWire): string {
  const own = (call._meta as { claudeCode?: { toolName?: unknown } } | null | undefined)?.claudeCode?.toolName;
  const isText = (name: unknown): name is string => typeof name === 'string' && name !== '';
  const proper = [own, call.name].filter(isText);
  // A title may be words of the model; only where nothing else says the name, and never for what runs commands.
  const said = proper.length > 0 || call.kind === 'execute' ? proper : [call.title].filter(isText);
  for (const name of said) {
    const halls = hallToolName(tools, name);
    if (halls !== undefined) return halls;
  }
  const word = [...proper, call.title ?? ''].find((name) => /^[\w.-]{1,64}$/.test(name));
  return word ?? (call.kind === undefined || call.kind === null ? 'tool' : call.kind);
}

interface Block {
  readonly type: string;
  readonly text?: string | undefined;
  readonly name?: string | null | undefined;
  readonly uri?: string | null | undefined;
}

/** What a reader gets of a block: its text, or a word for what cannot be read. */
export function textOfBlock(block: Block): string {
  if (block.type === 'text') return block.text ?? '';
  return `[${block.type === 'resource_link' ? (block.name ?? block.uri ?? 'link') : block.type}]`;
}

export function summarise(text: string): string {
  if (text.length <= maxSummaryLength) return text;
  const mark = `\n[cut: ${text.length} characters in all]`;
  return text.slice(0, maxSummaryLength - mark.length) + mark;
}
