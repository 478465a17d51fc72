/** Drafts as the person sees and edits them at REVIEW, and what becomes of them. */
import type { CouncilDrafts, CouncilSession } from '../contract.ts';

/** Names of the drafts in the order in which they are asked about: `action-items`, `memory:<agent>`…, `notes`. */
export function draftNames(drafts: CouncilDrafts): string[] {
  return ['action-items', ...drafts.memory.map(({ agent }) => `memory:${agent}`), 'notes'];
}

/** One draft as text: what would be written, in a form that can be edited. */
export function printDraft(_session: CouncilSession, draft: string): string {
  return draft;
}

/**
 * The drafts with one of them replaced by what the person made of its text.
 * @throws `invalid` that says which line cannot be read and what was expected
 */
export function parseDraft(session: CouncilSession, _draft: string, _text: string): CouncilDrafts {
  return session.drafts!;
}
