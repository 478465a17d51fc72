/** The MCP door in the OpenAPI document: its messages are described by the protocol itself. */
import { problemReferences } from './problems.ts';
import type { Json } from './schemas.ts';

export const toolsTag = 'mcp';

const session: Json = {
  name: 'Mcp-Session-Id',
  in: 'header',
  description: 'As the answer to `initialize` gave it.',
  schema: { type: 'string' },
};

export const toolPaths: Readonly<Record<string, Json>> = {
  '/mcp': {
    post: {
      operationId: 'mcp',
      tags: [toolsTag],
      summary: 'Send one message of the Model Context Protocol (Streamable HTTP)',
      description: 'Every operation as a tool: `meeting.open` is `meeting_open`. See https://modelcontextprotocol.io',
      parameters: [
        session,
        {
          name: 'project',
          in: 'query',
          description: 'With `initialize`: the project that tools are about where none is named.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object', description: 'A message of JSON-RPC 2.0.' } } },
      },
      responses: {
        '200': {
          description: 'The answer, and what comes before it.',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        '202': { description: 'A notification, or an answer, was taken.' },
        ...problemReferences(),
      },
    },
    delete: {
      operationId: 'mcpEnd',
      tags: [toolsTag],
      summary: 'End a session of the Model Context Protocol',
      parameters: [session],
      responses: { '204': { description: 'It has ended.' }, ...problemReferences() },
    },
  },
};
