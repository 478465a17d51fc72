/**
 * The MCP door of a hall, for the path `/mcp` of its HTTP face: every operation as a tool, over Streamable HTTP. What
 * speaks the protocol is loaded when somebody comes.
 */
import { fail } from '../../kernel/pure/errors.ts';
import type { McpContext, McpDoor, McpParts } from './parts.ts';
import type { Sessions } from './sessions.ts';

export function openMcpDoor(ctx: McpContext, parts: McpParts): McpDoor {
  let opened: Promise<Sessions> | undefined;
  let sessions: Sessions | undefined;
  let isClosed = false;
  const open = async (): Promise<Sessions> => {
    const { openSessions } = await import('./sessions.ts');
    return (sessions = openSessions(ctx, parts));
  };
  return {
    answer: async (request) => {
      if (isClosed) throw fail('unavailable', 'The hall is stopping.', 'guild-hall up --detach');
      return await (await (opened ??= open())).answer(request);
    },
    endUnadmitted: () => sessions?.endUnadmitted(),
    close: async () => {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
