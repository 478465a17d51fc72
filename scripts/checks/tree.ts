/** The files of the tree as git sees them: tracked ones, and new ones that are not ignored. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './step.ts';

/** Paths relative to `root`, with `/`. Files that are deleted but not yet committed are left out. */
export async function listFiles(root: string): Promise<string[]> {
  const listed = await runTool(root, 'git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const files = [...new Set(listed.stdout.split('\0'))].filter(Boolean);
  return files.filter((file) => existsSync(join(root, file))).sort();
}

export interface TextLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Every line of the given text files; files with a NUL byte are taken for binary and left out. */
export function* linesOf(root: string, files: readonly string[]): Generator<TextLine> {
  for (const file of files) {
    const content = readFileSync(join(root, file), 'utf8');
    if (content.includes('\0')) continue;
    let line = 0;
    for (const text of content.split('\n')) {
      line += 1;
      yield { file, line, text };
    }
  }
}

export const isSource = (file: string): boolean => /\.(ts|tsx|js|mjs|cjs)$/.test(file);
/** Tests, and suites that several tests run. */
export const isTest = (file: string): boolean => /(\.test|\/conformance[a-z-]*)\.tsx?$/.test(file);
/** Planted violations break rules on purpose; they are judged by the check that planted them. */
export const isPlanted = (file: string): boolean => file.startsWith('test/house/planted/');
