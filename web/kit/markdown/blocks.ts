/**
 * Cuts growing Markdown into blocks by its syntax tree, so that finished blocks are drawn once and stay as they are
 * while words arrive. Only the tail is parsed again. Pure.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export interface Blocks {
  /** The text that was cut. */
  readonly text: string;
  /** Sources of the blocks that no further words can change. */
  readonly finished: readonly string[];
  /** Source of what may still change. */
  readonly tail: string;
}

export const noBlocks: Blocks = { text: '', finished: [], tail: '' };

/** @param before what was cut of an earlier, shorter text; anything else is cut from its beginning */
export function cutBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  const base = text.startsWith(before.text) ? before : noBlocks;
  const tail = base.tail + text.slice(base.text.length);
  // A block is over when another one stands behind it; a heading line alone does not end the one before.
  if (!/\n\s*\n|\n#|\n```|\n~~~/.test(tail)) return { text, finished: base.finished, tail };
  const ends = endsOfBlocks(tail);
  if (ends.length < 2) return { text, finished: base.finished, tail };
  const starts = [0, ...ends.slice(0, -1)];
  const sources = starts.slice(0, -1).map((start, nth) => tail.slice(start, starts[nth + 1]));
  return { text, finished: [...base.finished, ...sources], tail: tail.slice(starts.at(-1)) };
}

/** Offsets at which the top-level blocks end, each with the empty lines behind it, in order. */
function endsOfBlocks(source: string): number[] {
  const { children } = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return children.map(
    (node, nth) => children[nth + 1]?.position?.start.offset ?? node.position?.end.offset ?? source.length,
  );
}

/** Definitions of links (`[x]: https://…`), which count for every block of a text. */
export function definitionsIn(text: string): string {
  const lines = text.match(/^ {0,3}\[[^\]\n]+\]:[^\n]+$/gm);
  return lines === null ? '' : `\n\n${lines.join('\n')}`;
}
