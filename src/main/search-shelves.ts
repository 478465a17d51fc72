/** Where the texts of each feature lie, for the search. */
import { join } from 'node:path';
import { commissionKind, commissionsFolder } from '../features/commissions/contract.ts';
import { councilKind } from '../features/councils/contract.ts';
import { extractionsFolder, notesFolder } from '../features/councils/store/boundary.ts';
import { sessionsFolder } from '../features/councils/store/place.ts';
import { conversationKind } from '../features/gatherings/contract.ts';
import { gatheringKind } from '../features/gatherings/contract/gathering.ts';
import { sessionKind } from '../features/sessions/contract.ts';
import { meetingKind, meetingsFolder } from '../features/meetings/contract.ts';
import type { SearchKind } from '../features/search/contract.ts';
import type { LinesForm, Shelf } from '../kernel/artifacts/search/shapes.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import type { Project } from '../kernel/projects/projects.ts';

type KindedShelf = Shelf & { readonly kind: SearchKind };

const artifactsFolder = '.lore';

/** @param talks conversations, gatherings and sessions of the project: id → title */
export function shelvesOf(
  home: Pick<HomePaths, 'root' | 'state'>,
  project: Pick<Project, 'name' | 'integrationWorktree'>,
  talks: ReadonlyMap<string, string>,
): readonly Shelf[] {
  const ofProject = `^${project.name}\\.(?<id>[A-Za-z0-9_-]+)`;
  const shelves: KindedShelf[] = [
    pages(project.integrationWorktree),
    ...councils(project.integrationWorktree),
    {
      name: 'transcripts',
      kind: meetingKind,
      root: home.state,
      folder: 'meetings',
      names: [`${ofProject}\\.json$`],
      // It lies beside what tells whose it is.
      instead: join(home.root, 'meetings', '<id>.md'),
      form: transcript,
      titleOf: 'pages/meetings/<id>.md',
    },
    {
      name: 'journals',
      kind: commissionKind,
      root: home.state,
      folder: 'commissions',
      names: [`${ofProject}$`, '^[0-9]{1,6}$', '^journal\\.jsonl$'],
      form: journal,
      titleOf: 'pages/commissions/<id>.md',
    },
    ...talksKept(home, talks),
  ];
  return shelves;
}

/** What was said outside of projects, each under its id. */
function talksKept({ state: root }: Pick<HomePaths, 'state'>, titles: ReadonlyMap<string, string>): KindedShelf[] {
  const named = (last: string): string[] => ['^(?<id>[a-z0-9-]+)$', last];
  return [
    {
      name: 'conversations',
      kind: conversationKind,
      root,
      folder: 'conversations',
      names: named('^messages\\.jsonl$'),
      form: messages,
      titles,
    },
    {
      name: 'gatherings',
      kind: gatheringKind,
      root,
      folder: 'gatherings',
      names: named('^messages\\.jsonl$'),
      form: speeches,
      titles,
    },
    {
      name: 'agent-sessions',
      kind: sessionKind,
      root,
      folder: 'sessions',
      names: ['^(?<id>[a-z0-9-]+)\\.jsonl$'],
      form: prompts,
      titles,
    },
  ];
}

/** All artifacts; some of them tell an activity. */
function pages(root: string): KindedShelf {
  const others: { under: string; kind: SearchKind }[] = [
    { under: `${meetingsFolder}/`, kind: meetingKind },
    { under: `${commissionsFolder}/`, kind: commissionKind },
    { under: `${artifactsFolder}/gatherings/`, kind: gatheringKind },
  ];
  const form = { kind: 'page' } as const;
  const place = { root, folder: artifactsFolder, names: [], shownBelow: `${artifactsFolder}/` };
  return { name: 'pages', kind: 'artifact', ...place, others, form };
}

/** What they saved, and the sessions: turn by turn. */
function councils(root: string): KindedShelf[] {
  const page = { kind: 'page' } as const;
  return [
    {
      name: 'notes',
      kind: councilKind,
      root,
      folder: notesFolder,
      names: ['^meeting-(?<id>.+)\\.md$'],
      shownBelow: `${notesFolder}/`,
      form: page,
    },
    {
      name: 'extractions',
      kind: councilKind,
      root,
      folder: extractionsFolder,
      names: ['^[0-9]{4}-[0-9]{2}$', '^.+$', '^SP-.+$'],
      shownBelow: `${extractionsFolder}/`,
      form: page,
    },
    {
      name: 'sessions',
      kind: councilKind,
      root,
      folder: sessionsFolder,
      names: ['^(?<id>.+)\\.yaml$'],
      form: session,
    },
  ];
}

/** As `features/meetings/fold/transcript.ts` prints it. */
const transcript = {
  kind: 'talk',
  heading: '^## (?:User|Assistant) \\((?<at>[^()]{1,40})\\) turn ',
  skip: '^> (?:Tool|Call|Usage): ',
} as const;

/** As `features/commissions/contract/journal.ts` has it. */
const journal: LinesForm = {
  kind: 'lines',
  tag: 'kind',
  texts: {
    text: ['text'],
    progress: ['text'],
    question: ['text'],
    decision: ['question', 'decision', 'reasoning'],
    result: ['summary'],
  },
  joined: ['text'],
  at: ['at'],
};

/** As `features/gatherings/relay/message-log.ts` writes it. */
const messages: LinesForm = {
  kind: 'lines',
  tag: 'did',
  texts: { said: ['message.text'] },
  joined: [],
  at: ['message.at'],
};

/** The same of a gathering: what was said in it, and nothing of the hall's own lines, which tell of other texts. */
const speeches: LinesForm = {
  ...messages,
  tag: 'message.kind',
  texts: { words: ['message.text'], announcement: ['message.text'] },
};

/** As `features/sessions/contract/events.ts` has it: what the person and the agent said. */
const prompts: LinesForm = {
  kind: 'lines',
  tag: 'type',
  texts: { PromptSubmitted: ['text'], AgentText: ['text'] },
  joined: ['AgentText'],
  at: ['at'],
};

/** Entries of the transcript, as `features/councils/store/session-text.ts` prints a list: an item a line. */
const session: LinesForm = {
  kind: 'lines',
  lead: '  - ',
  tag: 'kind',
  texts: { turn: ['turn.body'], charter: ['text'], line: ['text'] },
  joined: [],
  at: ['turn.at'],
};
