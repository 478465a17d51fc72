import type { RuleIo } from './io.ts';

/** Its owner writes it. */
export async function run(_args: readonly string[], io: RuleIo): Promise<number> {
  io.err('select-notes-template is not there yet.');
  return await Promise.resolve(7);
}
