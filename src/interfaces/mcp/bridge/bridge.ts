/**
 * Passes JSON-RPC between standard input and output and the hall's MCP door, for clients that start a program in place
 * of opening an address. One message a line. Only messages of the protocol are written.
 */
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { createLink, type Link, type LinkParts, wentAway } from './link.ts';
import {
  answeredIdOf,
  cancelledIdOf,
  errorMessage,
  type Message,
  type MessageId,
  parsedOrNothing,
  requestIdOf,
} from './messages.ts';

export interface BridgeParts extends Pick<LinkParts, 'reach' | 'sleep'> {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one line of the protocol, with its end. */
  readonly write: (line: string) => void;
  /** Says something to whoever reads the errors of the program. */
  readonly complain: (text: string) => void;
}

/** Longest line that is taken: the most that the hall takes, and room for how JSON writes it. Characters. */
const maxLine = 8 * 1024 * 1024;
/** How long calls may go on when the input has ended. Milliseconds. */
const lastCallsMs = 2000;
const leaveMs = 500;

interface Bridge {
  readonly parts: BridgeParts;
  readonly link: Link;
  /** Requests that are not answered yet. */
  readonly open: Set<MessageId>;
  readonly running: Set<Promise<void>>;
}

/** Resolves when the input has ended. */
export async function runBridge(parts: BridgeParts): Promise<void> {
  const ending = new AbortController();
  const open = new Set<MessageId>();
  const deliver = (message: Message): void => {
    const id = answeredIdOf(message);
    if (id !== undefined) open.delete(id);
    parts.write(`${JSON.stringify(message)}\n`);
  };
  const link = createLink({ ...parts, deliver, ending: ending.signal });
  const bridge: Bridge = { parts, link, open, running: new Set() };
  for await (const line of linesOf(parts.input)) take(bridge, line);
  await allWithin(parts, bridge.running, lastCallsMs);
  ending.abort(
    fail(
      'unavailable',
      'The input ended before the hall answered; whether it was done is not known.',
      'Look before you repeat it.',
    ),
  );
  await allWithin(parts, bridge.running, leaveMs);
  await link.leave(AbortSignal.timeout(leaveMs));
}

/** What takes longer is not waited for: a hall that is being started may. */
async function allWithin({ sleep }: BridgeParts, running: Iterable<Promise<void>>, ms: number): Promise<void> {
  const enough = new AbortController();
  const late = sleep(ms, enough.signal).catch(() => {
    // Aborted, because all of it came in time.
  });
  await Promise.race([Promise.all(running), late]);
  enough.abort();
}

function take(bridge: Bridge, line: string | undefined): void {
  const message = line === undefined ? undefined : parsedOrNothing(line);
  if (message === null || typeof message !== 'object' || Array.isArray(message)) {
    const why = line === undefined ? `A line is longer than ${maxLine} characters.` : 'A line is no JSON object.';
    const error = fail('invalid', why, 'Send one JSON-RPC message a line.');
    return bridge.parts.write(`${JSON.stringify(errorMessage(null, error))}\n`);
  }
  const work = pass(bridge, message as Message).finally(() => bridge.running.delete(work));
  bridge.running.add(work);
  return undefined;
}

/** Never throws: what fails is answered, or said. */
async function pass({ parts, link, open }: Bridge, message: Message): Promise<void> {
  const id = requestIdOf(message);
  if (id !== undefined) open.add(id);
  const cancelled = cancelledIdOf(message);
  if (cancelled !== undefined) open.delete(cancelled);
  const answer = (error: unknown): void => {
    if (id === undefined || !open.delete(id)) return;
    parts.write(`${JSON.stringify(errorMessage(id, error))}\n`);
  };
  try {
    await link.send(message);
    answer(wentAway());
  } catch (error) {
    const { message: what, hint } = errorFactsOf(error);
    parts.complain(`${what} ${hint}\n`);
    answer(error);
  }
}

/** Lines that are not empty; undefined for one that is too long. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of input) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (isTooLong || line.length > maxLine) yield undefined;
      else if (line.trim() !== '') yield line;
      isTooLong = false;
    }
    if (rest.length > maxLine) {
      isTooLong = true;
      rest = '';
    }
  }
  if (isTooLong) yield undefined;
  else if (rest.trim() !== '') yield rest;
}
