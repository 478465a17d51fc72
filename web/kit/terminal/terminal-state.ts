/** How a terminal stands, in a few words. Pure. */
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import type { StateMarkProps } from '../state-mark.tsx';

type Facts = Pick<TerminalView, 'status' | 'end'>;

/** Shape and word of its state. */
export function terminalState({ status, end }: Facts): StateMarkProps {
  switch (status) {
    case 'starting':
      return { kind: 'active', word: 'starting', isMoving: true };
    case 'busy':
      return { kind: 'active', word: 'busy', isMoving: true };
    case 'dialog':
      return { kind: 'waiting', word: 'asks you' };
    case 'idle':
      return { kind: 'idle', word: 'idle' };
    case 'ended':
      return endState(end?.exitCode ?? null, end?.why ?? null);
  }
}

export function endState(exitCode: number | null, why: string | null = null): StateMarkProps {
  if (why !== null) return { kind: 'failed', word: `ended: ${why}` };
  if (exitCode === null) return { kind: 'dropped', word: 'ended' };
  return exitCode === 0 ? { kind: 'done', word: 'ended, exit 0' } : { kind: 'failed', word: `ended, exit ${exitCode}` };
}

/** What runs in it: the entry with its words, or the command. */
export function commandOf({ command }: Pick<TerminalView, 'command'>): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
