/** A model that streams numbered words at a steady pace, set as people write: paragraphs, lists, code. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StreamModel {
  readonly url: string;
  /** When each word of an answer was handed to the network, by the word that was in the question. Milliseconds since 1970. */
  readonly sentAt: ReadonlyMap<string, readonly number[]>;
  close(): void;
}

export const now = (): number => performance.timeOrigin + performance.now();

/** @param words how many an answer has @param perSecond how many of them a second */
export async function startStreamModel(words: number, perSecond: number): Promise<StreamModel> {
  const sentAt = new Map<string, number[]>();
  const server = createServer((request, response) => {
    // A reader that went away in the middle ends its answer, and nothing else.
    answer(request, response).catch(() => response.destroy());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await bodyOf(request)) as { model: string; messages: unknown };
    const asked = JSON.stringify(body.messages)
      .match(/stream-[a-z0-9]+/g)
      ?.at(-1);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const send = (type: string, data: object): boolean =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = { id: `msg_${asked}`, type: 'message', role: 'assistant', model: body.model, content: [], usage };
    send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    const times: number[] = [];
    if (asked !== undefined) sentAt.set(asked, times);
    const begin = now();
    for (let nth = 0; nth < (asked === undefined ? 1 : words); nth += 1) {
      const early = begin + (nth * 1000) / perSecond - now();
      if (early > 1) await sleep(early);
      if (response.destroyed) return;
      times.push(now());
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: wordOf(nth) } });
    }
    send('content_block_stop', { index: 0 });
    send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
    send('message_stop', {});
    response.end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentAt,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Blocks of sixty words: three paragraphs, then a list, then code. */
function wordOf(nth: number): string {
  const block = Math.floor(nth / 60) % 5;
  const place = nth % 60;
  if (block === 4)
    return `${place === 0 ? '\n\n```ts\n' : ''}w${nth} ${place % 10 === 9 ? '\n' : ''}${place === 59 ? '\n```\n' : ''}`;
  if (block === 3) return `${place % 12 === 0 ? '\n- ' : ''}w${nth} `;
  return `${place === 0 ? '\n\n' : ''}${place % 15 === 7 ? `**w${nth}** ` : `w${nth} `}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8') || '{"model":"","messages":[]}';
}
