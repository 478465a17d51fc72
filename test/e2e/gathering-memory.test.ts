/** What a gathering takes from before, and what it leaves for the next one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ArtifactList } from '../../src/features/artifacts/contract.ts';
import type { GatheringView, RhythmList } from '../../src/features/gatherings/contract/gathering-views.ts';
import type { SearchAnswer } from '../../src/features/search/contract.ts';
import { openCircle } from '../help/gatherings.ts';

const harvest = `## What emerged
Nobody had ever counted a tab.

## Individual, tangible
- Grace counts tabs

## Collective, tangible
- README.md: say what a word is

## Individual, intangible
- Words were first counted by spaces for one customer.

## Collective, intangible
- A count that nobody has to explain
`;

const rhythm = `---
title: Before a release
structure: 1-1-1
beats_per_turn: 2
beat_interval_seconds: 2
---

## Questions

- What have we not tried?
`;

const ada = { turns: Array.from({ length: 3 }, (_, at) => `I think of it, ${at}. I pass`) };
/** Silent in her first turn, to the end of it. */
const grace = { turns: [null, ...ada.turns], last: [null] };

const seedsOf = ({ messages }: GatheringView): string[] =>
  messages.flatMap(({ kind, text }) => (kind === 'seed' ? [text] : []));

test('a rhythm of the person, signals from before, homes for what came out, and the next gathering hears of it [GTH-SEED-1, GTH-SEED-10, GTH-HISTORY-1, GTH-HISTORY-2, GTH-TOOL-9, GTH-BEAT-3, GTH-BEAT-4, GTH-BEAT-5, GTH-BEAT-7, GTH-BEAT-8, GTH-HARVEST-5, GTH-HARVEST-8, GTH-HARVEST-11, GTH-GUARD-3]', async () => {
  const files = {
    'README.md': '# Tally\n',
    '.lore/notes/spaces.md': '# Spaces\n\nWords are counted by spaces, and never by tabs.\n',
  };
  const circle = await openCircle({ Ada: ada, Grace: grace, Hal: { harvest: [harvest, harvest] } }, { files });
  const { hall, integration } = circle;
  mkdirSync(join(hall.home, 'rhythms'));
  writeFileSync(join(hall.home, 'rhythms/release.md'), rhythm);
  const { rhythms } = (await hall.client.call('gathering.rhythms', {})) as RhythmList;
  expect(rhythms.map(({ name, source }) => `${name} ${source}`)).toEqual([
    'daily hall',
    'monthly hall',
    'release person',
    'weekly hall',
  ]);
  await Promise.all(['Ada', 'Grace', 'Hal'].map(async (name) => await circle.start(name)));
  const members = { participants: ['Ada', 'Grace'], harvester: 'Hal', rhythm: 'release' };
  await expect(circle.begin({ ...members, rhythm: 'relase' })).rejects.toThrow('There is no rhythm "relase"');

  const first = await circle.begin({ ...members, openingQuestion: 'Do we count words by spaces?' });
  const view = await circle.untilClosed(first.id);
  const { structure, beatsPerTurn, beatIntervalSeconds, end } = view.gathering;
  expect([structure, beatsPerTurn, beatIntervalSeconds]).toEqual([{ inhale: 1, hold: 1, exhale: 1 }, 2, 2]);
  const seeds = seedsOf(view);
  expect(view.messages.slice(0, 3).map(({ kind }) => kind)).toEqual(['seed', 'seed', 'seed']);
  for (const seed of seeds) {
    expect(seed).toContain('## The rhythm: Before a release (release)');
    expect(seed).toContain('> Spaces (.lore/notes/spaces.md)\n>   ');
    expect(seed).toMatch(/- The project: \d+ running, \d+ waiting for the person/);
  }

  expect(end?.harvested.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
    'todo: Grace counts tabs',
    'proposal: README.md: say what a word is',
    'vision: A count that nobody has to explain',
    'memory: Words were first counted by spaces for one customer.',
  ]);
  const { artifacts } = (await hall.client.call('artifact.list', {
    under: '.lore/todos',
    status: 'open',
  })) as ArtifactList;
  expect(artifacts.map(({ title, tags }) => [title, tags])).toEqual([
    ['Grace counts tabs', ['todo', 'gathering', 'release']],
  ]);
  const memory = join(hall.home, 'memory/projects/tally/gatherings.md');
  expect(readFileSync(memory, 'utf8')).toContain('- Words were first counted by spaces for one customer.');
  const found = (await hall.client.call('search', { words: 'think', kind: ['gathering'] })) as SearchAnswer;
  expect(found.hits.map(({ id, command }) => [id, command])).toEqual([
    [first.id, `guild-hall gathering show ${first.id}`],
  ]);

  const called = { ...members, beatsPerTurn: 1, beatIntervalSeconds: 1, openingQuestion: 'Who counts a tab?' };
  const second = await circle.untilClosed((await circle.begin(called)).id);
  expect(second.gathering).toMatchObject({ beatsPerTurn: 1, beatIntervalSeconds: 1, structure });
  // What a beat says of the circle and of the hall, to who holds the piece.
  const pulse =
    'inhale, round 1 of 1 | said so far: Ada (1) "I think of it, 0." | 1 running, 0 waiting for the person, 0 foreseen conflicts, 0 open questions';
  const [one, two, other] = circle.taken('Grace').filter((text) => text.startsWith('[Beat'));
  expect(one).toBe(`[Beat 1/2] Signals refresh: ${pulse}. Is your thread still alive? Continue, pivot, or pass.`);
  expect(two).toBe(`[Beat 2/2] Signals refresh: ${pulse}. Your turn is up. What would you like to say last?`);
  expect(other).toBe(two!.replace('2/2', '1/1'));
  for (const seed of seedsOf(second)) expect(seed).toContain('(.lore/gatherings/release.md)\n>   ');
  const trail = readFileSync(join(integration, '.lore/gatherings/release.md'), 'utf8');
  expect(trail.match(/^<!-- gathering: .* -->$/gm)).toEqual(
    [first.id, second.gathering.id].map((id) => `<!-- gathering: ${id} -->`),
  );
  for (const { path } of [...end!.harvested, ...second.gathering.end!.harvested])
    if (path.startsWith('.lore/')) expect(existsSync(join(integration, path))).toBe(true);
}, 120_000);
