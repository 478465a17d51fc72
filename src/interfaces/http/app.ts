/**
 * The HTTP face: every operation at `/api/<noun>/<verb>`, the event stream at `/api/events`, other paths by an alias
 * table that is handed in. It knows no feature.
 */
import { type Context, Hono } from 'hono';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import { callOperation, type BoundOperation, type OperationRegistry } from '../../kernel/operations/operations.ts';
import { fieldsOf, valueOfWords } from '../../kernel/operations/fields.ts';
import { errorFactsOf, fail, HallError, type ErrorFacts } from '../../kernel/pure/errors.ts';
import { didYouMean } from '../../kernel/pure/nearest.ts';
import type { Admission, AdmissionOf, RequestPlace } from './admission.ts';
import { readJsonBody } from './body.ts';
import { eventResponse } from './event-response.ts';
import { bearerTokenOf, missingToken, refusalOfPlace } from './guard.ts';
import { createLimits, type Limits } from './limits.ts';
import { answerPage } from './pages.ts';
import { problemResponse } from './problems.ts';
import { answerSignIn, type BrowserDoor } from './sign-in.ts';
import { createStreams, type Streams } from './streams.ts';
import { answerTicket, type Tickets } from './tickets.ts';
import { answerTools, type ToolDoor } from './tool-door.ts';

/** A path of its own for an operation. Parameters of the path (`:id`) become input fields of that name. */
export interface RouteAlias {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Like `/things/:id/parts`. */
  readonly path: string;
  readonly operation: string;
}

export interface HttpFace {
  readonly registry: OperationRegistry;
  readonly aliases: readonly RouteAlias[];
  readonly admissionOf: AdmissionOf;
  /** What `/openapi.json` answers. */
  readonly openApi: () => object;
  /** The port that the hall is bound to. */
  readonly port: () => number;
  /** Milliseconds between two signs of life on a quiet event stream. */
  readonly heartbeatMs?: number;
  readonly maxBodyBytes?: number;
  /** Shared with the other doors; left out: the usual ones, for this face alone. */
  readonly limits?: Limits;
  readonly streams?: Streams;
  /** Left out: there is no door that needs tickets. */
  readonly tickets?: Tickets;
  /** Left out: there are no pages, and no browser signs in. */
  readonly browser?: BrowserDoor;
  /** Left out: nothing is at `/mcp`. */
  readonly tools?: ToolDoor;
}

type OpenFace = HttpFace & Required<Pick<HttpFace, 'limits' | 'streams'>>;

export type HttpContext = ClockContext & LogContext & EventsContext;

type Env = { Variables: { admission: Admission } };
type Call = Context<Env>;

const defaultMaxBody = 2 * 1024 * 1024;
const defaultHeartbeatMs = 15_000;

export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** @returns the app; `app.fetch` serves it, `app.request` tests it */
export function createApp(ctx: HttpContext, given: HttpFace): Hono<Env> {
  const face: OpenFace = { limits: createLimits(ctx), streams: createStreams(), ...given };
  const app = new Hono<Env>();
  app.onError((error, call) => answerError(ctx, call, error));
  app.notFound((call) => problemResponse(errorFactsOf(unknownPath(face, call.req.path))));
  app.use(async (call, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!call.res.headers.has(name)) call.res.headers.set(name, value);
    }
  });
  app.use((call, next) => requirePlace(face, call, next));
  if (face.browser) openToBrowsers(app, face.browser);
  // Whatever stands above this line is public.
  app.use((call, next) => admit(face, call, next));
  app.get('/api/events', (call) => streamEvents(ctx, face, call));
  const { tickets, tools } = face;
  if (tickets) app.post('/api/ticket', (call) => giveTicket(face, tickets, call));
  if (tools) app.all('/mcp', (call) => callTools(face, tools, call));
  app.get('/openapi.json', (call) => {
    requirePerson(call);
    return call.json(face.openApi());
  });
  app.on(['GET', 'POST'], ['/api/:noun', '/api/:noun/:verb'], (call) => answerCall(face, call));
  for (const alias of face.aliases) {
    app.on(alias.method, alias.path, (call) => answerAlias(face, alias, call));
  }
  return app;
}

/** The pages, in which no data is, and the one call that is made without a token. */
function openToBrowsers(app: Hono<Env>, browser: BrowserDoor): void {
  for (const path of ['/', '/app']) app.get(path, (call) => call.redirect('/app/'));
  app.get('/app/*', async ({ req }) => {
    const request = {
      path: new URL(req.url).pathname,
      host: hostOf(req),
      acceptEncoding: req.header('accept-encoding'),
    };
    return await answerPage(browser.pages, browser.freshNonce(), request);
  });
  app.post('/api/sign-in', async ({ req }) => await answerSignIn(browser, req.raw));
}

async function requirePlace(face: OpenFace, { req }: Call, next: () => Promise<void>): Promise<void> {
  const facts = {
    method: req.method,
    host: req.header('host'),
    origin: req.header('origin'),
    fetchSite: req.header('sec-fetch-site'),
  };
  const refusal = refusalOfPlace(facts, face.port());
  if (refusal) throw new HallError(refusal);
  await next();
}

async function admit(face: OpenFace, call: Call, next: () => Promise<void>): Promise<void> {
  const admission = requireAdmission(face, call);
  const tooMany = face.limits.refusalOfCall(admission);
  if (tooMany) throw new HallError(tooMany);
  await next();
}

/** Who asks, as of now. @throws HallError `unauthorized`; `limit` after many wrong tokens */
function requireAdmission(face: OpenFace, call: Call): Admission {
  const token = bearerTokenOf(call.req.header('authorization'));
  const place = placeOf(call);
  const admission = face.admissionOf(token, place);
  if (!admission) throw new HallError(refusalOfToken(face, token, place));
  call.set('admission', admission);
  return admission;
}

function hostOf(req: Call['req']): string {
  return (req.header('host') ?? '').toLowerCase();
}

function placeOf({ req }: Call): RequestPlace {
  return { host: hostOf(req), origin: req.header('origin')?.toLowerCase() };
}

function refusalOfToken(face: OpenFace, token: string | undefined, { host }: RequestPlace): ErrorFacts {
  if (token === undefined) return missingToken;
  return face.limits.refusalOfWrongToken() ?? face.browser?.refusalOf(token, `http://${host}`) ?? missingToken;
}

/**
 * The body, which may be long in coming: who sends it is asked again when it is there.
 * @throws HallError what `admit` and `readJsonBody` throw
 */
async function readBody(face: OpenFace, call: Call): Promise<unknown> {
  const body = await readJsonBody(call.req.raw, face.maxBodyBytes ?? defaultMaxBody);
  requireAdmission(face, call);
  return body;
}

async function giveTicket(face: OpenFace, tickets: Tickets, call: Call): Promise<Response> {
  requirePerson(call);
  const place = placeOf(call);
  const token = bearerTokenOf(call.req.header('authorization'));
  const body = await readBody(face, call);
  const answer = answerTicket(tickets, face.streams, {
    admission: call.get('admission'),
    body,
    // The place was looked at already: an origin that is there is that of the host.
    origin: `http://${place.host}`,
    readmit: () => face.admissionOf(token, place),
  });
  return call.json(answer);
}

async function callTools(face: OpenFace, tools: ToolDoor, call: Call): Promise<Response> {
  const place = placeOf(call);
  const token = bearerTokenOf(call.req.header('authorization'));
  const body = call.req.method === 'POST' ? await readBody(face, call) : undefined;
  const readmit = () => face.admissionOf(token, place);
  return await answerTools(tools, face.streams, {
    request: call.req.raw,
    body,
    admission: call.get('admission'),
    readmit,
  });
}

async function answerCall(face: OpenFace, call: Call): Promise<Response> {
  const { noun, verb } = call.req.param() as { noun: string; verb?: string };
  const operation = face.registry.find(verb === undefined ? noun : `${noun}.${verb}`);
  if (!operation) throw unknownPath(face, call.req.path);
  // HEAD is answered like GET, without the body: neither changes anything.
  if (call.req.method !== 'POST') {
    requireRead(operation);
    return await answerOperation(call, operation, queryInput(operation, call));
  }
  return await answerOperation(call, operation, await readBody(face, call));
}

async function answerAlias(face: OpenFace, alias: RouteAlias, call: Call): Promise<Response> {
  const operation = face.registry.find(alias.operation);
  if (!operation) throw unknownPath(face, call.req.path);
  const body = alias.method === 'POST' ? await readBody(face, call) : queryInput(operation, call);
  const input = isPlainObject(body) ? { ...body, ...call.req.param() } : body;
  return await answerOperation(call, operation, input);
}

/** What agents may ask for are operations that are open to them. */
function requirePerson(call: Call): void {
  if (call.get('admission').caller.kind === 'person') return;
  throw fail(
    'forbidden',
    `${call.req.path} is for the person alone; an agent asked for it.`,
    'Ask the person to do it, or to answer in the inbox.',
  );
}

async function answerOperation(call: Call, operation: BoundOperation, input: unknown): Promise<Response> {
  return call.json((await callOperation(operation, call.get('admission').caller, input)) as object);
}

function requireRead(operation: BoundOperation): void {
  if (operation.description.access === 'read') return;
  const path = `/api/${operation.description.name.replace('.', '/')}`;
  throw fail(
    'invalid',
    `"${operation.description.name}" changes something and is not asked for with GET.`,
    `Use POST ${path}.`,
  );
}

function queryInput(operation: BoundOperation, call: Call): Record<string, unknown> {
  const words = call.req.queries();
  const fields = new Map(fieldsOf(operation.description).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(words).map(([name, values]) => {
      const field = fields.get(name);
      return [name, field ? valueOfWords(field, values) : values[0]];
    }),
  );
}

function streamEvents(ctx: HttpContext, face: OpenFace, call: Call): Response {
  requirePerson(call);
  // Nobody would read the stream, so nobody would end it either.
  if (call.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } });
  return eventResponse(ctx, {
    open: () => face.streams.open(call.get('admission'), 'events'),
    after: call.req.header('last-event-id') ?? call.req.query('after'),
    subject: call.req.query('subject'),
    project: call.req.query('project'),
    heartbeatMs: face.heartbeatMs ?? defaultHeartbeatMs,
  });
}

function unknownPath(face: HttpFace, path: string) {
  const known = [
    '/app/',
    '/api/events',
    '/api/sign-in',
    '/api/ticket',
    '/mcp',
    '/openapi.json',
    ...face.registry.list.map(({ description }) => `/api/${description.name.replace('.', '/')}`),
  ];
  return fail(
    'not_found',
    `There is nothing at ${path.slice(0, 100)}.`,
    `${didYouMean(path, known)}Operations are at /api/<noun>/<verb>; \`guild-hall --help\` lists them.`,
  );
}

function answerError(ctx: HttpContext, call: Call, error: unknown): Response {
  const facts = errorFactsOf(error);
  if (facts.code === 'internal') ctx.log.error({ err: error, path: call.req.path }, 'a request failed');
  return problemResponse(facts);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
