/** What the address of a conversation says: whether the terminals are shown beside it. Pure. */
export interface ConversationSearch {
  readonly live?: true | undefined;
}

export function readConversationSearch({ live }: Record<string, unknown>): ConversationSearch {
  return live === true ? { live } : {};
}
