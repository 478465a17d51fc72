/** Where a conversation lies in the home. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import { type Conversation, type ConversationId, conversationIdSchema, conversationSchema } from '../contract.ts';

type PlaceContext = Pick<ConfigContext, 'home'>;

function conversationsFolder(ctx: PlaceContext): string {
  return join(ctx.home.state, 'conversations');
}

function conversationFolder(ctx: PlaceContext, id: ConversationId): string {
  return join(conversationsFolder(ctx), id);
}

export function messagesPath(ctx: PlaceContext, id: ConversationId): string {
  return join(conversationFolder(ctx, id), 'messages.jsonl');
}

/** When it is there, the conversation is. */
export function conversationFile(ctx: PlaceContext, id: ConversationId): StateFile<Conversation> {
  const path = join(conversationFolder(ctx, id), 'conversation.json');
  return stateFile({ path, schema: conversationSchema, version: 1 });
}

/** Of folders with the name of one, whatever is in them. */
export async function conversationIds(ctx: PlaceContext): Promise<ConversationId[]> {
  try {
    const entries = await readdir(conversationsFolder(ctx), { withFileTypes: true });
    return entries.flatMap((entry) => {
      const id = conversationIdSchema.safeParse(entry.name);
      return entry.isDirectory() && id.success ? [id.data] : [];
    });
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

export async function removeConversation(ctx: PlaceContext, id: ConversationId): Promise<void> {
  await rm(conversationFolder(ctx, id), { recursive: true, force: true });
}
