/**
 * The lines between the hall and an agent's program: one JSON-RPC message each. Memory is bounded, what is no message is
 * counted and dropped, and session updates are handed over in the order in which they came, before any later answer.
 */
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

/** Longest line that is taken. Images in base64 have room. */
export const maxLineBytes = 32 * 1024 * 1024;
/** Lines that are no message, before the program counts as one that does not speak the protocol. */
const maxGarbageLines = 200;
/** Requests whose answers the program has not taken. */
const maxUnanswered = 1_000;

export interface WireListener {
  /** `bytes`: length of its line. */
  readonly onUpdate: (params: unknown, bytes: number) => void;
  /** The program has taken the answer to what it asked by that id. */
  readonly onAnswered: (id: unknown) => void;
  /** Called at each line that is no message. */
  readonly onGarbage: (line: string) => void;
  /** Nothing more is read. */
  readonly onFault: (message: string) => void;
}

interface Traffic {
  /** Ids of what the hall asked and has no answer to. */
  readonly asked: Set<unknown>;
  /** What the program asked and has not taken the answer to. */
  unanswered: number;
}

interface Lines {
  readonly parts: Buffer[];
  size: number;
  garbage: number;
}

/** The program's streams as the ones of an ACP connection, without its session updates. */
export function agentStream(stdout: Readable, stdin: Writable, listener: WireListener): Stream {
  const traffic: Traffic = { asked: new Set(), unanswered: 0 };
  return { readable: readableOf(stdout, traffic, listener), writable: writableOf(stdin, traffic, listener) };
}

function writableOf(stdin: Writable, traffic: Traffic, listener: WireListener): WritableStream<AnyMessage> {
  return new WritableStream<AnyMessage>({
    write: async (message) => {
      if ('method' in message && 'id' in message) traffic.asked.add(message.id);
      await new Promise<void>((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      });
      if ('method' in message) return;
      traffic.unanswered -= 1;
      listener.onAnswered((message as { id?: unknown }).id);
    },
  });
}

function readableOf(stdout: Readable, traffic: Traffic, listener: WireListener): ReadableStream<AnyMessage> {
  const chunks = stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const lines: Lines = { parts: [], size: 0, garbage: 0 };
  return new ReadableStream<AnyMessage>({
    pull: async (controller) => {
      for (;;) {
        const chunk = await nextChunk(chunks);
        if (chunk === undefined) {
          controller.close();
          return;
        }
        const given = takeChunk(lines, chunk, traffic, listener);
        if (given === 'fault') {
          stdout.destroy();
          controller.close();
          return;
        }
        for (const message of given) controller.enqueue(message);
        if (given.length > 0) return;
      }
    },
    cancel: () => {
      stdout.destroy();
    },
  });
}

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const step = await chunks.next();
    return step.done === true ? undefined : step.value;
  } catch {
    // Its stream broke off with its process, which is told by the end of that.
    return undefined;
  }
}

function takeChunk(lines: Lines, chunk: Buffer, traffic: Traffic, listener: WireListener): AnyMessage[] | 'fault' {
  const given: AnyMessage[] = [];
  let start = 0;
  for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
    const piece = chunk.subarray(start, end);
    start = end + 1;
    if (lines.size + piece.length > maxLineBytes) return tooLong(lines, listener);
    const line = Buffer.concat([...lines.parts.splice(0), piece]);
    lines.size = 0;
    const message = readMessage(lines, line, listener);
    if (message === 'fault') return 'fault';
    if (message !== undefined && isWanted(message, traffic)) given.push(message);
    if (traffic.unanswered > maxUnanswered) {
      listener.onFault(`it asks for more than ${maxUnanswered} things and takes no answers`);
      return 'fault';
    }
  }
  const rest = chunk.subarray(start);
  lines.parts.push(rest);
  lines.size += rest.length;
  return lines.size > maxLineBytes ? tooLong(lines, listener) : given;
}

function tooLong(lines: Lines, listener: WireListener): 'fault' {
  lines.parts.length = 0;
  listener.onFault(`it wrote a line of more than ${maxLineBytes / 1024 / 1024} MB`);
  return 'fault';
}

/** @returns undefined for what is handled already */
function readMessage(lines: Lines, line: Buffer, listener: WireListener): AnyMessage | 'fault' | undefined {
  const text = line.toString('utf8').trim();
  if (text === '') return undefined;
  const message = parse(text);
  if (message === undefined) {
    lines.garbage += 1;
    listener.onGarbage(text.slice(0, 300));
    if (lines.garbage <= maxGarbageLines) return undefined;
    listener.onFault(
      `it writes lines to its standard output that are no messages of the protocol, such as: ${text.slice(0, 120)}`,
    );
    return 'fault';
  }
  if ('method' in message && message.method === 'session/update') {
    listener.onUpdate((message as { params?: unknown }).params, line.length);
    return undefined;
  }
  return message;
}

function parse(text: string): AnyMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return (value as { jsonrpc?: unknown }).jsonrpc === '2.0' ? (value as AnyMessage) : undefined;
  } catch {
    // Not JSON: the caller counts it.
    return undefined;
  }
}

/** An answer to nothing that was asked says nothing. */
function isWanted(message: AnyMessage, traffic: Traffic): boolean {
  if (!('method' in message)) return traffic.asked.delete((message as { id?: unknown }).id);
  if ('id' in message) traffic.unanswered += 1;
  return true;
}
