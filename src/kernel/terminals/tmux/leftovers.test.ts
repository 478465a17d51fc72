import { expect, test } from 'vitest';
import { waitUntil } from '../../../../test/help/programs.ts';
import { endTestTmux, openTestTmux, startTest, untilShown } from '../../../../test/help/tmux.ts';
import { packageRoot } from '../../../../test/help/programs.ts';
import { findProcessesByMark } from '../../processes/marks.ts';
import { endLeftovers, terminalMark } from './leftovers.ts';
import { endWindow } from './windows.ts';

test('a process that outlives its window, and will not end when asked, is found by its mark and ended', async () => {
  const tests = await openTestTmux();
  try {
    const mark = tests.ctx.ids.random(32);
    const env = { [terminalMark]: mark };
    const program: [string, ...string[]] = ['sh', `${packageRoot}/test/fixtures/terminals/stay-behind.sh`];
    const mine = await startTest(tests, program, { env });
    const other = await startTest(tests, ['cat'], { env: { [terminalMark]: `${mark}x` } });
    await untilShown(tests, mine.pane, 'it runs');
    await waitUntil(async () => (await findProcessesByMark(terminalMark, mark)).length >= 2);
    await endWindow(tests.tmux, mine.pane);
    await waitUntil(async () => !(await findProcessesByMark(terminalMark, mark)).some(({ pid }) => pid === mine.pid));
    expect(await findProcessesByMark(terminalMark, mark)).not.toHaveLength(0);
    expect(await endLeftovers(tests.ctx, mark, { graceMs: 100 })).toBe(0);
    expect(await findProcessesByMark(terminalMark, mark)).toHaveLength(0);
    const left = await findProcessesByMark(terminalMark, `${mark}x`);
    expect(left.map(({ pid }) => pid)).toContain(other.pid);
  } finally {
    await endTestTmux(tests);
  }
});
