/** What a YAML file of any form says, as plain data. Apart from whoever reads this program's own form without a parser. */
import { LineCounter, parseDocument } from 'yaml';

export type AnyYaml =
  | { readonly ok: true; readonly value: unknown }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly line: number; readonly reason: string };

export function parseAnyYaml(text: string): AnyYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error !== undefined)
    return { ok: false, line: lines.linePos(error.pos[0]).line, reason: error.message.split('\n')[0]! };
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: 100 }) };
  } catch (cause) {
    return { ok: false, line: 1, reason: cause instanceof Error ? cause.message : 'it cannot be read' };
  }
}
