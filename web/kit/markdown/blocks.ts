/**
 * Cuts growing Markdown into blocks by its syntax tree, so that finished blocks are drawn once and stay as they are
 * while words arrive. Only the tail is looked at again, and only when a line of it is complete. Pure.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

type Node = ReturnType<typeof fromMarkdown>['children'][number];
type List = Extract<Node, { type: 'list' }>;

export interface Block {
  readonly source: string;
  /** Number of its first item, where it goes on with a numbered list that was cut. */
  readonly start: number | null;
  /** It goes on with a block that was too long: nothing in it is a mark. */
  readonly isPlain?: true;
}

export interface Blocks {
  /** The text that was cut. */
  readonly text: string;
  /** What no further words can change. */
  readonly finished: readonly Block[];
  /** What may still change. */
  readonly tail: Block;
  /** How many characters of the tail, up to the end of a line, have been looked at. */
  readonly looked: number;
}

export const noBlocks: Blocks = { text: '', finished: [], tail: { source: '', start: null }, looked: 0 };

/** A longer list is cut between its items: parsing all of it for each word would hold up the page. Characters. */
const longList = 1200;

/** So much is looked at in one go: what is cut by then is not parsed again. Characters. */
const slice = 4000;

/** What is so long and had no end yet is looked at again when it is half as long again: each look parses all. */
const longLook = 8000;

/** A block that grows beyond it goes on as plain text: parsing has an end, and so has drawing. Characters. */
const longestBlock = 20_000;

/** @param before what was cut of an earlier, shorter text; anything else is cut from its beginning */
export function cutBlocks(before: Blocks, text: string): Blocks {
  if (text === before.text) return before;
  let blocks = text.startsWith(before.text) ? before : noBlocks;
  while (blocks.text.length < text.length) {
    const end = Math.min(text.length, blocks.text.length + slice);
    // A line that is there in whole is not cut in two.
    const line = text.lastIndexOf('\n', end - 1) + 1;
    blocks = bounded(cutNext(blocks, text.slice(0, end < text.length && line > blocks.text.length ? line : end)));
  }
  return blocks;
}

function cutNext(base: Blocks, text: string): Blocks {
  if (base.tail.isPlain) return cutPlain(base, text);
  const { start } = base.tail;
  const source = base.tail.source + text.slice(base.text.length);
  const complete = source.slice(0, source.lastIndexOf('\n') + 1);
  const isEnough = complete.length >= (base.looked < longLook ? base.looked + 1 : base.looked * 1.4);
  if (!isEnough) return { ...base, text, tail: { source, start } };
  const places = [{ offset: 0, start }, ...cutsOf(complete, start)];
  const over = places.slice(0, -1).map((place, nth) => ({
    source: source.slice(place.offset, places[nth + 1]!.offset),
    start: place.start,
  }));
  const last = places.at(-1)!;
  return {
    text,
    finished: [...base.finished, ...over],
    tail: { source: source.slice(last.offset), start: last.start },
    looked: complete.length - last.offset,
  };
}

/** Plain text is over at an empty line; behind it all is Markdown again. */
function cutPlain(base: Blocks, text: string): Blocks {
  const source = base.tail.source + text.slice(base.text.length);
  const end = /\n[ \t]*\n/.exec(source);
  if (end === null) return { ...base, text, tail: { ...base.tail, source } };
  const length = end.index + end[0].length;
  const over = { ...base.tail, source: source.slice(0, length) };
  const rest = source.length - length;
  const behind = { ...noBlocks, text: text.slice(0, text.length - rest), finished: [...base.finished, over] };
  return rest === 0 ? behind : cutNext(behind, text);
}

/** Code that goes on is one block however long: it is not parsed. */
function bounded(blocks: Blocks): Blocks {
  const { source, start, isPlain } = blocks.tail;
  if (source.length <= longestBlock || (isPlain === undefined && readFence(source)?.end === null)) return blocks;
  const length = placeToCut(source);
  const over = { ...blocks.tail, source: source.slice(0, length), start };
  return bounded({
    ...blocks,
    finished: [...blocks.finished, over],
    tail: { source: source.slice(length), start: null, isPlain: true },
    looked: 0,
  });
}

/** Behind the last line that has room, else behind a word; never within a character of two halves. */
function placeToCut(source: string): number {
  const line = source.lastIndexOf('\n', longestBlock - 1) + 1;
  const word = line > 0 ? line : source.lastIndexOf(' ', longestBlock - 1) + 1;
  if (word > 0) return word;
  return /[\uD800-\uDBFF]/.test(source.charAt(longestBlock - 1)) ? longestBlock - 1 : longestBlock;
}

interface Place {
  readonly offset: number;
  readonly start: number | null;
}

/** Where blocks begin of which the one before is over. */
function cutsOf(complete: string, start: number | null): readonly Place[] {
  const fence = readFence(complete);
  // Within code that is not closed yet nothing ends, however long it becomes; behind it all is new.
  if (fence !== undefined) return fence.end === null ? [] : after(fence.end, complete);
  if (!mayEnd(complete)) return [];
  const { children } = fromMarkdown(complete, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const cuts: Place[] = children
    .slice(1)
    .map((node, nth) => ({ offset: beginOf(complete, node, children[nth]!), start: null }));
  const last = children.at(-1);
  if (last === undefined) return [];
  const lastAt = lineOf(complete, last);
  if (last.type === 'list' && complete.length - lastAt > longList)
    return [...cuts, ...cutOfList(complete, last, children.length === 1 ? start : null)];
  return last.type === 'code' && children.length > 1 ? [...cuts, ...within(lastAt, complete)] : cuts;
}

function within(offset: number, complete: string): readonly Place[] {
  return cutsOf(complete.slice(offset), null).map((place) => ({ ...place, offset: place.offset + offset }));
}

function after(offset: number, complete: string): readonly Place[] {
  return [{ offset, start: null }, ...within(offset, complete)];
}

/** Most lines end nothing: a block is over when something stands behind an empty line, or code begins, or a list grows long. */
function mayEnd(complete: string): boolean {
  return /\n[ \t]*\n[ \t]*\S|\n {0,3}(?:```|~~~)/.test(complete) || complete.length > longList;
}

export interface Fence {
  readonly language: string | undefined;
  readonly code: string;
  /** Where the line of its closing fence ends; null: it is not closed yet. */
  readonly end: number | null;
}

/** The fenced code with which a source begins, behind empty lines. */
export function readFence(source: string): Fence | undefined {
  const head = /^(?:[ \t]*\n)* {0,3}(`{3,}|~{3,})([^\n]*)\n/.exec(source);
  if (head === null || (head[1]!.startsWith('`') && head[2]!.includes('`'))) return undefined;
  const [line, mark = '', info = ''] = head;
  const language = /^\S+/.exec(info.trim())?.[0];
  const body = source.slice(line.length);
  const close = new RegExp(`^ {0,3}${mark[0]!}{${mark.length},}[ \\t]*(?:\\n|$)`, 'm').exec(body);
  if (close === null) return { language, code: body.replace(/\n$/, ''), end: null };
  const code = body.slice(0, close.index).replace(/\n$/, '');
  return { language, code, end: line.length + close.index + close[0].length };
}

function cutOfList(complete: string, list: List, start: number | null): readonly Place[] {
  const item = list.children.at(-1);
  if (item === undefined || list.children.length < 2) return [];
  const first = start ?? list.start ?? 1;
  return [{ offset: lineOf(complete, item), start: list.ordered === true ? first + list.children.length - 1 : null }];
}

/** The parser gives an underlined heading behind definitions the place of the first of these. */
function beginOf(source: string, node: Node, before: Node): number {
  const end = before.position?.end.offset ?? 0;
  return (node.position?.start.offset ?? 0) < end ? source.indexOf('\n', end) + 1 : lineOf(source, node);
}

/** Where the line begins on which it stands. */
function lineOf(source: string, { position }: Pick<Node, 'position'>): number {
  return source.lastIndexOf('\n', (position?.start.offset ?? 0) - 1) + 1;
}

/** The source to draw: of a numbered list that was cut, with the number that it has in the whole. */
export function drawnSource({ source, start }: Block): string {
  return start === null ? source : source.replace(/^(\s*)\d+/, `$1${start}`);
}

/** More of them are left out: they are parsed with each block. Characters. */
const longDefinitions = 16_000;

/** Definitions (`[x]: https://…`), which count for every block of a text; to be put before each. */
export function definitionsIn(text: string): string {
  const lines = text.match(/^ {0,3}\[[^\]\n]+\]:[^\n]+$/gm);
  const definitions = lines === null ? '' : `${lines.join('\n')}\n\n`;
  return definitions.length > longDefinitions ? '' : definitions;
}
