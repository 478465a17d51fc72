/** What a line means that the person types in a gathering: words, or one of few commands. */
import { nearestOf } from '../../kernel/pure/nearest.ts';

export type Typed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'host'; readonly text: string }
  | { readonly kind: 'pass'; readonly to: string | undefined }
  | { readonly kind: 'end' }
  | { readonly kind: 'status' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'help' }
  /** In words for the person. */
  | { readonly kind: 'doubt'; readonly message: string };

const commands = ['/pass', '/host', '/end', '/status', '/leave', '/help'] as const;

export const commandHelp = [
  'What you type is said: with the piece to all at once, without it in your next turn. A line "I pass" passes.',
  '  /pass [name]  passes the piece on',
  '  /host <text>  tells it to all at once, as the host',
  '  /status       shows the circle',
  '  /end          ends the gathering; the harvester is asked for the harvest of what there is',
  '  /leave        leaves (Ctrl-C, too); the gathering goes on',
].join('\n');

/** A path or a slash within words is no command: only a lone word of letters after the slash is. */
export function readTyped(line: string): Typed {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  const [, word, rest = ''] = /^(\/[a-z]+)(?:\s+([\s\S]*))?$/i.exec(text) ?? [];
  if (word === undefined) return { kind: 'say', text };
  const given = rest.trim();
  switch (word.toLowerCase()) {
    case '/pass':
      return { kind: 'pass', to: given === '' ? undefined : given.replace(/^to\s+/i, '') };
    case '/host':
      return given === ''
        ? { kind: 'doubt', message: 'Type what the host says: /host <text>' }
        : { kind: 'host', text: given };
    case '/end':
      return { kind: 'end' };
    case '/status':
      return { kind: 'status' };
    case '/leave':
    case '/quit':
    case '/exit':
      return { kind: 'leave' };
    case '/help':
      return { kind: 'help' };
    default:
      return { kind: 'doubt', message: doubtAbout(word) };
  }
}

function doubtAbout(word: string): string {
  const near = nearestOf(word.toLowerCase(), commands);
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${word} is no command here.${meant} Nothing was said. Which there are: /help`;
}
