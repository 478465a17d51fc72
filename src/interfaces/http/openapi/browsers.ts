/** The doors of the hall's own pages in the OpenAPI document. Programs have no need of them. */
import { socketProtocol, terminalProtocol } from '../../../kernel/pure/wire.ts';
import { ticketLifeMs, ticketRequestSchema } from '../tickets.ts';
import { problemReferences } from './problems.ts';
import { inputSchemaOf, type Json } from './schemas.ts';

export const browsersTag = 'browsers';

/** A ticket in the address stands for the token, which a browser cannot send with a WebSocket. */
export const ticketScheme: Json = {
  type: 'apiKey',
  in: 'query',
  name: 'ticket',
  description: `Of \`POST /api/ticket\`; works once, for ${ticketLifeMs / 1000} seconds, for the page that asked for it.`,
};

export const browserPaths: Readonly<Record<string, Json>> = {
  '/api/sign-in': {
    post: {
      operationId: 'signIn',
      tags: [browsersTag],
      summary: 'Sign a browser in with the secret of a one-time link',
      description: 'Taken from the hall’s own pages alone. The token works for the origin that asked, port included.',
      security: [],
      requestBody: bodyOf({
        type: 'object',
        required: ['secret'],
        additionalProperties: false,
        properties: {
          secret: { type: 'string', minLength: 1, maxLength: 200, description: 'What stands behind the #' },
        },
      }),
      responses: answerOf(['token', 'id'], {
        token: { type: 'string', description: 'To be sent as `Authorization: Bearer`' },
        id: { type: 'string', description: 'Of the sign-in, as `signin.list` shows it' },
      }),
    },
  },
  '/api/ticket': {
    post: {
      operationId: 'ticket',
      tags: [browsersTag],
      summary: 'Get a ticket for a door that takes no header',
      requestBody: bodyOf(inputSchemaOf(ticketRequestSchema)),
      responses: answerOf(['ticket', 'expiresInMs'], {
        ticket: { type: 'string' },
        expiresInMs: { type: 'integer', description: 'Milliseconds' },
      }),
    },
  },
  '/api/socket': {
    get: {
      operationId: 'socket',
      tags: [browsersTag],
      summary: 'Call operations and follow events over one WebSocket',
      description: `The subprotocol is \`${socketProtocol}\`; the \`Origin\` has to be the hall’s own.`,
      security: [{ ticket: [] }],
      responses: { '101': { description: 'The connection is a WebSocket from here on.' }, ...problemReferences() },
    },
  },
  '/api/terminal': {
    get: {
      operationId: 'terminal',
      tags: [browsersTag],
      summary: 'See a terminal live, and type into it',
      description: `The subprotocol is \`${terminalProtocol}\`; the \`Origin\` has to be the hall’s own, and the ticket for that terminal.`,
      security: [{ ticket: [] }],
      responses: { '101': { description: 'The connection is a WebSocket from here on.' }, ...problemReferences() },
    },
  },
};

function bodyOf(schema: Json): Json {
  return { required: true, content: { 'application/json': { schema } } };
}

function answerOf(required: readonly string[], properties: Json): Json {
  const schema = { type: 'object', required, properties };
  return { '200': { description: 'Done.', content: { 'application/json': { schema } } }, ...problemReferences() };
}
