/** What stands in the notes of a council: drawn from its session, and from what REVIEW left of the drafts. */
import type { CouncilEntry, CouncilSession, CouncilTurn, SaveState } from '../contract.ts';
import type { ActionItemDraft, NotesDraft } from '../contract/drafts.ts';
import { drafter, totalTokens } from '../rules/costs.ts';
import { oneLine } from '../rules/header.ts';
import { renderEntry } from '../rules/render.ts';
import { targetOf } from '../rules/targets.ts';
import { nothing, printBelowThree, printCode, printList, printText } from './markdown.ts';
import { memoryPath } from './memory.ts';
import { type CostRow, type NotesBody, type NotesHead, printNotes } from './notes.ts';
import { emptySection, templateSections } from './templates.ts';

/** The whole file. @param ids final ids of action items by provisional ones */
export function printCouncilNotes(
  session: CouncilSession,
  notes: NotesDraft,
  items: readonly ActionItemDraft[],
  save: Pick<SaveState, 'extractions' | 'memory' | 'ids'>,
): string {
  const head = headOf(session, items, save);
  return printNotes(head, bodyOf(session, notes, items, save), moreOf(session, notes));
}

export function headOf(
  session: CouncilSession,
  items: readonly ActionItemDraft[],
  save: Pick<SaveState, 'extractions' | 'ids'>,
): NotesHead {
  const { setup } = session;
  return {
    date: setup.date,
    slug: setup.slug,
    charter: session.charter,
    mode: setup.mode,
    closingArtifactBias: setup.bias,
    defaultInviteesResolved: setup.defaultInviteesResolved,
    missingInvitees: setup.missingInvitees,
    inviteesOverride: setup.inviteesOverride,
    costBreakdown: costsOf(session),
    totalTokens: totalTokens(session),
    scratchpadExtractions: save.extractions,
    actionItems: items.map(({ id }) => save.ids?.[id] ?? id),
    researchPhase: session.researchPhase,
    webSearch: setup.noWeb ? 'disabled' : 'enabled',
  };
}

/** Everybody who was invited, whoever else spoke (the facilitator, the person between the turns), then who drafted. */
function costsOf({ setup, transcript, tokens, drafts }: CouncilSession): CostRow[] {
  const rows = new Map(
    setup.invitees.map(({ name, role }) => [name, { name, role, tokens: tokens[name] ?? 0 } as CostRow]),
  );
  for (const { speaker, role, usage, via } of turnsIn(transcript)) {
    const row = rows.get(speaker) ?? { name: speaker, role, tokens: tokens[speaker] ?? 0 };
    // Words of the person, and of the hall itself, are no use of a model: nothing was paid and nothing is unknown.
    if (via !== 'subagent') {
      rows.set(speaker, row);
      continue;
    }
    const costUsd = usage.costUsd === null || row.costUsd === null ? null : (row.costUsd ?? 0) + usage.costUsd;
    rows.set(speaker, { ...row, inputTokens: (row.inputTokens ?? 0) + usage.inputTokens, costUsd });
  }
  const { usage } = drafts ?? {};
  if (usage === undefined) return [...rows.values()];
  const { inputTokens, outputTokens, costUsd } = usage;
  return [...rows.values(), { ...drafter, tokens: outputTokens, inputTokens, costUsd }];
}

function bodyOf(
  session: CouncilSession,
  notes: NotesDraft,
  items: readonly ActionItemDraft[],
  save: Pick<SaveState, 'extractions' | 'memory' | 'ids'>,
): NotesBody {
  const turns = turnsIn(session.transcript);
  const marked = (what: 'challenges' | 'decisions'): string[] =>
    turns.flatMap((turn) => turn[what].map((text) => `${turn.speaker} (${turn.id}): ${text}`));
  return {
    Charter: printText(session.charter),
    Summary: [printText(notes.summary), ...(session.setup.yes ? [answeredByYes] : [])].filter(Boolean).join('\n\n'),
    'Research preludes': printEntries(session.transcript.filter(isPrelude)),
    Transcript: printTranscript(session),
    Decisions: printDecisions(session.setup.bias, notes, marked('decisions')),
    'Risks identified': printList(marked('challenges')),
    'Open questions': printList(notes.openQuestions),
    'Scratchpad final state': printPins(session, save.extractions),
    'Action items': printItemList(items, save),
    'Memory write-through': printList(
      save.memory.map((agent) => `${agent}: ${memoryPath(agent, session.setup.date, session.setup.slug)}`),
    ),
  };
}

const answeredByYes =
  'This council was called with --yes: every question was answered with continue, every draft accepted as it was drawn up, and every pin kept.';

function moreOf(session: CouncilSession, notes: NotesDraft): (readonly [string, string])[] {
  const claims = turnsIn(session.transcript).flatMap(claimsOf);
  const hands = session.waitingHands.map(
    ({ cycle, requesting, target }) => `Cycle ${cycle}: ${requesting} to ${target}`,
  );
  const minority = printText(notes.minority);
  return [
    ['Claims', printList(claims)],
    ['Waiting raise-hands', printList(hands)],
    ...(minority === '' ? [] : [['Minority report', minority] as const]),
  ];
}

const verdicts = {
  cited: 'cited',
  'not-found': 'cited, not found in source',
  inference: 'inference',
  opinion: 'opinion',
  unflagged: 'unflagged',
} as const;

function claimsOf({ id, speaker, claims }: CouncilTurn): string[] {
  return claims.map(({ line, text, verdict, citations }) => {
    const sources = citations.length === 0 ? '' : ` (${citations.join(', ')})`;
    return oneLine(`${id} ${speaker}, line ${line}: ${verdicts[verdict]}${sources}: ${text}`);
  });
}

function turnsIn(entries: readonly CouncilEntry[]): CouncilTurn[] {
  return entries.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []));
}

function isPrelude(entry: CouncilEntry): boolean {
  return entry.kind === 'turn' && entry.turn.kind === 'prelude';
}

function printEntries(entries: readonly CouncilEntry[]): string {
  return entries.map((entry) => renderEntry(entry).join('\n')).join('\n\n');
}

/** All but the preludes, which stand above; the last marker belongs to it though the notes are written before it is told. */
function printTranscript({ transcript }: CouncilSession): string {
  const last = { kind: 'marker', phase: 'SAVE' } as const;
  const isTold = transcript.some((entry) => entry.kind === 'marker' && entry.phase === 'SAVE');
  return printEntries([...transcript.filter((entry) => !isPrelude(entry)), ...(isTold ? [] : [last])]);
}

function printDecisions(bias: string, { sections }: NotesDraft, marked: readonly string[]): string {
  const wanted = templateSections(bias);
  const given = new Map(Object.entries(sections).map(([title, text]) => [oneLine(title).trim(), text]));
  const titles = [
    ...wanted,
    ...[...given].flatMap(([title, text]) =>
      title === '' || text.trim() === '' || wanted.includes(title) ? [] : [title],
    ),
  ];
  const parts = titles.map((title) => {
    const text = printBelowThree(given.get(title) ?? '');
    return `### ${title}\n\n${text === '' ? emptySection(bias, title) : text}`;
  });
  if (marked.length > 0) parts.push(`### Decided in the discussion\n\n${printList(marked)}`);
  return parts.join('\n\n');
}

function printPins({ pins }: CouncilSession, extractions: readonly string[]): string {
  const shown = pins.filter(({ disposition }) => disposition === 'extract' || disposition === 'keep');
  if (shown.length === 0) return nothing;
  return shown
    .map(({ id, agent, intent, content, contentType }) => {
      const path = extractions.find((each) => each.split('/').at(-1)!.startsWith(`${id}-`));
      const where = path === undefined ? '' : `; extracted to ${path}`;
      const facts = oneLine(`- ${id}: pinned by ${agent}${intent === '' ? '' : ` for: ${intent}`}${where}`);
      return `${facts}\n\n${printCode(content, contentType)}`;
    })
    .join('\n\n');
}

function printItemList(items: readonly ActionItemDraft[], save: Pick<SaveState, 'ids'>): string {
  return printList(
    items.map((item) => {
      const facts = `${item.type}, ${targetOf(item.type) ?? ''}, priority ${item.priority}, assignee ${item.assignee}`;
      const id = save.ids?.[item.id] ?? item.id;
      const pins = item.pins.length === 0 ? '' : `\nRests on: ${item.pins.join(', ')}`;
      return `${id} (${oneLine(facts)}): ${item.contextForTarget}\nAcceptance: ${item.acceptance}${pins}`;
    }),
  );
}
