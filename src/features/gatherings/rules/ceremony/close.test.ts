/** Phases to the close, the harvest, the person, deaths, ends and restarts; by values alone. */
import { describe, expect, test } from 'vitest';
import {
  arrive,
  type Circle,
  holderOf,
  linesTo,
  passOn,
  put,
  sampleCircle,
  say,
  startAt,
  wait,
  waitForClock,
  words,
} from '../../../../../test/help/ceremony.ts';
import { gatheringSchema } from '../../contract/gathering.ts';
import { dueOf, later } from './due.ts';
import { harvestFromRecord } from './from-record.ts';
import { closed, step } from './machine.ts';

const three = ['Ada', 'Ben', 'Cyd'];

function banners(circle: Circle, number: number): string[] {
  return linesTo(circle, number).flatMap(
    (line) => /^\[guild-hall\] ((?:Inhale|Hold|Exhale).*? of \d|The close)/.exec(line)?.[1] ?? [],
  );
}

describe('the phases', () => {
  test.each([
    ['2-3-2', 7],
    ['1-1-1', 3],
    ['2-2-2', 6],
    ['1-4-3', 8],
  ])(
    '[GTH-PHASE-1] [GTH-PHASE-2] [GTH-PHASE-4] [GTH-PHASE-5] [GTH-PHASE-7] [GTH-PHASE-13] %s: so many rounds, each with its banner, then the close',
    (structure, rounds) => {
      const [inhale, hold, exhale] = structure.split('-').map(Number) as [number, number, number];
      const circle = sampleCircle(three, { structure: { inhale, hold, exhale } });
      expect(passOn(circle, rounds * 3)).toEqual(Array.from({ length: rounds }, () => three).flat());
      expect(circle.gathering).toMatchObject({
        stage: 'closing',
        round: 0,
        turn: null,
        close: { why: { kind: 'rounds' } },
      });
      const wanted = [
        ['Inhale', inhale],
        ['Hold', hold],
        ['Exhale', exhale],
      ] as const;
      const all = wanted.flatMap(([phase, count]) =>
        Array.from({ length: count }, (_, at) => `${phase}, round ${at + 1} of ${count}`),
      );
      for (const number of [1, 2, 3, 4]) expect(banners(circle, number)).toEqual([...all, 'The close']);
    },
  );

  test('[GTH-PHASE-6] [GTH-PIECE-5] a round is over when each has spoken or passed; the harvester has no turn', () => {
    const circle = sampleCircle(['Ada', 'Ben']);
    arrive(circle);
    say(circle, 'One thing.');
    expect(circle.gathering).toMatchObject({ stage: 'inhale', spoken: [] });
    passOn(circle, 1);
    expect(circle.gathering).toMatchObject({ stage: 'inhale', spoken: [1] });
    passOn(circle, 1);
    expect(circle.gathering).toMatchObject({ stage: 'hold', round: 1, spoken: [] });
    expect(holderOf(circle)).toBe('Ada');
  });

  test('[GTH-PHASE-12] after the last round there is no turn and no beat', () => {
    const circle = sampleCircle(three);
    passOn(circle, 9);
    expect(dueOf(circle.gathering)).toEqual({ what: 'harvest', at: later(startAt, 300) });
    expect(put(circle, words(circle, 'One thing more.', { from: 3 }))).toEqual([]);
    expect(put(circle, { kind: 'pass', from: 3, to: null, producing: false })).toEqual([]);
  });

  test('at the end a pass to somebody who cannot have it needs no word', () => {
    const circle = sampleCircle(three);
    passOn(circle, 8);
    expect(say(circle, 'I pass to Zoe.').some(({ text }) => text.includes('passed to'))).toBe(false);
  });
});

/** All rounds were held. */
function atClose(names = three): Circle {
  const circle = sampleCircle(names);
  passOn(circle, names.length * 3);
  return circle;
}

describe('the harvest', () => {
  test('the banner to all; the harvester gets the ask with it, in one message [GTH-PHASE-8]', () => {
    const circle = atClose();
    const [banner, ask] = circle.log.slice(-2);
    expect([banner!.id, banner!.to, ask!.id, ask!.to]).toEqual([
      'circle-banner-close',
      [1, 2, 3],
      'circle-harvest',
      [4],
    ]);
    expect(ask!.text.startsWith(`${banner!.text}\n[guild-hall] `)).toBe(true);
  });

  test('[GTH-HARVEST-3] what the harvester says before is not taken; its answer is, and is told to nobody', () => {
    const circle = sampleCircle(three);
    const early = words(circle, 'A first draft.', { from: 4 });
    passOn(circle, 9);
    expect(put(circle, early)).toEqual([]);
    wait(circle, 9);
    const [told] = put(circle, words(circle, '## What emerged\nMuch.', { from: 4 }));
    expect(told).toMatchObject({ kind: 'words', to: [] });
    expect(circle.gathering.harvest).toMatchObject({
      heard: ['## What emerged\nMuch.'],
      isCollected: true,
      isWrittenByHall: false,
    });
    expect(dueOf(circle.gathering)).toBeNull();
    expect(put(circle, words(circle, 'And more.', { from: 4 }))).toEqual([]);
  });

  test('read off the screen it may come in parts: it is complete when nothing more came', () => {
    const circle = atClose();
    put(circle, words(circle, 'One.', { from: 4, source: 'quiet' }));
    wait(circle, 1);
    put(circle, words(circle, 'Two.', { from: 4, source: 'quiet', after: null }));
    expect(dueOf(circle.gathering)).toEqual({ what: 'harvest', at: later(circle.at, 2) });
    waitForClock(circle);
    expect(circle.gathering.harvest).toMatchObject({
      heard: ['One.', 'Two.'],
      isCollected: true,
      isWrittenByHall: false,
    });
  });

  test('[GTH-HARVEST-9] whoever never comes to an end is heard up to the end of the time', () => {
    const circle = atClose();
    for (let second = 0; second < 299; second += 1) {
      wait(circle, 1);
      put(circle, words(circle, `Word ${second}.`, { from: 4, source: 'quiet' }));
    }
    expect(dueOf(circle.gathering)).toEqual({ what: 'harvest', at: later(startAt, 300) });
    waitForClock(circle);
    expect(circle.gathering.harvest).toMatchObject({ isCollected: true, isWrittenByHall: false });
    expect(circle.gathering.harvest!.heard).toHaveLength(299);
  });

  test('a silent or a dead harvester: the hall writes it', () => {
    const silent = atClose();
    waitForClock(silent);
    expect(silent.at).toBe(later(startAt, 300));
    const dead = atClose();
    put(dead, { kind: 'gone', number: 4 });
    const before = sampleCircle(three);
    put(before, { kind: 'gone', number: 4 });
    passOn(before, 9);
    for (const { gathering } of [silent, dead, before]) {
      expect(gathering.harvest).toMatchObject({ heard: [], isCollected: true, isWrittenByHall: true });
      expect(dueOf(gathering)).toBeNull();
    }
    expect(before.log.some(({ kind }) => kind === 'harvest')).toBe(false);
    expect(before.log.at(-1)).toMatchObject({ id: 'circle-banner-close', to: [1, 2, 3] });
  });

  test('one who dies with something said has said it', () => {
    const circle = atClose();
    put(circle, words(circle, 'One.', { from: 4, source: 'quiet' }));
    put(circle, { kind: 'gone', number: 4 });
    expect(circle.gathering.harvest).toMatchObject({ heard: ['One.'], isCollected: true, isWrittenByHall: false });
  });

  test('of an endless harvest so much is kept as anybody reads', () => {
    const circle = atClose();
    put(circle, words(circle, 'x'.repeat(150_000), { from: 4, source: 'quiet' }));
    put(circle, words(circle, 'more', { from: 4, source: 'quiet' }));
    expect(circle.gathering.harvest!.heard.map(({ length }) => length)).toEqual([100_000]);
  });

  test('when it is saved all are told, and nothing changes it any more', () => {
    const circle = atClose();
    const end = {
      at: circle.at,
      trail: '.lore/gatherings/daily.md',
      harvested: [],
      isWrittenByHall: true,
      commit: null,
    };
    const over = closed(circle.gathering, end, circle.at);
    expect(over).toMatchObject({ stage: 'closed', end });
    expect(over.outbox).toMatchObject([{ id: 'circle-closed', kind: 'closed', to: [1, 2, 3, 4] }]);
    expect(gatheringSchema.parse(over)).toEqual(over);
    expect(dueOf(over)).toBeNull();
    circle.gathering = over;
    put(circle, { kind: 'gone', number: 1 });
    put(circle, { kind: 'announce', id: 'a', text: 'Wait.' });
    expect(circle.gathering).toEqual({ ...over, outbox: [] });
  });
});

describe('the person', () => {
  const withMo = ['Ada', 'Mo', 'Cyd'];

  test('[GTH-HUMAN-7] passes like anybody; the piece has reached them at once', () => {
    const circle = sampleCircle(withMo);
    say(circle, 'I pass to Mo.');
    expect(circle.gathering.turn).toMatchObject({ holder: 2, arrivedAt: startAt });
    expect(say(circle, 'Nothing new.\n\nI pass to Cyd')[0]).toMatchObject({ from: 2, to: [1, 3, 4] });
    expect(holderOf(circle)).toBe('Cyd');
    expect(passOn(circle, 1)).toEqual(['Cyd']);
    expect(circle.gathering).toMatchObject({ stage: 'hold', spoken: [] });
  });

  test('[GTH-HUMAN-8] when their time is up the piece moves on, and they stay', () => {
    const circle = sampleCircle(withMo);
    passOn(circle, 1);
    while (holderOf(circle) === 'Mo') waitForClock(circle);
    expect(holderOf(circle)).toBe('Cyd');
    passOn(circle, 2);
    expect(holderOf(circle)).toBe('Mo');
    put(circle, { kind: 'gone', number: 2 });
    expect(circle.gathering.seats[1]!.state).toBe('here');
  });

  test('[GTH-HUMAN-9] their words out of turn are kept, and go out when the piece comes', () => {
    const circle = sampleCircle(withMo);
    expect(put(circle, { kind: 'kept', id: 'k1', text: 'For later.' })).toEqual([]);
    expect(put(circle, { kind: 'kept', id: 'k1', text: 'For later.' })).toEqual([]);
    expect(put(circle, words(circle, 'This too.', { from: 2, id: 'k2' }))).toEqual([]);
    expect(circle.gathering.kept.map(({ id }) => id)).toEqual(['k1', 'k2']);
    const told = say(circle, 'I pass');
    expect(told.map(({ id, from, to }) => [id, from, to])).toEqual([
      ['speech-2', 1, [2, 3, 4]],
      ['circle-piece-2', 'hall', [1, 2, 3, 4]],
      ['k1', 2, [1, 3, 4]],
      ['k2', 2, [1, 3, 4]],
    ]);
    expect(circle.gathering).toMatchObject({ kept: [], turn: { holder: 2, hasSpoken: true } });
    expect(put(circle, { kind: 'kept', id: 'k3', text: 'Said at once.' })).toHaveLength(1);
  });

  test('[GTH-HUMAN-9] what was kept for a turn that does not come is told to the harvester, and stands in the record', () => {
    const circle = sampleCircle(['Ada', 'Mo']);
    put(circle, { kind: 'kept', id: 'k1', text: 'For later.' });
    put(circle, { kind: 'ended', by: 'person' });
    const ask = circle.log.find(({ kind }) => kind === 'harvest')!;
    expect(ask.to).toEqual([3]);
    expect(ask.text.endsWith('\n\n[guild-hall] What Mo (2) said for a turn that did not come:\n\nFor later.')).toBe(
      true,
    );
    expect(harvestFromRecord(circle.gathering, circle.log).more).toBe(
      '**Mo (2)** said for a turn that did not come:\n\nFor later.',
    );
  });

  test('[GTH-HUMAN-9] a pass in them passes; what follows it waits for the next turn', () => {
    const circle = sampleCircle(withMo);
    put(circle, { kind: 'kept', id: 'k1', text: 'Short.\nI pass to Cyd\nP.S.' });
    put(circle, { kind: 'kept', id: 'k2', text: 'For the next round.' });
    const told = say(circle, 'I pass');
    expect(told.map(({ id }) => id)).toEqual(['speech-1', 'circle-piece-2', 'k1', 'circle-piece-3']);
    expect(told[2]!.text).toBe('Short.\nI pass to Cyd');
    expect(holderOf(circle)).toBe('Cyd');
    passOn(circle, 2);
    expect(holderOf(circle)).toBe('Mo');
    expect(circle.log.at(-1)!.id).toBe('k2');
  });

  test('[GTH-HUMAN-9] as the host: to all at once, marked, and the piece stays', () => {
    const circle = sampleCircle(withMo);
    arrive(circle);
    const [told] = put(circle, { kind: 'announce', id: 'a1', text: 'Ten minutes left.\nI pass' });
    expect(told).toMatchObject({ id: 'a1', kind: 'announcement', from: 'person', to: [1, 3, 4] });
    expect(told!.text).toMatch(/^\[guild-hall\] Announcement of Mo \(2\) as the host.*\n\nTen minutes left\.\nI pass$/);
    expect(holderOf(circle)).toBe('Ada');
    expect(put(circle, words(circle, 'I see.'))).toHaveLength(1);
    const without = sampleCircle(three);
    expect(put(without, { kind: 'announce', id: 'a1', text: 'Hello.' })[0]!.to).toEqual([1, 2, 3, 4]);
    expect(put(without, { kind: 'kept', id: 'k1', text: 'Hello.' })).toEqual([]);
    expect(without.gathering.kept).toEqual([]);
    put(circle, { kind: 'ended', by: 'person' });
    put(circle, { kind: 'kept', id: 'k1', text: 'Too late.' });
    expect(circle.gathering.kept).toEqual([]);
  });
});

describe('a member that dies', () => {
  const four = ['Ada', 'Ben', 'Cyd', 'Dan'];

  test('[GTH-PIECE-16] who waits: all are told, and it is passed over', () => {
    const circle = sampleCircle(four);
    arrive(circle);
    const [told] = put(circle, { kind: 'gone', number: 2 });
    expect(told).toMatchObject({ id: 'circle-gone-2', kind: 'note', to: [1, 3, 4, 5] });
    for (const number of [2, 9])
      expect(step(circle.gathering, { kind: 'gone', number, at: circle.at }).next).toBe(circle.gathering);
    expect(passOn(circle, 3)).toEqual(['Ada', 'Cyd', 'Dan']);
    expect(circle.gathering.stage).toBe('hold');
  });

  test('[GTH-PIECE-16] who holds the piece: the next in order has it', () => {
    const circle = sampleCircle(four);
    arrive(circle);
    waitForClock(circle);
    const [told] = put(circle, { kind: 'gone', number: 1 });
    expect(told!.text).toMatch(/^\[guild-hall\] Ada \(1\) is gone.*\nThe piece is now with Ben \(2\)$/);
    expect(circle.withdrawn).toEqual(['circle-beat-1-1']);
    expect(say(circle, 'Farewell.')[0]!.to).toEqual([3, 4, 5]);
  });

  test('who dies after it passed by the tool has passed', () => {
    const circle = sampleCircle(four);
    arrive(circle);
    put(circle, { kind: 'pass', from: 1, to: 'Dan', producing: true });
    put(circle, { kind: 'gone', number: 1 });
    expect(holderOf(circle)).toBe('Dan');
  });

  test('the last of a round: the next round begins', () => {
    const circle = sampleCircle(four);
    passOn(circle, 3);
    const [told] = put(circle, { kind: 'gone', number: 4 });
    expect(told!.text.split('\n')).toHaveLength(3);
    expect(circle.gathering).toMatchObject({ stage: 'hold', round: 1 });
    expect(holderOf(circle)).toBe('Ada');
  });

  test('[GTH-HARVEST-10] with fewer than two speakers left it closes at once, and asks for the harvest', () => {
    const circle = sampleCircle(['Ada', 'Ben']);
    arrive(circle);
    const told = put(circle, { kind: 'gone', number: 2 });
    expect(told.map(({ id, to }) => [id, to])).toEqual([
      ['circle-banner-close', [1]],
      ['circle-harvest', [3]],
    ]);
    expect(told[0]!.text).toMatch(
      /^\[guild-hall\] Ben \(2\) is gone.*\n\[guild-hall\] The close: fewer than two speakers are left/,
    );
    expect(circle.gathering).toMatchObject({ stage: 'closing', close: { why: { kind: 'few' } } });
  });

  test('the person and one agent are two', () => {
    const circle = sampleCircle(['Ada', 'Mo', 'Cyd']);
    put(circle, { kind: 'gone', number: 1 });
    expect(holderOf(circle)).toBe('Mo');
    put(circle, { kind: 'gone', number: 3 });
    expect(circle.gathering.stage).toBe('closing');
  });

  test('at the close the others are told, and the one who writes is not disturbed', () => {
    const circle = sampleCircle(['Ada', 'Ben']);
    put(circle, { kind: 'ended', by: 'person' });
    expect(put(circle, { kind: 'gone', number: 1 })).toMatchObject([{ kind: 'note', to: [2] }]);
  });
});

describe('an end, and a restart', () => {
  test.each([
    ['person' as const, 'the person ended'],
    [2, 'Ben \\(2\\) ended'],
  ])('[GTH-HUMAN-10] ended by %s: a harvest of what there is', (by, why) => {
    const circle = sampleCircle(three);
    arrive(circle);
    waitForClock(circle);
    const told = put(circle, { kind: 'ended', by });
    expect(told[0]!.text).toMatch(new RegExp(`The close: ${why} the gathering`));
    expect(circle.withdrawn).toEqual(['circle-beat-1-1']);
    expect(circle.gathering).toMatchObject({ stage: 'closing', close: { why: { kind: 'ended', by } } });
    const again = { kind: 'ended', by: 'person', at: circle.at } as const;
    expect(step(circle.gathering, again).next).toBe(circle.gathering);
  });

  test('after a restart the turn begins anew, and all are told', () => {
    const circle = sampleCircle(three);
    passOn(circle, 1);
    arrive(circle);
    waitForClock(circle);
    wait(circle, 30);
    const [told] = put(circle, { kind: 'restarted', alive: [1, 2, 3, 4] });
    expect(told).toMatchObject({ id: 'circle-piece-3', to: [1, 2, 3, 4] });
    expect(told!.text).toMatch(/^\[guild-hall\] The hall was started anew.*\nThe piece is now with Ben \(2\)$/);
    expect(circle.gathering).toMatchObject({ spoken: [1], turn: { holder: 2, beats: 0, arrivedAt: null } });
    expect(circle.withdrawn).toEqual(['circle-beat-2-1']);
    expect(put(circle, words(circle, 'Said while the hall was away.', { after: 'circle-beat-2-1' }))).toHaveLength(1);
    expect(passOn(circle, 2)).toEqual(['Ben', 'Cyd']);
  });

  test('members that did not live on are gone; with too few it closes', () => {
    const one = sampleCircle(['Ada', 'Ben', 'Cyd', 'Mo']);
    arrive(one);
    const [told] = put(one, { kind: 'restarted', alive: [2, 3, 5] });
    expect(told!.text).toMatch(/^\[guild-hall\] Ada \(1\) is gone.*\nThe piece is now with Ben \(2\)$/);
    const waiting = sampleCircle(three);
    const [anew] = put(waiting, { kind: 'restarted', alive: [1, 3, 4] });
    expect(anew!.text.split('\n')[0]).toMatch(/^\[guild-hall\] Ben \(2\) is gone/);
    expect(anew!.to).toEqual([1, 3, 4]);
    const none = sampleCircle(three);
    put(none, { kind: 'restarted', alive: [] });
    expect(none.gathering).toMatchObject({
      stage: 'closing',
      close: { why: { kind: 'restart' } },
      harvest: { isCollected: true, isWrittenByHall: true },
    });
  });

  test('a pass by the tool outlives the hall', () => {
    const circle = sampleCircle(three);
    arrive(circle);
    put(circle, { kind: 'pass', from: 1, to: 'Cyd', producing: true });
    put(circle, { kind: 'restarted', alive: [1, 2, 3, 4] });
    waitForClock(circle);
    expect(holderOf(circle)).toBe('Cyd');
  });

  test('a harvest that was awaited is awaited again, as long as somebody writes it', () => {
    const circle = sampleCircle(three);
    put(circle, { kind: 'ended', by: 'person' });
    wait(circle, 200);
    put(circle, { kind: 'restarted', alive: [4] });
    expect(dueOf(circle.gathering)).toEqual({ what: 'harvest', at: later(startAt, 500) });
    put(circle, { kind: 'restarted', alive: [] });
    expect(circle.gathering.harvest).toMatchObject({ isCollected: true, isWrittenByHall: true });
    const said = atClose();
    put(said, words(said, 'All of it.', { from: 4 }));
    const heard = said.gathering.harvest;
    wait(said, 9);
    put(said, { kind: 'restarted', alive: [1, 2, 3, 4] });
    expect(said.gathering.harvest).toEqual(heard);
  });
});
