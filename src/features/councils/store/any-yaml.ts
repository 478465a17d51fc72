/** What a YAML file of any form says, as plain data. Apart from whoever reads this program's own form without a parser. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { hasManyAliases } from '../../../kernel/artifacts/aliases.ts';

export type AnyYaml =
  | { readonly ok: true; readonly value: unknown }
  /** `line` counts from 1. */
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** What takes the parser its time is how much there is in a text, and not how long it is. */
const mostSigns = 300_000;

function isVast(text: string): boolean {
  let signs = 0;
  for (const _ of text.matchAll(/[\n,:?[{&*]/g)) if ((signs += 1) > mostSigns) return true;
  return false;
}

export function parseAnyYaml(text: string): AnyYaml {
  if (isVast(text)) return { ok: false, line: 1, reason: `it has more than ${mostSigns} lines and fields` };
  const lines = new LineCounter();
  // The library's own check of keys takes quadratic time: a file that came with a repository would stop the hall.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined)
    return { ok: false, line: lines.linePos(error.pos[0]).line, reason: error.message.split('\n')[0]! };
  const twice = secondOfName(document.contents);
  if (twice !== undefined) return { ok: false, line: lines.linePos(twice).line, reason: 'a field stands there again' };
  try {
    if (hasManyAliases(document)) return { ok: false, line: 1, reason: 'it has very many aliases' };
    return { ok: true, value: document.toJS({ maxAliasCount: 100 }) };
  } catch (cause) {
    return { ok: false, line: 1, reason: cause instanceof Error ? cause.message : 'it cannot be read' };
  }
}

/** Offset of the first field whose name another one has. */
function secondOfName(contents: unknown): number | undefined {
  if (!isMap(contents)) return undefined;
  const names = new Set<unknown>();
  for (const { key } of contents.items) {
    if (!isScalar(key)) continue;
    if (names.has(key.value)) return key.range?.[0] ?? 0;
    names.add(key.value);
  }
  return undefined;
}
