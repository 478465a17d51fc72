/** Rule helpers in this process: what one says and how it ends. */
import { runRule } from '../../src/features/councils/rule/index.ts';
import { tempFolder } from './repositories.ts';

export interface RuleRun {
  readonly exitCode: number;
  /** Lines. */
  readonly out: readonly string[];
  readonly err: readonly string[];
}

export interface RuleWorld {
  readonly cwd: string;
  readonly run: (...words: string[]) => Promise<RuleRun>;
  /** The same with something on standard input. */
  readonly feed: (input: string, ...words: string[]) => Promise<RuleRun>;
}

/** A folder of the test's own, and helpers that run in it, at one moment. */
export async function ruleWorld(
  env: Readonly<Record<string, string>> = {},
  folder?: string,
  at = '2026-05-18T10:00:00.000Z',
): Promise<RuleWorld> {
  const cwd = folder ?? (await tempFolder());
  const feed = async (input: string | undefined, ...words: string[]): Promise<RuleRun> => {
    const [out, err]: [string[], string[]] = [[], []];
    const exitCode = await runRule(words, {
      out: (line) => void out.push(line),
      err: (line) => void err.push(line),
      stdin: async () => input ?? '',
      isPiped: input !== undefined,
      env: { TMPDIR: cwd, ...env },
      cwd,
      now: () => at,
    });
    return { exitCode, out, err };
  };
  return { cwd, run: async (...words) => await feed(undefined, ...words), feed };
}
