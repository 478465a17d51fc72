import { describe, expect, test } from 'vitest';
import { isRepetition, noPassages, withoutPassages, withPassage } from './passages.ts';

const mo = `Mo (1):

We should keep the queue on disk, because a restart of the hall must lose nothing that was acknowledged.
I pass to Cleo.`;
const passages = withPassage(withPassage(noPassages, mo), 'Ida (3):\n\nI pass');

describe('own words', () => {
  test.each([
    ['its own words stay', 'I think that this is right.', 'I think that this is right.'],
    ['a short line that somebody said before is its own', 'I pass to Cleo.', 'I pass to Cleo.'],
    ['the same for the shortest one', 'I pass', 'I pass'],
    ['the whole message again', mo, ''],
    ['the whole message, marked as a quotation', mo.replaceAll(/^/gm, '> '), ''],
    [
      'wrapped another way and indented',
      `Here:\n    We should keep the queue on\n    disk, because a restart of the ha\n    ll must lose nothing that was acknowledged.\n    I pass to Cleo.\nI agree.`,
      'Here:\nI agree.',
    ],
    ['a short quotation by a mark', '> I pass to Cleo.\n\nWhy?', 'Why?'],
    ['a short quotation in a frame', '│ I pass to Cleo. │\nWhy?', 'Why?'],
    [
      'a short quotation in quotation marks',
      'You said "I pass to Cleo" and then nothing.',
      'You said  and then nothing.',
    ],
    ['a quotation of nobody here stays', '> I pass to Zoe\n\nWhy?', '> I pass to Zoe\n\nWhy?'],
    [
      'a sentence of it within its own',
      'When you say that a restart of the hall must lose nothing that was acknowledged, what of drafts?',
      'When you say that, what of drafts?',
    ],
    ['nothing', '', ''],
  ])('%s', (_name, said, own) => {
    expect(withoutPassages(passages, said).replaceAll(/ ,/g, ',')).toBe(own);
  });

  test('long texts take no long time', () => {
    let many = noPassages;
    for (let n = 0; n < 300; n += 1) many = withPassage(many, `${n} ${'lorem ipsum dolor sit amet '.repeat(300)}`);
    const said = `${'dolor sit lorem amet ipsum '.repeat(400)} I pass`;
    expect(withoutPassages(many, said).endsWith('I pass')).toBe(true);
  });

  test.each([
    ['letters by chance', (at: number) => String.fromCodePoint(97 + ((at * at * 7) % 26))],
    ['nothing but short quotations', (at: number) => `> q${at}\n`],
    ['quotations that never end', () => '“'],
    ['blanks and frames', (at: number) => (at % 1_000 === 999 ? 'x' : ' ')],
  ])('the longest that a signal may hold do not stop the hall: %s', (_what, piece) => {
    let many = noPassages;
    for (let n = 0; n < 200; n += 1)
      many = withPassage(many, Array.from({ length: 300 }, (_, at) => `w${n * at}`).join(''));
    const said = Array.from({ length: 1_000_000 }, (_, at) => piece(at))
      .join('')
      .slice(0, 1_000_000);
    expect(withoutPassages(many, said)).not.toBe('');
  });
});

describe('a line on the screen', () => {
  test.each([
    ['I pass', true],
    ['> I pass', true],
    ['  │ We should keep the queue on disk, because │', true],
    ['Mo (1):', true],
    ['We should', false],
    ['──────', false],
    ['I agree.', false],
  ])('%j repeats a passage: %s', (line, expected) => {
    expect(isRepetition(passages, line)).toBe(expected);
  });
});
