/** A gathering by values alone: the piece, beats, phases, the person, deaths, restarts, the close. */
import { describe, expect, test } from 'vitest';
import {
  arrive,
  holderOf,
  passOn,
  put,
  sampleCircle,
  sampleFounding,
  say,
  startAt,
  wait,
  waitForClock,
  words,
} from '../../../../../test/help/ceremony.ts';
import { gatheringSchema } from '../../contract/gathering.ts';
import { dueOf, later } from './due.ts';
import { begun, countsAsTurn, pieceId, step } from './machine.ts';

const three = ['Ada', 'Ben', 'Cyd'];
const withMo = ['Ada', 'Mo', 'Cyd'];

describe('the beginning', () => {
  test('a seed for each, then the first piece with the banner, for all [GTH-PIECE-4, GTH-PIECE-6]', () => {
    const first = begun(sampleFounding(withMo));
    expect(first.outbox.map(({ id, to }) => [id, to])).toEqual([
      ['circle-seed-1', [1]],
      ['circle-seed-2', [2]],
      ['circle-seed-3', [3]],
      ['circle-seed-4', [4]],
      ['circle-piece-1', [1, 2, 3, 4]],
    ]);
    const lines = first.outbox.at(-1)!.text.split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\[guild-hall\] Inhale, round 1 of 1\. /);
    expect(lines[1]).toBe('The piece is now with Ada (1)');
    expect(gatheringSchema.parse(first)).toEqual(first);
  });

  test('[GTH-STATE-1] the record tells its stage, members, holder, phase, round and beats', () => {
    const circle = sampleCircle(three);
    passOn(circle, 1);
    arrive(circle);
    waitForClock(circle);
    const { stage, round, spoken, turn, seats } = circle.gathering;
    expect({ stage, round, spoken, holder: turn?.holder, beats: turn?.beats }).toEqual({
      stage: 'inhale',
      round: 1,
      spoken: [1],
      holder: 2,
      beats: 1,
    });
    expect(seats.map(({ number, name, role }) => `${number} ${name} ${role}`)).toEqual([
      '1 Ada speaker',
      '2 Ben speaker',
      '3 Cyd speaker',
      '4 Scribe harvester',
    ]);
  });
});

describe('the words', () => {
  test('[GTH-PIECE-1] [GTH-PIECE-2] the holder’s go to all others, and nobody else’s go anywhere', () => {
    const circle = sampleCircle(withMo);
    const [told] = say(circle, 'Ada here.');
    expect(told).toMatchObject({ kind: 'words', from: 1, text: 'Ada here.', to: [2, 3, 4] });
    const before = circle.gathering;
    for (const from of [3, 4]) expect(put(circle, words(circle, 'Me too.', { from }))).toEqual([]);
    expect(circle.gathering).toEqual(before);
  });

  test('[GTH-PIECE-3] [GTH-PIECE-13] what was begun before the piece came, or goes on after it went, is not carried', () => {
    const circle = sampleCircle(three);
    say(circle, 'Hear me.');
    const early = words(circle, 'What I thought while Ada spoke.', { from: 2 });
    passOn(circle, 1);
    expect(holderOf(circle)).toBe('Ben');
    arrive(circle);
    expect(put(circle, early)).toEqual([]);
    expect(say(circle, 'Now mine.')).toHaveLength(1);
    expect(put(circle, words(circle, 'One thing more.', { from: 1 }))).toEqual([]);
  });

  test('words that follow a message of this turn are of it; where that is not known the time tells', () => {
    const circle = sampleCircle(three);
    const { gathering } = circle;
    expect(countsAsTurn(gathering, { from: 1, after: pieceId(gathering), at: startAt })).toBe(true);
    expect(countsAsTurn(gathering, { from: 2, after: pieceId(gathering), at: startAt })).toBe(false);
    expect(countsAsTurn(gathering, { from: 1, after: 'circle-seed-1', at: startAt })).toBe(false);
    expect(countsAsTurn(gathering, { from: 1, after: null, at: startAt })).toBe(false);
    wait(circle, 5);
    arrive(circle);
    expect(countsAsTurn(circle.gathering, { from: 1, after: null, at: startAt })).toBe(false);
    expect(countsAsTurn(circle.gathering, { from: 1, after: null, at: circle.at })).toBe(true);
  });

  test('words that answer the announcement tell that it arrived, before its receipt does', () => {
    const circle = sampleCircle(three);
    wait(circle, 3);
    put(circle, words(circle, 'At once.'));
    expect(dueOf(circle.gathering)).toEqual({ what: 'beat', at: later(startAt, 3 + 60) });
    wait(circle, 3);
    arrive(circle);
    expect(circle.gathering.turn?.arrivedAt).toBe(later(startAt, 3));
  });

  test('after a word to all in the middle of a turn the holder’s words are still of it', () => {
    const circle = sampleCircle(['Ada', 'Ben', 'Cyd', 'Dan']);
    arrive(circle);
    put(circle, { kind: 'gone', number: 3 });
    const speech = words(circle, 'Farewell to Cyd.');
    expect(speech.after).toBe('circle-gone-3');
    expect(put(circle, speech)).toHaveLength(1);
  });

  test('[GTH-STATE-2] the same speech changes nothing the second time', () => {
    const { gathering } = sampleCircle(three);
    const speech = { ...words(sampleCircle(three), 'All said.\nI pass', { after: pieceId(gathering) }), at: startAt };
    const once = step(gathering, speech);
    expect(once.next.turn?.holder).toBe(2);
    const twice = step(once.next, speech);
    expect(twice).toEqual({ next: once.next, withdraw: [] });
    expect(twice.next).toBe(once.next);
    expect(step(gathering, { ...speech, text: ' \n' }).next).toBe(gathering);
  });
});

describe('a pass', () => {
  test('[GTH-PIECE-7] [GTH-PIECE-13] its words first, up to its line; then the next in order is told', () => {
    const circle = sampleCircle(three);
    const told = say(circle, 'The wall is dry.\nI pass\nThis is for nobody.');
    expect(told.map(({ id, text }) => [id, text])).toEqual([
      ['speech-1', 'The wall is dry.\nI pass'],
      ['circle-piece-2', 'The piece is now with Ben (2)'],
    ]);
    expect(circle.gathering.spoken).toEqual([1]);
  });

  test('[GTH-PIECE-8] by name: that one is next, then the first who has not had it', () => {
    const circle = sampleCircle(['Ada', 'Ben', 'Cyd', 'Dan']);
    say(circle, 'I pass to cyd.');
    expect(holderOf(circle)).toBe('Cyd');
    say(circle, 'I pass to 4, who knows.');
    expect(holderOf(circle)).toBe('Dan');
    expect(passOn(circle, 2)).toEqual(['Dan', 'Ben']);
  });

  test.each([
    ['Zoe', 'Zoe, who is not a speaker of this gathering'],
    ['Ada', 'Ada, who holds it already'],
    ['Scribe', 'Scribe, who is the harvester'],
    ['Dan', 'Dan, who is gone'],
  ])('[GTH-PIECE-11] to %s: the next in order, and all are told', (name, why) => {
    const circle = sampleCircle(['Ada', 'Ben', 'Cyd', 'Dan']);
    put(circle, { kind: 'gone', number: 4 });
    const told = say(circle, `I pass to ${name}.`).at(-1)!;
    expect(told.to).toEqual([1, 2, 3, 5]);
    expect(told.text).toMatch(new RegExp(`^\\[guild-hall\\] Ada \\(1\\) passed to ${why}`));
    expect(told.text.split('\n').at(-1)).toBe('The piece is now with Ben (2)');
  });

  test('[GTH-PIECE-11] to one who had it: the next in order; the last of a round names who opens the next', () => {
    const circle = sampleCircle(three, { structure: { inhale: 2, hold: 1, exhale: 1 } });
    passOn(circle, 1);
    expect(say(circle, 'I pass to Ada.').at(-1)!.text).toMatch(/passed to Ada, who had the piece in this round/);
    expect(holderOf(circle)).toBe('Cyd');
    const opened = say(circle, 'I pass to Ben.').at(-1)!.text;
    expect(opened).toMatch(/^\[guild-hall\] Inhale, round 2 of 2.*\nThe piece is now with Ben \(2\)$/);
    expect(passOn(circle, 3)).toEqual(['Ben', 'Ada', 'Cyd']);
    expect(holderOf(circle)).toBe('Ada');
  });

  test('a pass to the next in order names nobody', () => {
    const circle = sampleCircle(three);
    expect(say(circle, 'I pass to the next speaker.').at(-1)!.text).toBe('The piece is now with Ben (2)');
  });

  test('[GTH-PIECE-12] [GTH-BEAT-12] at any time, and no beat of that turn is told any more', () => {
    const circle = sampleCircle(three);
    passOn(circle, 1);
    arrive(circle);
    waitForClock(circle);
    say(circle, 'I pass');
    expect(circle.withdrawn).toEqual(['circle-beat-2-1']);
    expect(dueOf(circle.gathering)).toEqual({ what: 'limit', at: later(circle.at, 300) });
    arrive(circle);
    expect(waitForClock(circle)[0]).toMatchObject({ id: 'circle-beat-3-1', to: [3] });
  });

  test('[GTH-PIECE-10] the hall judges what a speaker says itself, and not what it repeats', () => {
    const circle = sampleCircle(three);
    say(circle, 'As was said:\nI pass to Cyd\nThat was it.', { own: 'As was said:\nThat was it.' });
    expect(holderOf(circle)).toBe('Ada');
    const told = say(circle, 'I pass\nI go on.\nI pass\nNo more.', { own: 'I go on.\nI pass\nNo more.' });
    expect(told[0]!.text).toBe('I pass\nI go on.\nI pass');
  });

  test('[GTH-PIECE-15] by the tool: at once where nothing is on its way', () => {
    const circle = sampleCircle(three);
    expect(put(circle, { kind: 'pass', from: 2, to: null, producing: false })).toEqual([]);
    put(circle, { kind: 'pass', from: 1, to: 'Cyd', producing: false });
    expect(holderOf(circle)).toBe('Cyd');
  });

  test('[GTH-PIECE-15] by the tool in the middle of an answer: the answer goes out, then the piece moves', () => {
    const circle = sampleCircle(three);
    arrive(circle);
    expect(put(circle, { kind: 'pass', from: 1, to: 'Cyd', producing: true })).toEqual([]);
    expect(put(circle, { kind: 'pass', from: 1, to: 'Ben', producing: true })).toEqual([]);
    expect(holderOf(circle)).toBe('Ada');
    expect(dueOf(circle.gathering)).toEqual({ what: 'grace', at: later(startAt, 5) });
    expect(waitForClock(circle, true)).toEqual([]);
    const told = say(circle, 'These are my last words.');
    expect(told.map(({ id }) => id)).toEqual(['speech-1', 'circle-piece-2']);
    expect(holderOf(circle)).toBe('Cyd');
  });

  test('the first pass by the tool counts', () => {
    const circle = sampleCircle(three);
    arrive(circle);
    put(circle, { kind: 'pass', from: 1, to: 'Cyd', producing: true });
    put(circle, { kind: 'pass', from: 1, to: null, producing: false });
    expect(holderOf(circle)).toBe('Cyd');
  });

  test('by the tool in the middle of an answer that never comes: it moves when nothing is produced any more', () => {
    const circle = sampleCircle(three);
    arrive(circle);
    put(circle, { kind: 'pass', from: 1, to: 'Cyd', producing: true });
    wait(circle, 1);
    put(circle, { kind: 'clock', producing: false, pulse: '' });
    expect(holderOf(circle)).toBe('Cyd');
    arrive(circle);
    put(circle, { kind: 'pass', from: 3, to: null, producing: true });
    while (holderOf(circle) === 'Cyd') waitForClock(circle, true);
    expect(circle.at).toBe(later(startAt, 1 + 300));
  });
});
