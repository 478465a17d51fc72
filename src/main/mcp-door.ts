/** Joins the MCP door: the hall's operations, with the words of the command line for people who read along. */
import type { Renderer } from '../interfaces/cli/parts.ts';
import { renderAnything } from '../interfaces/cli/render/anything.ts';
import { createTerminal, type Terminal } from '../interfaces/cli/terminal.ts';
import { openMcpDoor } from '../interfaces/mcp/door.ts';
import type { McpContext, McpDoor } from '../interfaces/mcp/parts.ts';
import type { OperationRegistry } from '../kernel/operations/operations.ts';
import { waits } from './descriptions.ts';
import { renderers } from './renderers.ts';

/** Neither colours nor a width of its own: nobody knows where the words are shown. */
const nowhere = createTerminal({ out: { write: () => true }, err: { write: () => true } }, {});

export function joinMcp(ctx: McpContext, registry: OperationRegistry, version: string): McpDoor {
  return openMcpDoor(ctx, { registry, version, waits, textOf });
}

function textOf(operation: string, output: unknown): string {
  const render = (renderers[operation] as Renderer | undefined) ?? renderAnything;
  return (render as (output: unknown, term: Terminal) => string)(output, nowhere);
}
