/** Searching the project with the tools that the agent's program has. */
import type { Situation, SituationCall } from '../situation.ts';
import type { ToolRequest } from './script.ts';

/** A step of a script that others use as a part: yields calls and returns a value. */
export type Step<T> = Generator<readonly ToolRequest[], T, readonly SituationCall[]>;

const noTests =
  '!{**/test/**,**/tests/**,**/__tests__/**,**/fixtures/**,**/bench*/**,**/*.test.*,**/*.spec.*,**/*_test.*,**/locales/**,**/dist/**,**/node_modules/**,**/*.min.*,**/*lock.json,**/*.lock}';

export function grep(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return { name: 'Grep', input: { pattern, output_mode: 'content', '-n': true, head_limit: 100, ...options } };
}

export function grepCount(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return { name: 'Grep', input: { pattern, output_mode: 'count', head_limit: 400, ...options } };
}

/** Lines of every file but the records of activities: what sizes and folders are told from. */
export function grepAllFiles(situation: Situation, options: Record<string, unknown> = {}): ToolRequest {
  return grepCount('', { glob: `!.lore/${situation.activityKind}s/**`, ...options });
}

export function grepSources(pattern: string, options: Record<string, unknown> = {}): ToolRequest {
  return grep(pattern, { glob: noTests, ...options });
}

export function read(path: string, offset = 1, limit = 120): ToolRequest {
  return { name: 'Read', input: { file_path: path, offset: Math.max(1, offset), limit } };
}

/** Of several versions kept side by side the newest is meant more often. */
export function versionOf(path: string): number {
  return Math.min(1.9, Number(/(?:^|\/)v(\d+)\//.exec(path)?.[1] ?? 0) / 10);
}
