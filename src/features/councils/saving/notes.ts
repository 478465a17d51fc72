/** The notes of a council as a file: front matter, ten sections and what follows them. */
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { notesFolder, requireInside } from '../store/boundary.ts';
import { parseAnyYaml } from '../store/any-yaml.ts';
import { writeCouncilFile } from '../store/writer.ts';
import { printPlain, printPlainList, quote } from './entries.ts';

export const notesTitles = [
  'Charter',
  'Summary',
  'Research preludes',
  'Transcript',
  'Decisions',
  'Risks identified',
  'Open questions',
  'Scratchpad final state',
  'Action items',
  'Memory write-through',
] as const;
export type NotesTitle = (typeof notesTitles)[number];

export interface CostRow {
  readonly name: string;
  readonly role: string;
  /** Output tokens. */
  readonly tokens: number;
  /** Left out where it is not known. */
  readonly inputTokens?: number;
  readonly costUsd?: number | null;
}

/** What is left out is not written, but for the last two. */
export interface NotesHead {
  readonly date: string;
  readonly slug: string;
  readonly charter: string;
  readonly mode: string;
  readonly closingArtifactBias?: string | undefined;
  readonly defaultInviteesResolved?: readonly string[] | undefined;
  readonly missingInvitees?: readonly string[] | undefined;
  readonly inviteesOverride?: boolean | undefined;
  readonly costBreakdown: readonly CostRow[];
  readonly totalTokens: number;
  /** Paths relative to the root. */
  readonly scratchpadExtractions: readonly string[];
  readonly actionItems: readonly string[];
  readonly researchPhase: 'enabled' | 'skipped';
  readonly webSearch: 'enabled' | 'disabled';
}

/** Texts of the sections as they are to stand, structure taken care of; a missing one is none. */
export type NotesBody = Readonly<Partial<Record<NotesTitle, string>>>;

export function notesPath({ date, slug }: Pick<NotesHead, 'date' | 'slug'>): string {
  return `${notesFolder}/meeting-${date}-${slug}.md`;
}

/** @param more sections after the ten, in order */
export function printNotes(
  head: NotesHead,
  body: NotesBody,
  more: readonly (readonly [string, string])[] = [],
): string {
  const sections = [...notesTitles.map((title) => [title, body[title] ?? ''] as const), ...more];
  const printed = sections.map(([title, text]) => `## ${title}\n\n${text.trim() === '' ? 'None.' : text.trimEnd()}`);
  return `---\n${printHead(head).join('\n')}\n---\n\n${printed.join('\n\n')}\n`;
}

function printHead(head: NotesHead): string[] {
  const { closingArtifactBias, defaultInviteesResolved, missingInvitees, inviteesOverride } = head;
  const lines = [
    `date: ${head.date}`,
    `slug: ${printPlain(head.slug)}`,
    `charter: ${quote(head.charter)}`,
    `mode: ${printPlain(head.mode)}`,
  ];
  if (closingArtifactBias !== undefined) lines.push(`closing_artifact_bias: ${printPlain(closingArtifactBias)}`);
  if (defaultInviteesResolved !== undefined) {
    lines.push(`default_invitees_resolved: ${printPlainList(defaultInviteesResolved)}`);
  }
  if (missingInvitees !== undefined) lines.push(`missing_invitees: ${printPlainList(missingInvitees)}`);
  if (inviteesOverride !== undefined) lines.push(`invitees_override: ${inviteesOverride}`);
  return [
    ...lines,
    ...(head.costBreakdown.length === 0 ? ['cost_breakdown: []'] : ['cost_breakdown:']),
    ...head.costBreakdown.flatMap(printCost),
    `total_tokens: ${head.totalTokens}`,
    ...(head.scratchpadExtractions.length === 0 ? ['scratchpad_extractions: []'] : ['scratchpad_extractions:']),
    ...head.scratchpadExtractions.map((path) => `  - ${/^[\w./-]+$/.test(path) ? path : quote(path)}`),
    `action_items: ${printPlainList(head.actionItems)}`,
    `research_phase: ${head.researchPhase}`,
    `web_search: ${head.webSearch}`,
  ];
}

function printCost({ name, role, tokens, inputTokens, costUsd }: CostRow): string[] {
  const lines = [`  - name: ${printPlain(name)}`, `    role: ${printPlain(role)}`, `    tokens: ${tokens}`];
  if (inputTokens !== undefined) lines.push(`    input_tokens: ${inputTokens}`);
  if (costUsd !== undefined && costUsd !== null) lines.push(`    cost_usd: ${Number(costUsd.toFixed(6))}`);
  return lines;
}

/** @throws `conflict` where notes of another meeting stand under that name; `forbidden` with the HALT line */
export async function requireNotesFree(
  root: string,
  head: Pick<NotesHead, 'date' | 'slug' | 'charter'>,
): Promise<void> {
  const path = await requireInside(root, notesPath(head));
  const text = await readTextIfExists(path);
  if (text === undefined || isOfMeeting(text, head)) return;
  throw fail(
    'conflict',
    `${path} holds the notes of another meeting; nothing was written.`,
    `Give that file another name, then resume: mv '${path}' '${path.replace(/\.md$/, '-earlier.md')}'`,
    { path },
  );
}

/** Of the same day and slug, about the same thing. */
function isOfMeeting(text: string, { date, slug, charter }: Pick<NotesHead, 'date' | 'slug' | 'charter'>): boolean {
  const yaml = /^---\r?\n(.*?)^---[ \t]*(?:\r?\n|$)/ms.exec(text)?.[1];
  if (yaml === undefined) return false;
  const read = parseAnyYaml(yaml);
  if (!read.ok) return false;
  const fields = read.value as Readonly<Record<string, unknown>> | null;
  return fields?.['date'] === date && fields['slug'] === slug && fields['charter'] === charter;
}

/**
 * Writes the notes, or writes them again.
 * @returns their path, relative to the root
 * @throws as `requireNotesFree`
 */
export async function writeNotes(
  ctx: Partial<LogContext>,
  root: string,
  head: NotesHead,
  text: string,
): Promise<string> {
  await requireNotesFree(root, head);
  const path = notesPath(head);
  await writeCouncilFile(ctx, root, path, text);
  return path;
}
