/** The shortest gathering: two speakers, a harvester, one round of each phase. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { harvestWords, holdersIn, openCircle, saidIn } from '../help/gatherings.ts';

test('two agents go 1-1-1 to their trail by what they say alone [GTH-PHASE-2, GTH-SEED-13, GTH-PIECE-7]', async () => {
  const turns = ['First I see spaces.\n\nI pass', 'Then I doubt.\n\nI pass', 'I agree.\n\nI pass'];
  const circle = await openCircle({
    Ada: { turns, talks: true },
    Grace: { turns: turns.map((text) => text.replace('I ', 'We ')), talks: true },
    Hal: { harvest: [harvestWords], talks: true },
  });
  await circle.start('Ada');
  const { id } = await circle.begin({
    participants: ['Ada', 'Grace=circle'],
    harvester: 'Hal=circle',
    structure: '1-1-1',
    beatsPerTurn: 3,
    beatIntervalSeconds: 5,
  });
  const view = await circle.untilClosed(id);
  expect(holdersIn(view)).toEqual(['Ada', 'Grace', 'Ada', 'Grace', 'Ada', 'Grace']);
  expect(saidIn(view)).toHaveLength(6);
  const { end } = view.gathering;
  expect(readFileSync(join(circle.integration, end!.trail), 'utf8')).toContain('Counting is not understanding.');
}, 120_000);
