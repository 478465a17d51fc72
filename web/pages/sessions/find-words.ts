/** Where words stand in what was said. Pure. */
import type { SessionInfo, SessionMessage } from '../../../src/features/sessions/contract.ts';

export interface Found {
  readonly session: SessionInfo;
  /** Who said it: `You`, or the agent's name. */
  readonly who: string;
  readonly at: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

interface Said {
  readonly session: SessionInfo;
  readonly messages: readonly SessionMessage[];
}

/** So much stands around a match. Characters. */
const around = 80;

/** The newest first; case does not count. One place a text. */
export function findIn(texts: readonly Said[], words: string, most: number): readonly Found[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return [];
  const found: Found[] = [];
  for (const { session, messages } of texts) {
    for (const message of messages.toReversed()) {
      for (const text of textsOf(message)) {
        const at = text.toLowerCase().indexOf(wanted);
        if (at === -1) continue;
        const who = message.role === 'person' ? 'You' : session.agent;
        found.push({ session, who, at: message.at, ...cutAround(text, at, wanted.length) });
        if (found.length >= most) return found;
      }
    }
  }
  return found;
}

function textsOf(message: SessionMessage): readonly string[] {
  if (message.role === 'person') return message.state === 'withdrawn' ? [] : [message.text];
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
}

function cutAround(text: string, at: number, length: number): Pick<Found, 'before' | 'match' | 'after'> {
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + length + around);
  return {
    before: `${start > 0 ? '… ' : ''}${oneLine(text.slice(start, at))}`,
    match: text.slice(at, at + length),
    after: `${oneLine(text.slice(at + length, end))}${end < text.length ? ' …' : ''}`,
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
