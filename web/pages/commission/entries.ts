/** The timeline's entries by kind, and each in words. Pure. */
import type { TimelineEntry } from '../../../src/features/commissions/contract.ts';
import { plainWords } from '../../kit/plain-words.ts';
import type { StateKind } from '../../kit/state-mark.tsx';

export const entryKinds = ['state', 'progress', 'question', 'outcome', 'trouble', 'yours'] as const;
export type EntryKind = (typeof entryKinds)[number];

export const kindWords: Readonly<Record<EntryKind, string>> = {
  state: 'States',
  progress: 'Progress',
  question: 'Questions and decisions',
  outcome: 'What came out',
  trouble: 'Trouble',
  yours: 'What you did',
};

/** An entry may be of several kinds: a failure is a state, and trouble. */
export function kindsOf(entry: TimelineEntry): readonly EntryKind[] {
  switch (entry.event) {
    case 'status':
      return entry.to === 'failed' ? ['state', 'trouble'] : ['state'];
    case 'attempt':
      return ['state'];
    case 'progress':
      return ['progress'];
    case 'question':
    case 'decision':
      return ['question'];
    case 'answer':
      return ['question', 'yours'];
    case 'artifact':
    case 'result':
      return ['outcome'];
    case 'merge':
      return entry.state === 'merged' || entry.state === 'dismissed' ? ['outcome'] : ['outcome', 'trouble'];
    case 'gate':
      return entry.ok ? ['outcome'] : ['outcome', 'trouble'];
    case 'anomaly':
    case 'heartbeat':
      return ['trouble'];
    case 'review':
    case 'comment':
    case 'edited':
      return ['yours'];
  }
}

export interface Told {
  readonly mark: StateKind;
  readonly title: string;
  /** Further words: plain where they are the hall's or the person's, Markdown where they are the worker's. */
  readonly text: string;
  readonly isMarkdown: boolean;
}

const states: Readonly<Record<string, string>> = {
  pending: 'Pending',
  blocked: 'Blocked',
  dispatched: 'Dispatched',
  in_progress: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const stateMarks: Readonly<Record<string, StateKind>> = {
  pending: 'idle',
  blocked: 'note',
  dispatched: 'active',
  in_progress: 'active',
  completed: 'done',
  failed: 'failed',
  cancelled: 'dropped',
};

const merges: Readonly<Record<string, string>> = {
  none: 'Nothing merged',
  merged: 'Merged',
  merge_conflict: 'Merge conflict',
  gate_failed: 'Not merged: the check failed',
  secrets: 'Not merged: it looks as if a secret is in it',
  dismissed: 'The merge was given up',
};

export function tell(entry: TimelineEntry): Told {
  switch (entry.event) {
    case 'status': {
      const title = entry.from === null ? 'Created' : (states[entry.to] ?? entry.to);
      const reason = entry.reason.toLowerCase() === title.toLowerCase() ? '' : entry.reason;
      return plain(stateMarks[entry.to] ?? 'note', title, [reason, entry.hint ?? ''].filter(Boolean).join('\n'));
    }
    case 'attempt':
      return plain('note', `Attempt ${entry.attempt}, on ${entry.branch}`, entry.reason);
    case 'progress':
      return plain('active', plainWords(entry.text), '');
    case 'question':
      return { mark: 'waiting', title: `Asks (${entry.id})`, text: entry.text, isMarkdown: true };
    case 'answer':
      return plain('done', `You answered ${entry.question}`, entry.text);
    case 'decision':
      return plain('note', entry.decision, `${entry.question}\n${entry.reasoning}`.trim());
    case 'artifact':
      return plain('note', `Linked ${entry.path}`, '');
    case 'result':
      return { mark: 'done', title: 'Result', text: entry.summary, isMarkdown: true };
    case 'heartbeat':
      return plain(entry.to === 'healthy' ? 'active' : 'waiting', beats[entry.to], '');
    default:
      return tellOutcome(entry);
  }
}

type Outcome = Extract<TimelineEntry, { event: 'anomaly' | 'merge' | 'gate' | 'review' | 'comment' | 'edited' }>;

function tellOutcome(entry: Outcome): Told {
  switch (entry.event) {
    case 'anomaly':
      return plain('waiting', 'Something was not as it should be', entry.text);
    case 'merge': {
      const mark = entry.state === 'merged' ? 'done' : entry.state === 'dismissed' ? 'dropped' : 'failed';
      return plain(mark, merges[entry.state] ?? entry.state, [entry.text, ...entry.files].filter(Boolean).join('\n'));
    }
    case 'gate':
      return plain(entry.ok ? 'done' : 'failed', entry.ok ? 'The check passed' : 'The check failed', '');
    case 'review':
      return plain('done', 'You looked at it', entry.text);
    case 'comment': {
      const at = entry.line === undefined ? (entry.path ?? '') : `${entry.path ?? ''}:${entry.line}`;
      return plain('note', at === '' ? 'You remarked' : `You remarked on ${at}`, entry.text);
    }
    case 'edited':
      return plain('note', `You changed ${entry.fields.join(', ')}`, '');
  }
}

const beats = {
  healthy: 'Heard of again',
  stale: 'Silent for a while',
  lost: 'No sign of life',
} as const;

function plain(mark: StateKind, title: string, text: string): Told {
  return { mark, title, text, isMarkdown: false };
}
