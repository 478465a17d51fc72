/** What may happen to a tmux server from outside: each case has a server of its own. */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../test/help/programs.ts';
import { startOnTerminal } from '../../../../test/help/pty.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import {
  endTestTmux,
  leaveTestTmux,
  linesOf,
  nextTerminal,
  openTestTmux,
  pasteText,
  pressKeys,
  startTest,
  terminalProgram,
  type TestTmux,
  tmuxEnv,
  untilShown,
} from '../../../../test/help/tmux.ts';
import { readScreen } from '../screen/screen.ts';
import type { HallError } from '../../pure/errors.ts';
import { ask } from './connection.ts';
import { showPane } from './flow.ts';
import { typeBytes } from './input.ts';
import { isTmuxUp, openTmux } from './server.ts';
import type { PaneId } from '../contract.ts';
import { checkTmux } from './version.ts';
import { endWindow, listWindows, resizeWindow, startWindow } from './windows.ts';

async function withTmux(play: (tests: TestTmux) => Promise<void>): Promise<void> {
  const tests = await openTestTmux();
  // Also of a test that takes too long.
  onTestFinished(async () => await endTestTmux(tests));
  await play(tests);
}

/** The next end of a promise that is to fail. */
async function failureOf(work: Promise<unknown>): Promise<HallError> {
  return await work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as HallError,
  );
}

/** What tmux itself says that the pane shows. */
async function tmuxShows({ tmux }: TestTmux, pane: PaneId): Promise<string> {
  const [text] = await ask(tmux.connection!, [['capture-pane', '-p', '-J', '-S', '-', '-t', pane]]);
  return text!.toString('utf8').replaceAll(/ +$/gm, '').trimEnd();
}

const screenShows = (tests: TestTmux, pane: PaneId): string => linesOf(tests, pane).join('\n').trimEnd();

test('a killed server is told once, and the next program starts another one', async () => {
  await withTmux(async (tests) => {
    const first = await startTest(tests, ['cat']);
    process.kill(tests.tmux.connection!.serverPid!, 'SIGKILL');
    await waitUntil(() => tests.lost.length > 0);
    const second = await startTest(tests, ['sh', '-c', 'echo back again; cat']);
    await untilShown(tests, second.pane, 'back again');
    expect(tests.lost).toHaveLength(1);
    expect(tests.ends.size).toBe(0);
    expect((await listWindows(tests.tmux)).map(({ terminal }) => terminal)).toEqual([second.terminal]);
    expect(first.terminal).not.toBe(second.terminal);
  });
});

test('a session that somebody killed ends its terminals, and comes back with the next', async () => {
  await withTmux(async (tests) => {
    const { pane } = await startTest(tests, ['cat']);
    await ask(tests.tmux.connection!, [['kill-session', '-t', '=hall']]).catch(() => []);
    await waitUntil(() => tests.lost.length > 0 || tests.ends.has(pane));
    const again = await startTest(tests, ['sh', '-c', 'echo once more; cat']);
    await untilShown(tests, again.pane, 'once more');
    expect(tests.lost.length + tests.ends.size).toBe(1);
  });
});

test('a connection that is killed is made again, and nothing is lost or doubled on a screen', async () => {
  await withTmux(async (tests) => {
    const count = 'i=0; while [ $i -lt 240 ]; do echo n$i; i=$((i+1)); sleep 0.002; done; cat';
    const { pane } = await startTest(tests, ['sh', '-c', count]);
    for (const seen of ['n20', 'n60', 'n100']) {
      await untilShown(tests, pane, new RegExp(`^${seen}$`, 'm'));
      const before = tests.tmux.connection!;
      before.process.child.kill('SIGKILL');
      await waitUntil(() => tests.tmux.connection !== undefined && tests.tmux.connection !== before);
    }
    await untilShown(tests, pane, 'n239');
    expect(linesOf(tests, pane).filter((line) => line !== '')).toEqual(
      Array.from({ length: 240 }, (_, at) => `n${at}`),
    );
    expect(tests.lost).toEqual([]);
    expect(tests.refills.get(pane)).toBeGreaterThanOrEqual(3);
  });
});

test('a window that is closed from outside has ended, nobody knows how', async () => {
  await withTmux(async (tests) => {
    const { pane } = await startTest(tests, ['cat']);
    const other = await startTest(tests, ['cat']);
    await ask(tests.tmux.connection!, [['kill-window', '-t', pane]]);
    await waitUntil(() => tests.ends.has(pane));
    expect(tests.ends.get(pane)).toEqual({ exitCode: null, signal: null });
    expect(tests.ends.has(other.pane)).toBe(false);
    expect(await failureOf(pressKeys(tests, pane, ['Enter']))).toMatchObject({ code: 'not_found' });
  });
});

test('a program that cannot start, ends at once or is killed is told as what it is', async () => {
  await withTmux(async (tests) => {
    const request = { terminal: nextTerminal(), args: [], cwd: '/', env: {} };
    expect(await failureOf(startWindow(tests.tmux, { ...request, file: 'no-such-program' }))).toMatchObject({
      code: 'not_found',
    });
    const elsewhere = { ...request, file: 'cat', cwd: '/no/such/folder' };
    expect(await failureOf(startWindow(tests.tmux, elsewhere))).toMatchObject({ code: 'not_found' });
    const [quick, killed] = [
      await startTest(
        tests,
        terminalProgram('end-at-once.sh', '7', 'No room here.').with(0, 'sh') as [string, ...string[]],
      ),
      await startTest(tests, ['sh', '-c', 'echo before; kill -9 $$']),
    ];
    await waitUntil(() => tests.ends.size === 2);
    await untilShown(tests, quick.pane, 'No room here.');
    await untilShown(tests, killed.pane, 'before');
    expect(tests.ends.get(quick.pane)).toEqual({ exitCode: 7, signal: null });
    expect(tests.ends.get(killed.pane)).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });
});

test('a folder, an argument and a variable that look like something to run are only names', async () => {
  await withTmux(async (tests) => {
    const odd = '#(touch made)$(touch made);touch made #{pid} "\'\n';
    const folder = join(await tempFolder(), odd);
    mkdirSync(folder);
    const show = 'pwd; printf "%s|" "$1" "$ODD"; ls; printf over; cat';
    const { pane } = await startTest(tests, ['sh', '-c', show, 'sh', odd], { cwd: folder, env: { ODD: odd } });
    await untilShown(tests, pane, 'over');
    const shown = screenShows(tests, pane);
    expect(shown.split('|')[0]).toBe(`${folder}\n${odd}`);
    expect(shown.split('|').slice(1)).toEqual([odd, 'over']);
    const alone = await startTest(tests, ['pwd'], { cwd: folder });
    await untilShown(tests, alone.pane, odd.trim());
  });
});

test('a hall that comes later finds the programs, and each screen as it was', async () => {
  const earlier = await openTestTmux();
  const box = await startTest(earlier, terminalProgram('box-agent.mjs', '--alternate'), { cols: 90, rows: 20 });
  const raw = await startTest(earlier, terminalProgram('raw-agent.mjs'));
  const over = await startTest(earlier, ['sh', '-c', 'seq 1 300; printf "\\033[31mthe end"; exit 4']);
  await untilShown(earlier, box.pane, 'shortcuts');
  await untilShown(earlier, raw.pane, 'ready');
  await pasteText(earlier, box.pane, 'half a message');
  await untilShown(earlier, box.pane, 'half a message');
  await waitUntil(() => earlier.ends.has(over.pane));
  await untilShown(earlier, over.pane, 'the end');
  const before = [box, raw, over].map(({ pane }) => readScreen(earlier.screens.get(pane)!));
  await leaveTestTmux(earlier);
  expect(await isTmuxUp(earlier.ctx, { socket: earlier.tmux.socket, env: tmuxEnv })).toBe(true);

  const later = await openTestTmux(earlier.folder);
  try {
    const windows = await listWindows(later.tmux);
    expect(windows.map(({ terminal, end, cols }) => [terminal, end?.exitCode, cols])).toEqual([
      [box.terminal, undefined, 90],
      [raw.terminal, undefined, 120],
      [over.terminal, 4, 120],
    ]);
    for (const { pane } of windows) await showPane(later.tmux, pane);
    for (const { pane } of [box, raw, over]) await later.settled(pane);
    const after = [box, raw, over].map(({ pane }) => readScreen(later.screens.get(pane)!));
    expect(after).toEqual(before);
    expect(after.map(({ takesPaste, isAlternate }) => [takesPaste, isAlternate])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    // And they go on.
    await pressKeys(later, box.pane, ['Enter']);
    await untilShown(later, box.pane, 'You wrote 1 lines');
    await pressKeys(later, box.pane, ['C-c']);
    await waitUntil(() => later.ends.has(box.pane));
    expect([...later.ends.keys()]).toEqual([box.pane]);
  } finally {
    await endTestTmux(later);
  }
  expect(await isTmuxUp(later.ctx, { socket: later.tmux.socket, env: tmuxEnv })).toBe(false);
});

test("a person who looks at it, and reads back in it, hinders nothing; sizes are the hall's", async () => {
  await withTmux(async (tests) => {
    const { pane } = await startTest(tests, terminalProgram('raw-agent.mjs'));
    await untilShown(tests, pane, 'ready');
    const person = startOnTerminal(
      ['tmux', '-S', tests.tmux.socket, 'attach-session', '-t', `=hall:${(await windowOf(tests, pane)).window}`],
      {
        env: { ...process.env },
        cwd: '/',
        width: 70,
      },
    );
    // Keys that come at once are keys, not a paste.
    await ask(tests.tmux.connection!, [['set-option', '-g', 'assume-paste-time', '0']]);
    await person.until('ready');
    person.type('\u0002[');
    await waitUntil(async () => (await windowOf(tests, pane)).isInMode);
    await pasteText(tests, pane, 'first\nsecond');
    await pressKeys(tests, pane, ['Enter']);
    await untilShown(tests, pane, 'I got 2 lines: first / second');
    person.type('\u0002[');
    await waitUntil(async () => (await windowOf(tests, pane)).isInMode);
    await typeBytes(tests.tmux, pane, Buffer.from('x'));
    expect(await windowOf(tests, pane)).toMatchObject({ isInMode: false, cols: 120, rows: 36 });
    await resizeWindow(tests.tmux, pane, { cols: 100, rows: 30 });
    expect(await windowOf(tests, pane)).toMatchObject({ cols: 100, rows: 30 });
    await tests.settled(pane);
    expect(tests.screens.get(pane)!.terminal.cols).toBe(100);
    // What the person opens is no terminal, and may come and go.
    person.type('\u0002c');
    await waitUntil(async () => (await allPanes(tests)) === 3);
    expect(await listWindows(tests.tmux)).toHaveLength(1);
    person.type('\u0002d');
    await person.ended;
    await endWindow(tests.tmux, pane);
  });
});

async function windowOf({ tmux }: TestTmux, pane: PaneId) {
  return (await listWindows(tmux)).find((window) => window.pane === pane)!;
}

async function allPanes({ tmux }: TestTmux): Promise<number> {
  const [text] = await ask(tmux.connection!, [['list-panes', '-s', '-t', '=hall']]);
  return text!.toString('utf8').split('\n').length;
}

test('wide characters, marks, emoji and bytes that are no text stand where tmux has them', async () => {
  await withTmux(async (tests) => {
    const odd = [
      'grüße',
      '日本語テスト',
      '😀 ok 🚀',
      'e\u0301a\u0308',
      '한글',
      '👍🏽 tone',
      '→ ─ ✓ ❯ ●',
      'ｆｕｌｌ',
      '🇩🇪 flag',
      '❤️ heart',
      'a\u200bb',
    ];
    const text = [...odd.map((word) => `${word}|\r\n`), ...odd.map((word) => `${word.repeat(30)}|\r\n`)].join('');
    const bytes = Buffer.concat([
      Buffer.from(text),
      Buffer.from([0x62, 0xff, 0xc3, 0x28, 0x80, 0x65]),
      Buffer.from('|\r\nall\r\n'),
    ]);
    const file = join(await tempFolder(), 'text');
    writeFileSync(file, bytes);
    const { pane } = await startTest(tests, ['sh', '-c', 'cat "$1"; cat', 'sh', file], { rows: 60 });
    await untilShown(tests, pane, /^all$/m);
    const [live, theirs] = [screenShows(tests, pane), await tmuxShows(tests, pane)];
    const columns = (shown: string): (readonly string[])[] => shown.split('\n').map((line) => [line]);
    expect(columns(live).length).toBe(columns(theirs).length);
    await showPane(tests.tmux, pane);
    await tests.settled(pane);
    expect(screenShows(tests, pane)).toBe(theirs);
    expect(live.split('\n').slice(0, 6)).toEqual(odd.slice(0, 6).map((word) => `${word}|`));
  });
});

test("what looks like tmux's own lines on a screen is only text", async () => {
  await withTmux(async (tests) => {
    const other = await startTest(tests, ['cat']);
    const forged = `now=$(date +%s); i=0; while [ $i -lt 450 ]; do echo "%end $now $((i+250)) 1"; echo "%output ${other.pane} forged"; i=$((i+1)); done; echo done; cat`;
    const { pane } = await startTest(tests, ['sh', '-c', forged]);
    await untilShown(tests, pane, /^done$/m);
    for (let round = 0; round < 5; round += 1) await showPane(tests.tmux, pane);
    await tests.settled(pane);
    expect(screenShows(tests, pane)).toMatch(/%output %\d+ forged\ndone$/);
    expect(linesOf(tests, other.pane).join('')).toBe('');
  });
});

test('a flood is read in part, slows nobody, and shows its end', async () => {
  await withTmux(async (tests) => {
    const other = await startTest(tests, ['cat']);
    const before = process.memoryUsage().rss;
    const flood = await startTest(tests, terminalProgram('flood.mjs', String(25_000_000)));
    let round = 0;
    for (; !screenShows(tests, flood.pane).endsWith('flood over'); round += 1) {
      await pasteText(tests, other.pane, `word ${round}.`);
      await untilShown(tests, other.pane, `word ${round}.`);
    }
    expect(tests.output.get(flood.pane)!.length).toBeLessThan(15_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    // Held up by the flood, the first of the words would have come when it was over.
    expect(round).toBeGreaterThan(3);
    expect(linesOf(tests, flood.pane).length).toBeGreaterThan(1_000);
  });
});

test('a path that is too long, no tmux, and one that is too old are told with what to do', async () => {
  const { ctx } = { ctx: (await openAndEnd()).ctx };
  const listeners = { onOutput: () => {}, onRefill: () => {}, onEnd: () => {}, onLost: () => {} };
  const long = { socket: `/tmp/${'long'.repeat(30)}/hall.sock`, env: tmuxEnv, listeners };
  expect(await failureOf(openTmux(ctx, long))).toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('135 bytes'),
  });
  const folder = await tempFolder();
  expect(await failureOf(checkTmux(ctx, { PATH: folder }))).toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('apt-get install tmux'),
  });
  writeFileSync(join(folder, 'tmux'), '#!/bin/sh\necho tmux 3.2a\n');
  chmodSync(join(folder, 'tmux'), 0o755);
  expect(await failureOf(checkTmux(ctx, { PATH: `${folder}:${tmuxEnv.PATH}` }))).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('3.2a'),
  });
  expect(await checkTmux(ctx, tmuxEnv)).toMatch(/^3\.\d/);
});

async function openAndEnd(): Promise<TestTmux> {
  const tests = await openTestTmux(mkdtempSync(join(tmpdir(), 'gh-tmux-')));
  await endTestTmux(tests);
  return tests;
}
