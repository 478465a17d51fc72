/** What a check is, and how one runs a tool. */
import { spawn } from 'node:child_process';

export interface Check {
  /** The word after `npm run check --`. */
  readonly name: string;
  /** What it holds, for `npm run check -- --list`. */
  readonly holds: string;
  /** Looks at the tree under `root`. Every finding is one text: where, what, and what to do. None means passed. */
  readonly find: (root: string) => Promise<readonly string[]>;
  /** What was measured, for the line of a check that passed. */
  readonly figure?: (root: string) => Promise<string>;
}

export interface ToolResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of `node_modules/.bin` (or any on the path) and gives what it said; a program that cannot start is exit code 127. */
export function runTool(root: string, file: string, args: readonly string[]): Promise<ToolResult> {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${root}/node_modules/.bin:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' };
    const child = spawn(file, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', (error) => resolve({ exitCode: 127, stdout, stderr: `${file}: ${error.message}` }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, stdout, stderr }));
  });
}

/** Findings of a tool that prints its own: none when it passed, else its output with one line of advice. */
export function findingsOf(result: ToolResult, advice: string): readonly string[] {
  if (result.exitCode === 0) return [];
  const output = [result.stdout.trim(), result.stderr.trim()].filter(Boolean).join('\n');
  return [output || `the tool ended with exit code ${result.exitCode} and said nothing`, advice];
}
