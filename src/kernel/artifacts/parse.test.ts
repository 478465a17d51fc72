import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxYamlLength, parseArtifact } from './parse.ts';

const problemsOf = (source: string) =>
  parseArtifact(source, 'x.md').problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('parseArtifact', () => {
  test('frontmatter in any legal style, and the body as it is', () => {
    const source = [
      '---',
      'title: "A: b" # comment',
      'tags: [a, \'b\', "c"]',
      'date: 2026-03-07',
      'when: 2026-03-07T03:54:40.258Z',
      'list:',
      '- x',
      '- {a: 1}',
      'text: |',
      '  one',
      '  ---',
      'folded: >-',
      '  one',
      '  two',
      'no: no',
      '---',
      '',
      'Body',
      '---',
      'more',
    ].join('\n');
    expect(parseArtifact(source, 'x.md')).toEqual({
      frontmatter: {
        title: 'A: b',
        tags: ['a', 'b', 'c'],
        date: '2026-03-07',
        when: '2026-03-07T03:54:40.258Z',
        list: ['x', { a: 1 }],
        text: 'one\n---\n',
        folded: 'one two',
        no: 'no',
      },
      body: '\nBody\n---\nmore',
      problems: [],
      source,
    });
  });

  test.each([
    ['', {}, ''],
    ['# Title\n', {}, '# Title\n'],
    ['\ufeff# Title\n', {}, '# Title\n'],
    ['---\n---\n', {}, ''],
    ['---\n---', {}, ''],
    ['---\n# only a comment\n---\nx', {}, 'x'],
    ['\ufeff---\na: 1\n---\nx', { a: 1 }, 'x'],
    ['---\r\na: 1\r\nb: |\r\n  x\r\n  y\r\n---\r\nx\r\n', { a: 1, b: 'x\ny\n' }, 'x\r\n'],
    ['--- \na: 1\n---\t\nx', { a: 1 }, 'x'],
    ['----\na: 1\n---\nx', {}, '----\na: 1\n---\nx'],
    ['\n---\na: 1\n---\n', {}, '\n---\na: 1\n---\n'],
    ['---\na: 1\n --- x\n---\nx', { a: '1 --- x' }, 'x'],
    ['---\na: &x [1]\nb: *x\n---\n', { a: [1], b: [1] }, ''],
    ['---\n1: x\nyes: y\n---\n', { 1: 'x', yes: 'y' }, ''],
  ])('%j', (source, frontmatter, body) => {
    expect(parseArtifact(source, 'x.md')).toMatchObject({ frontmatter, body, source });
  });

  test('a field named __proto__ is a field', () => {
    const { frontmatter } = parseArtifact('---\n__proto__: x\n---\n', 'x.md');
    expect(Object.entries(frontmatter)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(frontmatter)).toBe(Object.prototype);
  });

  test('problems carry line and column within the file [SYS-READ-TOLERANT]', () => {
    expect(problemsOf('---\na: 1\n\tb: 2\n---\n')).toEqual([expect.stringMatching(/^3:1 Tabs are not allowed/)]);
    expect(problemsOf('---\na: 1\nb: 2\na: 3\n---\n')).toEqual(['4:1 This field stands here a second time.']);
    expect(problemsOf('---\na: 1\nb: *x\n---\n')).toEqual([expect.stringMatching(/^3:4 .*alias/i)]);
    expect(problemsOf('---\n1: a\n"1": b\n---\n')).toEqual(['3:1 This field stands here a second time.']);
    expect(problemsOf('---\n- a\n---\n')).toEqual(['2:1 Fields were expected here, as `name: value`.']);
    expect(problemsOf('---\njust words\n---\n')).toEqual(['2:1 Fields were expected here, as `name: value`.']);
    expect(problemsOf('---\na: 1\n')).toEqual(['1:1 The frontmatter that begins here has no closing line `---`.']);
    expect(problemsOf('---\r\na: 1\r\nb: "x\r\n---\r\n')).toEqual([
      expect.stringMatching(/^4:1 Missing closing "quote/),
    ]);
    expect(problemsOf('---\n? [a]\n: b\n---\n')).toEqual(['3:3 The name of this field is no plain text.']);
    expect(problemsOf('---\na: !thing x\n---\n')).toEqual([expect.stringMatching(/^2:4 Unresolved tag/)]);
  });

  test('what could be read is given beside the problems', () => {
    const { frontmatter, problems } = parseArtifact('---\ntitle: T\nstatus: open\nprompt: "never\n---\nends', 'x.md');
    expect(frontmatter).toMatchObject({ title: 'T', status: 'open' });
    expect(problems).toHaveLength(1);
    expect(parseArtifact('---\na: &a [*a]\nb: 1\n---\n', 'x.md').frontmatter).toEqual({ b: 1 });
  });

  test('hostile frontmatter: nested, self-referring, exploding, too long', () => {
    expect(problemsOf(`---\na: ${'['.repeat(20_000)}\n---\n`).join()).toContain('nested too deeply');
    const bomb = 'abcdef'
      .split('')
      .map((key, index) =>
        index === 0 ? 'a: &a [1,2,3,4,5,6,7,8,9]' : `${key}: &${key} [${`*${'abcdef'[index - 1]},`.repeat(9)}]`,
      );
    expect(problemsOf(`---\n${bomb.join('\n')}\n---\n`).join()).toContain('Excessive alias count');
    expect(problemsOf(`---\n${'x'.repeat(maxYamlLength + 1)}\n---\n`)).toEqual([
      `2:1 It has more than ${maxYamlLength} characters.`,
    ]);
    const names = Array.from({ length: 20_000 }, (_, at) => `a${at}: &a${at} 1\nb${at}: *a${at}`).join('\n');
    expect(problemsOf(`---\n${names}\n---\n`)).toEqual(['2:1 It has more than 100 aliases.']);
    expect(problemsOf(`---\n${'\tx\n'.repeat(2000)}---\n`).length).toBeLessThanOrEqual(20);
  });

  test('a body of some megabytes', () => {
    const body = 'line\n---\n'.repeat(500_000);
    expect(parseArtifact(`---\na: 1\n---\n${body}`, 'x.md').body).toBe(body);
  });

  test('never throws, and loses nothing of the body, whatever the text [SYS-TEXT]', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '\r\n',
      ': ',
      '- ',
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      '|',
      '>',
      '&a ',
      '*a',
      '!t ',
      '? ',
      '#',
      '\t',
      '%',
      '...',
      'a',
      '\0',
      ' ',
      '\u2028',
      '\ufeff',
      '@',
      '`',
      ',',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 60 }).map((pieces) => `---\n${pieces.join('')}\n---\nbody`),
    );
    fc.assert(
      fc.property(text, (source) => {
        const document = parseArtifact(source, 'x.md');
        expect(source.endsWith(document.body)).toBe(true);
        JSON.stringify(document.frontmatter);
        for (const { line, column } of document.problems) {
          expect(line).toBeGreaterThan(0);
          expect(line).toBeLessThanOrEqual(source.split('\n').length);
          expect(column).toBeGreaterThan(0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
