/** The tools by which a worker reads and writes its memory. */
import { z } from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../agents/tools.ts';
import { fail } from '../pure/errors.ts';
import { scrub } from '../secrets/scrub.ts';
import {
  appendMemory,
  changeMemory,
  listMemory,
  type MemoryContext,
  type MemoryFile,
  type MemoryOwner,
  memoryScopes,
  type MemoryScope,
  readMemory,
} from './memory.ts';
import { pageLength, pageOf } from './paging.ts';
import { printAppendix, readSection, replaceSection } from './sections.ts';

/** A text as the worker last saw it, and whether it went on to its last page. */
interface Seen {
  readonly text: string;
  readonly toEnd: boolean;
}

/** One worker at its memory. */
interface MemoryDesk {
  readonly ctx: MemoryContext;
  readonly owner: MemoryOwner;
  /** By scope and name. */
  readonly seen: Map<string, Seen>;
}

interface MemoryWrite {
  readonly scope: MemoryScope;
  readonly name: string;
  readonly mode: 'append' | 'replace' | 'edit_section';
  readonly content: string;
  readonly section?: string | undefined;
}

const scope = z
  .enum(memoryScopes)
  .describe(
    'global: all projects and workers; project: all workers of this project; worker: you alone, in every project',
  );
const name = z.string().min(1).max(100).describe('a plain name without folders, like build-notes');

/** Each call makes tools of their own, with their own knowledge of what was read. */
export function createMemoryTools(ctx: MemoryContext, owner: MemoryOwner): Tool[] {
  const desk: MemoryDesk = { ctx, owner, seen: new Map() };
  return [
    defineTool({
      name: 'list_memory',
      description: 'Lists what is remembered: name, size and last change of each text, in one scope or in all three.',
      input: { scope: scope.optional() },
      run: (input) => listTool(desk, input.scope),
    }),
    defineTool({
      name: 'read_memory',
      description: 'Reads a remembered text. Long ones come in pages; the mark at the end says how to go on.',
      input: { scope, name, offset: z.int().min(0).optional().describe('characters to pass over') },
      run: (input) => readTool(desk, input.scope, input.name, input.offset ?? 0),
    }),
    defineTool({
      name: 'write_memory',
      description:
        'Remembers something for later sessions. append adds a paragraph at the end (the usual way); edit_section replaces ' +
        'the text under one heading, or adds the heading; replace replaces all of it. What is there must have been read ' +
        'before it is replaced. Never put passwords, keys or tokens here: they are taken out.',
      input: {
        scope,
        name,
        mode: z.enum(['append', 'replace', 'edit_section']),
        content: z.string().min(1).max(200_000),
        section: z.string().min(1).max(200).optional().describe('the heading, for edit_section'),
      },
      run: (input) => writeTool(desk, input),
    }),
  ];
}

async function listTool({ ctx, owner }: MemoryDesk, wanted: MemoryScope | undefined): Promise<ToolOutcome> {
  const scopes = wanted === undefined ? memoryScopes : [wanted];
  const lists = await Promise.all(scopes.map((each) => listMemory(ctx, owner, each)));
  const lines = lists.flat().map(printFile);
  return { text: lines.length === 0 ? 'Nothing is remembered here yet.' : lines.join('\n') };
}

function printFile(file: MemoryFile): string {
  return `- ${file.scope}: ${file.name} (${file.bytes} bytes, changed ${isoDay(file.modifiedMs)})`;
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function readTool(desk: MemoryDesk, of: MemoryScope, named: string, offset: number): Promise<ToolOutcome> {
  const text = await readMemory(desk.ctx, desk.owner, of, named);
  desk.seen.set(keyOf(of, named), { text, toEnd: offset + pageLength >= text.length });
  return { text: text === '' ? '[It is empty.]' : pageOf(text, offset) };
}

async function writeTool(desk: MemoryDesk, write: MemoryWrite): Promise<ToolOutcome> {
  const content = await scrub(write.content);
  await performWrite(desk, { ...write, content });
  const what = { append: 'Added to', replace: 'Replaced', edit_section: `Changed "${write.section}" in` }[write.mode];
  const removed = content === write.content ? '' : ' Something that looked like a secret was taken out of it.';
  return { text: `${what} the ${write.scope} memory "${write.name}".${removed}` };
}

async function performWrite(
  desk: MemoryDesk,
  { scope: of, name: named, mode, content, section }: MemoryWrite,
): Promise<void> {
  const { ctx, owner, seen } = desk;
  const key = keyOf(of, named);
  if (mode === 'append') {
    let before = '';
    const print = (text: string): string => printAppendix((before = text), content);
    await appendMemory(ctx, owner, of, named, print);
    const known = seen.get(key);
    if (known?.text === before) seen.set(key, { ...known, text: before + print(before) });
    return;
  }
  if (mode === 'edit_section' && section === undefined) {
    throw fail('invalid', 'edit_section was called without a section.', 'Give the heading as `section`, or append.');
  }
  let after = '';
  await changeMemory(ctx, owner, of, named, (before) => {
    after =
      section === undefined || mode === 'replace'
        ? replaceAll(before, seen.get(key), content)
        : replaceKnownSection(before ?? '', seen.get(key), section, content);
    return after;
  });
  seen.set(key, { text: after, toEnd: mode === 'replace' || after.length <= pageLength });
}

function replaceAll(before: string | undefined, seen: Seen | undefined, content: string): string {
  if (before !== undefined && (before !== seen?.text || !seen.toEnd)) throw notSeen(before, seen);
  return content.endsWith('\n') ? content : `${content}\n`;
}

function replaceKnownSection(before: string, seen: Seen | undefined, section: string, content: string): string {
  const there = readSection(before, section);
  const known = seen && readSection(seen.text, section);
  if (there !== undefined && there.trim() !== known?.trim()) throw notSeen(before, seen);
  return replaceSection(before, section, content);
}

function notSeen(before: string, seen: Seen | undefined): Error {
  const message =
    seen === undefined
      ? 'You have not read this text, and replacing it would lose what somebody wrote there.'
      : seen.text === before
        ? 'You have not read this text to its end, and replacing it would lose the rest.'
        : 'Somebody changed this text after you read it; it was left as it is.';
  return fail('conflict', message, 'Read it with read_memory, then write again with what it says now, or append.');
}

function keyOf(of: MemoryScope, named: string): string {
  return `${of}/${named.replace(/\.md$/, '')}`;
}
