/** The rules of meetings. Pure: a state, a command and the time in; what follows, or a refusal, out. */
import { type Decision, type ErrorFacts, refuse } from '../../kernel/pure/errors.ts';
import type { LogEntry, MeetingStatus } from './contract.ts';

/** The whole state machine. `rollback` is the one way back: of an opening that failed half-way. */
export const transitions: Readonly<Record<MeetingStatus, Partial<Record<Move, MeetingStatus>>>> = {
  requested: { accept: 'open', decline: 'declined' },
  open: { close: 'closed', rollback: 'requested' },
  closed: {},
  declined: {},
};
export type Move = 'accept' | 'decline' | 'close' | 'rollback';

/** The word in the log for each move; the first entries `requested` and `opened` are written at creation. */
const logWords: Readonly<Record<Move, string>> = {
  accept: 'opened',
  decline: 'declined',
  close: 'closed',
  rollback: 'opening_rolled_back',
};

const offered: Readonly<Record<MeetingStatus, string>> = {
  requested: 'accept it or decline it',
  open: 'say something or close it',
  closed: 'open a new meeting; its notes stay readable',
  declined: 'open a new meeting; what it referred to is still there',
};

export interface Transition {
  readonly status: MeetingStatus;
  readonly entry: LogEntry;
}

/** Whether `move` is allowed, and what it changes. The refusal names the present state and the moves it allows. */
export function decideMove(
  meeting: { readonly id: string; readonly status: MeetingStatus | null },
  move: Move,
  reason: string,
  now: string,
): Decision<Transition> {
  if (meeting.status === null) return refuseUnreadable(meeting.id);
  const status = transitions[meeting.status][move];
  if (status === undefined) {
    return refuse(
      'conflict',
      `Meeting ${meeting.id} is ${meeting.status}; it cannot be ${pastWords[move]}.`,
      `From ${meeting.status} you can ${offered[meeting.status]}.`,
      {
        status: meeting.status,
        allowed: Object.keys(transitions[meeting.status]).filter((name) => name !== 'rollback'),
      },
    );
  }
  return { ok: true, next: { status, entry: { timestamp: now, event: logWords[move], reason } }, events: [], todo: [] };
}

const pastWords: Readonly<Record<Move, string>> = {
  accept: 'accepted',
  decline: 'declined',
  close: 'closed',
  rollback: 'rolled back',
};

type Phase = 'opening' | 'open' | 'closing' | 'conflict' | undefined;

/** Whether a close may begin, go on, or try its merge again. */
export function decideClose(
  meeting: { readonly id: string; readonly status: MeetingStatus | null },
  phase: Phase,
): Decision<true> {
  if (phase === 'opening') {
    return refuse(
      'conflict',
      `Meeting ${meeting.id} is still being opened.`,
      'Close it when its first turn has begun.',
    );
  }
  if (phase === 'closing' || phase === 'conflict') return { ok: true, next: true, events: [], todo: [] };
  const move = decideMove(meeting, 'close', '', '');
  return move.ok ? { ok: true, next: true, events: [], todo: [] } : move;
}

/** A message is taken by an open meeting that is neither being opened nor being closed. */
export function decideMessage(
  meeting: { readonly id: string; readonly status: MeetingStatus | null },
  phase: Phase,
): Decision<true> {
  if (meeting.status === null) return refuseUnreadable(meeting.id);
  if (phase === 'opening') {
    return refuse('conflict', `Meeting ${meeting.id} is still being opened.`, 'Say it when its first turn has begun.');
  }
  if (phase === 'closing') {
    return refuse(
      'conflict',
      `Meeting ${meeting.id} is closing and takes no more messages.`,
      'Open a new meeting to go on.',
    );
  }
  if (meeting.status === 'open') return { ok: true, next: true, events: [], todo: [] };
  const hint =
    meeting.status === 'requested'
      ? `Accept it first: guild-hall meeting accept ${meeting.id}`
      : 'Open a new meeting: guild-hall meeting open --worker <name> <first message>';
  return refuse('conflict', `Meeting ${meeting.id} is ${meeting.status}; only an open meeting takes a message.`, hint, {
    status: meeting.status,
  });
}

/** Notes are drafted of an open meeting; what comes after has its notes. */
export function decideNotes(
  meeting: { readonly id: string; readonly status: MeetingStatus | null },
  phase: Phase,
): Decision<true> {
  if (meeting.status === null) return refuseUnreadable(meeting.id);
  const isBusy = phase === 'opening' || phase === 'closing';
  if (meeting.status === 'open' && !isBusy) return { ok: true, next: true, events: [], todo: [] };
  const state = isBusy ? phase : meeting.status;
  return refuse(
    'conflict',
    `Meeting ${meeting.id} is ${state}; notes are drafted of an open meeting.`,
    `See: guild-hall meeting show ${meeting.id}`,
    { status: meeting.status },
  );
}

/** Whether one more meeting may be open in a project. The refusal names the cap and every open meeting. */
export function decideRoom(project: string, cap: number, open: readonly string[]): Decision<true> {
  if (open.length < cap) return { ok: true, next: true, events: [], todo: [] };
  return refuse(
    'limit',
    `Project ${project} has ${open.length} open meetings, and its limit is ${cap}: ${open.join(', ')}.`,
    `Close one (guild-hall meeting close ${open[0] ?? '<id>'}) or raise caps.meeting in config.yaml.`,
    { cap, open: [...open] },
  );
}

function refuseUnreadable(id: string): { ok: false; refusal: ErrorFacts } {
  return refuse(
    'conflict',
    `The record of meeting ${id} has no readable status; expected requested, open, closed or declined.`,
    `Mend the field \`status\` in the file that this names: guild-hall meeting show ${id}`,
  );
}

/** What to do with a turn that was running when the hall died. Nothing of it had been shown: start it again. */
export function decideInterruptedTurn(hadPieces: boolean): 'again' | 'end' {
  return hadPieces ? 'end' : 'again';
}

/**
 * The prompt of a first turn. A person's own meeting: the agenda, when one was given beside the message, then the
 * message. An accepted request: the agenda and what it refers to, then the person's words if there are any.
 */
export function composeFirstPrompt(opening: {
  readonly agenda: string;
  readonly artifacts: readonly string[];
  readonly message: string;
  readonly title: string;
  readonly fromRequest: boolean;
}): string {
  const { agenda, artifacts, message, fromRequest } = opening;
  const parts: string[] = [];
  if (agenda !== '' && agenda !== message) parts.push(fromRequest ? agenda : `Agenda: ${agenda}`);
  if (artifacts.length > 0) parts.push(`Referenced artifacts:\n${artifacts.map((path) => `- ${path}`).join('\n')}`);
  if (message !== '') parts.push(message);
  // A model takes no empty message: a request that says nothing else is about its title.
  return parts.join('\n\n') || opening.title;
}

/** `.lore/x.md` for `./.lore//x.md`; undefined for what is absolute, empty or climbs out of the project. */
export function normaliseLink(path: string): string | undefined {
  if (path.includes('\\') || path.includes('\0') || path.startsWith('/')) return undefined;
  const parts = path
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..')) return undefined;
  return parts.join('/');
}

/** True for a request that the person left until a day which has not come. @param today YYYY-MM-DD */
export function isPutOff(meeting: { readonly deferredUntil: string | null }, today: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(meeting.deferredUntil ?? '') && meeting.deferredUntil! > today;
}

const idleAfterMs = 24 * 60 * 60_000;

/** What an open meeting is doing, and since when. Times are ISO 8601; `spokenAt`: when the transcript last grew. */
export function decideActivity(
  meeting: {
    readonly phase: Phase;
    readonly answeringSince: string | null;
    readonly spokenAt: string | null;
    readonly openedAt: string;
  },
  nowMs: number,
  msOf: (time: string) => number,
): { readonly state: 'opening' | 'answering' | 'waiting' | 'idle' | 'closing'; readonly since: string } {
  const { phase, answeringSince, openedAt } = meeting;
  if (phase === 'closing') return { state: 'closing', since: meeting.spokenAt ?? openedAt };
  if (answeringSince !== null) return { state: phase === 'opening' ? 'opening' : 'answering', since: answeringSince };
  if (phase === 'opening') return { state: 'opening', since: openedAt };
  const since = meeting.spokenAt ?? openedAt;
  return { state: nowMs - msOf(since) > idleAfterMs ? 'idle' : 'waiting', since };
}

/** Fields of a record that tell what the hall did; of these a person changes none by hand. */
const fieldsOfTheHall = ['status', 'session_id', 'branch', 'merge', 'merged_from', 'meeting_log'] as const;

/** Whether a person may replace the text of a record. Both sides as their frontmatter was read. */
export function decideHandEdit(
  meeting: { readonly id: string; readonly status: MeetingStatus | null; readonly isBusy: boolean },
  before: { readonly fields: Readonly<Record<string, unknown>>; readonly problems: readonly RecordProblem[] },
  after: { readonly fields: Readonly<Record<string, unknown>>; readonly problems: readonly RecordProblem[] },
): Decision<true> {
  const { id, status } = meeting;
  if (meeting.isBusy || status === 'open') {
    return refuse(
      'conflict',
      `This is the record of meeting ${id}, which the hall is writing itself until the meeting is closed and merged.`,
      `Say it in the meeting (guild-hall meeting say ${id} "…"), or close it first: guild-hall meeting close ${id}`,
      { id, status },
    );
  }
  const [problem] = after.problems;
  if (problem !== undefined && before.problems.length === 0) {
    return refuse(
      'invalid',
      `With this text meeting ${id} could not be read any more, line ${problem.line}: ${problem.message}`,
      'Mend that line, then save again. The words below the frontmatter are free.',
      { id, line: problem.line },
    );
  }
  // A record that could not be read may be mended in any way.
  if (before.problems.length > 0) return { ok: true, next: true, events: [], todo: [] };
  const changed = fieldsOfTheHall.find((name) => told(before.fields[name]) !== told(after.fields[name]));
  if (changed === undefined) return { ok: true, next: true, events: [], todo: [] };
  const hint =
    changed === 'status' && status !== null
      ? `From ${status} you can ${offered[status]}.`
      : 'Leave that field as it was.';
  return refuse(
    'conflict',
    `The field \`${changed}\` of meeting ${id} tells what the hall did; it is not changed by hand.`,
    hint,
    { id, field: changed },
  );
}

interface RecordProblem {
  readonly line: number;
  readonly message: string;
}

function told(value: unknown): string {
  return JSON.stringify(value ?? null);
}
