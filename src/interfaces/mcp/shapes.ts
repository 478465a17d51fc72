/** What the parts of the door know of a session, and of one call in it. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../kernel/operations/operations.ts';
import type { McpParts, McpSettings } from './parts.ts';
import type { HallTool } from './tools.ts';

export interface ConnectionDoor {
  readonly parts: McpParts;
  readonly settings: McpSettings;
  readonly tools: ReadonlyMap<string, HallTool>;
}

export interface ConnectionFacts {
  readonly id: string;
  readonly caller: Caller;
  /** The project that is meant where none is named. */
  readonly project: string | undefined;
}

export interface ToolCall {
  readonly facts: ConnectionFacts;
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly extra: RequestHandlerExtra<ServerRequest, ServerNotification>;
  /** The client can ask its person. */
  readonly canAsk: boolean;
}
