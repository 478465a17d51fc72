/** Joins the MCP door: the hall's operations, with the words of the command line for people who read along. */
import type { HallTerminals } from '../features/terminals/context.ts';
import { terminalKind } from '../features/terminals/contract.ts';
import type { Renderer } from '../interfaces/cli/parts.ts';
import { renderAnything } from '../interfaces/cli/render/anything.ts';
import { createTerminal, type Terminal } from '../interfaces/cli/terminal.ts';
import { openMcpDoor } from '../interfaces/mcp/door.ts';
import type { McpContext, McpDoor } from '../interfaces/mcp/parts.ts';
import type { Caller, OperationRegistry } from '../kernel/operations/operations.ts';
import { terminalIdSchema } from '../kernel/terminals/contract.ts';
import { letIn } from '../kernel/terminals/terminals.ts';
import { waits } from './descriptions.ts';
import { renderers } from './renderers.ts';

/** Neither colours nor a width of its own: nobody knows where the words are shown. */
const nowhere = createTerminal({ out: { write: () => true }, err: { write: () => true } }, {});

/** After these a token admits nobody any more. */
const endsOfTokens = new Set(['signin.revoked', 'terminal.ended']);

/** @param terminals whose programs are told nothing until they know their tools */
export function joinMcp(
  ctx: McpContext,
  { registry, version, terminals }: { registry: OperationRegistry; version: string; terminals: HallTerminals },
): McpDoor {
  const onListed = (caller: Caller): void => {
    const open = terminals.now();
    if (open === undefined || caller.kind !== 'agent' || caller.activity.kind !== terminalKind) return;
    letIn(open, terminalIdSchema.parse(caller.activity.id));
  };
  const door = openMcpDoor(ctx, { registry, version, waits, textOf, onListed });
  const ends = ctx.events.subscribe({ filter: ({ type }) => endsOfTokens.has(type) });
  ctx.spawn('ending MCP sessions with their tokens', async (stopping) => {
    stopping.addEventListener('abort', () => ends.close(), { once: true });
    for await (const _ of ends) door.endUnadmitted();
  });
  return door;
}

function textOf(operation: string, output: unknown): string {
  const render = (renderers[operation] as Renderer | undefined) ?? renderAnything;
  return (render as (output: unknown, term: Terminal) => string)(output, nowhere);
}
