/** One call of a tool: the client's input becomes the operation's, what it lacks is asked for, its answer is shown. */
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { callOperation, mayCall } from '../../kernel/operations/operations.ts';
import { errorFactsOf, HallError } from '../../kernel/pure/errors.ts';
import { didYouMean } from '../../kernel/pure/nearest.ts';
import { askForMissing, askWhich } from './asking.ts';
import { withTools } from './commands.ts';
import { inputOfTool } from './fields.ts';
import type { McpContext } from './parts.ts';
import { startProgress } from './progress.ts';
import { answerOf, refusalOf } from './results.ts';
import type { ConnectionDoor, ConnectionFacts, ToolCall } from './shapes.ts';
import type { HallTool } from './tools.ts';

/** What is refused is an answer, which a model can read. @throws McpError for a tool that there is not */
export async function callTool(ctx: McpContext, door: ConnectionDoor, call: ToolCall): Promise<CallToolResult> {
  const tool = door.tools.get(call.name);
  if (!tool) throw unknownTool(door, call.name);
  const { name } = tool.operation.description;
  try {
    const input = withProject(tool, call.facts, inputOfTool(tool.fields, call.given));
    const output = await runTool(ctx, door, call, tool, await askForMissing(door, call, tool, input));
    return answerOf(output, door.parts.textOf(name, output));
  } catch (error) {
    if (errorFactsOf(error).code === 'internal') ctx.log.error({ err: error, operation: name }, 'a tool call failed');
    const facts = errorFactsOf(error);
    return refusalOf(tool, { ...facts, hint: hintHere(door, call, facts.hint) });
  }
}

async function runTool(
  ctx: McpContext,
  door: ConnectionDoor,
  call: ToolCall,
  tool: HallTool,
  input: Record<string, unknown>,
): Promise<unknown> {
  const progress = startProgress(ctx, door, call, tool, input);
  try {
    return await callOperation(tool.operation, call.facts.caller, input);
  } catch (error) {
    const chosen = error instanceof HallError ? await askWhich(door, call, tool, error.facts) : undefined;
    if (chosen === undefined) throw error;
    return await callOperation(tool.operation, call.facts.caller, { ...input, ...chosen });
  } finally {
    progress.end();
  }
}

/** As the command line takes the folder's: an id says by itself which project is meant, and some ask about all. */
function withProject(tool: HallTool, facts: ConnectionFacts, input: Record<string, unknown>): Record<string, unknown> {
  const { caller, project = caller.kind === 'agent' ? caller.activity.project : undefined } = facts;
  const names = tool.fields.list.map((field) => field.name);
  const isNamed = input['project'] !== undefined || input['id'] !== undefined;
  const isOfAll = tool.operation.description.commandLine.ofAllProjects === true;
  if (project === undefined || isNamed || isOfAll || !names.includes('project') || names.includes('id')) return input;
  return { ...input, project };
}

/** The next thing to do, by the tool that does it. */
function hintHere({ tools }: ConnectionDoor, { facts: { caller } }: ToolCall, hint: string): string {
  return withTools(hint, tools, ({ operation }) => mayCall(operation.description, caller));
}

function unknownTool({ tools }: ConnectionDoor, name: string): McpError {
  const hint = `${didYouMean(name, tools.keys())}\`tools/list\` names those that there are.`;
  const message = `There is no tool ${JSON.stringify(name.slice(0, 60))}.`;
  return new McpError(ErrorCode.InvalidParams, `${message} ${hint}`, { code: 'not_found', message, hint });
}
