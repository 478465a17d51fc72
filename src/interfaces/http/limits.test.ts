import { afterEach, describe, expect, test } from 'vitest';
import { aSignIn, openTestDoors, type TestDoors, type TestDoorsRequest } from '../../../test/help/doors.ts';
import { handClock } from '../../../test/help/hand-clock.ts';
import { ask, askTicket, tryPage } from '../../../test/help/page-sockets.ts';
import { personCaller } from '../../kernel/operations/operations.ts';
import { activityIdSchema, projectNameSchema, signInIdSchema } from '../../kernel/pure/ids.ts';
import { admissionKey, type Admission } from './admission.ts';
import { createLimits } from './limits.ts';
import { createStreams } from './streams.ts';
import { answerTicket, createTickets } from './tickets.ts';
import { systemIds } from '../../kernel/clock/clock.ts';

const person: Admission = { caller: personCaller };
const browser: Admission = { ...person, signIn: aSignIn };
const agentOf = (id: string): Admission => ({
  caller: {
    kind: 'agent',
    activity: { project: projectNameSchema.parse('shop'), kind: 'task', id: activityIdSchema.parse(id) },
  },
});
const times = (count: number, ask: () => unknown): unknown[] => Array.from({ length: count }, ask);

describe('calls', () => {
  test('200 at once, then 50 a second, for each admission on its own [SEC-LIMITS]', async () => {
    const clock = handClock();
    const limits = createLimits({ clock });
    const call = (): unknown => limits.refusalOfCall(person)?.code;
    expect(new Set(times(200, call))).toEqual(new Set([undefined]));
    expect(call()).toBe('limit');
    expect(limits.refusalOfCall(browser)).toBeUndefined();
    await clock.pass(20);
    expect(times(2, call)).toEqual([undefined, 'limit']);
    await clock.pass(60_000);
    expect(times(201, call).filter((code) => code === 'limit')).toHaveLength(1);
  });

  test('the refusal says when to come back, in whole seconds', () => {
    const limits = createLimits({ clock: handClock() }, { burst: 1, callsPerSecond: 0.1 });
    limits.refusalOfCall(person);
    expect(limits.refusalOfCall(person)?.details).toEqual({ retryAfterSeconds: 10 });
  });

  test('the token, each browser and each agent are callers of their own', () => {
    const all = [person, browser, agentOf('a-1'), agentOf('a-2')];
    expect(new Set(all.map(admissionKey)).size).toBe(4);
  });
});

describe('streams', () => {
  test('64 of one admission, sockets among them; those that ended do not count [SEC-LIMITS]', () => {
    const streams = createStreams();
    const sockets = times(32, () => streams.open(person, 'socket'));
    expect(() => streams.open(person, 'socket')).toThrow('32 pages');
    const events = times(32, () => streams.open(person, 'events')) as { leave: () => void }[];
    expect(() => streams.open(person, 'events')).toThrow('64 event streams');
    expect(streams.open(browser, 'events').signal.aborted).toBe(false);
    events[0]!.leave();
    events[0]!.leave();
    streams.open(person, 'events');
    expect(() => streams.open(person, 'events')).toThrow('64 event streams');
    expect(sockets).toHaveLength(32);
  });

  test('closing those of a sign-in ends no other', () => {
    const streams = createStreams();
    const other = { ...person, signIn: signInIdSchema.parse('other-1') };
    const [own, foreign, token] = [browser, other, person].map((admission) => streams.open(admission, 'events'));
    streams.closeOf(aSignIn);
    expect([own, foreign, token].map((stream) => stream?.signal.aborted)).toEqual([true, false, false]);
  });
});

test('an agent gets no ticket [SEC-TICKET]', () => {
  const ctx = { clock: handClock(), ids: systemIds };
  const request = { admission: agentOf('a-1'), body: { for: 'socket' }, origin: 'http://x', readmit: () => person };
  expect(() => answerTicket(createTickets(ctx), createStreams(), request)).toThrow('an agent asked');
});

describe('over HTTP', () => {
  let doors: TestDoors;
  const open = async (request: TestDoorsRequest): Promise<void> => void (doors = await openTestDoors(request));
  afterEach(async () => await doors.close());
  const get = async (path: string, authorization?: string) =>
    await ask(doors.port, {
      path,
      headers: { host: `127.0.0.1:${doors.port}`, ...(authorization === undefined ? {} : { authorization }) },
    });

  test('after 100 wrong tokens in a minute wrong ones get 429; the right one works, and so it is said that none was sent [SEC-LIMITS, SEC-TOKEN]', async () => {
    const clock = handClock();
    await open({ clock });
    for (let each = 0; each < 100; each += 1) expect((await get('/api/x', `Bearer guess-${each}`)).status).toBe(401);
    const refused = await get('/api/x', 'Bearer guess-100');
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    // A wrong ticket is a wrong token.
    expect(await tryPage(doors.port, { ticket: 'guess' })).toMatchObject({ status: 429 });
    expect((await get('/api/x', 'Bearer secret')).status).toBe(404);
    expect((await get('/api/x')).status).toBe(401);
    const ticket = await askTicket(doors.port);
    expect(await tryPage(doors.port, { ticket })).toHaveProperty('ws');
    await clock.pass(60_000);
    expect((await get('/api/x', 'Bearer guess-101')).status).toBe(401);
  });

  test('event streams over the limit are refused in words, and each that ends makes room [SEC-LIMITS]', async () => {
    await open({ limits: { streams: 2 } });
    const headers = { authorization: 'Bearer secret' };
    const follow = async (): Promise<{ status: number; leave: () => void }> => {
      const leaving = new AbortController();
      const { status } = await fetch(`${doors.url}/api/events`, { headers, signal: leaving.signal });
      return { status, leave: () => leaving.abort() };
    };
    const held = [await follow(), await follow()];
    expect(held.map(({ status }) => status)).toEqual([200, 200]);
    expect(await get('/api/events', 'Bearer secret')).toMatchObject({ status: 429 });
    // A refusal for another reason takes no place.
    held[0]!.leave();
    while (doors.streams.refusalOf(person, 'events')) await new Promise((resolve) => setImmediate(resolve));
    expect((await get('/api/events?after=nonsense', 'Bearer secret')).status).toBe(400);
    const again = await follow();
    expect(again.status).toBe(200);
    for (const { leave } of [...held, again]) leave();
  });
});
