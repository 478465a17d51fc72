/** A program on a real terminal of its own: `script` of util-linux gives it one, and hands on what is typed. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { waitUntil } from './programs.ts';

export interface Pty {
  /** All that was written so far, with its control characters. */
  readonly written: () => string;
  /** Keys: `\u0003` is Ctrl-C, `\t` Tab. */
  readonly type: (keys: string) => void;
  /** Waits until something is written, after what was waited for before. */
  readonly until: (text: string | RegExp) => Promise<void>;
  /** The exit code. */
  readonly ended: Promise<number>;
}

export interface PtyRequest {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Columns. */
  readonly width?: number;
  /** What `TERM` says. */
  readonly term?: string;
}

export function startOnTerminal(
  words: readonly string[],
  { env, cwd, width = 80, term = 'xterm-256color' }: PtyRequest,
): Pty {
  const command = `stty cols ${width} rows 40; exec ${words.map(quoted).join(' ')}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: { ...env, SHELL: '/bin/sh', TERM: term },
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  let seen = 0;
  child.stdout.on('data', (part: Buffer) => (text += String(part)));
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    written: () => text,
    type: (keys) => void child.stdin.write(keys),
    until: async (wanted) => {
      await waitUntil(() => {
        const rest = text.slice(seen);
        const at = typeof wanted === 'string' ? rest.indexOf(wanted) : rest.search(wanted);
        if (at === -1) return false;
        // What came in the same piece is still to be waited for.
        seen += at + (typeof wanted === 'string' ? wanted : wanted.exec(rest)![0]).length;
        return true;
      });
    },
    ended,
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
