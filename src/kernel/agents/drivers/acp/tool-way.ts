/** The hall's own tools for an agent in another process: an MCP server over Streamable HTTP that keeps no state. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { BackgroundContext } from '../../../background/background.ts';
import type { LogContext } from '../../../log/log.ts';
import { createToolServer } from '../claude/tools.ts';
import { defineTool, type Tool } from '../../tools.ts';

export interface ToolSet {
  readonly tools: readonly Tool[];
  /** What the agent is to read with the answer of a call. */
  readonly aside?: (() => Promise<string | undefined>) | undefined;
}

export async function serveTools(
  ctx: LogContext & BackgroundContext,
  set: ToolSet,
  raw: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const { instance } = createToolServer(
    ctx,
    set.tools.map((tool) => withAside(tool, set.aside)),
  );
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => ctx.spawn('close a server of tools', async () => instance.close()));
  // Its optional fields are typed without "or undefined".
  await instance.connect(transport as Transport);
  const gone = once(response, 'close');
  // Who has gone waits for no answer, however long the tool still takes.
  await Promise.race([transport.handleRequest(request, response, JSON.parse(raw.toString('utf8'))), gone]);
}

function withAside(tool: Tool, aside: ToolSet['aside']): Tool {
  if (aside === undefined) return tool;
  return defineTool({
    ...tool,
    run: async (input) => {
      const outcome = await tool.run(input);
      const said = await aside();
      return said === undefined ? outcome : { ...outcome, text: `${outcome.text}\n\n${said}` };
    },
  });
}
