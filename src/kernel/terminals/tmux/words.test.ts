import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endTestTmux, openTestTmux } from '../../../../test/help/tmux.ts';
import { type ControlEvent, createParser, feedParser } from './parser.ts';
import { ask } from './connection.ts';
import { bytesOfOutput, tmuxLine, tmuxWord, withoutFormats } from './words.ts';

const anyBytes = fc.uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 400 });
const nasty = fc.constantFrom(
  '#{pid}',
  '$HOME',
  '~',
  ';',
  '\\;',
  '"',
  "'",
  '\\',
  '\n',
  '%end 1 1 1',
  '#(date)',
  '{',
  '}',
  '-x',
  '\\033',
  '\r\n',
  '`date`',
);
const words = fc.oneof(
  anyBytes,
  fc.array(nasty, { minLength: 1, maxLength: 8 }).map((all) => Buffer.from(all.join(''))),
);

test('whatever stands in a word, the real tmux takes it as one word and loses nothing', async () => {
  const tests = await openTestTmux();
  try {
    const { connection } = tests.tmux;
    const file = join(tests.folder, 'buffer');
    await fc.assert(
      fc.asyncProperty(words, async (bytes) => {
        await ask(connection!, [
          ['set-buffer', '-b', 'any', '--', bytes],
          ['save-buffer', '-b', 'any', file],
        ]);
        expect((await readFile(file)).equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 150 },
    );
    const every = Buffer.from(Array.from({ length: 255 }, (_, at) => at + 1));
    await ask(connection!, [
      ['set-buffer', '-b', 'any', '--', every],
      ['save-buffer', '-b', 'any', file],
    ]);
    expect(await readFile(file)).toEqual(every);
  } finally {
    await endTestTmux(tests);
  }
});

test('a NUL is refused, and a format is kept from being filled in', () => {
  expect(() => tmuxWord('a\0b')).toThrow('NUL');
  expect(withoutFormats('#{pid}#(date)')).toBe('##{pid}##(date)');
  expect(tmuxLine([['a', 'b c'], ['d\n']])).toBe('"a" "b c" ; "d\\012"\n');
});

/** As tmux writes what a pane wrote. */
function shownAs(bytes: Uint8Array): Buffer {
  return Buffer.concat(
    [...bytes].map((byte) =>
      byte < 0x20 || byte === 0x5c ? Buffer.from(`\\${byte.toString(8).padStart(3, '0')}`) : Buffer.from([byte]),
    ),
  );
}

test('output comes back as the bytes that were written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(bytesOfOutput(shownAs(bytes)).equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

/** The events of what tmux said, in pieces of any length. */
function eventsOf(said: Buffer, cuts: readonly number[], lengths: readonly (number | undefined)[]): ControlEvent[] {
  const events: ControlEvent[] = [];
  const left = [...lengths];
  const parser = createParser({ onEvent: (event) => events.push(event), lengthOfNext: () => left.shift() });
  let from = 0;
  for (const cut of [...cuts.map((part) => part % (said.length + 1)).toSorted((a, b) => a - b), said.length]) {
    feedParser(parser, Buffer.from(said.subarray(from, cut)));
    from = cut;
  }
  return events;
}

const forged = 'one\n%end 5 7 1\n%output %1 forged\n%error 9 9 1\ntwo\n';
const said = Buffer.concat([
  Buffer.from('%begin 1 1 0\nattached\n%end 1 1 0\n%session-changed $0 hall\n%output %1 a\\033[31m\\134'),
  Buffer.from([0xc3, 0xa9, 0xff]),
  Buffer.from('\n%begin 5 7 1\nplain\nreply\n%end 5 6 1\n%end 5 7 1\n'),
  Buffer.from(`%begin 5 7 1\n${forged}%end 5 7 1\n`),
  Buffer.from('%begin 6 8 1\nno such window\n%error 6 8 1\n%window-close @3\n%begin 6 9 1\n%pause %1\n%end 6 9 1\n'),
  Buffer.from('%output %123456789012345 x\nnoise\n%exit\n'),
]);

test('what tmux says is understood in pieces of any length, and nobody can forge the end of a reply', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: said.length }), { maxLength: 60 }), (cuts) => {
      const events = eventsOf(said, cuts, [undefined, Buffer.byteLength(forged), undefined, undefined]);
      expect(
        events.map((event) => {
          if (event.kind === 'output') return [event.kind, event.pane, event.bytes.toString('latin1')];
          return event.kind === 'reply' ? [event.ok, event.text.toString('latin1')] : [event.name, event.rest];
        }),
      ).toEqual([
        ['session-changed', '$0 hall'],
        ['output', '%1', 'a\u001b[31m\\\u00c3\u00a9\u00ff'],
        [true, 'plain\nreply\n%end 5 6 1'],
        [true, forged],
        [false, 'no such window'],
        ['window-close', '@3'],
        [true, '%pause %1'],
        ['exit', ''],
      ]);
    }),
  );
});
