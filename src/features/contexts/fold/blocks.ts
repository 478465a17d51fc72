/**
 * Finds the blocks of a spec in Markdown by its syntax tree, and reads them. What an agent wrote is data: a block that is
 * not as it should be is shown as the code that it is. Pure; the same for the hall and for the page.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import {
  longestText,
  mayHaveBlocks,
  type ModelElement,
  type NextBlock,
  type PlacedBlock,
  type Slice,
  type SpecBlock,
  type Task,
  type UseCase,
} from '../contract/blocks.ts';
import { sizeOf } from './event-model.ts';

const languagePattern = /^conclave:(next|usecase|eventmodel|tasks)$/;

/**
 * What is longer is shown as code: each of these is drawn, and compared with the others, where thousands would hold the
 * page for minutes. What a task names is its files, its use cases and what it depends on.
 */
const most = { ofUseCase: 500, ofSlice: 500, tasks: 500, namedByTasks: 5000 };

/** Fences stand between lines: what stands within them is not looked at, where hostile words would cost minutes. */
const onlyBlocks = {
  disable: {
    null: [
      'attention',
      'autolink',
      'characterEscape',
      'characterReference',
      'codeText',
      'hardBreakEscape',
      'htmlText',
      'labelEnd',
      'labelStartImage',
      'labelStartLink',
    ],
  },
};

/** All blocks of a message or a document, also those within lists and quotations. Those within another fence are none. */
export function blocksIn(markdown: string): readonly PlacedBlock[] {
  if (!mayHaveBlocks(markdown)) return [];
  const found: SpecBlock[] = [];
  const waiting: TreeNode[] = [treeOf(markdown)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const block = node.type === 'code' ? readBlock(node.lang ?? undefined, node.value ?? '') : undefined;
    if (block !== undefined) found.push(block);
    for (const child of (node.children ?? []).toReversed()) waiting.push(child);
  }
  return found.map((block, position) => ({ position, block }));
}

/** Quotations within each other by the thousand are more than the parser can hold: then there is nothing to be found. */
function treeOf(markdown: string): TreeNode {
  try {
    return fromMarkdown(markdown, { extensions: [onlyBlocks] });
  } catch (error) {
    if (error instanceof RangeError) return { type: 'root' };
    throw error;
  }
}

interface TreeNode {
  readonly type: string;
  readonly lang?: string | null | undefined;
  readonly value?: string;
  readonly children?: readonly TreeNode[];
}

export function isBlockLanguage(language: string | undefined): boolean {
  return languagePattern.test(language ?? '');
}

/** @returns undefined where the language is none of ours */
export function readBlock(language: string | undefined, text: string): SpecBlock | undefined {
  const kind = languagePattern.exec(language ?? '')?.[1];
  if (kind === undefined) return undefined;
  if (text.length > longestText) return asCode('It is too long to be read.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return asCode('It is not JSON.');
  }
  return readers[kind as keyof typeof readers](value);
}

function asCode(why: string): SpecBlock {
  return { kind: 'code', why };
}

const readers = { next: readNext, usecase: readUseCase, eventmodel: readSlice, tasks: readTasks };

/** Names are exact after trimming. */
function readNext(value: unknown): SpecBlock {
  if (!isObject(value)) return asCode('It is no JSON object.');
  const { label, command, metaContext } = value;
  if (!isWords(label)) return asCode('It has no label.');
  if (!isWords(command)) return asCode('It has no command.');
  if (!isWords(metaContext)) return { kind: 'nameless', label, command };
  const next: NextBlock = { label, command, metaContext: metaContext.trim() };
  return { kind: 'next', next };
}

function readUseCase(value: unknown): SpecBlock {
  if (!isObject(value)) return asCode('It is no JSON object.');
  const { id, name, actor, summary, priority, dependencies = [] } = value;
  const { given, when } = value;
  const effects = value['then'];
  if (!isWords(id) || !isWords(name)) return asCode('It has no id, or no name.');
  if (!isWords(actor) || !isWords(summary) || !isWords(priority))
    return asCode('It lacks one of actor, summary and priority.');
  if (!isList(given, isText) || !isList(when, isText) || !isList(effects, isText))
    return asCode('It lacks one of the lists given, when and then.');
  if (!isList(dependencies, isText)) return asCode('Its dependencies are no list of ids.');
  if (given.length + when.length + effects.length + dependencies.length > most.ofUseCase)
    return asCode(`It has more than ${most.ofUseCase} entries in its lists: too many to be drawn.`);
  const useCase: UseCase = { id, name, actor, summary, priority, given, when, then: effects, dependencies };
  return { kind: 'usecase', useCase };
}

function readSlice(value: unknown): SpecBlock {
  if (!isObject(value)) return asCode('It is no JSON object.');
  const { slice: key, label, screen, command, events = [], projections = [], sideEffects = [] } = value;
  if (!isWords(key) || !isWords(label)) return asCode('It has no slice, or no label.');
  if (screen !== undefined && !isText(screen)) return asCode('Its screen is no text.');
  if (!isList(sideEffects, isText)) return asCode('Its sideEffects are no list of sentences.');
  const commandRead = command === undefined ? undefined : readElement(command);
  const [eventsRead, projectionsRead] = [readElements(events), readElements(projections)];
  if ((command !== undefined && commandRead === undefined) || !eventsRead || !projectionsRead)
    return asCode(
      'A command, an event or a projection lacks its name or `new`, or its fields are not names and types.',
    );
  const slice: Slice = {
    slice: key,
    label,
    screen,
    command: commandRead,
    events: eventsRead,
    projections: projectionsRead,
    sideEffects,
  };
  if (sizeOf(slice) > most.ofSlice)
    return asCode(`It has more than ${most.ofSlice} things, fields and feeds: too many to be drawn.`);
  return { kind: 'eventmodel', slice };
}

function readElements(value: unknown): readonly ModelElement[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read = value.map(readElement);
  return read.every((each) => each !== undefined) ? read : undefined;
}

function readElement(value: unknown): ModelElement | undefined {
  if (!isObject(value)) return undefined;
  const { name, fields = {}, feeds = [] } = value;
  const isNew = value['new'];
  if (!isWords(name) || typeof isNew !== 'boolean' || !isObject(fields) || !isList(feeds, isText)) return undefined;
  const pairs = Object.entries(fields);
  if (!pairs.every((pair): pair is [string, string] => isText(pair[1]))) return undefined;
  return { name, isNew, fields: pairs, feeds };
}

function readTasks(value: unknown): SpecBlock {
  if (!Array.isArray(value)) return asCode('It is no JSON list.');
  if (value.length > most.tasks) return asCode(`It has more than ${most.tasks} tasks: too many to be drawn.`);
  const tasks = value.map(readTask);
  if (tasks.every((task) => task !== undefined)) {
    const named = tasks.flatMap(({ ucs, depends, creates, modifies }) => [ucs, depends, creates, modifies]);
    return named.reduce((sum, { length }) => sum + length, 0) > most.namedByTasks
      ? asCode(`Its tasks name more than ${most.namedByTasks} files and others: too many to be drawn.`)
      : { kind: 'tasks', tasks };
  }
  const at = tasks.findIndex((task) => task === undefined);
  return asCode(`Task ${at + 1} lacks one of its fields, or one is not of its kind.`);
}

function readTask(value: unknown): Task | undefined {
  if (!isObject(value)) return undefined;
  const { id, name, ucs, depends, wave, kind, files, description } = value;
  if (!isWords(id) || !isWords(name) || !isText(kind) || !isText(description)) return undefined;
  if (!isList(ucs, isText) || !isList(depends, isText) || !isObject(files)) return undefined;
  if (typeof wave !== 'number' || !Number.isInteger(wave) || wave < 0) return undefined;
  const { create: creates = [], modify: modifies = [] } = files;
  if (!isList(creates, isText) || !isList(modifies, isText)) return undefined;
  return { id, name, ucs, depends, wave, kind, creates, modifies, description };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Not blank. */
function isWords(value: unknown): value is string {
  return isText(value) && value.trim() !== '';
}

function isList<T>(value: unknown, is: (each: unknown) => each is T): value is readonly T[] {
  return Array.isArray(value) && value.every((each) => is(each));
}
