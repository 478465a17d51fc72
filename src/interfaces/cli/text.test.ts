import { describe, expect, test } from 'vitest';
import { toolLine } from './follow.ts';
import { renderAnything } from './render/anything.ts';
import { parseServerEvent, readServerEvents } from '../../kernel/events/server-events.ts';
import { createTerminal, oneLine, plainText, wantsColours, type Terminal } from './terminal.ts';

const terminal = (isTTY: boolean, env: NodeJS.ProcessEnv = {}): Terminal =>
  createTerminal({ out: { isTTY, columns: 40, write: () => {} }, err: { write: () => {} } }, env);

describe('terminal', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
  ])('colours: tty %s, env %j → %s', (isTty, env, expected) => {
    expect(wantsColours(isTty, env)).toBe(expected);
    expect(terminal(isTty, env).style('red', 'x') !== 'x').toBe(expected);
  });

  test('plain text keeps words, breaks and tabs, and loses what could act on the terminal', () => {
    expect(plainText('a\r\nb\tc \u001b]0;title\u0007\u009b2J\u202eevil é 😀')).toBe('a\nb\tc ]0;title2Jevil é 😀');
    expect(oneLine('a\n  b   c', 10)).toBe('a b c');
    expect(oneLine('😀'.repeat(20), 5)).toBe('😀😀😀😀…');
  });
});

test.each([
  [{ name: 'Read', input: { file_path: 'src/a.ts', limit: 3 } }, '· Read "src/a.ts"'],
  [{ name: 'Ping', input: {} }, '· Ping'],
  [{ name: 'Grep', input: { pattern: '', path: 'src' } }, '· Grep "src"'],
  [{ name: 'Grep', input: { pattern: 'x'.repeat(90) } }, `· Grep "${'x'.repeat(59)}…"`],
  [{ name: 'Odd', input: null }, '· Odd'],
  [{ name: 'Other', input: { n: 1, word: 'x\ny' } }, '· Other "x y"'],
])('tool line of %j', (call, expected) => {
  expect(toolLine(call, 80)).toBe(expected);
});

describe('renderAnything', () => {
  const term = terminal(false);
  test('a list of objects is a table of its short fields', () => {
    const value = {
      things: [
        { name: 'a', sizeInBytes: 5, deep: { x: 1 } },
        { name: 'longer', sizeInBytes: null },
      ],
    };
    expect(renderAnything(value, term)).toBe('name    size in bytes\na       5\nlonger  –\n');
  });
  test('an empty list says so', () => {
    expect(renderAnything({ open_meetings: [] }, term)).toBe('no open meetings\n');
  });
  test('objects in objects and long text', () => {
    const value = { id: 'x', merge: { state: 'none', files: ['a', 'b'] }, notes: 'one\ntwo', none: [] };
    expect(renderAnything(value, term)).toBe(
      'id  x\nmerge\n  state  none\n  files\n    · a\n    · b\nnotes\n  one\n  two\n',
    );
  });
});

describe('server-sent events', () => {
  async function* bytes(...parts: string[]) {
    for (const part of parts) yield new TextEncoder().encode(part);
  }
  test('events cut anywhere, comments and other line ends', async () => {
    const text = ': hi\n\nid: e.1\nevent: a.b\ndata: {"x":"é😀"}\n\nid: e.2\r\n\r\ndata: 1\ndata: 2\n\ndata: cut';
    const raw = new TextEncoder().encode(text);
    const pieces = Array.from(raw, (byte) => Uint8Array.of(byte));
    const read: unknown[] = [];
    for await (const event of readServerEvents(
      (async function* () {
        yield* pieces;
      })(),
    )) {
      read.push(event);
    }
    expect(read).toEqual([
      { id: 'e.1', event: 'a.b', data: '{"x":"é😀"}' },
      { id: 'e.2', event: 'message', data: '' },
      { id: undefined, event: 'message', data: '1\n2' },
    ]);
    const whole: unknown[] = [];
    for await (const event of readServerEvents(bytes(text))) whole.push(event);
    expect(whole).toEqual(read);
  });
  test('a comment is no event', () => {
    expect(parseServerEvent(': still here')).toBeUndefined();
  });
});
