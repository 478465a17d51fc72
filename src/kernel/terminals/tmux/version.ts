/** Whether there is a tmux that will do. */
import type { LogContext } from '../../log/log.ts';
import { runCommand } from '../../processes/command.ts';
import { fail } from '../../pure/errors.ts';

/** Older ones cannot say by which signal a program ended, and write into the window of one that did. */
const atLeast = [3, 3] as const;

/**
 * The version of tmux, `3.3a`.
 * @throws unavailable when there is none, or it is too old
 */
export async function checkTmux(ctx: LogContext, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const result = await runCommand(ctx, { file: 'tmux', args: ['-V'], cwd: '/', env, timeoutMs: 5_000 });
  const found = /^tmux (?:next-)?((\d+)\.(\d+)\S*)/.exec(result.stdout);
  const hint = 'Install tmux 3.3 or newer: `sudo apt-get install tmux`, or `brew install tmux`.';
  if (found === null) {
    const why = result.failedToStart === undefined ? 'it did not say its version' : 'there is no such program on PATH';
    throw fail('unavailable', `Terminals need tmux, and ${why}.`, hint);
  }
  const [, version = '', major, minor] = found;
  const isOld = Number(major) < atLeast[0] || (Number(major) === atLeast[0] && Number(minor) < atLeast[1]);
  if (isOld) throw fail('unavailable', `Terminals need tmux ${atLeast.join('.')}, and this is tmux ${version}.`, hint);
  return version;
}
