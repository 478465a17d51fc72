/**
 * Drafts from the minutes alone: decisions, challenges, questions and pins that were marked as such. For a council whose
 * facilitator handed in nothing usable. Pure.
 */
import type { ActionItemDraft, ActionItemType, CouncilDrafts, MemoryDraft, NotesDraft } from '../contract.ts';
import type { Minutes, MinutedTurn } from './minutes.ts';

const most = { items: 40, questions: 12, sources: 12 } as const;

export function draftFromMinutes(minutes: Minutes): CouncilDrafts {
  return {
    actionItems: actionItemsOf(minutes),
    memory: minutes.agents.map((agent) => memoryOf(minutes, agent)),
    notes: notesOf(minutes),
    by: 'engine',
  };
}

/** What a decision of that kind of council is worked off with. */
const itemTypes: Readonly<Record<string, ActionItemType>> = {
  'decision-record': 'adr-draft',
  'architecture-decisions': 'arch-edit',
  'machine-readable-ac-list': 'test-edit',
  'ux-design-notes': 'ux-edit',
  'sprint-adjustments': 'sprint-correction',
  'brainstorming-document': 'brainstorm-followup',
  'opportunity-map': 'brainstorm-followup',
  'risk-register': 'new-story',
};

interface Said {
  readonly speaker: string;
  readonly text: string;
}

/** Each sentence once, under whoever said it first. */
function markedIn(turns: readonly MinutedTurn[], pick: (turn: MinutedTurn) => readonly string[]): Said[] {
  const found = new Map<string, Said>();
  for (const turn of turns) {
    for (const text of pick(turn)) {
      const key = text.toLowerCase().replaceAll(/\W+/g, ' ').trim();
      if (key !== '' && !found.has(key)) found.set(key, { speaker: turn.speaker, text: inOneLine(text) });
    }
  }
  return [...found.values()];
}

const decisionsOf = ({ turns }: Minutes): Said[] => markedIn(turns, ({ decisions }) => decisions);
const challengesOf = ({ turns }: Minutes): Said[] => markedIn(turns, ({ challenges }) => challenges);

function actionItemsOf(minutes: Minutes): ActionItemDraft[] {
  const { agents, bias, pins } = minutes;
  const decided = decisionsOf(minutes).map(({ speaker, text }) => ({
    type: itemTypes[bias] ?? 'feature',
    assignee: agents.includes(speaker) ? speaker : 'unassigned',
    contextForTarget: `Decided by the council on “${topicOf(minutes)}”, said by ${speaker}: ${text}`,
    acceptance: `It can be shown where this holds: ${text}`,
    pins: pins.filter(({ agent }) => agent === speaker).map(({ id }) => id),
  }));
  const disputed = challengesOf(minutes).map(({ speaker, text }) => ({
    type: 'discussion-only' as const,
    assignee: 'unassigned',
    contextForTarget: `${speaker} does not agree: ${text}`,
    acceptance: 'It was talked about, and what came of it is written down.',
    pins: [],
  }));
  return [...decided, ...disputed]
    .slice(0, most.items)
    .map((item, at) => ({ id: `draft-${at + 1}`, priority: 'normal', ...item }));
}

function memoryOf(minutes: Minutes, agent: string): MemoryDraft {
  const own = minutes.turns.filter(({ speaker }) => speaker === agent);
  return {
    agent,
    tags: tagsOf(minutes),
    decided: textsOf(decisionsOf({ ...minutes, turns: own })),
    constraints: textsOf(challengesOf({ ...minutes, turns: own })),
    tracking: questionsIn(own).slice(-3),
    sources: [...new Set(own.flatMap(({ citations }) => citations))].slice(0, most.sources),
  };
}

const textsOf = (said: readonly Said[]): string[] => said.map(({ text }) => text);

const plainWords = new Set(
  'about above after again between could decide every from have into should that their them then there these they this those what when where whether which while will with would'.split(
    ' ',
  ),
);

function tagsOf({ charter, mode }: Minutes): string[] {
  const words =
    charter
      .slice(0, 2000)
      .toLowerCase()
      .match(/\p{L}{4,24}/gu) ?? [];
  return [mode, ...new Set(words.filter((word) => !plainWords.has(word)))].slice(0, 5);
}

function notesOf(minutes: Minutes): NotesDraft {
  const { sections, agents, turns } = minutes;
  const decisions = decisionsOf(minutes);
  const challenges = challengesOf(minutes);
  const speeches = turns.filter(({ isPrelude }) => !isPrelude).length;
  const came =
    decisions.length === 0
      ? 'No decision was marked.'
      : `Decided: ${decisions.map(({ text }) => withStop(text)).join(' ')}`;
  return {
    summary: `${listed(agents)} deliberated on “${topicOf(minutes)}” in ${turns.length - speeches} preludes and ${speeches} turns. ${came}`,
    sections: Object.fromEntries(sections.map((title) => [title, sectionOf(minutes, title, decisions, challenges)])),
    openQuestions: questionsIn(turns.filter(({ isPrelude }) => !isPrelude)).slice(-most.questions),
    minority: challenges.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'),
  };
}

/** By what a title asks for; empty where the transcript marks nothing of the kind. */
function sectionOf(minutes: Minutes, title: string, decisions: readonly Said[], challenges: readonly Said[]): string {
  if (/owner/i.test(title)) return rows([...new Set(decisions.map(({ speaker }) => speaker))]);
  if (/context|problem/i.test(title)) return inOneLine(minutes.charter).slice(0, 2000);
  if (/dissent|disagree|alternative|risk/i.test(title))
    return rows(challenges.map(({ speaker, text }) => `${speaker}: ${text}`));
  if (/open|question|thread|follow/i.test(title)) return rows(questionsIn(minutes.turns).slice(-most.questions));
  return /decision|option|idea|list|inject|priorit|flow|answer/i.test(title)
    ? rows(decisions.map(({ speaker, text }) => `${text} (${speaker})`))
    : '';
}

/** Sentences that ask, each once. */
function questionsIn(turns: readonly MinutedTurn[]): string[] {
  const asked = turns.flatMap(({ speaker, body }) =>
    [...inOneLine(withoutCode(body)).matchAll(/(?:^|[.!?:•]\s+|\s-\s)([^.!?]{12,280}\?)/g)].map(
      ([, text]) => `${text!.trim()} (${speaker})`,
    ),
  );
  return [...new Set(asked)];
}

function topicOf({ charter }: Minutes): string {
  const line = inOneLine(charter);
  return line.length <= 120 ? line.replace(/[.\s]+$/, '') : `${line.slice(0, 119)}…`;
}

const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?(?:```|$)/g, ' ');
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const rows = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'Nobody';
  return names.length < 2 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
