import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ArtifactEdit, editArtifact, printArtifact } from './edit.ts';
import { parseArtifact } from './parse.ts';

const fieldsOf = (source: string) => parseArtifact(source, 'x.md').frontmatter;
const wrap = (...lines: string[]) => ['---', ...lines, '---', '', '# Body', '---', ''].join('\n');

/** Lines that differ, as `-old` and `+new`. Only for edits that keep the rest in order. */
function changes(before: string, edit: ArtifactEdit): string[] {
  const after = editArtifact(before, edit).split('\n');
  const old = before.split('\n');
  const result: string[] = [];
  for (const line of after) {
    const at = old.indexOf(line);
    if (at === -1) result.push(`+${line}`);
    else
      result.push(
        ...old
          .splice(0, at + 1)
          .slice(0, -1)
          .map((gone) => `-${gone}`),
      );
  }
  return [...result, ...old.map((gone) => `-${gone}`)];
}

const sample = wrap(
  'title: "x" # c1',
  '# about tags',
  'tags: [a,b]   # flow',
  'list:',
  '  - a # ca',
  '',
  '  - b # cb',
  '  # at the end of the list',
  "status: 'open'",
  'unknown: {keep:   me}   # odd  spacing',
  'count: 1.00',
  'text: |',
  '  hello',
  '  ---',
  '',
  'empty:',
  'nothing: ~ # not yet',
  'log: []',
  'items:',
  '- at: 2026-01-01T00:00:00.000Z',
  '  reason: "Us"',
  '# the end',
);

describe('editArtifact', () => {
  test('only the line of the field changes; quotes and comments stay [SYS-READ-HANDS]', () => {
    expect(changes(sample, { set: { title: 'new "title"' } })).toEqual([
      '+title: "new \\"title\\"" # c1',
      '-title: "x" # c1',
    ]);
    expect(changes(sample, { set: { status: 'closed' } })).toEqual(["+status: 'closed'", "-status: 'open'"]);
    expect(changes(sample, { set: { nothing: 'x' } })).toEqual(['+nothing: x # not yet', '-nothing: ~ # not yet']);
    expect(changes(sample, { set: { empty: 7 } })).toEqual(['+empty: 7', '-empty:']);
    expect(changes(sample, { set: { tags: ['z'] } })).toEqual(['+tags: [z] # flow', '-tags: [a,b]   # flow']);
  });

  test('text of several lines', () => {
    expect(changes(sample, { set: { text: 'one\ntwo\n' } })).toEqual(['+  one', '+  two', '-  hello', '-  ---']);
    expect(changes(sample, { set: { status: 'a\nb' } })).toEqual(['+status: |-', '+  a', '+  b', "-status: 'open'"]);
    expect(changes(sample, { set: { tags: 'a\nb\n' } })).toEqual([
      '+tags: | # flow',
      '+  a',
      '+  b',
      '-tags: [a,b]   # flow',
    ]);
    expect(changes(sample, { set: { text: 'short' } })).toEqual(['+text: short', '-text: |', '-  hello', '-  ---']);
  });

  test('new fields come last, in the order given', () => {
    expect(changes(sample, { set: { one: 1, two: ['a'] } })).toEqual(['+one: 1', '+two:', '+  - a']);
  });

  test('a value that is there already changes nothing', () => {
    const edit = {
      set: { title: 'x', tags: ['a', 'b'], unknown: { keep: 'me' }, count: 1, nothing: null, text: 'hello\n---\n' },
    };
    expect(editArtifact(sample, edit)).toBe(sample);
    expect(editArtifact(sample, { set: { title: undefined }, remove: ['absent'], append: { list: [] } })).toBe(sample);
  });

  test('adding to a list in any form', () => {
    expect(changes(sample, { append: { list: ['c', { a: 1, b: 'x' }] } })).toEqual([
      '+  - c',
      '+  - a: 1',
      '+    b: x',
    ]);
    expect(changes(sample, { append: { tags: ['c d', 'e, f'] } })).toEqual([
      '+tags: [a,b, c d, "e, f"]   # flow',
      '-tags: [a,b]   # flow',
    ]);
    expect(changes(sample, { append: { items: [{ at: 't', reason: 'r' }] } })).toEqual(['+- at: t', '+  reason: r']);
    expect(changes(sample, { append: { log: ['x'] } })).toEqual(['+log:', '+  - x', '-log: []']);
    expect(changes(sample, { append: { nothing: ['x'] } })).toEqual([
      '+nothing: # not yet',
      '+  - x',
      '-nothing: ~ # not yet',
    ]);
    expect(changes(sample, { append: { fresh: ['x'] } })).toEqual(['+fresh:', '+  - x']);
    expect(changes(wrap('a: [', '  1, # one', '  2, # two', ']'), { append: { a: [3] } })).toEqual([
      '+  2, 3, # two',
      '-  2, # two',
    ]);
    expect(changes(wrap('a:', '  - |+', '    x', '', 'b: 1'), { append: { a: [3] } })).toEqual(['+  - 3']);
  });

  test('a list given as a whole that only grew is added to', () => {
    expect(changes(sample, { set: { list: ['a', 'b', 'c'] } })).toEqual(['+  - c']);
  });

  test('a list that lost an item loses its lines', () => {
    expect(changes(sample, { set: { list: ['b'] } })).toEqual(['-  - a # ca']);
    expect(changes(sample, { set: { list: ['a'] } })).toEqual(['-  - b # cb']);
    const items = wrap('a:', '- x: 1', '  y: 2', '# about z', '- z: |', '    text', '- w', 'b: 1');
    expect(changes(items, { set: { a: [{ z: 'text\n' }, 'w'] } })).toEqual(['-- x: 1', '-  y: 2']);
    expect(changes(items, { set: { a: [{ x: 1, y: 2 }, 'w'] } })).toEqual(['-- z: |', '-    text']);
    expect(changes(sample, { set: { list: [] } })).toContain('+list: []');
  });

  test('set and append of one field go together', () => {
    expect(fieldsOf(editArtifact(sample, { set: { list: ['x'] }, append: { list: ['y'] } }))['list']).toEqual([
      'x',
      'y',
    ]);
  });

  test('removing a field leaves the comments of the others', () => {
    expect(changes(sample, { remove: ['list', 'title'] })).toEqual([
      '-title: "x" # c1',
      '-list:',
      '-  - a # ca',
      '-',
      '-  - b # cb',
    ]);
  });

  test.each(['title', 'text', 'unknown', 'count'])('adding to %s, which is no list, is refused', (field) => {
    expect(() => editArtifact(sample, { append: { [field]: ['x'] } })).toThrow(/no list/);
  });

  test('the refusal names the line in the file', () => {
    expect(() => editArtifact(wrap('a: 1', 'b: [', 'c: 2'), { set: { a: 2 } })).toThrow(/line 4, column 1/);
    expect(() => editArtifact(wrap('a: 1', 'a: 2'), { set: { b: 2 } })).toThrow(/line 3, column 1: this field stands/);
    expect(() => editArtifact('---\na: 1\n', { set: { b: 2 } })).toThrow(/line 1, column 1.*no closing line/);
    expect(() => editArtifact(wrap('- a'), { set: { b: 2 } })).toThrow(/line 2, column 1: fields were expected/);
  });

  test('the body can be changed under a frontmatter that cannot be read', () => {
    const source = wrap('a: [');
    expect(editArtifact(source, { body: 'new' })).toBe('---\na: [\n---\nnew');
  });

  test('body', () => {
    expect(editArtifact(sample, { body: 'x $& $1 \r\n---\n🙂' })).toBe(
      sample.slice(0, sample.indexOf('\n# Body')) + 'x $& $1 \r\n---\n🙂',
    );
    expect(editArtifact('---\na: 1\n---', { body: 'x' })).toBe('---\na: 1\n---\nx');
    expect(editArtifact('plain', { body: 'other' })).toBe('other');
  });

  test('text without frontmatter gets one', () => {
    expect(editArtifact('# T\n', { set: { a: 1 } })).toBe('---\na: 1\n---\n# T\n');
    expect(editArtifact('', { append: { a: ['x'] } })).toBe('---\na:\n  - x\n---\n');
    expect(editArtifact('\ufeff# T\r\nx', { set: { a: 1, b: 2 } })).toBe(
      '\ufeff---\r\na: 1\r\nb: 2\r\n---\r\n# T\r\nx',
    );
    expect(editArtifact('---\n---\n', { set: { a: 1 } })).toBe('---\na: 1\n---\n');
  });

  test('CRLF and the byte order mark stay', () => {
    const source = `\ufeff${sample.replaceAll('\n', '\r\n')}`;
    const edited = editArtifact(source, {
      set: { title: 'n', text: 'one\ntwo\n', fresh: 'a\nb' },
      append: { list: ['c'], log: ['x'] },
      remove: ['status'],
    });
    expect(edited.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(edited.startsWith('\ufeff---\r\n')).toBe(true);
    expect(fieldsOf(edited)).toMatchObject({
      title: 'n',
      text: 'one\ntwo\n',
      fresh: 'a\nb',
      list: ['a', 'b', 'c'],
      log: ['x'],
    });
  });

  test('forms that are not edited in place still keep their values and comments', () => {
    const flow = editArtifact(wrap('{a: 1, b: [x]} # all'), { set: { a: 2, c: 'l1\nl2' }, append: { b: ['y'] } });
    expect(fieldsOf(flow)).toEqual({ a: 2, b: ['x', 'y'], c: 'l1\nl2' });
    expect(flow).toContain('# all');
    const explicit = editArtifact(wrap('? a # key', ': 1', 'b: 2'), { set: { a: 3 } });
    expect(fieldsOf(explicit)).toEqual({ a: 3, b: 2 });
    expect(fieldsOf(editArtifact(wrap('  a: 1', '  b:', '    - c'), { set: { b: [1], z: 1 } }))).toEqual({
      a: 1,
      b: [1],
      z: 1,
    });
  });

  test('an anchor that another field uses is not lost', () => {
    const source = wrap('a: &x 1', 'b: *x');
    expect(() => editArtifact(source, { set: { a: 2 } })).toThrow(/line 2.*share an anchor/);
    expect(fieldsOf(editArtifact(source, { set: { b: 2 } }))).toEqual({ a: 1, b: 2 });
  });

  test('a megabyte of text in a field', () => {
    const long = 'some words: "and" more\n'.repeat(45_000);
    expect(fieldsOf(editArtifact(sample, { set: { prompt: long } }))['prompt']).toBe(long);
    expect(() => editArtifact(sample, { set: { prompt: long.repeat(3) } })).toThrow(/would have 3/);
  });
});

const awkward = fc.constantFrom(
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '---',
  '...',
  '$&',
  '$1',
  '"',
  "'",
  '\\',
  '#',
  ': ',
  '- ',
  '? ',
  '|',
  '>',
  '&a',
  '*a',
  '!t',
  '%',
  '@',
  '`',
  '{',
  '}',
  '[',
  ']',
  ',',
  '\0',
  '\u0007',
  '\u007f',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\uffff',
  '🙂',
  'é',
  '1',
  '0x1f',
  '1e3',
  'true',
  'null',
  '~',
  'yes',
  '2026-01-01',
  '<<',
  '=',
  'word',
);
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  awkward,
  fc.array(awkward, { maxLength: 12 }).map((pieces) => pieces.join('')),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.oneof(
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
    ),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const fields = fc.dictionary(fc.oneof(fc.constantFrom('title', 'tags', 'log', 'status'), text), value, { maxKeys: 5 });

describe('any value', () => {
  test('a printed artifact reads back as it was given [SYS-TEXT]', () => {
    fc.assert(
      fc.property(fields, text, (frontmatter, body) => {
        const source = printArtifact(frontmatter, body);
        expect(parseArtifact(source, 'x.md')).toEqual({ frontmatter, body, problems: [], source });
      }),
      { numRuns: 300 },
    );
  });

  test('an edit changes what it names, and nothing else [SYS-READ-HANDS, SYS-TEXT]', () => {
    const samples = fc.oneof(
      fc.constantFrom(
        sample,
        sample.replaceAll('\n', '\r\n'),
        '',
        '# T\n',
        wrap('{title: x, log: [1]}'),
        wrap('  title: x', '  tags: []'),
      ),
      fc.tuple(fields, text).map(([frontmatter, body]) => printArtifact(frontmatter, body)),
    );
    fc.assert(
      fc.property(samples, fields, fc.array(value, { maxLength: 3 }), (source, set, items) => {
        const before = parseArtifact(source, 'x.md');
        const after = parseArtifact(editArtifact(source, { set, append: { appended: items } }), 'x.md');
        const given = (set as Record<string, unknown>)['appended'];
        expect(after.problems).toEqual([]);
        expect(after.body).toBe(before.body);
        expect(given).toBeUndefined();
        expect(after.frontmatter).toEqual({ ...before.frontmatter, ...set, appended: items });
        const again = editArtifact(after.source, { append: { appended: ['last'] } });
        expect(parseArtifact(again, 'x.md').frontmatter).toEqual({
          ...after.frontmatter,
          appended: [...items, 'last'],
        });
        const removed = editArtifact(again, { remove: [...Object.keys(set), 'appended'] });
        expect(Object.keys(fieldsOf(removed))).toEqual(
          Object.keys(before.frontmatter).filter((key) => !Object.hasOwn(set, key)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('half of a surrogate pair becomes U+FFFD', () => {
    expect(parseArtifact(printArtifact({ a: 'x\ud800y' }, '\udc00'), 'x.md')).toMatchObject({
      frontmatter: { a: 'x\ufffdy' },
      body: '\ufffd',
    });
  });

  test('what has no JSON form is refused', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    for (const bad of [loop, 1n, () => 1]) expect(() => printArtifact({ bad }, '')).toThrow(/neither text/);
    expect(fieldsOf(printArtifact({ a: new Date(0), b: undefined }, ''))).toEqual({ a: '1970-01-01T00:00:00.000Z' });
  });
});

describe('a text that is read and edited again and again', () => {
  test('gives the same each time: what was done to its fields, and how it was edited, is not remembered', () => {
    const source = '---\nlist: [1, {a: 2}]\nmap: &m {b: 3}\nsame: *m\n---\nBody\n';
    const edit = { set: { map: { c: 4 } } };
    const first = parseArtifact(source, 'x.md');
    const expected = structuredClone(first.frontmatter);
    (first.frontmatter['list'] as unknown[]).push('more');
    delete first.frontmatter['same'];
    expect(parseArtifact(source, 'x.md').frontmatter).toEqual(expected);
    // Printed anew as a whole, because it is in brackets.
    const inBrackets = '---\n{list: [1], map: {b: 3}}\n---\nBody\n';
    const edited = editArtifact(inBrackets, edit);
    expect(editArtifact(inBrackets, edit)).toBe(edited);
    expect(parseArtifact(inBrackets, 'x.md').frontmatter).toEqual({ list: [1], map: { b: 3 } });
    expect(parseArtifact(edited, 'x.md').frontmatter).toEqual({ list: [1], map: { c: 4 } });
    expect(() => editArtifact(source, edit)).toThrow(/share an anchor/);
    expect(parseArtifact(source, 'x.md').frontmatter).toEqual(expected);
  });
});
