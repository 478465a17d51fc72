/** A browser as a hall sees it: requests with exactly the headers that one sends, and signing in. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { SignInLink } from '../../src/features/signins/contract.ts';
import type { HallClient } from '../../src/interfaces/cli/client.ts';

export interface Sent {
  readonly method?: string;
  /** As it is, unlike with `fetch`: nothing is made shorter or encoded. */
  readonly path: string;
  /** Undefined: that header is not sent. `host` may be any. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body as JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** One request over a real connection. */
export async function ask(url: string, { method = 'GET', path, headers = {}, body }: Sent): Promise<Answered> {
  const response = await answerOf(url, { method, path, headers, ...(body === undefined ? {} : { body }) });
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const whole = Buffer.concat(parts);
  const isJson = String(response.headers['content-type']).includes('json') && whole.length > 0;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: whole,
    json: isJson ? (JSON.parse(whole.toString('utf8')) as Record<string, unknown>) : {},
  };
}

/** The same, with the body still to be read: for streams. */
export async function answerOf(
  url: string,
  { method = 'GET', path, headers = {}, body }: Sent,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const hasNoHost = 'host' in headers && headers['host'] === undefined;
  const sent = request({
    hostname,
    port,
    method,
    path,
    headers: Object.fromEntries(given),
    setHost: !hasNoHost,
    agent: false,
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** What stands behind the `#` of a new link. */
export async function newSecret({ client }: { readonly client: HallClient }): Promise<string> {
  const { url } = (await client.call('signin.link', {})) as SignInLink;
  return new URL(url).hash.slice(1);
}

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The headers of a change that a page of `origin` sends to where it came from. */
export function pageHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    host: new URL(origin).host,
    origin,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'sec-fetch-dest': 'empty',
    'user-agent': firefox,
    'content-type': 'application/json',
  };
}

/** Posts the secret of a link, as the page at `origin` does. */
export async function postSecret(url: string, secret: string, origin: string = url): Promise<Answered> {
  const body = JSON.stringify({ secret });
  return await ask(url, { method: 'POST', path: '/api/sign-in', headers: pageHeaders(origin), body });
}

export interface SignedIn {
  readonly id: string;
  readonly token: string;
  readonly origin: string;
  /** What the page at that origin sends with each change. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A browser that is signed in. @param origin where: the hall's `url`, or the same port at `localhost` */
export async function signIn(
  hall: { readonly url: string; readonly client: HallClient },
  origin: string = hall.url,
): Promise<SignedIn> {
  const { status, json } = await postSecret(hall.url, await newSecret(hall), origin);
  if (status !== 200) throw new Error(`The sign-in was refused: ${JSON.stringify(json)}`);
  const { id, token } = json as { id: string; token: string };
  return { id, token, origin, headers: { ...pageHeaders(origin), authorization: `Bearer ${token}` } };
}
