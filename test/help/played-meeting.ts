/**
 * A meeting played step by step as the hall does it: each step changes a file, or tells an event together with what the
 * hall holds in memory. After each step there is a snapshot, so that a test can read the files at any moments it likes.
 */
import type {
  AnswerKept,
  AnswerMark,
  MeetingEvents,
  MeetingEventType,
  MeetingRecord,
  MeetingView,
  NotesDraft,
  TurnEvent,
  TurnView,
  Usage,
} from '../../src/features/meetings/contract.ts';
import { wellFormed } from '../../src/kernel/pure/text.ts';
import { parseTranscript, printEntry } from '../../src/features/meetings/fold/transcript.ts';
import {
  emptyTurn,
  entryOfTurn,
  foldRetry,
  foldTurnEvent,
  usageOfEntries,
  withKept,
} from '../../src/features/meetings/fold/turns.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';

type State = {
  readonly phase: 'opening' | 'open' | 'closing' | 'conflict';
  readonly turn: number;
  readonly queue: MeetingView['queue'];
  readonly running: { turn: number; messageId: string; text: string; at: string; since: string } | null;
  readonly draft: NotesDraft | null;
  readonly drafting: string | null;
};

export interface Snapshot {
  readonly record: MeetingRecord;
  readonly state: State | null;
  /** The transcript's text. */
  readonly transcript: string;
  readonly stream: TurnView | null;
  /** How many events were told. */
  readonly told: number;
}

export interface PlayedMeeting {
  now: Snapshot;
  readonly snapshots: Snapshot[];
  readonly events: HallEvent[];
  seconds: number;
}

const epoch = 'e1';

export function beginMeeting(): PlayedMeeting {
  const now: Snapshot = {
    record: freshRecord('open'),
    state: { phase: 'opening', turn: 0, queue: [], running: null, draft: null, drafting: null },
    transcript: '',
    stream: null,
    told: 0,
  };
  const meeting: PlayedMeeting = { now, snapshots: [now], events: [], seconds: 0 };
  const message = { messageId: 'm-first', text: 'Begin.', at: timeOf(meeting) };
  changeState(meeting, { phase: 'open', queue: [message] });
  tell(meeting, 'meeting.opened', { id: 'met', worker: 'researcher', branch: 'claude/meeting/met' });
  tell(meeting, 'meeting.message_queued', { id: 'met', turn: 1, ...message });
  return meeting;
}

function freshRecord(status: MeetingRecord['status']): MeetingRecord {
  const words = { title: 'A meeting', date: '2026-02-14', worker: 'researcher', agenda: 'Begin.', notesSummary: '' };
  const lists = { referencedArtifacts: [], related: [], linkedArtifacts: [], log: [], decisions: [], problems: [] };
  const nothing = { requestedBy: null, requestReason: null, deferredUntil: null, sessionId: null, mergedFrom: null };
  const ids = { id: 'met', project: 'tally' } as unknown as Pick<MeetingRecord, 'id' | 'project'>;
  const rest = { path: '.lore/meetings/met.md', branch: 'claude/meeting/met', usage: null };
  return { ...ids, ...words, ...lists, ...nothing, ...rest, status, merge: { state: 'none', files: [] } };
}

function timeOf(meeting: PlayedMeeting): string {
  meeting.seconds += 1;
  return new Date(Date.UTC(2026, 1, 14, 9) + meeting.seconds * 1000).toISOString();
}

function step(meeting: PlayedMeeting, change: Partial<Snapshot>): void {
  meeting.now = { ...meeting.now, ...change };
  meeting.snapshots.push(meeting.now);
}

function changeState(meeting: PlayedMeeting, change: Partial<State>): void {
  step(meeting, { state: { ...meeting.now.state!, ...change } });
}

/** Tells an event, as a reader gets it: through JSON. `stream` is what the hall holds from this very step on. */
function tell<Type extends MeetingEventType>(
  meeting: PlayedMeeting,
  type: Type,
  data: MeetingEvents[Type],
  stream: TurnView | null = meeting.now.stream,
): void {
  const seq = meeting.now.told + 1;
  const event = { epoch, seq, at: timeOf(meeting), type, project: 'tally', subject: 'meeting:met', data };
  meeting.events.push(JSON.parse(JSON.stringify(event)) as HallEvent);
  step(meeting, { told: seq, stream });
}

export function sayPlayed(meeting: PlayedMeeting, given: string): void {
  const { state } = meeting.now;
  if (state?.phase !== 'open') return;
  const message = { messageId: `m-${meeting.seconds}`, text: wellFormed(given), at: timeOf(meeting) };
  changeState(meeting, { queue: [...state.queue, message] });
  const turn = state.turn + state.queue.length + 1;
  tell(meeting, 'meeting.message_queued', { id: 'met', turn, ...message });
}

/** The next message becomes the running turn, when none runs and one waits. */
export function startTurn(meeting: PlayedMeeting): void {
  const { state, stream } = meeting.now;
  if (state?.phase !== 'open' || stream !== null) return;
  const [next, ...queue] = state.queue;
  if (state.running === null) {
    if (next === undefined) return;
    const turn = state.turn + 1;
    changeState(meeting, { turn, queue, running: { ...next, turn, since: timeOf(meeting) } });
  }
  const running = meeting.now.state!.running!;
  const { turn, messageId, text, at, since } = running;
  if (entriesOf(meeting.now).every(({ mark }) => mark !== messageId)) appendQuestion(meeting, running);
  tell(meeting, 'meeting.turn_started', { turn, messageId, text, at, since }, emptyTurn(turn));
}

type Asked = { readonly turn: number; readonly messageId: string; readonly text: string; readonly at: string };

function appendQuestion(meeting: PlayedMeeting, { turn, messageId, text, at }: Asked): void {
  const facts = { tools: [], error: null, hint: null, usage: null };
  const entry = printEntry({ speaker: 'user', turn, at, mark: messageId, text, ...facts });
  step(meeting, { transcript: meeting.now.transcript + entry });
}

export function showPlayed(meeting: PlayedMeeting, event: TurnEvent): void {
  const { stream } = meeting.now;
  if (stream === null) return;
  tell(meeting, 'meeting.turn', { turn: stream.turn, event }, foldTurnEvent(stream, event));
}

export function retryPlayed(meeting: PlayedMeeting): void {
  const { stream } = meeting.now;
  if (stream === null) return;
  const facts = { turn: stream.turn, attempt: 1, errorClass: 'overloaded', delayMs: 4000, at: timeOf(meeting) };
  tell(meeting, 'meeting.agent_retry', facts, foldRetry(stream, facts));
}

export function endPlayed(
  meeting: PlayedMeeting,
  event: Extract<TurnEvent, { type: 'turn_end' | 'error' }>,
  usage: Usage | null,
  always?: AnswerMark,
): void {
  const { stream } = meeting.now;
  if (stream === null) return;
  const ended = foldTurnEvent(stream, event);
  const masked = wellFormed(ended.text.replaceAll('SECRET', '[secret removed: word]'));
  const mark = always ?? (ended.state === 'running' ? 'cut-off' : ended.state);
  const kept: AnswerKept = { at: timeOf(meeting), mark, text: masked === ended.text ? null : masked, usage };
  const entry = printEntry(entryOfTurn(withKept(ended, kept), kept.at, usage));
  step(meeting, { transcript: meeting.now.transcript + entry });
  if (usage !== null) tell(meeting, 'meeting.turn_usage', { turn: stream.turn, ...usage });
  tell(meeting, 'meeting.turn', { turn: stream.turn, event, kept }, null);
  changeState(meeting, { running: null });
}

/** Notes are drafted; what comes between the two steps may also be the drop of it. */
export function draftPlayed(meeting: PlayedMeeting, words: string | null): void {
  if (meeting.now.state?.phase !== 'open') return;
  const at = timeOf(meeting);
  changeState(meeting, { drafting: at });
  tell(meeting, 'meeting.notes_drafting', { id: 'met', at });
  if (words === null) {
    changeState(meeting, { drafting: null });
    tell(meeting, 'meeting.notes_dropped', { id: 'met', reason: 'The hall stopped.' });
    return;
  }
  const draft: NotesDraft = { text: words, at, by: 'model', problem: null, turn: meeting.now.state.turn };
  changeState(meeting, { drafting: null, draft });
  tell(meeting, 'meeting.notes_drafted', { id: 'met', draft });
}

/** The hall is killed and starts again: a turn that had shown something is cut off, another one begins anew. */
export function crashPlayed(meeting: PlayedMeeting): void {
  const { stream } = meeting.now;
  if (stream === null) return;
  if (stream.text === '' && stream.tools.length === 0) {
    step(meeting, { stream: null });
    startTurn(meeting);
  } else {
    const retryless = { ...stream, retry: null };
    step(meeting, { stream: retryless });
    endPlayed(meeting, { type: 'error', reason: 'The hall stopped.', hint: 'Say "go on".' }, null, 'cut-off');
  }
}

export function renewPlayed(meeting: PlayedMeeting): void {
  const entry = { timestamp: timeOf(meeting), event: 'session_renewed', reason: `Session ${meeting.seconds} is over` };
  const { record } = meeting.now;
  step(meeting, { record: { ...record, log: [...record.log, entry] } });
  const facts = { id: 'met', oldSession: 'a', newSession: 'b', at: entry.timestamp, reason: entry.reason };
  tell(meeting, 'meeting.session_renewed', facts);
}

export function renamePlayed(meeting: PlayedMeeting, title: string): void {
  step(meeting, { record: { ...meeting.now.record, title } });
  tell(meeting, 'meeting.renamed', { id: 'met', title });
}

export function closePlayed(meeting: PlayedMeeting, outcome: 'merged' | 'kept' | 'merge_conflict' | 'stopped'): void {
  const { state } = meeting.now;
  if (state?.phase !== 'open') return;
  changeState(meeting, { phase: 'closing', drafting: null });
  tell(meeting, 'meeting.closing', { id: 'met' });
  endPlayed(meeting, { type: 'turn_end', interrupted: true }, null);
  leaveWaiting(meeting);
  if (outcome === 'stopped') {
    changeState(meeting, { phase: 'open' });
    tell(meeting, 'meeting.close_stopped', { id: 'met', status: 'open', secrets: 1 });
    return;
  }
  const usage = usageOfEntries(entriesOf(meeting.now));
  const isConflict = outcome === 'merge_conflict';
  const merge = { state: isConflict ? outcome : ('merged' as const), files: isConflict ? ['a.ts'] : [] };
  step(meeting, { record: { ...meeting.now.record, status: 'closed', merge, usage } });
  if (isConflict) {
    changeState(meeting, { phase: 'conflict', draft: null });
    tell(meeting, 'meeting.merge_conflict', { id: 'met', files: merge.files, branch: 'b' });
    return;
  }
  if (outcome === 'merged') step(meeting, { transcript: '' });
  step(meeting, { state: null });
  tell(meeting, 'meeting.closed', { id: 'met', merge, commit: 'c', transcriptKept: outcome === 'kept', usage });
}

function leaveWaiting(meeting: PlayedMeeting): void {
  const state = meeting.now.state!;
  const waiting = state.queue.map((message, index) => ({ ...message, turn: state.turn + index + 1 }));
  const left = [...(state.running ? [state.running] : []), ...waiting];
  for (const message of left) {
    const { turn, messageId, text, at } = message;
    if (entriesOf(meeting.now).every(({ mark }) => mark !== messageId)) appendQuestion(meeting, message);
    tell(meeting, 'meeting.message_unanswered', { turn, messageId, text, at });
  }
  if (left.length > 0) changeState(meeting, { queue: [], running: null, turn: left.at(-1)!.turn });
}

function entriesOf(snapshot: Snapshot) {
  return parseTranscript(snapshot.transcript).entries;
}

/** What `meeting.show` answers when it looks at the stream first, then at the record, the state and the transcript. */
export function viewOf(stream: Snapshot, record = stream, state = record, transcript = state): MeetingView {
  const entries = [...entriesOf(transcript)];
  const running = state.state?.running ?? null;
  const shown = stream.stream !== null && stream.stream.turn === running?.turn ? stream.stream : undefined;
  return {
    meeting: record.record,
    phase: state.state?.phase ?? null,
    worktree: null,
    recordFile: '/met.md',
    turns: entries,
    running: running === null ? null : { ...running, view: shown ?? emptyTurn(running.turn) },
    queue: [...(state.state?.queue ?? [])],
    changedFiles: [],
    artifacts: [],
    conflicts: [],
    draft: state.state?.draft ?? null,
    drafting: state.state?.drafting ?? null,
    isSandboxed: record.record.status === 'open' ? true : null,
    usage: entries.length === 0 ? record.record.usage : usageOfEntries(entries),
    cursor: `${epoch}.${stream.told}`,
  };
}
