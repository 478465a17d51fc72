/**
 * What the page of a conversation shows. Pure; live, replayed and reloaded are the same: a view, with every event after
 * its cursor folded in, shows what a later view shows. Events up to its cursor, and what it holds already, change nothing.
 */
import { type HallEvent, parseCursor, printCursor } from '../../../kernel/pure/events.ts';
import {
  type Conversation,
  type ConversationEvents,
  type ConversationView,
  type Message,
  mostMessages,
} from '../contract.ts';
import { usedTurns } from '../rules/conversation.ts';

/** Adds one event of the hall's stream. What is not about this conversation gives the same object back. */
export function foldConversationEvent(view: ConversationView, event: HallEvent): ConversationView {
  if (event.subject !== `conversation:${view.conversation.id}`) return view;
  const seen = parseCursor(view.cursor);
  if (seen?.epoch === event.epoch && event.seq <= seen.seq) return view;
  const fold = folds[event.type as keyof ConversationEvents] as Fold<unknown> | undefined;
  const folded = fold === undefined ? view : fold(view, event.data);
  return { ...folded, cursor: printCursor(event) };
}

type Fold<Data> = (view: ConversationView, data: Data) => ConversationView;

const folds: { readonly [Type in keyof ConversationEvents]?: Fold<ConversationEvents[Type]> } = {
  'conversation.message': (view, { message }) => withMessages(view, [...others(view, message.id), message]),
  'conversation.released': (view, { messages }) =>
    withMessages(
      view,
      view.messages.map((message) => (messages.includes(message.id) ? { ...message, fate: 'sent' } : message)),
    ),
  'conversation.receipt': (view, { message: id, to, receipt }) => ({
    ...view,
    messages: view.messages.map((message) =>
      message.id === id
        ? { ...message, receipts: [...message.receipts.filter((each) => each.to !== to), { to, receipt }] }
        : message,
    ),
  }),
  'conversation.paused': changed,
  'conversation.extended': changed,
  'conversation.ended': changed,
};

function others({ messages }: ConversationView, id: string): readonly Message[] {
  return messages.filter((message) => message.id !== id);
}

function withMessages(view: ConversationView, all: readonly Message[]): ConversationView {
  const messages = all.toSorted((one, other) => one.number - other.number);
  const shown = messages.slice(-mostMessages);
  const earlier = view.earlier + messages.length - shown.length;
  return { ...view, messages: shown, earlier, used: usedTurns(view.conversation, shown) };
}

function changed(view: ConversationView, { conversation }: { readonly conversation: Conversation }): ConversationView {
  const next = { ...view, conversation, allowed: allowedIn(conversation) };
  return withMessages(next, view.messages);
}

/** What the person may do with it. */
export function allowedIn({ state }: Conversation): ConversationView['allowed'] {
  return state === 'ended' ? [] : ['extend', 'end'];
}
