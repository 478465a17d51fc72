/** The payload of `meeting-notes-writer`: fields of the front matter, and texts of the sections. */
import { printList, printText } from './markdown.ts';
import { type CostRow, type NotesBody, type NotesHead, notesTitles } from './notes.ts';
import { parseYamlFields } from './yaml-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Names of a section's text besides its title in small letters, `_` between the words. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  'Research preludes': ['preludes'],
  'Risks identified': ['risks'],
  'Scratchpad final state': ['scratchpad', 'scratchpad_state'],
  'Action items': ['action_items_body', 'action_items'],
  'Memory write-through': ['memory_writethrough', 'memory'],
};
const more = ['Claims', 'Waiting raise-hands', 'Minority report'];

/** @throws `invalid` with the line that is no YAML */
export function parsePayload(
  text: string,
  { date, slug }: Pick<NotesHead, 'date' | 'slug'>,
): { readonly head: NotesHead; readonly body: NotesBody; readonly more: (readonly [string, string])[] } {
  const fields = parseYamlFields(text, 'the payload');
  const flag = fields['invitees_override'];
  const costBreakdown = rowsOf(fields['cost_breakdown']);
  const head: NotesHead = {
    date,
    slug,
    charter: textOf(fields['charter']),
    mode: textOf(fields['mode']) || 'decide',
    closingArtifactBias:
      fields['closing_artifact_bias'] === undefined ? undefined : textOf(fields['closing_artifact_bias']),
    defaultInviteesResolved: listIfGiven(fields, 'default_invitees_resolved'),
    missingInvitees: listIfGiven(fields, 'missing_invitees'),
    inviteesOverride: flag === undefined ? undefined : flag === true || flag === 'true',
    costBreakdown,
    totalTokens: numberOf(fields['total_tokens'] ?? costBreakdown.reduce((sum, { tokens }) => sum + tokens, 0)),
    scratchpadExtractions: listOf(fields['scratchpad_extractions']),
    actionItems: listOf(fields['action_items']),
    researchPhase: fields['research_phase'] === 'skipped' ? 'skipped' : 'enabled',
    webSearch: fields['web_search'] === 'disabled' ? 'disabled' : 'enabled',
  };
  const body = Object.fromEntries(notesTitles.map((title) => [title, sectionOf(fields, title)]));
  const rest = more.flatMap((title) => {
    const held = sectionOf(fields, title);
    return held === '' ? [] : [[title, held] as const];
  });
  return { head, body, more: rest };
}

function sectionOf(fields: Fields, title: string): string {
  const names = [title.toLowerCase().replaceAll(/[ -]/g, '_'), ...(otherNames[title] ?? [])];
  const name = names.find((each) => fields[each] !== undefined && fields[each] !== null);
  const value = name === undefined ? '' : fields[name];
  // The transcript bears markers and headers of its own, which are to be found again.
  if (title === 'Transcript' || title === 'Research preludes') return textOf(value);
  return Array.isArray(value) ? printList(listOf(value)) : printText(textOf(value));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

function listIfGiven(fields: Fields, name: string): string[] | undefined {
  return fields[name] === undefined ? undefined : listOf(fields[name]);
}

function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const text = textOf(value);
  return text === '' ? [] : text.split(',').map((each) => each.trim());
}

function rowsOf(value: unknown): CostRow[] {
  if (!Array.isArray(value)) return [];
  return (value as (Fields | null)[]).map((row) => ({
    name: textOf(row?.['name']),
    role: textOf(row?.['role']),
    tokens: numberOf(row?.['tokens']),
  }));
}

function numberOf(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}
