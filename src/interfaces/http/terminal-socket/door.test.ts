import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDoors, type TestDoors } from '../../../../test/help/doors.ts';
import { openTerminalPage, type PlayedTerminal, playTerminal } from '../../../../test/help/terminal-sockets.ts';

let terminal: PlayedTerminal;
let doors: TestDoors;
beforeEach(async () => {
  terminal = playTerminal();
  doors = await openTestDoors({ views: terminal.views, settings: { maxWaiting: 256 * 1024 } });
});
afterEach(async () => await doors.close());

const screen = { kind: 'screen', cols: 120, rows: 36 };

describe('a terminal on a page [DOOR-TERMINAL]', () => {
  test('is shown as it is, then goes on byte by byte', async () => {
    const page = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('before'));
    terminal.write('one');
    terminal.write('two');
    await page.until((received) => received.includes('two'));
    expect(page.received).toEqual([screen, 'before', 'one', 'two']);
  });

  test('what comes between the look and its answer is neither lost nor put before it', async () => {
    const { watch } = terminal.views;
    await doors.close();
    doors = await openTestDoors({
      views: {
        ...terminal.views,
        watch: async (id, onBytes, onSize) => {
          const view = await watch(id, onBytes, onSize);
          terminal.write('at once');
          onSize({ cols: 80, rows: 24 });
          terminal.write('anew');
          return view;
        },
      },
    });
    const page = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('anew'));
    expect(page.received).toEqual([screen, 'before', 'at once', { kind: 'screen', cols: 80, rows: 24 }, 'anew']);
  });

  test('keys and sizes come in their order, whole, whatever bytes they are', async () => {
    const page = await openTerminalPage(doors.port);
    page.ws.send(Buffer.from('ä\u001b[A\u0003'));
    page.ws.send('{"kind":"resize","cols":80,"rows":24}');
    page.ws.send(Buffer.from('\r'));
    while (terminal.asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.asked).toEqual(['ä\u001b[A\u0003', { cols: 80, rows: 24 }, '\r']);
  });

  test('its end is told, and ends the socket', async () => {
    const page = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('before'));
    terminal.write('last words');
    terminal.end(3);
    expect(await page.closed).toMatchObject({ code: 4410 });
    expect(page.received).toEqual([screen, 'before', 'last words', { kind: 'ended', exitCode: 3 }]);
    await expect.poll(() => terminal.watchers.size).toBe(0);
  });

  test('a hall that stops says so with 1001', async () => {
    const page = await openTerminalPage(doors.port);
    await doors.sockets.close();
    expect(await page.closed).toMatchObject({ code: 1001 });
  });
});

describe('a page that reads slowly', () => {
  test('costs a little memory, and then sees the screen as it is by then, not all that went over it [SEC-LIMITS, DOOR-TERMINAL]', async () => {
    const page = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('before'));
    page.ws.pause();
    const line = 'x'.repeat(64 * 1024);
    let written = 0;
    // Until it is given up on: the system's own buffers take some megabytes.
    while (terminal.watchers.size > 0) {
      terminal.write(line);
      written += 1;
      if (written % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    terminal.screen = 'as it is now';
    for (let each = 0; each < 1000; each += 1) terminal.write(line);
    expect(terminal.looks).toBe(1);
    page.ws.resume();
    await page.until((received) => received.includes('as it is now'));
    expect(terminal.looks).toBe(2);
    const at = page.received.lastIndexOf('as it is now');
    expect(page.received[at - 1]).toEqual(screen);
    expect(page.received.filter((part) => part === line).length).toBeLessThanOrEqual(written);
    terminal.write('and on');
    await page.until((received) => received.at(-1) === 'and on');
  });

  test('is still typed from while it is behind, so that a flood can be stopped', async () => {
    const page = await openTerminalPage(doors.port);
    await page.until((received) => received.includes('before'));
    page.ws.pause();
    while (terminal.watchers.size > 0) {
      terminal.write('x'.repeat(64 * 1024));
      await new Promise((resolve) => setImmediate(resolve));
    }
    page.ws.send(Buffer.from('\u0003'));
    while (terminal.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(terminal.asked).toEqual(['\u0003']);
  });
});
