import type { RuleIo } from './io.ts';

/** Says on standard error why a call is refused. @returns the exit code, to be returned in turn */
export function complain(io: RuleIo, name: string, reason: string, exitCode: number): number {
  io.err(`${name}: ${reason}`);
  return exitCode;
}

export function printAll(io: RuleIo, lines: readonly string[]): number {
  for (const line of lines) io.out(line);
  return 0;
}
