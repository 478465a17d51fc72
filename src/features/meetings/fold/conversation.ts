/**
 * What the page of a meeting shows of the talk. Pure; live, replayed and reloaded are the same: a view, with every
 * event after its cursor folded in, shows what a later view shows. Events that a view's files hold already, and events
 * up to its cursor, change nothing.
 */
import type {
  AnswerKept,
  MeetingEvents,
  MeetingRecord,
  MeetingView,
  MergeFacts,
  NotesDraft,
  QueuedMessage,
  RunningTurn,
  ToolCallView,
  TranscriptEntry,
  TurnEvent,
  TurnView,
  Usage,
} from '../contract.ts';
import { type HallEvent, parseCursor, printCursor } from '../../../kernel/pure/events.ts';
import { addUsage, emptyTurn, foldRetry, foldTurnEvent, withKept } from './turns.ts';

/** `unreadable`: the record's word is none of ours. `gone`: the opening failed and left nothing. */
export type ConversationStatus =
  | 'requested'
  | 'opening'
  | 'open'
  | 'closing'
  | 'closed'
  | 'declined'
  | 'unreadable'
  | 'gone';

export interface Answer {
  readonly text: string;
  readonly tools: readonly ToolCallView[];
  readonly state: TurnView['state'];
  readonly error: TurnView['error'];
  /** While it runs: the model failed in a passing way, and is asked again. */
  readonly retry: TurnView['retry'];
  /** When it ended; null while it runs. */
  readonly at: string | null;
  readonly usage: Usage | null;
}

export interface ConversationTurn {
  readonly turn: number;
  readonly question: QueuedMessage | null;
  /** null: the meeting was closed before it was answered. */
  readonly answer: Answer | null;
}

export interface Renewal {
  readonly at: string;
  readonly reason: string;
}

export interface Conversation {
  readonly id: string;
  readonly project: string;
  readonly title: string;
  readonly status: ConversationStatus;
  readonly merge: MergeFacts;
  /** Those that are over, in order. A turn that does not change stays the same object. */
  readonly turns: readonly ConversationTurn[];
  readonly running: RunningTurn | null;
  /** Messages that wait, in order. */
  readonly queue: readonly QueuedMessage[];
  /** Fresh sessions that went on unseen: quiet facts. */
  readonly renewals: readonly Renewal[];
  /** Of all answers that are over; null where nothing was counted. */
  readonly usage: Usage | null;
  /** Notes that were drafted for the close; `drafting`: since when others are being written. */
  readonly draft: NotesDraft | null;
  readonly drafting: string | null;
  /** Of the last event that is folded in. */
  readonly cursor: string;
}

/** What a view shows. */
export function conversationOf(view: MeetingView): Conversation {
  const { meeting } = view;
  const all = turnsOf(view.turns);
  const isOver = all.some(({ turn, answer }) => turn === view.running?.turn && answer !== null);
  const running = isOver ? null : view.running;
  const turns = all.filter(({ turn }) => turn !== running?.turn);
  const asked = new Set([...turns.map(({ question }) => question?.messageId), running?.messageId]);
  return {
    id: meeting.id,
    project: meeting.project,
    title: meeting.title,
    status: statusOf(meeting, view.phase),
    merge: meeting.merge,
    turns,
    running,
    queue: view.queue.filter(({ messageId }) => !asked.has(messageId)),
    renewals: meeting.log
      .filter(({ event }) => event === 'session_renewed')
      .map(({ timestamp, reason }) => ({ at: timestamp, reason })),
    usage: view.usage,
    draft: view.draft,
    drafting: view.drafting,
    cursor: view.cursor,
  };
}

function statusOf(meeting: MeetingRecord, phase: MeetingView['phase']): ConversationStatus {
  if (phase === 'opening' || phase === 'closing') return phase;
  return meeting.status ?? 'unreadable';
}

function turnsOf(entries: readonly TranscriptEntry[]): readonly ConversationTurn[] {
  const turns = new Map<number, ConversationTurn>();
  for (const entry of entries) {
    const known = turns.get(entry.turn) ?? { turn: entry.turn, question: null, answer: null };
    const { mark: messageId, text, at } = entry;
    const isQuestion = entry.speaker === 'user';
    turns.set(
      entry.turn,
      isQuestion ? { ...known, question: { messageId, text, at } } : { ...known, answer: answerOfEntry(entry) },
    );
  }
  return [...turns.values()];
}

function answerOfEntry(entry: TranscriptEntry): Answer {
  const { text, tools, mark, error, hint, at, usage } = entry;
  const state = mark === 'done' || mark === 'interrupted' || mark === 'failed' ? mark : 'cut-off';
  return {
    text,
    tools,
    state,
    error: error === null ? null : { reason: error, hint: hint ?? '' },
    retry: null,
    at,
    usage,
  };
}

/** All turns in order, the running one last with its answer so far. */
export function shownTurns(conversation: Conversation): readonly ConversationTurn[] {
  const { running, turns } = conversation;
  if (running === null) return turns;
  const { turn, messageId, text, at, view } = running;
  return [...turns, { turn, question: { messageId, text, at }, answer: answerOf(view, null) }];
}

function answerOf(view: TurnView, kept: Pick<AnswerKept, 'at' | 'usage'> | null): Answer {
  const { text, tools, state, error, retry } = view;
  return { text, tools, state, error, retry, at: kept?.at ?? null, usage: kept?.usage ?? null };
}

/** Adds one event of the hall's stream. What is not about this meeting gives the same object back. */
export function foldMeetingEvent(conversation: Conversation, event: HallEvent): Conversation {
  if (event.subject !== `meeting:${conversation.id}` || event.project !== conversation.project) return conversation;
  const seen = parseCursor(conversation.cursor);
  if (seen?.epoch === event.epoch && event.seq <= seen.seq) return conversation;
  const fold = folds[event.type as keyof MeetingEvents] as Fold<unknown> | undefined;
  const folded = fold === undefined ? conversation : fold(conversation, event.data, event);
  return { ...folded, cursor: printCursor(event) };
}

type Fold<Data> = (conversation: Conversation, data: Data, event: HallEvent) => Conversation;

const folds: { readonly [Type in keyof MeetingEvents]?: Fold<MeetingEvents[Type]> } = {
  'meeting.requested': (conversation) => ({ ...conversation, status: 'requested' }),
  'meeting.opening': (conversation) => ({ ...conversation, status: 'opening' }),
  'meeting.opened': (conversation) => ({ ...conversation, status: 'open' }),
  'meeting.opening_rolled_back': (conversation, { status }) => ({ ...conversation, status }),
  'meeting.declined': (conversation) => ({ ...conversation, status: 'declined' }),
  'meeting.closing': (conversation) => ({ ...conversation, status: 'closing', drafting: null }),
  'meeting.close_stopped': (conversation, { status }) => ({ ...conversation, status }),
  'meeting.closed': (conversation, { merge, transcriptKept, usage }) =>
    transcriptKept ? closed(conversation, merge) : withoutTalk(closed(conversation, merge), usage),
  'meeting.merge_conflict': (conversation, { files }) => closed(conversation, { state: 'merge_conflict', files }),
  'meeting.merge_dismissed': (conversation, { merge, usage }) => withoutTalk(closed(conversation, merge), usage),
  'meeting.renamed': (conversation, { title }) => ({ ...conversation, title }),
  'meeting.notes_drafting': (conversation, { at }) => ({ ...conversation, drafting: at }),
  'meeting.notes_drafted': (conversation, { draft }) => ({ ...conversation, draft, drafting: null }),
  'meeting.notes_dropped': (conversation) => ({ ...conversation, drafting: null }),
  'meeting.session_renewed': addRenewal,
  'meeting.message_queued': addMessage,
  'meeting.turn_started': startTurn,
  'meeting.agent_retry': (conversation, retry) =>
    changeRunning(conversation, retry.turn, (view) => foldRetry(view, retry)),
  'meeting.turn': addPiece,
  'meeting.message_unanswered': leaveUnanswered,
};

function closed(conversation: Conversation, merge: MergeFacts): Conversation {
  return { ...conversation, status: 'closed', merge, draft: null, drafting: null };
}

/** The transcript is gone: what was said is in the notes, and what it cost in the record. */
function withoutTalk(conversation: Conversation, usage: Usage | null): Conversation {
  return { ...conversation, turns: [], running: null, queue: [], usage };
}

function addRenewal(
  conversation: Conversation,
  { at, reason }: MeetingEvents['meeting.session_renewed'],
): Conversation {
  const isKnown = conversation.renewals.some((renewal) => renewal.at === at && renewal.reason === reason);
  return isKnown ? conversation : { ...conversation, renewals: [...conversation.renewals, { at, reason }] };
}

function addMessage(
  conversation: Conversation,
  { messageId, text, at }: MeetingEvents['meeting.message_queued'],
): Conversation {
  const { turns, running, queue } = conversation;
  const isKnown =
    running?.messageId === messageId ||
    queue.some((message) => message.messageId === messageId) ||
    turns.some(({ question }) => question?.messageId === messageId);
  return isKnown ? conversation : { ...conversation, queue: [...queue, { messageId, text, at }] };
}

function startTurn(conversation: Conversation, data: MeetingEvents['meeting.turn_started']): Conversation {
  const { turn, messageId, text, at, since } = data;
  if (conversation.turns.some((known) => known.turn === turn && known.answer !== null)) return conversation;
  return {
    ...conversation,
    turns: conversation.turns.filter((known) => known.turn !== turn),
    running: { turn, messageId, text, at, since, view: emptyTurn(turn) },
    queue: conversation.queue.filter((message) => message.messageId !== messageId),
  };
}

function changeRunning(conversation: Conversation, turn: number, change: (view: TurnView) => TurnView): Conversation {
  const { running } = conversation;
  if (running?.turn !== turn) return conversation;
  return { ...conversation, running: { ...running, view: change(running.view) } };
}

function addPiece(
  conversation: Conversation,
  { turn, event, kept }: MeetingEvents['meeting.turn'],
  { at }: HallEvent,
): Conversation {
  const { running } = conversation;
  if (running?.turn !== turn) return conversation;
  const view = foldTurnEvent(running.view, event);
  if (!isEnd(event)) return { ...conversation, running: { ...running, view } };
  const shown = kept ? withKept(view, kept) : view;
  const { messageId, text, at: saidAt } = running;
  const over = {
    turn,
    question: { messageId, text, at: saidAt },
    answer: answerOf(shown, kept ?? { at, usage: null }),
  };
  return {
    ...conversation,
    turns: inOrder(conversation.turns, over),
    running: null,
    usage: addUsage(conversation.usage, kept?.usage ?? null),
  };
}

function isEnd(event: TurnEvent): boolean {
  return event.type === 'turn_end' || event.type === 'error';
}

function leaveUnanswered(
  conversation: Conversation,
  { turn, messageId, text, at }: MeetingEvents['meeting.message_unanswered'],
): Conversation {
  const { turns, running, queue } = conversation;
  if (turns.some(({ question }) => question?.messageId === messageId)) return conversation;
  return {
    ...conversation,
    turns: inOrder(turns, { turn, question: { messageId, text, at }, answer: null }),
    running: running?.messageId === messageId ? null : running,
    queue: queue.filter((message) => message.messageId !== messageId),
  };
}

function inOrder(turns: readonly ConversationTurn[], added: ConversationTurn): readonly ConversationTurn[] {
  const after = turns.findIndex(({ turn }) => turn > added.turn);
  return after === -1 ? [...turns, added] : turns.toSpliced(after, 0, added);
}
