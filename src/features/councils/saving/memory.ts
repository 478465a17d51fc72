/** What an agent carries forward: its memory entry of one council, as a file of its own folder. */
import { parseDocument } from 'yaml';
import type { LogContext } from '../../../kernel/log/log.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { MemoryDraft } from '../contract/drafts.ts';
import { slugFrom } from '../rules/slug.ts';
import { writeCouncilFile } from '../store/writer.ts';
import { printPlain } from './entries.ts';
import { parseList, printList, splitSections } from './markdown.ts';
import { plainOf } from './yaml-fields.ts';

export const memoryTitles = {
  decided: 'What I decided / agreed to in this meeting',
  constraints: 'Constraints I committed to',
  tracking: "Open items I'm tracking",
  sources: 'Sources I relied on',
} as const;
type MemoryList = keyof typeof memoryTitles;
const lists = Object.keys(memoryTitles) as MemoryList[];

export interface MemoryFacts {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly sourceMeeting: string;
}

/** Relative to the root. A name that is no file name as it stands loses what cannot be in one. */
export function memoryPath(agent: string, date: string, slug: string): string {
  return `.gaia/memory/${sidecarName(agent)}-sidecar/decisions/${date}-${slug}.md`;
}

export function sidecarName(agent: string): string {
  return /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(agent) && !agent.includes('..')
    ? agent
    : slugFrom(agent, 60) || 'unnamed';
}

export function printMemory(entry: MemoryDraft, { date, sourceMeeting }: MemoryFacts): string {
  const tags = entry.tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  const head = [
    '---',
    `agent: ${printPlain(entry.agent)}`,
    `date: ${date}`,
    `source_meeting: ${printPlain(sourceMeeting)}`,
    'type: decision',
    ...(tags.length === 0 ? ['tags: []'] : ['tags:', ...tags.map((tag) => `  - ${printPlain(tag)}`)]),
    '---',
  ];
  const sections = lists.map((list) => `## ${memoryTitles[list]}\n\n${printList(entry[list])}`);
  return `${head.join('\n')}\n\n${sections.join('\n\n')}\n`;
}

/**
 * What `printMemory` printed and a person changed. The agent stays who it is; sections that are missing are empty.
 * @throws `invalid` where the front matter or a heading cannot be read
 */
export function parseMemory(text: string, agent: string): MemoryDraft {
  const head = /^---\r?\n(.*?)^---[ \t]*(?:\r?\n|$)/ms.exec(text);
  const body = head === null ? text : text.slice(head[0].length);
  const headLines = head === null ? 0 : head[0].split('\n').length - 1;
  requireHeadings(body, headLines);
  const found = new Map<MemoryList, string[]>();
  for (const { title, lines, line } of splitSections(body, 2, () => true)) {
    const list = lists.find((name) => memoryTitles[name] === title);
    if (list === undefined) {
      const titles = lists.map((name) => `"## ${memoryTitles[name]}"`).join(', ');
      throw unreadable(headLines + line, `there is no section ${JSON.stringify(title.slice(0, 80))}`, titles);
    }
    found.set(list, [...(found.get(list) ?? []), ...parseList(lines)]);
  }
  const listed = (name: MemoryList): string[] => found.get(name) ?? [];
  return {
    agent,
    tags: head === null ? [] : tagsOf(head[1]!),
    decided: listed('decided'),
    constraints: listed('constraints'),
    tracking: listed('tracking'),
    sources: listed('sources'),
  };
}

/** What stands under no heading would be lost. */
function requireHeadings(body: string, headLines: number): void {
  const all = body.split(/\r?\n/);
  const first = all.findIndex((line) => line.startsWith('## '));
  const at = all.slice(0, first === -1 ? undefined : first).findIndex((line) => line.trim() !== '');
  if (at === -1) return;
  const titles = lists.map((name) => `"## ${memoryTitles[name]}"`).join(', ');
  throw unreadable(headLines + at + 1, 'there are words before its first heading', titles);
}

function tagsOf(yaml: string): string[] {
  const document = parseDocument(yaml);
  if (document.errors.length > 0) throw unreadable(2, 'its front matter is not legal YAML', '`tags:` and a list');
  const tags = (plainOf(document) as { readonly tags?: unknown } | null | undefined)?.tags ?? [];
  if (Array.isArray(tags)) return tags.map(String);
  if (typeof tags === 'string') return tags.split(',').map((tag) => tag.trim());
  throw unreadable(2, '`tags` is no list', '`tags:` and a list');
}

function unreadable(line: number, reason: string, expected: string): Error {
  return fail(
    'invalid',
    `The memory entry cannot be read at line ${line}: ${reason}.`,
    `Keep the form in which it was shown: ${expected}.`,
    { line },
  );
}

/** @returns its path, relative to the root */
export async function writeMemory(
  ctx: Partial<LogContext>,
  root: string,
  entry: MemoryDraft,
  facts: MemoryFacts & { readonly slug: string },
): Promise<string> {
  const path = memoryPath(entry.agent, facts.date, facts.slug);
  await writeCouncilFile(ctx, root, path, printMemory(entry, facts));
  return path;
}
