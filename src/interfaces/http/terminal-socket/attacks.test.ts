/** Who tries to see or to type into a terminal that is not theirs: over real connections to a real server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aSignIn, openTestDoors, type TestDoors, type TestDoorsRequest } from '../../../../test/help/doors.ts';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { ask, askTicket, tryPage } from '../../../../test/help/page-sockets.ts';
import {
  askTerminalTicket,
  aTerminal,
  openTerminalPage,
  type PlayedTerminal,
  playTerminal,
  type TerminalHandshake,
  tryTerminal,
} from '../../../../test/help/terminal-sockets.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';

let terminal: PlayedTerminal;
let doors: TestDoors;
const open = async (request: TestDoorsRequest = {}): Promise<void> => {
  terminal = playTerminal();
  doors = await openTestDoors({ views: terminal.views, ...request });
};
const reopen = async (request: TestDoorsRequest): Promise<void> => {
  await doors.close();
  await open(request);
};
beforeEach(async () => await open());
afterEach(async () => await doors.close());
const browserToken = 'token-of-a-browser';

describe('the upgrade', () => {
  const attacks: readonly (readonly [string, (port: number) => TerminalHandshake])[] = [
    ['a page of another site', () => ({ origin: 'http://evil.example' })],
    ['a page on another port', (port) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['a page on the usual port', () => ({ origin: 'http://127.0.0.1' })],
    ['a page of the other scheme', (port) => ({ origin: `https://127.0.0.1:${port}` })],
    ['a page of the other name of this machine', (port) => ({ origin: `http://localhost:${port}` })],
    ['a page without an origin of its own', () => ({ origin: 'null' })],
    ['no page', () => ({ origin: null })],
    [
      'a page whose name leads here',
      (port) => ({ host: `evil.example:${port}`, origin: `http://evil.example:${port}` }),
    ],
    ['another host', () => ({ host: 'evil.example' })],
  ];
  test.each(attacks)(
    '%s is refused, with a good ticket too [SEC-SOCKET-ORIGIN, SEC-ORIGIN, SEC-HOST]',
    async (_who, attack) => {
      const ticket = await askTerminalTicket(doors.port);
      expect(await tryTerminal(doors.port, { ...attack(doors.port), ticket })).toBe(403);
      // It was a good one, nothing else was wrong, and nobody looked meanwhile.
      expect(terminal.looks).toBe(0);
      expect(await tryTerminal(doors.port, { ticket })).toHaveProperty('ws');
    },
  );

  test('another protocol, also that of the pages, is refused', async () => {
    for (const protocols of [[], ['guild-hall.1'], ['guild-hall.terminal.2']]) {
      expect(await tryTerminal(doors.port, { protocols })).toBe(400);
    }
  });
});

describe('a ticket', () => {
  test('is for that purpose alone: one of a page shows no terminal, one of a terminal calls nothing [SEC-TICKET]', async () => {
    expect(await tryTerminal(doors.port, { ticket: await askTicket(doors.port) })).toBe(401);
    const refused = await tryPage(doors.port, { ticket: await askTerminalTicket(doors.port) });
    expect(refused).toMatchObject({ status: 401 });
    expect(terminal.looks).toBe(0);
  });

  test('is for that terminal alone, whatever the address says [SEC-TICKET]', async () => {
    const ticket = await askTerminalTicket(doors.port, { terminal: 'another-one' });
    const page = await openTerminalPage(doors.port, { ticket: `${ticket}&terminal=${aTerminal}` });
    expect(await page.closed).toMatchObject({ code: 4404 });
    expect(page.received).toMatchObject([{ kind: 'refusal', problem: { code: 'not_found' } }]);
    expect(terminal.looks).toBe(0);
  });

  test('is good once, for half a minute, and none that was made up [SEC-TICKET]', async () => {
    const clock = handClock();
    await reopen({ clock });
    const [first, second] = [await askTerminalTicket(doors.port), await askTerminalTicket(doors.port)];
    expect(await tryTerminal(doors.port, { ticket: first })).toHaveProperty('ws');
    expect(await tryTerminal(doors.port, { ticket: first })).toBe(401);
    expect(await tryTerminal(doors.port, { ticket: 'a'.repeat(43) })).toBe(401);
    await clock.pass(30_000);
    expect(await tryTerminal(doors.port, { ticket: second })).toBe(401);
  });

  test('is worth nothing once the sign-in is revoked that asked for it [SEC-TICKET]', async () => {
    doors.signIns.set(browserToken, aSignIn);
    const ticket = await askTerminalTicket(doors.port, { token: browserToken });
    doors.signIns.delete(browserToken);
    expect(await tryTerminal(doors.port, { ticket })).toBe(401);
  });

  test.each([
    '{"for":"terminal"}',
    '{"for":"terminal","terminal":"../../x"}',
    '{"for":"terminal","terminal":""}',
    `{"for":"terminal","terminal":"${aTerminal}","caller":"person"}`,
    `{"for":"socket","terminal":"${aTerminal}"}`,
  ])('%s asks for none', async (body) => {
    const host = `127.0.0.1:${doors.port}`;
    const headers = { host, authorization: 'Bearer secret', 'content-type': 'application/json' };
    expect((await ask(doors.port, { method: 'POST', path: '/api/ticket', headers, body })).status).toBe(400);
  });
});

describe('a revoked sign-in', () => {
  test('sees nothing more at once, and nobody else is touched [SEC-TOKEN]', async () => {
    doors.signIns.set(browserToken, aSignIn);
    const page = await openTerminalPage(doors.port, { token: browserToken });
    const other = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('before'));
    await other.until((received) => received.includes('before'));
    doors.streams.closeOf(aSignIn);
    terminal.write('not for it');
    expect(await page.closed).toEqual({ code: 4401, reason: 'This browser was signed out.' });
    expect(page.received).not.toContain('not for it');
    await other.until((received) => received.includes('not for it'));
    await expect.poll(() => terminal.watchers.size).toBe(1);
  });

  test('types nothing more, even if nobody told the door', async () => {
    doors.signIns.set(browserToken, aSignIn);
    const page = await openTerminalPage(doors.port, { token: browserToken });
    doors.signIns.clear();
    page.ws.send(Buffer.from('rm -rf /\r'));
    expect(await page.closed).toMatchObject({ code: 4401 });
    expect(terminal.asked).toEqual([]);
  });
});

describe('what a page sends', () => {
  const garbage: readonly (readonly [string, string])[] = [
    ['no JSON', 'hello'],
    ['an unknown kind', '{"kind":"type","text":"x"}'],
    ['a call', '{"kind":"call","id":1,"operation":"terminal.end","input":{}}'],
    ['a size of nothing', '{"kind":"resize","cols":0,"rows":0}'],
    ['a size beyond all screens', '{"kind":"resize","cols":100000,"rows":100000}'],
    ['half a column', '{"kind":"resize","cols":80.5,"rows":24}'],
    ['a field too many', '{"kind":"resize","cols":80,"rows":24,"terminal":"another"}'],
  ];
  test.each(garbage)('%s: closed with a reason, and nothing is done [DOOR-TERMINAL]', async (_what, data) => {
    const page = await openTerminalPage(doors.port);
    page.ws.send(data);
    page.ws.send(Buffer.from('keys that come after it'));
    expect(await page.closed).toEqual({ code: 4400, reason: 'That is no message of this protocol.' });
    expect(terminal.asked).toEqual([]);
    await expect.poll(() => terminal.watchers.size).toBe(0);
  });

  test.each([
    ['keys', Buffer.from('x')],
    ['a size', '{"kind":"resize","cols":80,"rows":24}'],
  ])('%s over a socket that is to watch: closed, and not done [DOOR-TERMINAL]', async (_what, data) => {
    const page = await openTerminalPage(doors.port, { readOnly: true });
    await page.until((received) => received.includes('before'));
    page.ws.send(data);
    expect(await page.closed).toMatchObject({ code: 4400, reason: 'This socket was opened to watch only.' });
    expect(terminal.asked).toEqual([]);
  });

  test('more keys at once than a person types: closed with 1009 [SEC-LIMITS]', async () => {
    const page = await openTerminalPage(doors.port);
    page.ws.send(Buffer.alloc(64 * 1024 + 1, 'x'));
    expect(await page.closed).toMatchObject({ code: 1009 });
    expect(terminal.asked).toEqual([]);
  });

  test('keys that come faster than they are taken wait on the page’s own side [SEC-LIMITS]', async () => {
    const held = deferred();
    terminal.held = held.promise;
    const page = await openTerminalPage(doors.port);
    const chunk = Buffer.alloc(60_000, 'x');
    let handed = 0;
    for (let each = 0; each < 1000; each += 1) page.ws.send(chunk, () => (handed += 1));
    // What the system's buffers take is taken at once; then it stands still, while others are served.
    for (let each = 0; each < 20; each += 1) {
      const other = await openTerminalPage(doors.port);
      await other.until((received) => received.includes('before'));
      other.ws.close();
      await other.closed;
    }
    expect(handed).toBeLessThan(500);
    expect(terminal.asked).toEqual([]);
    held.resolve();
    while (terminal.asked.length < 1000) await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.asked.join('')).toHaveLength(60_000_000);
  });

  test('a browser has at most 24 terminals on its screens; it is told when it asks for one more [SEC-LIMITS]', async () => {
    const ticket = await askTerminalTicket(doors.port);
    const pages = [];
    for (let each = 0; each < 24; each += 1) pages.push(await openTerminalPage(doors.port));
    expect(await tryTerminal(doors.port, { ticket })).toBe(429);
    await expect(askTerminalTicket(doors.port)).rejects.toThrow('24 terminals');
    pages[0]!.ws.close();
    await pages[0]!.closed;
    doors.signIns.set(browserToken, aSignIn);
    expect(await tryTerminal(doors.port, { token: browserToken })).toHaveProperty('ws');
  });
});
