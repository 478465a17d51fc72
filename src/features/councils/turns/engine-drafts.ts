/**
 * Drafts from the minutes alone: decisions, challenges, questions and pins that were marked as such. For a council whose
 * facilitator handed in nothing usable. Pure.
 */
import type { ActionItemDraft, ActionItemType, CouncilDrafts, MemoryDraft, NotesDraft } from '../contract.ts';
import { stopWords } from '../saving/stop-words.ts';
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
    // A doubt is nothing that the one who doubts took on.
    constraints: [],
    tracking: [
      ...textsOf(challengesOf({ ...minutes, turns: own })).map((text) => `Not agreed: ${text}`),
      ...askedIn(own)
        .map(({ text }) => text)
        .slice(-3),
    ],
    sources: [...new Set(own.flatMap(({ citations }) => citations))].slice(0, most.sources),
  };
}

const textsOf = (said: readonly Said[]): string[] => said.map(({ text }) => text);

function tagsOf({ charter, mode }: Minutes): string[] {
  const words =
    charter
      .slice(0, 2000)
      .toLowerCase()
      .match(/\p{L}{4,24}/gu) ?? [];
  return [mode, ...new Set(words.filter((word) => !stopWords.has(word)))].slice(0, 5);
}

function notesOf(minutes: Minutes): NotesDraft {
  const { sections, agents, turns } = minutes;
  const decisions = decisionsOf(minutes);
  const challenges = challengesOf(minutes);
  const came =
    decisions.length === 0
      ? 'No decision was marked.'
      : `Decided: ${decisions.map(({ text }) => withStop(text)).join(' ')}`;
  return {
    summary: `${listed(agents)} deliberated on “${topicOf(minutes)}” in ${extentOf(minutes)}. ${came}`,
    sections: Object.fromEntries(sections.map((title) => [title, sectionOf(minutes, title, decisions, challenges)])),
    openQuestions: questionsIn(turns.filter(({ isPrelude }) => !isPrelude)).slice(-most.questions),
    minority: rows(challenges.map(({ speaker, text }) => `${speaker}: ${text}`)),
  };
}

/** What the agents said; what a person said between is no part of it. */
function extentOf({ turns, agents }: Minutes): string {
  const own = turns.filter(({ speaker }) => agents.includes(speaker));
  const preludes = own.filter(({ isPrelude }) => isPrelude).length;
  const speeches = own.length - preludes;
  const counted = [
    ...(preludes === 0 ? [] : [`${preludes} prelude${preludes === 1 ? '' : 's'}`]),
    ...(speeches === 0 && preludes > 0 ? [] : [`${speeches} turn${speeches === 1 ? '' : 's'}`]),
  ];
  return counted.join(' and ');
}

/** By what a title asks for; empty where the transcript marks nothing of the kind. */
function sectionOf(minutes: Minutes, title: string, decisions: readonly Said[], challenges: readonly Said[]): string {
  if (title === 'Risks') return risksTable(challenges);
  if (title === 'Owners')
    return table(
      ['Decision', 'Owner'],
      decisions.map(({ speaker, text }) => [text, speaker]),
    );
  if (/owner/i.test(title)) return rows([...new Set(decisions.map(({ speaker }) => speaker))]);
  if (/context|problem/i.test(title)) return inOneLine(minutes.charter).slice(0, 2000);
  if (/dissent|disagree|risk/i.test(title)) return rows(challenges.map(({ speaker, text }) => `${speaker}: ${text}`));
  if (/^follow/i.test(title)) return rows(leftFromPreludes(minutes).slice(-most.questions));
  if (/open|question|thread/i.test(title)) return rows(questionsIn(minutes.turns).slice(-most.questions));
  return /decision|option|idea|list|inject|priorit|flow|answer/i.test(title)
    ? rows(decisions.map(({ speaker, text }) => `${text} (${speaker})`))
    : '';
}

/** What nobody judged is said to be so: a likelihood is not the engine's to give. */
function risksTable(challenges: readonly Said[]): string {
  return table(
    ['Risk ID', 'Description', 'Likelihood', 'Impact', 'Mitigation', 'Owner'],
    challenges.map(({ speaker, text }, at) => [
      `R-${at + 1}`,
      `${text} (${speaker})`,
      'not judged',
      'not judged',
      'none named',
      'unassigned',
    ]),
  );
}

/** Empty where there are no rows: the template's own empty table stands there. */
function table(columns: readonly string[], cells: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replaceAll(/[\\|]/g, String.raw`\$&`)).join(' | ')} |`;
  return cells.length === 0 ? '' : [line(columns), line(columns.map(() => '---')), ...cells.map(line)].join('\n');
}

interface Asked {
  /** By its words alone: the same question in other marks is the same. */
  readonly key: string;
  readonly text: string;
  readonly speakers: readonly string[];
}

/** Sentences that ask, each once, with everybody who asked it. */
function askedIn(turns: readonly MinutedTurn[]): Asked[] {
  const found = new Map<string, Asked>();
  for (const { speaker, body } of turns) {
    for (const text of questionsOf(body)) {
      const key = text.toLowerCase().replaceAll(/\W+/g, ' ').trim();
      const before = found.get(key);
      found.set(key, {
        key,
        text: before?.text ?? text,
        speakers: [...new Set([...(before?.speakers ?? []), speaker])],
      });
    }
  }
  return [...found.values()];
}

const questionsIn = (turns: readonly MinutedTurn[]): string[] =>
  askedIn(turns).map(({ text, speakers }) => `${text} (${speakers.join(', ')})`);

/** What was asked before the discussion, and not again in it. */
function leftFromPreludes({ turns }: Minutes): string[] {
  const discussed = new Set(askedIn(turns.filter(({ isPrelude }) => !isPrelude)).map(({ key }) => key));
  return askedIn(turns.filter(({ isPrelude }) => isPrelude))
    .filter(({ key }) => !discussed.has(key))
    .map(({ text, speakers }) => `${text} (${speakers.join(', ')})`);
}

const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/gm;
const sentenceEnd = /(?<=[.!?])\s|•|\[[a-z][^\]]{0,100}\](?!\()/;

/** Without the marks of a list, labels in brackets, and the words that lead to a question ("Ada, may I ask you:"). */
function questionsOf(body: string): string[] {
  return inOneLine(withoutCode(body).replaceAll(listMark, '• '))
    .split(sentenceEnd)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.endsWith('?'))
    .map((sentence) => capital(sentence.slice(sentence.lastIndexOf(': ') + 1).trim()))
    .filter(({ length }) => length > 12 && length <= 280);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function topicOf({ charter }: Minutes): string {
  const line = inOneLine(charter);
  return line.length <= 120 ? line.replace(/[.\s]+$/, '') : `${line.slice(0, 119).replace(/[\s,;:]+\S*$/, '')} …`;
}

const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?(?:```|$)/g, ' ');
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const rows = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'Nobody';
  return names.length < 2 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
