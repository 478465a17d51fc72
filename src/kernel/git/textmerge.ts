/** Three versions of one text → one. Git's own merge of lines, on files that are there for a moment only. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeAtomically } from '../artifacts/write.ts';
import { type GitContext, runGit } from './run.ts';

export interface TextVersions {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface TextMerge {
  /** With git's marks around each conflict. */
  readonly text: string;
  readonly conflicts: number;
}

/** Git says how many conflicts there are by its exit code, and no more than this. */
const mostConflicts = 127;

/** @returns undefined for what git does not take for text */
export async function mergeTexts(ctx: GitContext, versions: TextVersions): Promise<TextMerge | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-hall-merge-'));
  try {
    const names = ['ours', 'base', 'theirs'] as const;
    for (const name of names) await writeAtomically(join(folder, name), versions[name], { mode: 0o600 });
    const okExitCodes = [...Array.from({ length: mostConflicts + 1 }, (_, code) => code), 255];
    const args = ['merge-file', '--stdout', '--quiet', ...names];
    const { exitCode, stdout } = await runGit(ctx, { cwd: folder, args, okExitCodes });
    return exitCode === 255 ? undefined : { text: stdout, conflicts: exitCode ?? 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
