import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printAppendix, readSection, replaceSection } from './sections.ts';

const note = `---
tags: [a]
# no heading
---
# Notes

Intro.

## Build

Use make.

### Flags

-O2

\`\`\`sh
## not a heading
\`\`\`

## Tests

Run them.
`;

describe('a section', () => {
  test('is replaced up to the next heading of its level, and nothing else changes', () => {
    expect(replaceSection(note, 'Build', 'Use ninja.\n')).toBe(
      note.replace(/Use make[\s\S]*```\n\n## Tests/, 'Use ninja.\n\n## Tests'),
    );
  });

  test('below another one is replaced alone', () => {
    expect(replaceSection(note, '### flags', '-O3')).toBe(note.replace(/-O2[\s\S]*```\n/, '-O3\n'));
  });

  test('that is not there is added at the end', () => {
    expect(replaceSection(note, 'Release', 'By hand.')).toBe(`${note}\n## Release\n\nBy hand.\n`);
  });

  test('keeps one heading when the content repeats it', () => {
    expect(replaceSection(note, 'Tests', '## Tests\n\nAll of them.')).toBe(note.replace('Run them.', 'All of them.'));
  });

  test('twice by the same name is refused', () => {
    expect(() => replaceSection('# A\n\n# A\n', 'A', 'x')).toThrow(/2 sections "A"/);
  });

  test('in a text with Windows line ends keeps them', () => {
    expect(replaceSection('# A\r\n\r\nold\r\n\r\n# B\r\n', 'A', 'new\nlines')).toBe(
      '# A\r\n\r\nnew\r\nlines\r\n\r\n# B\r\n',
    );
  });

  test('is read with its heading', () => {
    expect(readSection(note, 'tests')).toBe('## Tests\n\nRun them.\n');
    expect(readSection(note, 'not a heading')).toBeUndefined();
    expect(readSection(note, 'no heading')).toBeUndefined();
  });

  test('reads back as it was written, whatever the text', () => {
    const body = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !text.includes('#') && text.trim() !== '' && !/[\r\n`~]/.test(text));
    fc.assert(
      fc.property(body, body, (before, content) => {
        const text = replaceSection(`# A\n\n${before}\n\n# B\n\nend\n`, 'A', content);
        expect(readSection(text, 'A')).toBe(`# A\n\n${content.trim()}\n\n`);
        expect(readSection(text, 'B')).toBe('# B\n\nend\n');
      }),
    );
  });
});

test.each([
  ['', 'x', 'x\n'],
  ['a', 'x', 'a\n\nx\n'],
  ['a\n', 'x\n\n', 'a\n\nx\n'],
  ['a\n\n', 'x', 'a\n\nx\n'],
  ['a\r\n', 'x\ny', 'a\r\n\r\nx\r\ny\r\n'],
])('%j with %j appended is %j', (before, content, after) => {
  expect(before + printAppendix(before, content)).toBe(after);
});
