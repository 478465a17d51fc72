/** What sessions are called before anybody names them. Pure. */
import { wellFormed } from '../../../kernel/pure/text.ts';

const maxTitle = 80;

/** One without words yet. */
export const newTitle = 'New session';

/** The first words of a text, on one line. */
export function titleFrom(text: string): string {
  const line = text
    .split('\n')
    .map((one) => one.replaceAll(/\p{Cc}+/gu, ' ').trim())
    .find((one) => /[\p{L}\p{N}]/u.test(one) && !one.startsWith('```'));
  const words = (line ?? '').replace(/^#+\s*/, '').replaceAll(/\s+/g, ' ');
  if (words === '') return newTitle;
  if (words.length <= maxTitle) return words;
  const cut = words.slice(0, maxTitle - 1);
  const end = cut.lastIndexOf(' ');
  return `${wellFormed(end > maxTitle / 2 ? cut.slice(0, end) : cut)}…`;
}
