/** What was said and told, as the lines of a document: the hall's messages taken apart, beats and seeds put together. Pure. */
import type { Message } from '../../../src/features/gatherings/contract.ts';

export type Line =
  | { readonly kind: 'words'; readonly key: string; readonly message: Message; readonly text: string }
  /** Words of the person as the host. */
  | { readonly kind: 'announcement'; readonly key: string; readonly message: Message; readonly text: string }
  /** A round begins, or the close. */
  | { readonly kind: 'banner'; readonly key: string; readonly title: string; readonly text: string }
  | { readonly kind: 'piece'; readonly key: string; readonly with: string; readonly message: Message }
  | { readonly kind: 'note'; readonly key: string; readonly text: string; readonly message: Message }
  /** Prompts for the holder alone, one after the other. */
  | { readonly kind: 'beats'; readonly key: string; readonly messages: readonly Message[] }
  | { readonly kind: 'seeds'; readonly key: string; readonly messages: readonly Message[] }
  /** The ask to the harvester. */
  | { readonly kind: 'ask'; readonly key: string; readonly message: Message; readonly text: string };

export function linesOf(messages: readonly Message[]): Line[] {
  const lines: Line[] = [];
  for (const message of messages) for (const line of linesOfMessage(message)) put(lines, line);
  return lines;
}

/** Of one kind that belongs together, one line. */
function put(lines: Line[], line: Line): void {
  const last = lines.at(-1);
  if (line.kind === 'beats' && last?.kind === 'beats' && isSameHolder(last.messages, line.messages)) {
    lines[lines.length - 1] = { ...last, messages: [...last.messages, ...line.messages] };
  } else if (line.kind === 'seeds' && last?.kind === 'seeds') {
    lines[lines.length - 1] = { ...last, messages: [...last.messages, ...line.messages] };
  } else {
    lines.push(line);
  }
}

function isSameHolder(some: readonly Message[], others: readonly Message[]): boolean {
  return some[0]?.to[0] === others[0]?.to[0];
}

function linesOfMessage(message: Message): Line[] {
  const { id, kind, text } = message;
  switch (kind) {
    case 'words':
    case 'opening':
      return [{ kind: 'words', key: id, message, text: withoutName(text) }];
    case 'announcement':
      return [{ kind: 'announcement', key: id, message, text: text.replace(/^\[guild-hall\][^\n]*\n\n/, '') }];
    case 'beat':
      return [{ kind: 'beats', key: id, messages: [message] }];
    case 'seed':
      return [{ kind: 'seeds', key: id, messages: [message] }];
    case 'harvest':
      return [{ kind: 'ask', key: id, message, text: withoutMark(text) }];
    default:
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line, nth) => hallLineOf(withoutMark(line), `${id}.${nth}`, message));
  }
}

function hallLineOf(text: string, key: string, message: Message): Line {
  const [, holder] = /^The piece is now with (.+)$/.exec(text) ?? [];
  if (holder !== undefined) return { kind: 'piece', key, with: holder, message };
  const [, title, rest] = /^((?:Inhale|Hold|Exhale), round \d+ of \d+)\.\s*(.*)$/.exec(text) ?? [];
  if (title !== undefined) return { kind: 'banner', key, title, text: rest ?? '' };
  const [, close] = /^The close: (.+)$/.exec(text) ?? [];
  if (close !== undefined) return { kind: 'banner', key, title: 'The close', text: capital(close) };
  return { kind: 'note', key, text, message };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The mark in front is for programs, which are to know whose line it is. */
function withoutMark(text: string): string {
  return text.replace(/^\[guild[- ]hall\]\s*/i, '');
}

/** Where the name stands before the words, it stands above them here. */
function withoutName(text: string): string {
  return text.replace(/^[^\n]{1,80} \(\d+\):\n\n/, '');
}
