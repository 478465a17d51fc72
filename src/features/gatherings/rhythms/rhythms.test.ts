import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../test/help/programs.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { homePaths } from '../../../kernel/projects/home.ts';
import { rhythmListSchema } from '../contract/gathering-views.ts';
import { parseRhythm } from './parse.ts';
import { listRhythms, requireRhythm, type RhythmsContext } from './rhythms.ts';

async function rig(files: Readonly<Record<string, string | Buffer>> = {}): Promise<RhythmsContext> {
  const home = homePaths(join(await tempFolder(), 'home'));
  mkdirSync(join(home.root, 'rhythms'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.root, 'rhythms', name), text);
  return { home, shippedRhythms: join(packageRoot, 'rhythms') };
}

const whole = `---
title: The circle of two
structure: 3-1-2
beats_per_turn: 4
beat_interval_seconds: 30
---

# A title of its own

What it
is for.

## Questions

- What is alive?
- What is
  not?

1. And what else?

## Notes

- no question
`;

test('daily, weekly and monthly are there from the start, with questions, structure and beats [GTH-TOOL-9]', async () => {
  const ctx = { ...(await rig()), home: homePaths('/no/such/home') };
  const { rhythms, problems } = rhythmListSchema.parse(await listRhythms(ctx));
  expect(problems).toEqual([]);
  expect(rhythms.map(({ name, structure }) => [name, structure])).toEqual([
    ['daily', { inhale: 1, hold: 1, exhale: 1 }],
    ['monthly', { inhale: 2, hold: 3, exhale: 2 }],
    ['weekly', { inhale: 2, hold: 2, exhale: 2 }],
  ]);
  for (const { questions, about, source, beatsPerTurn } of rhythms) {
    expect(questions.length).toBeGreaterThanOrEqual(4);
    expect([about.length > 20, source, beatsPerTurn >= 2]).toEqual([true, 'hall', true]);
  }
});

test('a file of the person is read, and wins over the hall’s own of that name [GTH-TOOL-9]', async () => {
  const ctx = await rig({
    'circle.md': whole.replaceAll('\n', '\r\n'),
    'daily.md': whole,
    'Notes.md': 'x',
    '.x.md': 'x',
  });
  const own = {
    title: 'The circle of two',
    about: 'What it is for.',
    questions: ['What is alive?', 'What is not?', 'And what else?'],
    structure: { inhale: 3, hold: 1, exhale: 2 },
    beatsPerTurn: 4,
    beatIntervalSeconds: 30,
    source: 'person',
  };
  expect(await requireRhythm(ctx, 'Circle.md')).toEqual({ name: 'circle', ...own });
  expect(await requireRhythm(ctx, 'daily')).toEqual({ name: 'daily', ...own });
  expect((await listRhythms(ctx)).rhythms.map(({ name, source }) => [name, source])).toEqual([
    ['circle', 'person'],
    ['daily', 'person'],
    ['monthly', 'hall'],
    ['weekly', 'hall'],
  ]);
});

test('what a file leaves out is 2-2-2, three beats a minute apart, and its name [GTH-PHASE-3, GTH-BEAT-3]', () => {
  expect(parseRhythm('## Questions\n- What is alive?\n', 'x.md', 'x')).toEqual({
    title: 'x',
    about: '',
    questions: ['What is alive?'],
    structure: { inhale: 2, hold: 2, exhale: 2 },
    beatsPerTurn: 3,
    beatIntervalSeconds: 60,
  });
});

test.each([
  ['---\ntitle: x\nstructure: 2-0-2\n---\n## Questions\n- a', /at line 3: structure is "2-0-2"; expected three counts/],
  [
    '---\nbeats_per_turn: many\n---\n## Questions\n- a',
    /line 2: beats_per_turn is "many"; expected a whole number from 1 to 20/,
  ],
  ['---\nbeat_interval_seconds: 0\n---\n', /there is no heading `## Questions`/],
  [
    '---\nbeat_interval_seconds: 0\n---\n## Questions\n- a',
    /line 2: beat_interval_seconds is 0; expected a whole number/,
  ],
  ['---\ntitle: [a]\n---\n## Questions\n- a', /line 2: title is \["a"\]; expected a text/],
  ['---\ntitle: a\nbeat_per_turn: 2\n---\n## Questions\n- a', /line 3: there is no field "beat_per_turn"/],
  ['---\ntitle: a\n', /line 1: the frontmatter that begins here has no closing line/],
  ['---\ntitle: a\ntitle: b\n---\n## Questions\n- a', /line 3: this field stands here a second time/],
  ['Only words.', /line 1: there is no heading `## Questions`/],
  ['---\ntitle: a\n---\n\nWords.\n\n## Questions\n\nnone\n', /line 7: below `## Questions` there is no list/],
  [`## Questions\n${'- a\n'.repeat(13)}`, /line 1: there are 13 questions; expected at most 12/],
  [`## Questions\n- a\n- ${'b'.repeat(501)}`, /line 3: the question is longer than 500/],
])('a file that is wrong is told with its line and what was expected: %j', (text, message) => {
  expect(() => parseRhythm(text, 'own.md', 'own')).toThrow(message);
  expect(() => parseRhythm(text, 'own.md', 'own')).toThrow(/^The rhythm own\.md cannot be used, at line \d+: [^.]/);
});

test('one that is wrong keeps no other from being listed; an unknown one says what there is', async () => {
  const ctx = await rig({
    'weekly.md': 'Only words.',
    'binary.md': Buffer.from([0xff, 0xfe, 0x00]),
    'long.md': `## Questions\n- a\n${'x'.repeat(70_000)}`,
  });
  const { rhythms, problems } = await listRhythms(ctx);
  expect(rhythms.map(({ name }) => name)).toEqual(['daily', 'monthly']);
  expect(problems).toHaveLength(3);
  await expect(requireRhythm(ctx, 'weekly')).rejects.toThrow(/rhythms\/weekly\.md cannot be used, at line 1/);
  await expect(requireRhythm(ctx, 'long')).rejects.toThrow(/no file of UTF-8 text of at most 65536 bytes/);
  await expect(requireRhythm(ctx, 'dayly')).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no rhythm "dayly"; there are: binary, daily, long, monthly, weekly.',
    hint: expect.stringMatching(/^Did you mean "daily"\? One of your own is a file .*rhythms\/<name>\.md/),
  });
  await expect(requireRhythm(ctx, '../daily')).rejects.toMatchObject({ code: 'not_found' });
});

test('a link to nothing, and a file in the place of the folder, are told of, and hide no other rhythm', async () => {
  const ctx = await rig();
  symlinkSync(join(ctx.home.root, 'nowhere'), join(ctx.home.root, 'rhythms', 'mine.md'));
  const { rhythms, problems } = await listRhythms(ctx);
  expect(rhythms.map(({ name }) => name)).toEqual(['daily', 'monthly', 'weekly']);
  expect(problems).toEqual([expect.stringMatching(/mine\.md cannot be used: it is no file of UTF-8 text/)]);
  await expect(requireRhythm(ctx, 'mine')).rejects.toMatchObject({ code: 'invalid' });
  rmSync(join(ctx.home.root, 'rhythms'), { recursive: true });
  writeFileSync(join(ctx.home.root, 'rhythms'), 'no folder');
  expect((await requireRhythm(ctx, 'daily')).source).toBe('hall');
});
