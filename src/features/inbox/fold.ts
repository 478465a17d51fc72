/** How what waits is counted, by the hall and by every screen. Pure. */
import type { InboxItem, InboxKind } from './contract.ts';

/** What waits for the person's word and is counted by that; a problem only waits to be mended. */
export function isAsked({ kind }: Pick<InboxItem, 'kind'>): boolean {
  return kind !== 'problem';
}

/** Of the number of each kind, the number that stands beside the word Inbox. */
export function sumAsked(counts: Readonly<Partial<Record<InboxKind, number>>>): number {
  const kinds = Object.keys(counts) as InboxKind[];
  return kinds.reduce((sum, kind) => (isAsked({ kind }) ? sum + (counts[kind] ?? 0) : sum), 0);
}
