/** What is looked at in a message of a client before the protocol sees it, and refusals in the protocol's own form. */
import {
  isInitializeRequest,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import { errorTable, type ErrorFacts } from '../../kernel/pure/errors.ts';

export interface ClientMessage {
  readonly isInitialize: boolean;
  /** Of a request; undefined for a notification and for an answer. */
  readonly id: string | number | undefined;
}

/** One message, or why it is none. */
export function parseMessage(request: Request, body: unknown): ClientMessage | { readonly refusal: Response } {
  const id = idOf(body);
  const version = request.headers.get('mcp-protocol-version');
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    return { refusal: unknownVersion(version.slice(0, 40), id) };
  }
  if (Array.isArray(body)) {
    return {
      refusal: refusalResponse(400, {
        code: 'invalid',
        message: 'Several messages came at once; MCP has one a request.',
        hint: 'Send them one by one.',
      }),
    };
  }
  if (!JSONRPCMessageSchema.safeParse(body).success) {
    return {
      refusal: refusalResponse(
        400,
        {
          code: 'invalid',
          message: 'The body is no JSON-RPC 2.0 message.',
          hint: 'This is an MCP server; see docs/guide/mcp.md',
        },
        id,
      ),
    };
  }
  return { isInitialize: isInitializeRequest(body), id: 'method' in (body as object) ? id : undefined };
}

function unknownVersion(version: string, id: string | number | undefined): Response {
  const facts: ErrorFacts = {
    code: 'invalid',
    message: `The hall does not speak version "${version}" of MCP; it speaks ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
    hint: 'Begin with `initialize`.',
    details: { supported: SUPPORTED_PROTOCOL_VERSIONS, requested: version },
  };
  return refusalResponse(400, facts, id);
}

/** @param status of HTTP, where the protocol wants a certain one */
export function refusalResponse(
  status: number,
  { code, message, hint, details }: ErrorFacts,
  id?: string | number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const error = {
    code: errorTable[code].mcp,
    message: `${message} ${hint}`,
    data: { ...details, code, message, hint },
  };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status, headers });
}

function idOf(body: unknown): string | number | undefined {
  const id = body !== null && typeof body === 'object' && 'id' in body ? body.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
