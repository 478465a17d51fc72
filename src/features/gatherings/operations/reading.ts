/** Looking at conversations. */
import { printCursor } from '../../../kernel/pure/events.ts';
import type { Caller } from '../../../kernel/operations/operations.ts';
import type { GatheringsContext } from '../context.ts';
import {
  type Conversation,
  type ConversationList,
  type ConversationRow,
  type ConversationView,
  mostMessages,
} from '../contract.ts';
import { allowedIn } from '../fold/conversation.ts';
import { shownMessage } from '../reactions/advance.ts';
import { openMessageLog } from '../relay/message-log.ts';
import { type KeptMessage, usedTurns } from '../rules/conversation.ts';
import { messagesPath } from '../store/place.ts';
import { chooseConversation } from './choosing.ts';

export async function listConversations(
  ctx: GatheringsContext,
  { project, state }: { readonly project?: string | undefined; readonly state?: Conversation['state'] | undefined },
): Promise<ConversationList> {
  const wanted = [...ctx.conversations.known.values()].filter(
    (each) => (project === undefined || each.project === project) && (state === undefined || each.state === state),
  );
  const rows = await Promise.all(wanted.map(async (record) => rowOf(ctx, record)));
  const isOver = (row: ConversationRow): number => (row.state === 'ended' ? 1 : 0);
  rows.sort((one, other) => isOver(one) - isOver(other) || (one.lastAt < other.lastAt ? 1 : -1));
  return { conversations: rows };
}

/** Of one that is over nothing changes any more: its file is read once. */
async function rowOf(ctx: GatheringsContext, record: Conversation): Promise<ConversationRow> {
  const { rows, live } = ctx.conversations;
  const known = rows.get(record.id);
  if (known !== undefined) return known;
  const isOver = record.state === 'ended' && !live.has(record.id);
  const row = await readRow(ctx, record);
  if (isOver) rows.set(record.id, row);
  return row;
}

async function readRow(ctx: GatheringsContext, record: Conversation): Promise<ConversationRow> {
  const messages = await readMessages(ctx, record);
  const times = [record.startedAt, messages.at(-1)?.at, record.pause?.at, record.end?.at];
  const lastAt = times.reduce<string>((last, at) => (at !== undefined && at > last ? at : last), '');
  return { ...record, messages: messages.length, lastAt };
}

/** Of one that has ended they are in its file. */
async function readMessages(ctx: GatheringsContext, { id }: Conversation): Promise<KeptMessage[]> {
  const live = ctx.conversations.live.get(id);
  const { messages } = live?.relay.log ?? (await openMessageLog(ctx, messagesPath(ctx, id)));
  return [...messages.values()];
}

export async function showConversation(
  ctx: GatheringsContext,
  caller: Caller,
  given: string,
): Promise<ConversationView> {
  const { id } = chooseConversation(ctx, caller, given);
  // Taken before anything is read: what happens meanwhile is told twice rather than never.
  const cursor = printCursor(ctx.events.cursor());
  const messages = await readMessages(ctx, ctx.conversations.known.get(id)!);
  const conversation = ctx.conversations.known.get(id)!;
  const shown = messages.slice(-mostMessages);
  return {
    conversation,
    messages: shown.map(shownMessage),
    earlier: messages.length - shown.length,
    used: usedTurns(conversation, shown),
    allowed: allowedIn(conversation),
    cursor,
  };
}
