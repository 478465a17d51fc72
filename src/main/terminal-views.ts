/** Joins the terminals with the socket by which pages see them. */
import type { HallTerminals } from '../features/terminals/context.ts';
import type { TerminalViews } from '../interfaces/http/terminal-socket/viewing.ts';
import { fail } from '../kernel/pure/errors.ts';
import { resizeTerminal, typeInto, watchBytes, type Terminals } from '../kernel/terminals/terminals.ts';

/** Nothing is started for whoever only looks. */
export function terminalViews(hall: Pick<HallTerminals, 'now' | 'listen'>): TerminalViews {
  return {
    watch: async (id, onBytes, onSize) => await watchBytes(requireNow(hall), id, onBytes, onSize),
    type: async (id, bytes) => await typeInto(requireNow(hall), id, bytes),
    resize: async (id, size) => await resizeTerminal(requireNow(hall), id, size),
    onEnd: (onEnd) => hall.listen({ onEnd }),
  };
}

function requireNow(hall: Pick<HallTerminals, 'now'>): Terminals {
  const terminals = hall.now();
  if (terminals !== undefined) return terminals;
  throw fail('not_found', 'No terminal lives in this hall.', 'Start one: guild-hall terminal start -- <command>');
}
