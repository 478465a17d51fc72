import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aSignIn, openTestDoors, type TestDoors, type TestDoorsRequest } from '../../../../test/help/doors.ts';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { ask, askTicket, openPage, tryPage, type PageSocket } from '../../../../test/help/page-sockets.ts';
import { printCursor, type HallEvent } from '../../../kernel/pure/events.ts';
import { socketLimits, socketProtocol, type ServerMessage } from '../../../kernel/pure/wire.ts';

let doors: TestDoors;
const open = async (request: TestDoorsRequest = {}): Promise<TestDoors> => (doors = await openTestDoors(request));
beforeEach(async () => void (await open()));
afterEach(async () => await doors.close());
/** Doors of another kind than those that each test begins with. */
const reopen = async (request: TestDoorsRequest): Promise<TestDoors> => {
  await doors.close();
  return await open(request);
};

const eventsOf = (received: readonly ServerMessage[]): HallEvent<string, { text: string }>[] =>
  received.flatMap((message) =>
    message.kind === 'event' ? [message.event as HallEvent<string, { text: string }>] : [],
  );
const seqs = (received: readonly ServerMessage[]): number[] => eventsOf(received).map(({ seq }) => seq);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const untilSeq = async (page: PageSocket, seq: number): Promise<readonly ServerMessage[]> =>
  await page.until((all) => all.some((message) => message.kind === 'event' && message.event.seq === seq));
const publish = (count: number, text = ''): void => {
  for (let each = 0; each < count; each += 1) doors.publish(text);
};

/** 2500 events of 10 kB each: more than the system's own buffers hold for a page that reads nothing. */
const publishMuch = async (): Promise<void> => {
  for (let sent = 0; sent < 2500; sent += 100) {
    publish(100, 'x'.repeat(10_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('a page', () => {
  test('is greeted with the hall’s version, start and cursor, in the agreed protocol [DOOR-SOCKET]', async () => {
    publish(3);
    const page = await openPage(doors.port);
    const [hello] = await page.until(({ length }) => length > 0);
    const cursor = printCursor(doors.events.cursor());
    expect(hello).toEqual({ kind: 'hello', version: '1.2.3', startedAt: 'today', cursor });
    expect(page.ws.protocol).toBe(socketProtocol);
    expect(page.ws.extensions).toBe('');
  });

  test('calls operations, and is answered or refused with code, message, hint and details [DOOR-SOCKET, DOOR-ONE-LIST]', async () => {
    const page = await openPage(doors.port);
    expect(await page.call('echo.send', { text: 'ha', times: 2 })).toEqual({
      kind: 'answer',
      id: 1,
      output: { said: 'haha' },
    });
    expect(await page.call('echo.refuse', { text: '' })).toEqual({
      kind: 'refusal',
      id: 2,
      problem: { code: 'conflict', message: 'It is closed.', hint: 'Open it first.', details: { since: 'today' } },
    });
    const wrong = await page.call('echo.send', { text: 7 });
    expect(wrong).toMatchObject({ problem: { code: 'invalid', details: { operation: 'echo.send' } } });
    expect(await page.call('echo.sned', {})).toMatchObject({
      problem: { code: 'not_found', hint: expect.stringContaining('Did you mean "echo.send"?') as string },
    });
    expect(await page.call('echo.break', { text: '' })).toMatchObject({ problem: { code: 'internal' } });
    expect(await page.call('constructor', {})).toMatchObject({ problem: { code: 'not_found' } });
  });

  test('is answered in the order in which the answers come', async () => {
    const page = await openPage(doors.port);
    const late = page.call('echo.wait', { text: '' });
    const early = await page.call('echo.send', { text: 'early' });
    expect(early).toMatchObject({ id: 2, output: { said: 'early' } });
    doors.waiting[0]!.resolve('late');
    expect(await late).toMatchObject({ id: 1, output: { said: 'late' } });
  });

  test('has 32 calls worked on at once; more of them wait their turn, and other pages do not [SEC-LIMITS]', async () => {
    const page = await openPage(doors.port);
    const other = await openPage(doors.port);
    const held = range(1, 100).map(async () => await page.call('echo.wait', { text: '' }));
    const after = page.call('echo.send', { text: 'after them' });
    await other.call('echo.send', { text: 'of another page' });
    expect(doors.waiting).toHaveLength(32);
    expect(doors.sent).toEqual(['of another page']);
    for (let answered = 0; answered < 100; answered += 1) {
      doors.waiting[answered]!.resolve('');
      await held[answered];
      expect(doors.waiting.length).toBeLessThanOrEqual(answered + 1 + 32);
    }
    expect(await after).toMatchObject({ output: { said: 'after them' } });
  });

  test('with calls that wait their turn is not read any further, until there is room again [SEC-LIMITS]', async () => {
    await reopen({ limits: { burst: 1e6 } });
    const page = await openPage(doors.port);
    const other = await openPage(doors.port);
    const held = range(1, 33).map(async () => await page.call('echo.wait', { text: '' }));
    const long = range(1, 40).map(async () => await page.call('echo.send', { text: 'x'.repeat(1_000_000) }));
    for (let each = 0; each < 20; each += 1) await other.call('echo.send', { text: '' });
    expect(page.ws.bufferedAmount).toBeGreaterThan(20_000_000);
    for (let answered = 0; answered < 33; answered += 1) {
      await expect.poll(() => doors.waiting.length).toBeGreaterThan(answered);
      doors.waiting[answered]!.resolve('');
    }
    for (const answer of await Promise.all([...held, ...long])) expect(answer).toMatchObject({ kind: 'answer' });
  });

  test('that is signed out has no more of its calls begun', async () => {
    doors.signIns.set('token-of-a-browser', aSignIn);
    const page = await openPage(doors.port, { ticket: await askTicket(doors.port, 'token-of-a-browser') });
    const other = await openPage(doors.port);
    for (let id = 1; id <= 40; id += 1) page.send({ kind: 'call', id, operation: 'echo.wait', input: { text: '' } });
    await expect.poll(() => doors.waiting.length).toBe(32);
    doors.streams.closeOf(aSignIn);
    for (const { resolve } of doors.waiting) resolve('');
    await other.call('echo.send', { text: '' });
    expect(doors.waiting).toHaveLength(32);
  });
});

describe('the events of a page', () => {
  test('from now on, or from a cursor: what was, then what comes, each once and in order [DOOR-SOCKET, WEB-CURSOR]', async () => {
    publish(3);
    const [now, back] = [await openPage(doors.port), await openPage(doors.port)];
    now.send({ kind: 'follow', after: null });
    back.send({ kind: 'follow', after: printCursor({ ...doors.events.cursor(), seq: 1 }) });
    // The answer shows that what was said before it has been heard.
    await Promise.all([now.call('echo.send', { text: '' }), back.call('echo.send', { text: '' })]);
    publish(2);
    expect(seqs(await untilSeq(now, 5))).toEqual([4, 5]);
    expect(seqs(await untilSeq(back, 5))).toEqual([2, 3, 4, 5]);
    expect(eventsOf(back.received)[3]).toEqual(eventsOf(now.received)[1]);
  });

  test('before it asks for them there are none, and it asks once', async () => {
    const page = await openPage(doors.port);
    publish(1);
    await page.call('echo.send', { text: '' });
    expect(eventsOf(page.received)).toEqual([]);
    page.send({ kind: 'follow', after: null });
    page.send({ kind: 'follow', after: null });
    expect(await page.closed).toEqual({ code: 4400, reason: 'A socket follows the events once.' });
  });

  test.each([
    ['elsewhere.7', 3],
    ['elsewhere.7', 0],
    ['no cursor at all', 3],
    ['', 0],
  ])(
    'after "%s", with %d events kept, there is a gap with the present cursor, then what comes [DOOR-SOCKET]',
    async (after, kept) => {
      publish(kept);
      const page = await openPage(doors.port);
      page.send({ kind: 'follow', after });
      const gap = { kind: 'gap', cursor: printCursor(doors.events.cursor()) };
      expect(await page.until((all) => all.length === 2)).toContainEqual(gap);
      publish(1);
      expect(seqs(await untilSeq(page, kept + 1))).toEqual([kept + 1]);
    },
  );

  test('many at once arrive in order, and others get their turn meanwhile', async () => {
    const page = await openPage(doors.port);
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: '' });
    publish(10_000, 'x'.repeat(100));
    const last = untilSeq(page, 10_000).then(() => 'last');
    const headers = { host: `127.0.0.1:${doors.port}`, authorization: 'Bearer secret' };
    const other = ask(doors.port, { path: '/api/nowhere', headers }).then(({ status }) => status);
    expect(await Promise.race([last, other])).toBe(404);
    await last;
    expect(seqs(page.received)).toEqual(range(1, 10_000));
  });

  test('a page that takes nothing for a while costs little memory, then gets everything, in order [DOOR-SOCKET]', async () => {
    const page = await openPage(doors.port);
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: '' });
    page.ws.pause();
    const before = process.memoryUsage().external;
    await publishMuch();
    // 25 MB were published. The system's own buffers take some; the hall keeps about one.
    expect(process.memoryUsage().external - before).toBeLessThan(10 * 1024 * 1024);
    page.ws.resume();
    expect(seqs(await untilSeq(page, 2500))).toEqual(range(1, 2500));
    expect(page.received.filter(({ kind }) => kind === 'gap')).toEqual([]);
  });

  test('a page that stays away is closed, and misses nothing when it comes back with its cursor [DOOR-SOCKET, WEB-CURSOR]', async () => {
    const clock = handClock();
    await reopen({ clock });
    const page = await openPage(doors.port);
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: '' });
    page.ws.pause();
    await publishMuch();
    await clock.pass(15_000);
    expect(page.ws.readyState).toBe(page.ws.OPEN);
    await clock.pass(10_000);
    page.ws.resume();
    await page.closed;
    const got = seqs(page.received);
    expect(got.length).toBeLessThan(2500);
    const back = await openPage(doors.port);
    back.send({ kind: 'follow', after: printCursor({ ...doors.events.cursor(), seq: got.at(-1) ?? 0 }) });
    expect([...got, ...seqs(await untilSeq(back, 2500))]).toEqual(range(1, 2500));
  });

  test('a page that does not read what it asks for is not read either [SEC-LIMITS]', async () => {
    await reopen({ limits: { burst: 1e6 } });
    const page = await openPage(doors.port);
    const other = await openPage(doors.port);
    page.ws.pause();
    const calls = 60;
    // 48 MB of answers, one call after the other, with time to answer it: never too many under way.
    for (let id = 1; id <= calls; id += 1) {
      page.send({ kind: 'call', id, operation: 'echo.send', input: { text: 'x'.repeat(80_000), times: 10 } });
      await other.call('echo.send', { text: 'y' });
    }
    expect(doors.sent.filter((text) => text !== 'y').length).toBeLessThan(calls / 2);
    page.ws.resume();
    await page.until((received) => received.length === calls + 1);
  });

  test('calls that came at once are not begun while their page does not read [SEC-LIMITS]', async () => {
    const page = await openPage(doors.port);
    const other = await openPage(doors.port);
    const most = socketLimits.callsUnderWay;
    for (let id = 1; id <= 2 * most; id += 1) {
      page.send({ kind: 'call', id, operation: 'echo.wait', input: { text: '' } });
    }
    await expect.poll(() => doors.waiting.length).toBe(most);
    page.ws.pause();
    for (const { resolve } of doors.waiting.slice(0, most)) resolve('x'.repeat(1_000_000));
    for (let each = 0; each < 20; each += 1) await other.call('echo.send', { text: 'y' });
    // Those that began before the first answer filled the page's room are all.
    expect(doors.waiting.length).toBeLessThan(most + 10);
    page.ws.resume();
    await expect.poll(() => doors.waiting.length).toBe(2 * most);
    for (const { resolve } of doors.waiting) resolve('');
    await page.until((received) => received.length === 2 * most + 1);
  });
});

describe('the end of a socket', () => {
  test('one that answers no ping is closed, one that does stays [DOOR-SOCKET]', async () => {
    const clock = handClock();
    await reopen({ clock });
    const dead = await openPage(doors.port, { autoPong: false });
    const living = await openPage(doors.port);
    await clock.pass(20_000);
    await living.call('echo.send', { text: '' });
    await clock.pass(20_000);
    expect(await dead.closed).toMatchObject({ code: 1006 });
    expect(await living.call('echo.send', { text: 'here' })).toMatchObject({ output: { said: 'here' } });
  });

  test('a hall that stops says so, and lets nobody in any more [DOOR-SOCKET]', async () => {
    const pages = [await openPage(doors.port), await openPage(doors.port)];
    const ticket = await askTicket(doors.port);
    await doors.sockets.close();
    await doors.sockets.close();
    for (const page of pages) expect(await page.closed).toEqual({ code: 1001, reason: 'The hall stops.' });
    expect(await tryPage(doors.port, { ticket })).toMatchObject({ status: 503, problem: { code: 'unavailable' } });
  });

  test('a hall that stops does not wait for a page that takes nothing', async () => {
    const page = await openPage(doors.port);
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: '' });
    page.ws.pause();
    await publishMuch();
    await doors.sockets.close();
    page.ws.resume();
    expect(await page.closed).toMatchObject({ code: 1006 });
  });

  test('leaves nothing behind: no reader of the stream, no place taken', async () => {
    await reopen({ limits: { sockets: 2 } });
    for (let round = 0; round < 5; round += 1) {
      const pages = [await openPage(doors.port), await openPage(doors.port)];
      for (const page of pages) page.send({ kind: 'follow', after: null });
      await pages[0]!.call('echo.send', { text: '' });
      for (const page of pages) page.ws.close();
      await Promise.all(pages.map(async ({ closed }) => await closed));
    }
    await doors.sockets.close();
    await doors.background.idle();
    expect(doors.streams.refusalOf({ caller: { kind: 'person' } }, 'socket')).toBeUndefined();
  });
});
