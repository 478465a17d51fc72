/** Which artifacts the worker made: by the hall's tool, or by the tools of its own program. Each is told once. */
import { relative, resolve } from 'node:path';
import { isInside } from '../../../kernel/artifacts/paths.ts';
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import type { Attempt } from './context.ts';

export interface Made {
  readonly attempt: Attempt;
  readonly told: Set<string>;
  /** Files that a running call writes, by call. */
  readonly writing: Map<string, string>;
}

export function startMade(attempt: Attempt): Made {
  return { attempt, told: new Set(), writing: new Map() };
}

/** On disk when it resolves. @param path relative to the project */
export async function tellMade({ attempt, told }: Made, path: string): Promise<void> {
  if (told.has(path)) return;
  told.add(path);
  try {
    await attempt.journal.add({ kind: 'artifact', path });
  } catch (error) {
    told.delete(path);
    throw error;
  }
}

const writers: Readonly<Record<string, string>> = { Write: 'file_path', Edit: 'file_path' };

/** @returns the artifact that was made by a call of the agent's program that has just come to its end */
export function madeBy({ attempt, writing }: Made, event: AgentEvent): string | undefined {
  if (event.type === 'tool_call') {
    const path = artifactOf(attempt.order.worktree, fieldOf(event.input, writers[event.name]));
    if (path !== undefined) writing.set(event.callId, path);
  }
  if (event.type !== 'tool_result') return undefined;
  const path = writing.get(event.callId);
  writing.delete(event.callId);
  return event.ok ? path : undefined;
}

function fieldOf(input: unknown, field: string | undefined): unknown {
  return field === undefined ? undefined : (input as Record<string, unknown> | null)?.[field];
}

/** Markdown below `.lore/`, relative to the project; undefined for anything else. */
function artifactOf(worktree: string, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const file = resolve(worktree, given);
  const path = relative(worktree, file).split('\\').join('/');
  return isInside(worktree, file) && path.startsWith('.lore/') && path.endsWith('.md') ? path : undefined;
}
