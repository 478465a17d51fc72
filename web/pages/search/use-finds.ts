/** Gathers what can be found, and what each does. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import { useIntent } from '../../app/intents.tsx';
import { commissionState } from '../../kit/commission-state.ts';
import { gatheringState } from '../../kit/gathering-words.ts';
import { conversationState, membersOf } from '../../kit/terminal/conversation-words.ts';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { inBackground } from '../../state/background.ts';
import { useAct, useRead, useReads } from '../../state/hall.tsx';
import { chooseTheme, type Theme } from '../../state/theme.ts';
import type { Find } from './finds.ts';
import { useSessionFinds } from './session-finds.ts';

export interface Finds {
  readonly finds: readonly Find[];
  /** What came of a command that leaves the search open. */
  readonly told: string | undefined;
  readonly problem: ErrorFacts | undefined;
  readonly isReading: boolean;
}

export function useFinds(onClose: () => void): Finds {
  const status = useRead('status', {});
  const names = status.data?.projects ?? [];
  const pages = usePages(names, onClose);
  const { commands, told, problem } = useCommands(names, onClose);
  const things = useThings(names, onClose);
  const sessions = useSessionFinds(names, onClose);
  return { finds: [...things, ...sessions, ...pages, ...commands], told, problem, isReading: status.isLoading };
}

function usePages(projects: readonly string[], onClose: () => void): Find[] {
  const navigate = useNavigate();
  const go = (to: '/' | '/inbox' | '/commissions' | '/terminals' | '/settings') => () => {
    onClose();
    inBackground(navigate({ to }));
  };
  return [
    { key: 'page:hall', kind: 'page', title: 'Hall', words: ['home', 'overview'], keys: 'g h', run: go('/') },
    { key: 'page:inbox', kind: 'page', title: 'Inbox', words: ['waiting', 'requests'], keys: 'g i', run: go('/inbox') },
    {
      key: 'page:commissions',
      kind: 'page',
      title: 'Commissions',
      words: ['queue', 'work', 'running', 'graph'],
      keys: 'g c',
      run: go('/commissions'),
    },
    {
      key: 'page:terminals',
      kind: 'page',
      title: 'Terminals',
      words: ['shell', 'agents', 'conversations', 'sessions', 'live'],
      keys: 'g t',
      run: go('/terminals'),
    },
    {
      key: 'page:settings',
      kind: 'page',
      title: 'Settings',
      words: ['doctor', 'health', 'sign out', 'browsers', 'model', 'version'],
      keys: 'g s',
      run: go('/settings'),
    },
    ...projects.map((project): Find => ({
      key: `project:${project}`,
      kind: 'project',
      title: project,
      run: () => {
        onClose();
        inBackground(navigate({ to: '/projects/$project', params: { project } }));
      },
    })),
  ];
}

const themes: readonly (readonly [theme: Theme, title: string])[] = [
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
  ['system', 'Theme as the system'],
];

const outcomes = {
  up_to_date: 'has nothing new',
  synced: 'has what was new on your branch',
  conflict: 'did not take your branch in: both sides changed the same lines; see the inbox',
} as const;

function themeCommands(onClose: () => void): Find[] {
  return themes.map(([theme, title]): Find => ({
    key: `command:theme:${theme}`,
    kind: 'command',
    title,
    words: ['look', 'colour', 'mode'],
    run: () => {
      chooseTheme(theme);
      onClose();
    },
  }));
}

/** What can be begun from anywhere. */
function beginnings(show: ReturnType<typeof useIntent>): Find[] {
  return [
    {
      key: 'command:open-meeting',
      kind: 'command',
      title: 'Open a meeting',
      words: ['new', 'meet', 'ask'],
      keys: 'n',
      run: () => show({ kind: 'meeting' }),
    },
    {
      key: 'command:new-commission',
      kind: 'command',
      title: 'Write a commission',
      words: ['new', 'order', 'work', 'task'],
      keys: 'c',
      run: () => show({ kind: 'commission' }),
    },
    {
      key: 'command:start-terminal',
      kind: 'command',
      title: 'Start a terminal',
      words: ['new', 'claude', 'shell', 'agent', 'session'],
      run: () => show({ kind: 'terminal' }),
    },
    {
      key: 'command:start-conversation',
      kind: 'command',
      title: 'Let two terminals talk',
      words: ['new', 'conversation', 'relay'],
      run: () => show({ kind: 'conversation' }),
    },
    {
      key: 'command:begin-gathering',
      kind: 'command',
      title: 'Begin a gathering',
      words: ['new', 'start', 'circle', 'rhythm', 'ceremony', 'talking piece'],
      keys: 'b',
      run: () => show({ kind: 'gathering' }),
    },
  ];
}

function useCommands(projects: readonly string[], onClose: () => void) {
  const show = useIntent();
  const sync = useAct('project.sync', { isRepeatable: true });
  const [told, setTold] = useState<string>();
  const syncOne = async (project: string) => {
    setTold(`Bringing your branch into ${project}.`);
    const done = await sync.act({ project });
    setTold(done && `${project} ${outcomes[done.outcome]}.`);
  };
  const commands: Find[] = [
    ...beginnings(show),
    ...projects.map((project): Find => ({
      key: `command:sync:${project}`,
      kind: 'command',
      title: 'Bring in my branch',
      detail: project,
      words: ['sync', project],
      run: () => inBackground(syncOne(project)),
    })),
    ...themeCommands(onClose),
    {
      key: 'command:keys',
      kind: 'command',
      title: 'Show the keys',
      words: ['keyboard', 'shortcuts', 'help'],
      keys: '?',
      run: () => show({ kind: 'keys' }),
    },
  ];
  return { commands, told, problem: sync.problem };
}

/** Meetings, commissions, artifacts and workers. */
function useThings(projects: readonly string[], onClose: () => void): Find[] {
  const navigate = useNavigate();
  const show = useIntent();
  const meetings = useRead('meeting.list', {});
  const workers = useRead('worker.list', {});
  const artifacts = useReads(
    'artifact.list',
    projects.map((project) => ({ project })),
  );
  const several = projects.length > 1;
  const open = (meetings.data?.meetings ?? []).map((meeting): Find => ({
    key: `meeting:${meeting.project}:${meeting.id}`,
    kind: 'meeting',
    title: meeting.title,
    detail: [several && meeting.project, meeting.worker, meeting.status].filter(Boolean).join(' · '),
    words: [meeting.id],
    run: () => {
      onClose();
      const params = { project: meeting.project, id: meeting.id };
      inBackground(navigate({ to: '/projects/$project/meetings/$id', params }));
    },
  }));
  const commissions = useCommissions(several, onClose);
  const talk = useTalk(onClose);
  const gatherings = useGatherings(several, onClose);
  const written = artifacts.flatMap(({ project, artifacts: all }) =>
    all.map(({ path, title }): Find => ({
      key: `artifact:${project}:${path}`,
      kind: 'artifact',
      title,
      detail: several ? `${project} · ${path}` : path,
      run: () => {
        onClose();
        inBackground(navigate({ to: '/projects/$project/artifacts/$', params: { project, _splat: path } }));
      },
    })),
  );
  const people = (workers.data?.workers ?? []).map((worker): Find => ({
    key: `worker:${worker.name}`,
    kind: 'worker',
    title: worker.displayName,
    glyph: worker.name,
    detail: worker.displayTitle,
    words: [worker.name, 'meet'],
    run: () => show({ kind: 'meeting', worker: worker.name }),
  }));
  return [...open, ...commissions, ...gatherings, ...talk, ...written, ...people];
}

function useCommissions(several: boolean, onClose: () => void): Find[] {
  const navigate = useNavigate();
  const commissions = useRead('commission.list', {});
  return (commissions.data?.commissions ?? []).map((commission): Find => ({
    key: `commission:${commission.project}:${commission.id}`,
    kind: 'commission',
    title: commission.title,
    detail: [several && commission.project, commission.worker, commissionState(commission).word]
      .filter(Boolean)
      .join(' · '),
    words: [commission.id],
    run: () => {
      onClose();
      const params = { project: commission.project, id: commission.id };
      inBackground(navigate({ to: '/projects/$project/commissions/$id', params }));
    },
  }));
}

function useGatherings(several: boolean, onClose: () => void): Find[] {
  const navigate = useNavigate();
  const gatherings = useRead('gathering.list', {}).data?.gatherings ?? [];
  return gatherings.map((row): Find => ({
    key: `gathering:${row.id}`,
    kind: 'gathering',
    title: row.question,
    detail: [several && row.project, row.rhythm, gatheringState(row).word].filter(Boolean).join(' · '),
    words: [row.id, 'gathering', ...row.seats.map(({ name }) => name)],
    run: () => {
      onClose();
      inBackground(navigate({ to: '/gatherings/$id', params: { id: row.id } }));
    },
  }));
}

/** Terminals that run, and what they talk about. */
function useTalk(onClose: () => void): Find[] {
  const navigate = useNavigate();
  const terminals = useRead('terminal.list', {}).data?.terminals ?? [];
  const conversations = useRead('conversation.list', {}).data?.conversations ?? [];
  return [
    ...terminals.map((terminal): Find => ({
      key: `terminal:${terminal.id}`,
      kind: 'terminal',
      title: terminal.name,
      glyph: terminal.name,
      detail: [terminal.entry, terminal.project, terminalState(terminal).word].filter(Boolean).join(' · '),
      words: [terminal.id, ...terminal.command],
      run: () => {
        onClose();
        inBackground(navigate({ to: '/terminals/$id', params: { id: terminal.id } }));
      },
    })),
    ...conversations.map((row): Find => ({
      key: `conversation:${row.id}`,
      kind: 'conversation',
      title: membersOf(row.members),
      detail: [row.project, conversationState(row).word].filter(Boolean).join(' · '),
      words: [row.id, 'conversation'],
      run: () => {
        onClose();
        inBackground(navigate({ to: '/conversations/$id', params: { id: row.id } }));
      },
    })),
  ];
}
