/** What is read off a session's state. Pure. */
import type {
  AgentMessage,
  PermissionPart,
  PersonMessage,
  SessionInfo,
  SessionMessage,
  SessionState,
  SessionUsage,
} from '../contract.ts';

/** The answer that is being given: the last one, or none. */
export function runningOf({ messages }: Pick<SessionState, 'messages'>): AgentMessage | undefined {
  const last = messages[placeOfLastAnswer(messages)];
  return last?.role === 'agent' && last.state === 'running' ? last : undefined;
}

/** Behind it stand only prompts that nobody has answered. -1 where there is none. */
export function placeOfLastAnswer(messages: readonly SessionMessage[]): number {
  return messages.findLastIndex(({ role }) => role === 'agent');
}

/** Words with that id were taken, whatever became of them. */
export function hasPrompt({ messages }: Pick<SessionState, 'messages'>, promptId: string): boolean {
  for (const message of messages) if (message.role === 'person' && message.promptId === promptId) return true;
  return false;
}

/** Prompts that wait for their turn, the next first. */
export function queuedOf({ messages }: Pick<SessionState, 'messages'>): PersonMessage[] {
  const behind = messages.slice(placeOfLastAnswer(messages) + 1);
  return behind.flatMap((message) => (message.role === 'person' && message.state === 'queued' ? [message] : []));
}

/** Questions that wait for the person. */
export function openPermissionsOf(state: Pick<SessionState, 'messages'>): PermissionPart[] {
  const parts = runningOf(state)?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'permission' && part.outcome === null ? [part] : []));
}

/** Its line in a list. */
export function infoOf(state: SessionState): SessionInfo {
  const { id, title, agent, createdAt, lastAt, metaContext, from } = state;
  return { id, title, agent, createdAt, lastAt, state: wordOf(state), metaContextId: metaContext?.id ?? null, from };
}

/** There is something to answer, or it is being answered. */
export function isBusy(state: Pick<SessionState, 'messages'>): boolean {
  return runningOf(state) !== undefined || queuedOf(state).length > 0;
}

function wordOf(state: SessionState): SessionInfo['state'] {
  if (state.isClosed) return 'closed';
  if (openPermissionsOf(state).length > 0) return 'waiting';
  return isBusy(state) ? 'running' : 'idle';
}

/** Both together; how full the model's window is follows the later one. */
export function addUsage(sum: SessionUsage | null, more: SessionUsage | null): SessionUsage | null {
  if (sum === null || more === null) return more ?? sum;
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    costUsd: sum.costUsd === null && more.costUsd === null ? null : (sum.costUsd ?? 0) + (more.costUsd ?? 0),
    contextUsed: more.contextUsed ?? sum.contextUsed,
    contextWindow: more.contextWindow ?? sum.contextWindow,
  };
}
