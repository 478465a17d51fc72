/** Commands of the agent while one types `/`. Pure. */
import type { SessionState } from '../../../../src/features/sessions/contract.ts';

export type Command = SessionState['commands'][number];

/** What stands behind the `/` with which the words begin, while nothing but it is there; undefined otherwise. */
export function slashOf(text: string): string | undefined {
  return /^\/(\S*)$/.exec(text)?.[1];
}

/** Those that begin so first, then those that have it anywhere in their name. */
export function matching(commands: readonly Command[], typed: string): readonly Command[] {
  const wanted = typed.toLowerCase();
  const name = (command: Command) => command.name.toLowerCase();
  const begin = commands.filter((command) => name(command).startsWith(wanted));
  return [...begin, ...commands.filter((command) => !begin.includes(command) && name(command).includes(wanted))];
}

/** The command that the words begin with, once it is whole: its hint tells what may follow. */
export function commandOf(commands: readonly Command[], text: string): Command | undefined {
  const name = /^\/(\S+)\s/.exec(text)?.[1];
  return name === undefined ? undefined : commands.find((command) => command.name === name);
}
