/** A prelude: what an agent brings into the discussion, and where it has it from. Pure. */
import { oneLine } from './header.ts';

export interface Prelude {
  readonly name: string;
  readonly role: string;
  readonly tokens: number;
  /** One a line; blank ones are left out. */
  readonly sources: readonly string[];
  readonly bullets: readonly string[];
}

export function printPrelude({ name, role, tokens, sources, bullets }: Prelude): string[] {
  return [
    `[Prelude] ${oneLine(name)} (${oneLine(role)}) — ${tokens} tokens`,
    'Sources consulted:',
    ...itemsOf(sources).map((source) => `  ${source}`),
    'What I know:',
    ...itemsOf(bullets).map((bullet) => `  - ${bullet}`),
  ];
}

function itemsOf(lines: readonly string[]): string[] {
  return lines.map((line) => oneLine(line).trim()).filter((line) => line !== '');
}
