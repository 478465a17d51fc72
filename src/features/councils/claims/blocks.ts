/**
 * A turn as Markdown: the pieces of it that hold words. Only its blocks are read by the syntax; what stands within a line is
 * scanned by hand (`inline.ts`), since a reader of the whole syntax takes minutes for a hostile megabyte.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export interface Block {
  /** Lines are separated by `\n`; marks of quotes and lists are taken away. */
  readonly text: string;
  /** Of its first line in the body, from 1. */
  readonly line: number;
  /** Cells of one row of a table bear the same number; 0 outside tables. */
  readonly row: number;
  /** An entry of a list. */
  readonly isListed: boolean;
}

interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly MarkdownNode[];
  readonly position?: { readonly start: { line: number }; readonly end: { line: number } };
}

/** Everything within a line, and what would hide words: a title of a definition, a tag, a line of dashes beneath. */
const disabled = (
  'attention autolink characterEscape characterReference codeText hardBreakEscape htmlText labelEnd labelStartImage ' +
  'labelStartLink definition setextUnderline htmlFlow strikethrough tasklistCheck wwwAutolink protocolAutolink ' +
  'emailAutolink gfmFootnoteCall gfmFootnoteDefinition gfmPotentialFootnoteCall'
).split(' ');
const tables = gfmFromMarkdown().filter(({ enter }) => 'table' in (enter ?? {}));

/** So many marks of quotes and lists before one line; no person writes more, and the reader's time grows with their square. */
const maxDepth = 12;
/** The reader's time for one paragraph or table grows faster than its length. Lines. */
const maxRun = 100;

/** Some lines at a time, so that the caller can let others have their turn. */
export function* blocksOf(body: string): Generator<Block[]> {
  const lines = body.replaceAll(/\r\n?/gu, '\n').split('\n').map(flattened);
  let rows = 0;
  for (const { from, to } of chunksOf(lines)) {
    const tree = fromMarkdown(lines.slice(from, to).join('\n'), {
      extensions: [gfm(), { disable: { null: disabled } }],
      mdastExtensions: tables,
    }) as MarkdownNode;
    const into = { blocks: [] as Block[], lines, before: from, rows, depth: 0 };
    collect(tree, into);
    rows = into.rows;
    yield into.blocks;
  }
}

const markers = /^(?:[ \t]{0,3}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]?)+/u;

/** Without the marks that are too deep. */
function flattened(line: string): string {
  const before = markers.exec(line)?.[0] ?? '';
  if (before.length <= maxDepth) return line;
  const kept = before.slice(0, maxDepth);
  return `${kept.trimEnd()} ${line.slice(before.length)}`;
}

const fence = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/u;

/** Parts that can be read one after another: cut at empty lines outside of fences, and where a run has grown too long. */
function chunksOf(lines: readonly string[]): { from: number; to: number }[] {
  const chunks: { from: number; to: number }[] = [];
  let from = 0;
  let open: string | undefined;
  for (const [at, line] of lines.entries()) {
    const sign = fence.exec(line)?.[1];
    if (sign !== undefined && open === undefined) open = sign;
    else if (sign !== undefined && sign.startsWith(open!) && line.trim().replace(/^[>\s]*/u, '') === sign)
      open = undefined;
    const isLong = at - from >= maxRun;
    const next = lines[at + 1];
    const mayEnd = line.trim() === '' && next !== undefined && /^\S/u.test(next) && at - from >= 20;
    if (open === undefined && (mayEnd || isLong)) {
      chunks.push({ from, to: at + 1 });
      from = at + 1;
    }
  }
  if (from < lines.length) chunks.push({ from, to: lines.length });
  return chunks;
}

interface Reading {
  readonly blocks: Block[];
  readonly lines: readonly string[];
  /** Lines of the body before this chunk. */
  readonly before: number;
  rows: number;
  /** So many entries of lists are around. */
  depth: number;
}

function collect(node: MarkdownNode, into: Reading): void {
  if (node.type === 'paragraph') push(into, textOf(node), lineOf(node, into), 0);
  else if (node.type === 'table') collectTable(node, into);
  else if (node.type === 'code') collectCode(node, into);
  else if (node.type !== 'heading') {
    const inside = { ...into, depth: into.depth + (node.type === 'listItem' ? 1 : 0) };
    for (const child of node.children ?? []) collect(child, inside);
    into.rows = inside.rows;
  }
}

function push({ blocks, depth }: Reading, text: string, line: number, row: number): void {
  blocks.push({ text, line, row, isListed: depth > 0 });
}

const lineOf = (node: MarkdownNode, { before }: Reading): number => before + (node.position?.start.line ?? 1);

const textOf = ({ value, type, children }: MarkdownNode): string =>
  value ?? (type === 'break' ? '\n' : (children ?? []).map(textOf).join(''));

/** The first row has the names of the columns. */
function collectTable(table: MarkdownNode, into: Reading): void {
  for (const row of (table.children ?? []).slice(1)) {
    into.rows += 1;
    for (const cell of row.children ?? []) {
      push(into, textOf(cell), lineOf(cell, into), into.rows);
    }
  }
}

/** A fence that is never closed hides nothing, and neither do four blanks before a sentence. */
function collectCode(code: MarkdownNode, into: Reading): void {
  const start = lineOf(code, into);
  const opening = fence.exec(into.lines[start - 1] ?? '')?.[1];
  const last = into.lines[into.before + (code.position?.end.line ?? 1) - 1] ?? '';
  const isClosed =
    opening !== undefined && code.position!.end.line > code.position!.start.line && closes(last, opening);
  if (isClosed) return;
  const text = code.value ?? '';
  if (opening === undefined && !readsLikeProse(text)) return;
  push(into, text, start + (opening === undefined ? 0 : 1), 0);
}

const closes = (line: string, opening: string): boolean => {
  const sign = line.trim().replace(/^[>\s]*/u, '');
  return sign.startsWith(opening) && sign.replaceAll(opening[0]!, '') === '';
};

const codeSigns = /[{}()[\];=<>$|&\\/#@]/u;

/** Words that begin like a sentence or end like one, without the signs of code. */
const readsLikeProse = (text: string): boolean =>
  text
    .split('\n')
    .some(
      (line) => line.trim().split(/\s+/u).length >= 4 && !codeSigns.test(line) && /^\s*\p{Lu}|[.!?]\s*$/u.test(line),
    );
