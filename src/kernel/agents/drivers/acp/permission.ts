/** An agent's question whether it may: put to the person, or answered by what the session may touch. */
import { RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { AgentEvent, OpenOptions, PermissionAnswer, PermissionRequest } from '../../contract.ts';
import type { SandboxKind } from '../../sandbox/contract.ts';
import { decideToolCall, type GateAnswer } from '../claude/gate.ts';
import { diffsOf } from './map.ts';
import type { permissionShape, ToolCallWire } from './shapes.ts';
import type { z } from 'zod';

export type PermissionWire = z.infer<typeof permissionShape>;

/** Of the running turn that the question belongs to. */
export interface Asked {
  readonly open: OpenOptions;
  readonly sandbox: SandboxKind;
  /** As the call is told of to people. */
  readonly name: string;
  readonly isHallTool: boolean;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly tell: (event: AgentEvent) => void;
}

export async function answerPermission(wire: PermissionWire, asked: Asked): Promise<RequestPermissionResponse> {
  const { ask } = asked.open;
  if (asked.isHallTool) return select(wire, await allow(wire));
  if (ask === undefined) return answerByAccess(wire, asked);
  const answer = await firstOf(ask(requestOf(wire, asked.name), asked.signal), asked.signal);
  if (answer === 'cancelled') return cancelled;
  if (!wire.options.some(({ optionId }) => optionId === answer.optionId))
    throw RequestError.internalError(undefined, 'no such option');
  return select(wire, answer.optionId);
}

const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

async function allow({ options }: PermissionWire): Promise<string | undefined> {
  return (options.find(({ kind }) => kind === 'allow_once') ?? options.find(({ kind }) => kind === 'allow_always'))
    ?.optionId;
}

function select(_wire: PermissionWire, optionId: string | undefined): RequestPermissionResponse {
  return optionId === undefined ? cancelled : { outcome: { outcome: 'selected', optionId } };
}

async function firstOf(answer: Promise<PermissionAnswer>, signal: AbortSignal): Promise<PermissionAnswer> {
  if (signal.aborted) return 'cancelled';
  const aborted = new Promise<'cancelled'>((resolve) => {
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });
  return await Promise.race([answer, aborted]);
}

export function requestOf(wire: PermissionWire, name: string): PermissionRequest {
  const { toolCall, options } = wire;
  return {
    callId: toolCall.toolCallId,
    name,
    title: toolCall.title ?? name,
    input: toolCall.rawInput ?? {},
    diffs: diffsOf(toolCall),
    options: options.map(({ optionId, name: label, kind }) => ({ id: optionId, name: label, kind })),
  };
}

async function answerByAccess(wire: PermissionWire, asked: Asked): Promise<RequestPermissionResponse> {
  const decided = await decideByAccess(wire.toolCall, asked);
  if (decided.allowed) return select(wire, await allow(wire));
  const { toolCallId: callId, rawInput } = wire.toolCall;
  asked.tell({
    type: 'permission',
    callId,
    name: asked.name,
    input: rawInput ?? {},
    answer: 'denied',
    reason: decided.reason,
  });
  const refusing =
    wire.options.find(({ kind }) => kind === 'reject_once') ??
    wire.options.find(({ kind }) => kind === 'reject_always');
  return select(wire, refusing?.optionId);
}

const writing = new Set(['edit', 'delete', 'move']);
const harmless = new Set(['think', 'search', 'read']);

/** What a call touches is checked by its own words about it; what a sandbox holds is left to that. */
async function decideByAccess(call: ToolCallWire, { open, sandbox }: Asked): Promise<GateAnswer> {
  const kind = call.kind ?? 'other';
  const isFile = writing.has(kind) || harmless.has(kind);
  if (!isFile) {
    if (sandbox !== 'none') return { allowed: true };
    return { allowed: false, reason: 'This needs a sandbox, and the agent runs in none.' };
  }
  if (writing.has(kind) && !open.access.write)
    return { allowed: false, reason: 'This worker may read files here, but not change them.' };
  const tool = writing.has(kind) ? 'Write' : 'Read';
  const rules = {
    access: open.access,
    cwd: open.cwd,
    tools: new Set(['Read', 'Write']),
    sandbox: { kind: 'none', hint: '', network: 'full' },
  } as const;
  const paths = [...diffsOf(call).map(({ path }) => path), ...(call.locations ?? []).map(({ path }) => path)];
  if (paths.length === 0 && writing.has(kind) && sandbox === 'none')
    return { allowed: false, reason: 'The agent does not say which file it changes.' };
  for (const path of paths) {
    const answer = await decideToolCall(rules, tool, { file_path: path });
    if (!answer.allowed) return answer;
  }
  return { allowed: true };
}
