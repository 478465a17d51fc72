/** A whole gathering, 2-2-2: three agents, a harvester and the person, with all that can befall them, to its trail. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import { waitUntil } from '../help/programs.ts';
import { harvestWords, holdersIn, openCircle, saidIn, type TestCircle } from '../help/gatherings.ts';

const parts = {
  // The fourth time it is ended with the piece in its hands.
  Ben: { turns: ['Ben one. I pass', 'Ben two. I pass', { exit: 1 }] },
  Ada: {
    turns: [
      'The tests pass, says "I pass to Ben".\n\nI pass\n\nAnd this is too late.',
      'I look at words.\n\nI pass to Ben.',
      'Ada three.\n\npassing to Hal',
      'Ada four. I pass the piece.',
      'Ada five. I pass to Zed',
      'Ada six. I pass',
    ],
    talks: true,
  },
  // The first time it says nothing to the end; the second time it answers the closing question.
  Grace: {
    turns: [null, null, 'Grace three. I pass', 'Grace four. I pass', 'Grace five. I pass', 'Grace six. I pass'],
    last: [null, 'This is what I say last.'],
    talks: true,
  },
  Hal: { harvest: [harvestWords], talks: true },
};

/** Speaks for the person each time that the piece comes to them, until it is closed. */
async function sitAsPerson({ hall, show }: TestCircle, id: string): Promise<GatheringView> {
  const done = new Set<number>();
  for (;;) {
    const view = await show(id);
    const { turn, stage } = view.gathering;
    if (stage === 'closed') return view;
    if (turn === null || turn.holder !== view.you || done.has(turn.number)) {
      await waitUntil(async () => (await show(id)).cursor !== view.cursor);
      continue;
    }
    done.add(turn.number);
    await hall.client.call('gathering.say', { id, text: `Mo at turn ${turn.number}. I pass` });
  }
}

test('a 2-2-2 gathering of three agents, a harvester and the person comes to its trail, with an early pass, a named pass, a time-out and a killed member [GTH-SEED-1, GTH-SEED-14, GTH-PIECE-1, GTH-PIECE-2, GTH-PIECE-3, GTH-PIECE-4, GTH-PIECE-5, GTH-PIECE-6, GTH-PIECE-8, GTH-PIECE-11, GTH-PIECE-12, GTH-PIECE-13, GTH-PIECE-14, GTH-PIECE-16, GTH-BEAT-6, GTH-BEAT-9, GTH-BEAT-10, GTH-BEAT-12, GTH-PHASE-1, GTH-PHASE-3, GTH-PHASE-6, GTH-PHASE-7, GTH-PHASE-8, GTH-PHASE-12, GTH-HARVEST-2, GTH-HARVEST-3, GTH-HARVEST-4, GTH-HARVEST-5, GTH-HARVEST-7, GTH-HUMAN-1, GTH-HUMAN-3, GTH-HUMAN-5, GTH-HUMAN-7, GTH-HUMAN-9, GTH-TOOL-4, GTH-TOOL-6, GTH-RELAY-2, GTH-RELAY-4]', async () => {
  const circle = await openCircle(parts);
  const { hall } = circle;
  await Promise.all([circle.start('Ada'), circle.start('Grace')]);
  const { id } = await circle.begin({
    participants: ['Ada', 'Grace', 'Ben=circle'],
    harvester: 'Hal=circle',
    human: 'Mo',
    structure: '2-2-2',
    beatsPerTurn: 2,
    beatIntervalSeconds: 1,
  });
  const kept = await hall.client.call('gathering.say', { id, text: 'I said this before my turn.' });
  expect(kept).toMatchObject({ fate: 'kept' });
  const announced = await hall.client.call('gathering.say', { id, text: 'Lunch at noon.', asHost: true });
  expect(announced).toMatchObject({ fate: 'announced' });
  const view = await sitAsPerson(circle, id);

  const holders = [
    'Ada Grace Ben Mo',
    'Ada Ben Grace Mo',
    'Ada Grace Ben Mo',
    'Ada Grace Mo',
    'Ada Grace Mo',
    'Ada Grace Mo',
  ];
  expect(holdersIn(view).join(' ')).toBe(holders.join(' '));
  const said = saidIn(view);
  expect(said).toContain('4: I said this before my turn.');
  expect(said.filter((words) => words.startsWith('2:'))).toEqual([
    '2: This is what I say last.',
    ...['three', 'four', 'five', 'six'].map((count) => `2: Grace ${count}. I pass`),
  ]);
  expect(said[0]).toBe('1: The tests pass, says "I pass to Ben".\n\nI pass');
  expect(said.some((words) => words.includes('too late') || words.includes('listening'))).toBe(false);
  proveWhatEachTook(circle, view);
  await proveWhatIsLeft(circle, view);
}, 180_000);

const members = ['Ada (1)', 'Grace (2)', 'Ben (3)', 'Mo (4)'];

function proveWhatEachTook({ taken }: TestCircle, view: GatheringView): void {
  for (const name of ['Ada', 'Grace', 'Hal']) {
    const own = view.gathering.seats.find((seat) => seat.name === name)!;
    const called = new Set(taken(name).flatMap((text) => /^(\w+ \(\d\)):\n/.exec(text)?.[1] ?? []));
    expect([...called].every((each) => members.includes(each))).toBe(true);
    const [seed = '', ...words] = taken(name);
    expect(seed.split('\n')[0]).toBe(`You are **${name}** (${own.number}) in this gathering.`);
    expect(words.some((text) => text.startsWith('You are **'))).toBe(false);
    expect(words.some((text) => text.startsWith(`${name} (${own.number}):`))).toBe(false);
    expect(words.filter((text) => text.includes('The piece is now with'))).toHaveLength(holdersIn(view).length);
    expect(words.some((text) => text.startsWith('Mo (4):\n\nMo at turn'))).toBe(true);
    expect(words.some((text) => text.includes('Lunch at noon.'))).toBe(true);
    const note = words.filter((text) => text.includes('Ben (3) is gone'));
    expect(note, `to ${name}`).toHaveLength(1);
    expect(words.filter((text) => /\[guild-hall\] (?:Inhale|Hold|Exhale), round [12] of 2\./.test(text))).toHaveLength(
      6,
    );
  }
  const beatsOf = (name: string): string[] => taken(name).filter((text) => text.startsWith('[Beat'));
  expect(beatsOf('Grace').map((text) => text.slice(0, 10))).toEqual([
    '[Beat 1/2]',
    '[Beat 2/2]',
    '[Beat 1/2]',
    '[Beat 2/2]',
  ]);
  expect(beatsOf('Grace')[0]).toMatch(
    /^\[Beat 1\/2\] Signals refresh: .+\. Is your thread still alive\? Continue, pivot, or pass\.$/,
  );
  expect(beatsOf('Grace')[1]).toMatch(
    /^\[Beat 2\/2\] Signals refresh: .+\. Your turn is up\. What would you like to say last\?$/,
  );
  expect([...beatsOf('Ada'), ...beatsOf('Hal')]).toEqual([]);
  const notes = taken('Hal').filter((text) => text.includes('Ada (1) passed to'));
  expect(notes.map((text) => /passed to (.+), who/.exec(text)![1])).toEqual(['Hal', 'Zed']);
  const asks = taken('Hal').filter((text) => text.includes('Now you speak.'));
  expect(asks).toHaveLength(1);
  expect(taken('Ada').some((text) => text.includes('Now you speak.'))).toBe(false);
}

async function proveWhatIsLeft({ integration, terminals, taken }: TestCircle, view: GatheringView): Promise<void> {
  const { end, close, seats } = view.gathering;
  expect(close?.why).toEqual({ kind: 'rounds' });
  expect(end).toMatchObject({ trail: '.lore/gatherings/daily.md', isWrittenByHall: false });
  const trail = readFileSync(join(integration, end!.trail), 'utf8');
  for (const words of ['Counting is not understanding.', 'What is a word?', 'Mo', 'Grace'])
    expect(trail).toContain(words);
  expect(end!.harvested.map(({ kind }) => kind)).toEqual(['todo']);
  expect(existsSync(join(integration, end!.harvested[0]!.path))).toBe(true);
  expect(seats.map(({ name, number, role, state }) => `${number} ${name} ${role} ${state}`)).toEqual([
    '1 Ada speaker here',
    '2 Grace speaker here',
    '3 Ben speaker gone',
    '4 Mo speaker here',
    '5 Hal harvester here',
  ]);
  // What was asked to come goes on, what was started for it ends.
  await waitUntil(async () => (await terminals()).length === 2);
  const left = (await terminals()).map(({ name, conversation }) => `${name} ${conversation}`);
  expect(left.toSorted()).toEqual(['Ada null', 'Grace null']);
  await waitUntil(() => taken('Ada').at(-1)!.includes('The gathering is closed.'));
}
