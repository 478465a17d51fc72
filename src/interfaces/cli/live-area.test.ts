/** The dim lines below what has landed, that are taken back. */
import { expect, test } from 'vitest';
import { clearLive, createLiveArea, drawLive, headOfLive, lastLines } from './live-area.ts';
import { createTerminal } from './terminal.ts';

function areaOf(isTTY: boolean) {
  const said = { err: '' };
  const streams = {
    out: { isTTY, columns: 30, write: () => {} },
    err: { isTTY, write: (text: string) => (said.err += text) },
  };
  return { area: createLiveArea(createTerminal(streams, { NO_COLOR: '1', TERM: 'xterm' }), false), said };
}

test('lines are cut to the width, at most six, and taken back one by one', () => {
  const { area, said } = areaOf(true);
  drawLive(area, ['a very long line that does not fit here', '  b', 'c', 'd', 'e', 'f', 'g']);
  expect(said.err.split('\n')).toEqual(['a very long line that does n…', '  b', 'c', 'd', 'e', 'f']);
  said.err = '';
  drawLive(area, ['one']);
  expect(said.err).toBe(`\r\u001b[2K${'\u001b[1A\r\u001b[2K'.repeat(5)}one`);
  said.err = '';
  clearLive(area);
  clearLive(area);
  expect(said.err).toBe('\r\u001b[2K');
});

test('wide characters count twice', () => {
  const { area, said } = areaOf(true);
  drawLive(area, ['漢'.repeat(40)]);
  expect(said.err).toBe(`${'漢'.repeat(13)}…`);
});

test('on a pipe nothing is shown', () => {
  const { area, said } = areaOf(false);
  drawLive(area, ['one']);
  clearLive(area);
  expect(said.err).toBe('');
});

test('the last words are kept, in lines', () => {
  const words = Array.from({ length: 60 }, (_, index) => `w${index}`).join(' ');
  const lines = lastLines(`${words}\n\u001b[2J end`, 40, 3);
  expect(lines).toHaveLength(3);
  expect(lines.join(' ')).toMatch(/ w59 \[2J end$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(37);
  expect(headOfLive(['Theo (Architect) speaks', '', 'Read a'], 61)).toBe(
    '◐ Theo (Architect) speaks · 1 min 1 s · Read a',
  );
});
