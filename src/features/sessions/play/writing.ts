/** A phase's file, written with the tool that the agent's program has: where somebody must allow it, they are asked. */
import { offeredTool, fillInput } from '../../../kernel/agents/rehearsal/plays/offered.ts';
import type { Step } from '../../../kernel/agents/rehearsal/plays/search.ts';
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';

/** `missing`: there is no tool for it. `kept`: one is there already and stays as it is. */
export type Written = 'written' | 'kept' | 'missing' | 'refused';

export function specFile(name: string, file: string): string {
  return `.conclave/specs/${name}/${file}`;
}

function absolute({ cwd }: Situation, path: string): string {
  return cwd === undefined ? path : `${cwd}/${path}`;
}

export function* writeByTool(situation: Situation, path: string, content: string): Step<Written> {
  const tool = offeredTool(situation, 'Write') ?? offeredTool(situation, 'write_file');
  if (tool === undefined) return 'missing';
  const filled = fillInput(tool, { path: absolute(situation, path), content });
  const input = Object.keys(filled).length === 0 ? { file_path: absolute(situation, path), content } : filled;
  const [call] = yield [{ name: tool.name, input }];
  if (call?.result?.isError !== true) return 'written';
  return /not been read|already exists/i.test(call.result.text) ? 'kept' : 'refused';
}

/** The text of a file; undefined where it is not there, or nothing can read it. */
export function* readByTool(situation: Situation, path: string): Step<string | undefined> {
  if (offeredTool(situation, 'Read') === undefined) return undefined;
  const [call] = yield [{ name: 'Read', input: { file_path: absolute(situation, path) } }];
  if (call?.result === undefined || call.result.isError) return undefined;
  const rows = call.result.text.split('\n').map((row) => /^\s*\d+[\t→](.*)$/.exec(row)?.[1]);
  const lines = rows.filter((row) => row !== undefined);
  return lines.length === 0 ? undefined : lines.join('\n');
}
