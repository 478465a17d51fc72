/** Clients of the MCP door, as programs have them: by the protocol's own SDK. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';

export interface McpRequest {
  /** Of the hall: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly token: string;
  readonly project?: string;
  /** Answers questions to the person; left out: the client cannot ask. */
  readonly onQuestion?: (message: string, properties: Record<string, object>) => ElicitResult | Promise<ElicitResult>;
}

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  /** What stands in `structuredContent`. */
  readonly value: Record<string, unknown>;
}

export interface McpCaller {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, given?: Record<string, unknown>): Promise<Called>;
}

export async function connectMcp({ url, token, project, onQuestion }: McpRequest): Promise<McpCaller> {
  const address = new URL(`${url}/mcp`);
  if (project !== undefined) address.searchParams.set('project', project);
  const transport = new StreamableHTTPClientTransport(address, {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const capabilities = onQuestion === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: 'a-test', version: '1' }, { capabilities });
  if (onQuestion !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const { requestedSchema } = params as { requestedSchema: { properties: Record<string, object> } };
      return await onQuestion(params.message, requestedSchema.properties);
    });
  }
  // The SDK's own type of a transport does not fit its own interface where optional means optional.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(async () => await client.close());
  return { client, transport, call: async (name, given = {}) => await callTool(client, name, given) };
}

export async function callTool(client: Client, name: string, given: Record<string, unknown>): Promise<Called> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
  const text = (content as { text: string }[]).map((part) => part.text).join('');
  return { isError: isError === true, text, value: structuredContent as Record<string, unknown> };
}
