/** What a fresh agent is told of a session that was begun with another. Pure. */
import { wellFormed } from '../../../kernel/pure/text.ts';
import type { SessionMessage } from '../contract.ts';

/** Characters of one message, and of all. About 6,000 tokens. */
const messageLimit = 1500;
const summaryLimit = 24_000;

/** The newest messages up to a bound, in the order in which they were said; empty where nothing was. */
export function summaryFor(messages: readonly SessionMessage[]): string {
  const said = messages.flatMap((message) => {
    const text = wordsOf(message).trim();
    if (text === '') return [];
    return [`**${message.role === 'person' ? 'The person' : 'You'}:** ${shorten(text, messageLimit)}`];
  });
  const kept: string[] = [];
  let room = summaryLimit;
  for (const block of said.toReversed()) {
    room -= block.length;
    if (room < 0) break;
    kept.push(block);
  }
  if (kept.length === 0) return '';
  const left = said.length - kept.length;
  const mark = left === 0 ? [] : [`(${left} earlier messages are left out.)`];
  return [
    'The earlier session could not be continued, so this one is new to you. What was said in it, in short:',
    ...mark,
    ...kept.toReversed(),
    'Files may have changed since. The person goes on with:',
  ].join('\n\n');
}

function wordsOf(message: SessionMessage): string {
  if (message.role === 'person') return message.state === 'sent' ? message.text : '';
  return message.parts
    .map((part) => {
      if (part.type === 'text') return part.text;
      return part.type === 'tool' ? `(${part.name}: ${part.title})` : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

/** Its beginning and its end with a mark between. */
function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * 0.7);
  const left = text.length - limit;
  return wellFormed(`${text.slice(0, head)} … (${left} characters left out) … ${text.slice(head - limit)}`);
}
