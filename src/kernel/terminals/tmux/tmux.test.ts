import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endTestTmux,
  linesOf,
  openTestTmux,
  pasteText,
  pressKeys,
  startTest,
  type TestTmux,
  untilShown,
} from '../../../../test/help/tmux.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { typeBytes } from './input.ts';
import { endWindow, listWindows } from './windows.ts';

let tests: TestTmux;
beforeAll(async () => {
  tests = await openTestTmux();
});
afterAll(async () => await endTestTmux(tests));

test('a program starts, shows, takes keys and text, and ends with its code', async () => {
  const { pane, terminal } = await startTest(tests, ['cat']);
  await pasteText(tests, pane, 'Hello there');
  await pressKeys(tests, pane, ['Enter']);
  await untilShown(tests, pane, /Hello there\nHello there/);
  await typeBytes(tests.tmux, pane, Buffer.from('grüße\n'));
  await untilShown(tests, pane, /grüße\ngrüße/);
  const windows = await listWindows(tests.tmux);
  expect(windows.map((window) => [window.pane, window.terminal, window.cols, window.rows])).toContainEqual([
    pane,
    terminal,
    120,
    36,
  ]);
  await pressKeys(tests, pane, ['C-d']);
  await waitUntil(() => tests.ends.has(pane));
  expect(tests.ends.get(pane)).toEqual({ exitCode: 0, signal: null });
  await endWindow(tests.tmux, pane);
  expect((await listWindows(tests.tmux)).map((window) => window.pane)).not.toContain(pane);
});

test('what a program said before it ended is there when its end is told', async () => {
  const { pane } = await startTest(tests, ['sh', '-c', 'echo these are my last words; exit 3']);
  await waitUntil(() => tests.ends.has(pane));
  await untilShown(tests, pane, 'these are my last words');
  expect(tests.ends.get(pane)).toEqual({ exitCode: 3, signal: null });
  expect(linesOf(tests, pane).filter((line) => line.includes('last words'))).toHaveLength(1);
});

test('a program that only says that it ended goes on', async () => {
  const said = "printf '\\033]7390;over\\007'";
  const { pane } = await startTest(tests, ['sh', '-c', `echo before; ${said}; echo after; cat`]);
  await untilShown(tests, pane, /before\nafter/);
  await typeBytes(tests.tmux, pane, Buffer.from('still here\n'));
  await untilShown(tests, pane, /still here\nstill here/);
  expect(tests.ends.has(pane)).toBe(false);
});

test('what is typed after a program ended is not shown as if it had been taken', async () => {
  const { pane } = await startTest(tests, ['sh', '-c', 'echo ready; read line; exit 5']);
  await untilShown(tests, pane, 'ready');
  await typeBytes(tests.tmux, pane, Buffer.from('one\n'));
  await untilShown(tests, pane, 'one');
  await waitUntil(() => tests.tmux.panes.get(pane)!.flow === 'over');
  await typeBytes(tests.tmux, pane, Buffer.from('two\n'));
  await waitUntil(() => tests.ends.has(pane));
  expect(tests.ends.get(pane)).toEqual({ exitCode: 5, signal: null });
  expect(linesOf(tests, pane).filter((line) => line !== '')).toEqual(['ready', 'one']);
  expect(tests.refills.get(pane)).toBeUndefined();
});
