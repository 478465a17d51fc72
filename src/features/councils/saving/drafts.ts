/** Drafts as the person sees and edits them at REVIEW, and what becomes of them. */
import { fail } from '../../../kernel/pure/errors.ts';
import type { CouncilDrafts, CouncilSession } from '../contract.ts';
import type { ActionItemDraft, MemoryDraft, NotesDraft } from '../contract/drafts.ts';
import { actionItemTypes } from '../contract/terms.ts';
import { parseItems, printItems } from './items.ts';
import {
  nothing,
  parseList,
  parseText,
  printBelowThree,
  printList,
  printText,
  type Section,
  splitSections,
} from './markdown.ts';
import { parseMemory, printMemory } from './memory.ts';
import { templateSections } from './templates.ts';

/** What SAVE writes. */
export interface SettledDrafts {
  readonly actionItems: readonly ActionItemDraft[];
  readonly memory: readonly MemoryDraft[];
  /** Null: dropped. */
  readonly notes: NotesDraft | null;
}

const notesHint =
  'Keep the headings ## Summary, ## Decisions (with ### headings), ## Open questions and ## Minority report, in this form.';
const notesHead =
  '<!-- Charter, transcript, risks, scratchpad, action items, memory write-through and claims are added as they stand. -->';

/**
 * One draft as text: what would be written, in a form that can be edited.
 * @throws `not_found` for a draft that the council has not
 */
export function printDraft(session: CouncilSession, draft: string): string {
  const drafts = requireDrafts(session);
  if (draft === 'action-items') return printItems(drafts.actionItems);
  if (draft === 'notes') return printNotesDraft(drafts.notes, session.setup.bias);
  const { date, slug } = session.setup;
  return printMemory(requireMemory(drafts, draft), { date, sourceMeeting: slug });
}

/**
 * The drafts with one of them replaced by what the person made of its text.
 * @throws `invalid` that says which line cannot be read and what was expected
 */
export function parseDraft(session: CouncilSession, draft: string, text: string): CouncilDrafts {
  const drafts = requireDrafts(session);
  if (draft === 'action-items') return { ...drafts, actionItems: parseActionItems(text) };
  if (draft === 'notes') return { ...drafts, notes: parseNotesDraft(text) };
  const before = requireMemory(drafts, draft);
  const entry = parseMemory(text, before.agent);
  return { ...drafts, memory: drafts.memory.map((each) => (each === before ? entry : each)) };
}

/** The drafts as REVIEW left them: edited where the person edited, without what was dropped or never asked about. */
export function settleDrafts(session: CouncilSession): SettledDrafts {
  if (session.drafts === null) return { actionItems: [], memory: [], notes: null };
  let drafts = session.drafts;
  const kept = new Set<string>();
  // The last word on a draft counts.
  for (const [draft, review] of new Map(session.reviews.map((each) => [each.draft, each]))) {
    if (review.disposition === 'drop') continue;
    kept.add(draft);
    if (review.disposition === 'edit' && review.text !== null) {
      drafts = parseDraft({ ...session, drafts }, draft, review.text);
    }
  }
  return {
    actionItems: kept.has('action-items') ? drafts.actionItems : [],
    memory: drafts.memory.filter(({ agent }) => kept.has(`memory:${agent}`)),
    notes: kept.has('notes') ? drafts.notes : null,
  };
}

function requireDrafts(session: CouncilSession): CouncilDrafts {
  if (session.drafts !== null) return session.drafts;
  throw fail(
    'conflict',
    `The council ${session.sessionId} has drawn up nothing yet.`,
    `See where it stands: guild-hall council show ${session.sessionId}`,
  );
}

function requireMemory(drafts: CouncilDrafts, draft: string): MemoryDraft {
  const entry = drafts.memory.find(({ agent }) => draft === `memory:${agent}`);
  if (entry !== undefined) return entry;
  throw fail(
    'not_found',
    `There is no draft ${JSON.stringify(draft.slice(0, 100))}.`,
    `There are: action-items, ${drafts.memory.map(({ agent }) => `memory:${agent}`).join(', ')}, notes.`,
  );
}

function parseActionItems(text: string): ActionItemDraft[] {
  const items = parseItems(text);
  const taken = new Set(items.map(({ id }) => id));
  const free = (): string => {
    let n = 1;
    while (taken.has(`draft-${n}`)) n += 1;
    taken.add(`draft-${n}`);
    return `draft-${n}`;
  };
  const seen = new Set<string>();
  return items.map((item, at) => {
    const type = actionItemTypes.find((each) => each === item.type);
    if (type === undefined) {
      throw fail(
        'invalid',
        `Action item ${at + 1} has the type ${JSON.stringify(item.type.slice(0, 60))}, which there is not.`,
        `Use one of: ${actionItemTypes.join(', ')}.`,
      );
    }
    const id = item.id === undefined || seen.has(item.id) ? free() : item.id;
    seen.add(id);
    return { ...item, id, type, pins: [...item.pins] };
  });
}

function printNotesDraft({ summary, sections, openQuestions, minority }: NotesDraft, bias: string): string {
  const wanted = templateSections(bias);
  const titles = [
    ...wanted,
    ...Object.keys(sections).filter((title) => !wanted.includes(title) && sections[title]!.trim() !== ''),
  ];
  const decisions = titles.map((title) => {
    const name = title.replaceAll(/\s+/g, ' ').trim();
    return name === '' ? '' : `### ${name}\n\n${printBelowThree(sections[title] ?? '')}`.trimEnd();
  });
  const parts = [
    notesHead,
    `## Summary\n\n${printText(summary)}`,
    `## Decisions\n\n${decisions.filter((text) => text !== '').join('\n\n')}`,
    `## Open questions\n\n${printList(openQuestions)}`,
    `## Minority report\n\n${printText(minority)}`,
  ];
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}

const notesParts = ['Summary', 'Decisions', 'Open questions', 'Minority report'];

function parseNotesDraft(text: string): NotesDraft {
  const found = new Map<string, Section>();
  for (const section of splitSections(text, 2, (title) => title === 'Open questions')) {
    const { title, line } = section;
    if (!notesParts.includes(title) || found.has(title)) throw noNotes(line, title, found.has(title));
    found.set(title, section);
  }
  if (found.size === 0) throw noNotes(1, '', false);
  requireHeaded(text, /^## /);
  const linesOf = (title: string): readonly string[] => found.get(title)?.lines ?? [];
  requireHeaded(linesOf('Decisions').join('\n'), /^### /, found.get('Decisions')?.line);
  const sections = splitSections(linesOf('Decisions').join('\n'), 3).map(
    ({ title, lines }) => [title, parseText(lines)] as const,
  );
  return {
    summary: parseText(linesOf('Summary')),
    sections: Object.fromEntries(sections.filter(([, held]) => held !== '')),
    openQuestions: parseList(linesOf('Open questions')),
    minority: parseText(linesOf('Minority report')),
  };
}

/** Words before the first heading would be lost. */
function requireHeaded(text: string, heading: RegExp, from = 0): void {
  for (const [at, line] of text.split('\n').entries()) {
    if (heading.test(line)) return;
    if (line.trim() === '' || line.trim() === notesHead || line.trim() === nothing) continue;
    throw fail('invalid', `The notes have words before a heading, at line ${from + at + 1}.`, notesHint, {
      line: from + at + 1,
    });
  }
}

function noNotes(line: number, title: string, isTwice: boolean): Error {
  const reason =
    title === ''
      ? 'they have no headings'
      : `there is ${isTwice ? 'a second' : 'no'} section ${JSON.stringify(title.slice(0, 80))}`;
  return fail('invalid', `The notes cannot be read at line ${line}: ${reason}.`, notesHint, { line });
}
