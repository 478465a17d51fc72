/** The command line's way to the hall: finds the running one of a home, calls operations, follows events. */
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isSameProcess, processIdentitySchema } from '../../kernel/processes/identity.ts';
import { errorTable, fail, HallError, type ErrorCode } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import { readServerEvents } from '../../kernel/events/server-events.ts';

/** What a running hall writes to `<home>/state/hall.json`. */
export const hallRecordSchema = z.object({
  version: z.literal(1),
  identity: processIdentitySchema,
  url: z.string(),
  hallVersion: z.string(),
  startedAt: z.string(),
});
export type HallRecord = z.infer<typeof hallRecordSchema>;

export interface HallClient {
  readonly url: string;
  /** @throws HallError as the hall gave it; `unavailable` when the hall went away */
  call(operation: string, input: unknown, signal?: AbortSignal): Promise<unknown>;
  /**
   * Events of a subject after a cursor, over broken connections, until the reader leaves.
   * @throws HallError `unavailable` when the hall is gone
   */
  events(options: { subject?: string; after: string; signal: AbortSignal }): AsyncGenerator<HallEvent>;
}

/** Where the hall of `home` is, or undefined when none runs. A record that a killed hall left does not count. */
export async function findHall(home: string): Promise<HallRecord | undefined> {
  const text = await textOf(join(home, 'state', 'hall.json'));
  if (text === undefined) return undefined;
  const given = parsedOrNothing(text) as { version?: unknown } | undefined;
  if (typeof given?.version === 'number' && given.version > 1) {
    throw fail(
      'conflict',
      `${join(home, 'state', 'hall.json')} was written by a newer version of the program.`,
      'Use the newer program on this home, or stop its hall first; see docs/guide.md#upgrade',
    );
  }
  const record = hallRecordSchema.safeParse(given);
  if (!record.success) return undefined;
  // The port of a dead hall may be somebody else's by now, who must not be handed the token.
  return (await isSameProcess(record.data.identity)) ? record.data : undefined;
}

/** @throws HallError `unavailable` when no hall runs on this home */
export async function connectHall(home: string): Promise<HallClient> {
  const record = await findHall(home);
  const token = (await textOf(join(home, 'token')))?.trim();
  if (!record || !token) throw notRunning(home);
  return createClient(home, record.url, token);
}

export function createClient(home: string, url: string, token: string): HallClient {
  const reach: Reach = { home, url, token };
  return {
    url,
    call: (operation, input, signal) => callHall(reach, operation, input, signal),
    events: (options) => followEvents(reach, options),
  };
}

export function notRunning(home: string): HallError {
  return fail('unavailable', `No hall is running on ${home}.`, 'guild-hall up --detach');
}

interface Reach {
  readonly home: string;
  readonly url: string;
  readonly token: string;
}

async function callHall(reach: Reach, operation: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const send = async (): Promise<Answer> => await post(reach, operation, input, signal);
  let answer = await send();
  // Only the door itself says when to come back: nothing was done, and a script that hurries is slowed down.
  for (let seconds = retryAfter(answer); seconds !== undefined; seconds = retryAfter(answer)) {
    await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
    answer = await send();
  }
  const { status, text } = answer;
  const body = parsedOrNothing(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw errorOf(status, body, text);
}

interface Answer {
  readonly status: number;
  /** Of the header of that name. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

function retryAfter({ status, retryAfter: seconds }: Answer): number | undefined {
  return status === errorTable.limit.http && seconds !== undefined ? Number(seconds) : undefined;
}

/** Waits as long as the operation takes: `fetch` gives up after five minutes, and a check before a merge may take longer. */
async function post(reach: Reach, operation: string, input: unknown, signal?: AbortSignal): Promise<Answer> {
  const body = JSON.stringify(input);
  const headers = {
    authorization: `Bearer ${reach.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // No socket of before: the hall may have been started anew since, and nobody could say whether it heard the call.
      const options = { method: 'POST', headers, agent: false, ...(signal === undefined ? {} : { signal }) };
      httpRequest(`${reach.url}/api/${operation.replace('.', '/')}`, options, resolve)
        .on('error', reject)
        .end(body);
    });
    const text = Buffer.concat(await response.toArray()).toString('utf8');
    return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
  } catch (error) {
    throw await whyAway(reach, error, signal);
  }
}

async function* followEvents(
  reach: Reach,
  options: { subject?: string; after: string; signal: AbortSignal },
): AsyncGenerator<HallEvent> {
  let { after } = options;
  const subject = options.subject === undefined ? '' : `&subject=${encodeURIComponent(options.subject)}`;
  while (!options.signal.aborted) {
    const path = `/api/events?after=${encodeURIComponent(after)}${subject}`;
    const response = await request(reach, path, { signal: options.signal });
    if (!response.ok || !response.body) {
      const text = await response.text();
      throw errorOf(response.status, parsedOrNothing(text), text);
    }
    try {
      for await (const event of readServerEvents(response.body)) {
        if (event.id !== undefined) after = event.id;
        const value = event.data === '' ? undefined : (parsedOrNothing(event.data) as HallEvent | undefined);
        if (value?.seq !== undefined) yield value;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      // The connection broke. Asking again from the last cursor either goes on or says that the hall is gone.
      if (error instanceof HallError) throw error;
    }
  }
}

async function request(reach: Reach, path: string, init: RequestInit): Promise<Response> {
  try {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${reach.token}` };
    return await fetch(`${reach.url}${path}`, { ...init, headers });
  } catch (error) {
    throw await whyAway(reach, error, init.signal ?? undefined);
  }
}

/** @returns what to throw when the hall could not be reached */
async function whyAway(reach: Reach, error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal?.aborted) return signal.reason;
  if (!(await findHall(reach.home))) return notRunning(reach.home);
  return fail('unavailable', `The hall at ${reach.url} does not answer.`, 'guild-hall logs', undefined, error);
}

const saidByHall = new WeakSet<object>();

/** Whether the hall itself gave this error as its answer: then it is there, whatever it cannot do. */
export function isAnswer(error: HallError): boolean {
  return saidByHall.has(error);
}

function errorOf(status: number, body: unknown, text: string): HallError {
  const problem = problemSchema.safeParse(body);
  if (problem.success) {
    const { code, detail, hint, details } = problem.data;
    const answered = fail(code, detail, hint, details);
    saidByHall.add(answered);
    return answered;
  }
  const said = text.slice(0, 120);
  return fail('internal', `The hall answered ${status} with something unexpected: ${said}`, 'guild-hall logs');
}

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

const problemSchema = z.object({
  code: z.enum(codes),
  detail: z.string(),
  hint: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fail('forbidden', `${path} cannot be read: ${(error as Error).message}`, 'Check its owner and permissions.');
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: whoever asked says what that means.
    return undefined;
  }
}
