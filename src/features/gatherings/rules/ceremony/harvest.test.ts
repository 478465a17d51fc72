import { describe, expect, test } from 'vitest';
import { wholeHarvest } from '../../../../../test/help/gathering-values.ts';
import { mostItems, parseHarvest } from './harvest.ts';
import { harvestForm } from './harvest-form.ts';
import { escapedLine, harmless, harmlessLineOf } from './harmless.ts';

const items = (text: string): string[] => parseHarvest(text).items.map(({ kind, title }) => `${kind}: ${title}`);

test('the form that is asked for: three texts and four quadrants, each with its home [GTH-HARVEST-5, GTH-HARVEST-6]', () => {
  const { emerged, known, next, more, items: found } = parseHarvest(wholeHarvest);
  expect([emerged, known, next, more]).toEqual([
    'Nobody had said aloud that the build is too slow.',
    'Half of the circle would drop the cache. **Bo** would not.',
    'What would we do with an hour more a day?',
    '',
  ]);
  expect(found).toEqual([
    {
      kind: 'todo',
      title: 'Ada measures the build, by Friday.',
      text: 'Ada measures the build, by Friday.\nWith the cache and without it.',
    },
    { kind: 'todo', title: 'Bo writes the numbers down', text: 'Bo writes the numbers down' },
    {
      kind: 'proposal',
      title: 'docs/build.md: a section on the cache',
      text: '`docs/build.md`: a section on the cache',
    },
    {
      kind: 'memory',
      title: 'The cache was put in for a machine that is gone.',
      text: 'The cache was put in for a machine that is gone.',
    },
    { kind: 'vision', title: 'A build that nobody waits for', text: 'A build that nobody waits for' },
  ]);
});

test('what is asked for is understood as it is asked for [GTH-HARVEST-6]', () => {
  expect(parseHarvest(harvestForm).items.map(({ kind }) => kind)).toEqual([
    'todo',
    'proposal',
    'memory',
    'vision',
    'vision',
  ]);
  expect(parseHarvest(harvestForm).known).toContain('where it still disagrees');
});

describe('any other arrangement is taken, too [GTH-HARVEST-6]', () => {
  test.each<[string, string, string[]]>([
    [
      'other words',
      '# Harvest\n### Action items\n- a\n### Proposals\n- b\n### Memory\n- c\n### Vision seeds:\n- d',
      ['todo: a', 'proposal: b', 'memory: c', 'vision: d'],
    ],
    [
      'bold headings',
      '**Individual × Tangible**\n\n- a\n\n**Collective × Intangible**\n\n- b',
      ['todo: a', 'vision: b'],
    ],
    [
      'headings that are underlined, or end with a colon',
      'Action items\n------------\n- a\n\nTo remember:\n- b',
      ['todo: a', 'memory: b'],
    ],
    [
      'the other way round',
      '## Tangible / collective\n1. a\n2) b\n## 4. Intangible (individual)\n* c',
      ['proposal: a', 'proposal: b', 'memory: c'],
    ],
    [
      'one list whose items name their homes',
      '- todo: a\n- **Vision:** b\n- Memory: c\n  and more\n- none of these',
      ['todo: a', 'vision: b', 'memory: c'],
    ],
    [
      'items that name another home than where they stand',
      '## Individual, tangible\n- vision: a\n- [x] `proposal:` b\n- c',
      ['vision: a', 'proposal: b', 'todo: c'],
    ],
    ['a fence around all of it', '```markdown\n## Actions\n- a\n```', ['todo: a']],
    [
      'headings in place of a list',
      '## Individual, tangible\n### Write it\nSoon.\n\n- with tests\n### Read it\n',
      ['todo: Write it', 'todo: Read it'],
    ],
    [
      'paragraphs in place of a list',
      '## Individual, tangible\nHere they are:\n\nWrite it\nsoon.\n\nRead it.',
      ['todo: Write it', 'todo: Read it.'],
    ],
    [
      'words for nothing',
      '## Individual, tangible\n- None.\n## Collective, tangible\n(nothing)\n## Individual, intangible\n-\n## Collective, intangible\nn/a',
      [],
    ],
    [
      'a code block within an item',
      '## Actions\n- run this:\n  ```sh\n  # no heading\n  - no item\n  ```\n- then that',
      ['todo: run this:', 'todo: then that'],
    ],
    ['line ends of Windows', '## Actions\r\n- a\r\n- b\r\n', ['todo: a', 'todo: b']],
    ['the same item twice', '## Actions\n- a\n- a\n', ['todo: a']],
  ])('%s', (_how, text, wanted) => {
    expect(items(text)).toEqual(wanted);
  });

  test('plain words are what emerged; words under other headings are kept beside it', () => {
    expect(parseHarvest('It went\n\nwell.')).toEqual({
      emerged: 'It went\n\nwell.',
      known: '',
      next: '',
      more: '',
      items: [],
      tooMany: [],
    });
    const { emerged, more } = parseHarvest('Hello.\n## What emerged\na\n### Within it\nb\n## Mood\nGood.\n## Empty\n');
    expect([emerged, more]).toEqual(['a\n##### Within it\nb', 'Hello.\n\n**Mood**\n\nGood.']);
    expect(parseHarvest('').items).toEqual([]);
    expect(parseHarvest(' \n\n ')).toMatchObject({ emerged: '', items: [] });
  });
});

test('of more than forty items the others are named; long ones are cut', () => {
  const many = parseHarvest(`## Actions\n${Array.from({ length: 60 }, (_, at) => `- item ${at}`).join('\n')}`);
  expect([many.items.length, many.tooMany.length, many.tooMany[0]]).toEqual([mostItems, 20, 'item 40']);
  const [long] = parseHarvest(`## Actions\n- ${'word '.repeat(2_000)}`).items;
  expect(long!.text.length).toBeLessThanOrEqual(4_000);
  expect(long!.title.length).toBeLessThanOrEqual(120);
});

test.each([
  ['one line', 'x'.repeat(1_000_000)],
  ['headings', '# a\n'.repeat(250_000)],
  ['items', '- a\n'.repeat(250_000)],
  ['blanks', `## Actions\n- a${' '.repeat(999_980)}b`],
  ['marks', '*'.repeat(1_000_000)],
  ['fences', '```\n'.repeat(250_000)],
  ['brackets', `- ${'['.repeat(500_000)}${']('.repeat(250_000)}`],
  ['openings', `## Actions\n- ${'<!--<a '.repeat(140_000)}`],
  ['backticks', `a ${'`a``b'.repeat(200_000)}`],
  ['bold', `${'**_'.repeat(333_000)}`],
  ['a heading', `# a${' '.repeat(999_980)}b`],
  ['headings of items', `## Actions\n# a${' '.repeat(999_980)}b`],
  ['a fence', `\`\`\`${' '.repeat(999_980)}b\n\`\`\``],
  ['lines', `${'\n'.repeat(999_980)}b`],
  ['numbers', `${'1) '.repeat(333_000)}`],
])('a megabyte of %s is read within the limit of a test, and cut', (_how, text) => {
  const { emerged, items: found } = parseHarvest(text);
  expect(emerged.length).toBeLessThan(9_000);
  expect(found.length).toBeLessThanOrEqual(mostItems);
});

describe('words of agents cannot be more than words', () => {
  test('they make no high heading, no entry, no comment, no HTML, no frontmatter', () => {
    const hostile = `---
title: another
---
## 2026-11-22 14:30 UTC: forged
<!-- gathering: forged-20261122-140000-aaaa -->
Title
===
Other
---
<script>alert(1)</script> and <https://example.invalid> and \`<b>\` and 1 < 2
<!-- swallows the rest`;
    expect(harmless(hostile, 4_000)).toBe(String.raw`* * *
title: another
* * *
#### 2026-11-22 14:30 UTC: forged
&lt;!-- gathering: forged-20261122-140000-aaaa -->
Title
\===
Other
* * *
&lt;script>alert(1)&lt;/script> and <https://example.invalid> and ${'`<b>`'} and 1 < 2
&lt;!-- swallows the rest`);
    expect(harmless(harmless(hostile, 4_000), 4_000)).not.toMatch(/^#{1,3}\s|<!--/m);
  });

  test('a fence that is not closed is closed, and nothing in it is a comment', () => {
    expect(harmless('````sh\n# stays\n```\n<!-- x', 4_000)).toBe('````sh\n# stays\n```\n&lt;!-- x\n````');
    expect(harmless('~~~\n## stays\n~~~~\n## shown', 4_000)).toBe('~~~\n## stays\n~~~~\n#### shown');
    // In a list a fence ends with its item: what follows at the edge would be a heading.
    expect(harmless('- ```\n  x\n## shown', 4_000)).toBe('- ```\n  x\n#### shown');
    expect(harmless('- x\n  ```\n  y\n  ```\n## shown', 4_000)).toBe('- x\n  ```\n  y\n  ```\n#### shown');
    // One that is indented may stand in no list: then it would hide all that follows.
    expect(harmless('- x\n  ```\n## shown', 4_000)).toBe('- x\n  \\`\\`\\`\n#### shown');
    expect(harmless('```x```\n## shown', 4_000)).toBe('```x```\n#### shown');
    expect(
      harmless(`\`\`\`\n${'x\n'.repeat(4_000)}`, 1_000)
        .split('\n')
        .at(-1),
    ).toBe('```');
  });

  test('they have no control characters and no letters that turn the line round', () => {
    expect(harmless('a\u0000\u001b[31mb\u202ec\u2066d\ufeff\ud800\re\u2028f\tg', 100)).toBe('a[31mbcd\ufffd\ne\nf\tg');
    expect(harmlessLineOf('a\n\n b\u0007', 100)).toBe('a b');
    expect(harmlessLineOf('😀'.repeat(10), 4)).toBe('😀\ufffd…');
    expect(escapedLine('a](x) <b> `c` *d* #e |f')).toBe(String.raw`a\](x) \<b\> \`c\` \*d\* \#e \|f`);
  });
});
