/** Short forms of a conversation. Pure: entries in, Markdown out. */
import type { TranscriptEntry } from './contract.ts';

/** Characters of one entry, and of a whole summary, that a fresh session is told. About 6,000 tokens in all. */
const entryLimit = 1500;
const summaryLimit = 24_000;

/**
 * What a fresh session is told of the earlier conversation: the newest turns in full up to a bound, older ones by
 * their questions. One huge turn cannot push the others out.
 */
export function summariseForRenewal(entries: readonly TranscriptEntry[]): string {
  const blocks: string[] = [];
  let room = summaryLimit;
  for (const entry of entries.toReversed()) {
    const speaker = entry.speaker === 'user' ? 'The person' : 'You';
    const block = `**${speaker}, turn ${entry.turn}:** ${shorten(entry.text, entryLimit)}`;
    if (block.length > room) {
      blocks.push(`(${entries.length - blocks.length} earlier entries are left out.)`);
      break;
    }
    room -= block.length;
    blocks.push(block);
  }
  return blocks.reverse().join('\n\n');
}

/** The text itself, or its beginning and its end with a mark between. At most about `limit` characters. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * 0.7);
  const tail = limit - head;
  return `${cut(text.slice(0, head))} … (${text.length - limit} characters left out) … ${cut(text.slice(-tail))}`;
}

/** Without halves of a surrogate pair at its ends. */
function cut(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * The first sentence of a text that says something: no heading (a line that is all bold is one), no code, no quote, no
 * list mark. A lead-in that ends with a colon brings what it leads to. At most `limit` characters.
 */
export function firstSentence(text: string, limit = 220): string {
  const prose = text
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^(?:[-*]|\d+\.)\s+/, ''))
    .filter((line) => line !== '' && !/^(?:#|>|\||---)/.test(line) && !/^(?:`[^`]*`|\*\*[^*]+\*\*)$/.test(line));
  const plain = (prose.length === 0 ? text.trim() : joinLeadIn(prose)).replaceAll(/\s+/g, ' ');
  const sentence = /^.{20,}?[.?!](?=\s|$)/.exec(plain)?.[0] ?? plain;
  const short = sentence.length <= limit ? sentence : `${cut(sentence.slice(0, limit - 1)).trimEnd()}…`;
  return short.lastIndexOf('“') > short.lastIndexOf('”') ? `${short}”` : short;
}

function joinLeadIn(lines: readonly string[]): string {
  const end = lines.findIndex((line) => !line.endsWith(':'));
  return lines.slice(0, end === -1 ? lines.length : end + 1).join(' ');
}
