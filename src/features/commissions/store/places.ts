/** Where a value stands in the text of an artifact. */
import { isNode } from 'yaml';
import { readYamlFields, splitArtifact } from '../../../kernel/artifacts/parse.ts';

export interface TextPlace {
  /** From 1, within the file. */
  readonly line: number;
  readonly column: number;
}

/** Finds places in `source`, which is read once, at the first question. A value that is not there is at the start. */
export function placesIn(source: string): (path: readonly (string | number)[]) => TextPlace {
  let read: ReturnType<typeof readYamlFields> | undefined;
  return (path) => {
    const parts = splitArtifact(source);
    if (parts.kind !== 'frontmatter') return { line: 1, column: 1 };
    read ??= readYamlFields(parts.yaml);
    const node = read.document.getIn(path, true);
    const offset = isNode(node) ? node.range?.[0] : undefined;
    if (offset === undefined) return { line: 1, column: 1 };
    const { line, column } = read.placeOf(offset);
    return { line: line + 1, column };
  };
}
