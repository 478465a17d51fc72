/** A program that has the terminal while it runs. */
import { spawn } from 'node:child_process';

/**
 * Runs it with the terminal of this process, until it ends.
 * @param command the program and its words; nothing goes through a shell
 * @returns its exit code; undefined when it could not be started, or a signal ended it
 */
export async function runInForeground(command: readonly [string, ...string[]]): Promise<number | undefined> {
  const [file, ...words] = command;
  return await new Promise((resolve) => {
    const child = spawn(file, words, { stdio: 'inherit' });
    child.on('error', () => resolve(undefined));
    child.on('exit', (code) => resolve(code ?? undefined));
  });
}
