/** Joins the tools of one activation: in this order, each name once, and nothing else. */
import type { Tool } from '../agents/tools.ts';
import { fail } from '../pure/errors.ts';

/** Tools with the words that say where they come from: `the base toolbox`. */
export interface ToolGroup {
  readonly origin: string;
  readonly tools: readonly Tool[];
}

/** @throws `conflict` naming both origins when two tools have one name, or a tool has the name of a built-in one */
export function joinTools(groups: readonly ToolGroup[], builtInTools: readonly string[]): Tool[] {
  const origins = new Map(builtInTools.map((name) => [name, 'the built-in tools']));
  const tools: Tool[] = [];
  for (const { origin, tools: more } of groups) {
    for (const tool of more) {
      const before = origins.get(tool.name);
      if (before !== undefined) throw nameTaken(tool.name, before, origin);
      origins.set(tool.name, origin);
      tools.push(tool);
    }
  }
  return tools;
}

function nameTaken(name: string, first: string, second: string): Error {
  const where = first === second ? `twice in ${first}` : `both in ${first} and in ${second}`;
  return fail(
    'conflict',
    `The tool "${name}" is ${where}; a worker cannot have two tools of one name.`,
    "Rename one of them, or take the toolbox out of the worker's package.json.",
    { tool: name, origins: [first, second] },
  );
}
