/** The hall's tools, offered to the agent by an MCP server that runs inside the hall. */
import type { McpSdkServerConfigWithInstance } from '@anthropic-ai/claude-agent-sdk';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { LogContext } from '../../../log/log.ts';
import { errorFactsOf, HallError } from '../../../pure/errors.ts';
import type { Tool } from '../../tools.ts';

export const hallServerName = 'hall';

/** Longest output that a model is given of one call, in characters: about 12,000 tokens. */
export const maxToolOutput = 50_000;

/** The name by which the agent's program calls a tool of the hall. */
export function fullToolName(name: string): string {
  return `mcp__${hallServerName}__${name}`;
}

/** A server for one process of the agent: a server cannot be shared, the tools behind it can. */
export function createToolServer(ctx: LogContext, tools: readonly Tool[]): McpSdkServerConfigWithInstance {
  const instance = new McpServer({ name: hallServerName, version: '1.0.0' }, { capabilities: { tools: {} } });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  // The schemas are written by hand, not through `registerTool`, because that one drops unknown fields silently.
  instance.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }));
  instance.server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
    callTool(ctx, byName.get(params.name), params.name, params.arguments ?? {}),
  );
  return { type: 'sdk', name: hallServerName, instance };
}

function describeTool(tool: Tool) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(z.strictObject(tool.input), { io: 'input' });
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: schema as { type: 'object' },
    // Without this mark the agent may hide the tool until the model searches for it.
    _meta: { 'anthropic/alwaysLoad': true },
  };
}

/** Runs one call. Every failure is an answer to the model; nothing is thrown. */
export async function callTool(
  ctx: LogContext,
  tool: Tool | undefined,
  name: string,
  input: unknown,
): Promise<CallToolResult> {
  if (!tool) return answer(`There is no tool "${name}".`, true);
  const checked = z.strictObject(tool.input).safeParse(input);
  if (!checked.success)
    return answer(
      `The input of ${name} is not right. Correct it and call again.\n${z.prettifyError(checked.error)}`,
      true,
    );
  try {
    const outcome = await tool.run(checked.data);
    return answer(outcome.text, outcome.isError === true);
  } catch (error) {
    if (!(error instanceof HallError)) ctx.log.error({ err: error, tool: name }, 'a tool failed');
    const { message, hint } = errorFactsOf(error);
    return answer(`${message}\n${hint}`, true);
  }
}

function answer(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text: capOutput(text) }], isError };
}

function capOutput(text: string): string {
  if (text.length <= maxToolOutput) return text;
  const mark = `\n[cut: the whole is ${text.length} characters; ask for a part of it]`;
  return text.slice(0, maxToolOutput - mark.length) + mark;
}
