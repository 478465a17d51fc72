/** Beats, the closing question, the grace and the limit; by a clock of values. */
import { describe, expect, test } from 'vitest';
import {
  arrive,
  holderOf,
  passOn,
  put,
  sampleCircle,
  say,
  startAt,
  wait,
  waitForClock,
} from '../../../../../test/help/ceremony.ts';
import { dueOf, later } from './due.ts';

const three = ['Ada', 'Ben', 'Cyd'];

describe('beats', () => {
  test('[GTH-BEAT-1] [GTH-BEAT-2] [GTH-BEAT-4] [GTH-BEAT-8] an interval apart, from when the piece came; the last asks', () => {
    const circle = sampleCircle(three);
    wait(circle, 7);
    arrive(circle);
    const beats = [1, 2, 3].map(() => ({ told: waitForClock(circle), at: circle.at }));
    expect(beats.map(({ at }) => at)).toEqual([67, 127, 187].map((second) => later(startAt, second)));
    expect(beats.map(({ told }) => told.map(({ text }) => text))).toEqual([
      ['[Beat 1/3] Signals refresh: all is well. Is your thread still alive? Continue, pivot, or pass.'],
      ['[Beat 2/3] Signals refresh: all is well. Is your thread still alive? Continue, pivot, or pass.'],
      ['[Beat 3/3] Signals refresh: all is well. Your turn is up. What would you like to say last?'],
    ]);
    expect(circle.withdrawn).toEqual(['circle-beat-1-1', 'circle-beat-1-2']);
  });

  test('[GTH-BEAT-6] they are for the holder alone', () => {
    const circle = sampleCircle(['Mo', 'Ada']);
    expect(waitForClock(circle)).toMatchObject([{ to: [1], kind: 'beat' }]);
    passOn(circle, 1);
    arrive(circle);
    expect(waitForClock(circle)).toMatchObject([{ to: [2], kind: 'beat' }]);
  });

  test('[GTH-BEAT-5] the counter begins anew with each turn', () => {
    const circle = sampleCircle(three);
    arrive(circle);
    waitForClock(circle);
    passOn(circle, 1);
    arrive(circle);
    expect(waitForClock(circle)[0]!.text).toMatch(/^\[Beat 1\/3\]/);
  });

  test('one beat only is the closing question', () => {
    const circle = sampleCircle(three, { beatsPerTurn: 1 });
    arrive(circle);
    expect(dueOf(circle.gathering)).toEqual({ what: 'question', at: later(startAt, 60) });
    expect(waitForClock(circle)[0]!.text).toMatch(/^\[Beat 1\/1\].*What would you like to say last\?$/);
  });

  test('nothing is due before its time, and after a long sleep only the last beat of those that were missed', () => {
    const circle = sampleCircle(three, { beatsPerTurn: 5 });
    arrive(circle);
    wait(circle, 59.999);
    expect(put(circle, { kind: 'clock', producing: false, pulse: '' })).toEqual([]);
    wait(circle, 130);
    expect(waitForClock(circle).map(({ id }) => id)).toEqual(['circle-beat-1-3']);
    wait(circle, 3600);
    expect(waitForClock(circle).map(({ id }) => id)).toEqual(['circle-beat-1-5']);
    expect(dueOf(circle.gathering)).toEqual({ what: 'limit', at: later(circle.at, 20) });
  });

  test('one whom the piece does not reach loses it at the limit, and all are told', () => {
    const circle = sampleCircle(three);
    expect(dueOf(circle.gathering)).toEqual({ what: 'limit', at: later(startAt, 300) });
    const [told] = waitForClock(circle, true);
    expect(told!.text).toMatch(
      /^\[guild-hall\] Ada \(1\) could not be reached in time.*\nThe piece is now with Ben \(2\)$/,
    );
    put(circle, { kind: 'arrived', turn: 1 });
    expect(circle.gathering.turn).toMatchObject({ number: 2, arrivedAt: null });
  });
});

/** Up to the closing question. */
function asked(seconds = 60) {
  const circle = sampleCircle(three, { beatIntervalSeconds: seconds });
  arrive(circle);
  for (let beat = 0; beat < 3; beat += 1) waitForClock(circle);
  return circle;
}

describe('the closing question', () => {
  test('[GTH-BEAT-9] its answer goes to all, and then the piece moves on', () => {
    const circle = asked();
    wait(circle, 3);
    const told = say(circle, 'Remember the rope.');
    expect(told.map(({ id, to }) => [id, to])).toEqual([
      ['speech-1', [2, 3, 4]],
      ['circle-piece-2', [1, 2, 3, 4]],
    ]);
    expect(told[1]!.text).toBe('The piece is now with Ben (2)');
  });

  test('what was begun before it is part of the turn and no answer', () => {
    const circle = asked();
    wait(circle, 3);
    say(circle, 'I was about to say this.', { after: 'circle-beat-1-2' });
    expect(holderOf(circle)).toBe('Ada');
    say(circle, 'And this is the last.');
    expect(holderOf(circle)).toBe('Ben');
  });

  test('[GTH-BEAT-10] in silence the piece moves on after the grace', () => {
    const circle = asked();
    expect(dueOf(circle.gathering)).toEqual({ what: 'grace', at: later(startAt, 180 + 20) });
    wait(circle, 19.999);
    expect(put(circle, { kind: 'clock', producing: false, pulse: '' })).toEqual([]);
    const [told] = waitForClock(circle);
    expect(told!.text).toBe('[guild-hall] The time of Ada (1) is up.\nThe piece is now with Ben (2)');
    expect(circle.withdrawn).toEqual(expect.arrayContaining(['circle-beat-1-3']));
  });

  test('[GTH-BEAT-11] one who still produces is waited for', () => {
    const circle = asked();
    expect(waitForClock(circle, true)).toEqual([]);
    expect(waitForClock(circle, true)).toEqual([]);
    expect(holderOf(circle)).toBe('Ada');
    say(circle, 'So this is what I began before.', { after: 'circle-beat-1-1' });
    expect(holderOf(circle)).toBe('Ben');
    expect(circle.log.some(({ text }) => text.includes('The time of'))).toBe(false);
  });

  test('one who has stopped without a word is not waited for', () => {
    const circle = asked();
    waitForClock(circle, true);
    waitForClock(circle, false);
    expect(holderOf(circle)).toBe('Ben');
    expect(circle.at).toBe(later(startAt, 205));
  });

  test('[GTH-BEAT-11] but no longer than two beats more', () => {
    const circle = sampleCircle(three, { graceSeconds: 18 });
    wait(circle, 50);
    arrive(circle);
    while (holderOf(circle) === 'Ada') waitForClock(circle, true);
    expect(circle.at).toBe(later(startAt, 50 + 300));
  });

  test('the grace is whole, also where two beats are shorter', () => {
    const circle = asked(2);
    expect(dueOf(circle.gathering)).toEqual({ what: 'limit', at: later(startAt, 6 + 20) });
    waitForClock(circle, true);
    expect(holderOf(circle)).toBe('Ben');
    expect(circle.at).toBe(later(startAt, 26));
  });

  test('[GTH-BEAT-10] a grace of nothing is soon over, and is not looked at without end', () => {
    const circle = sampleCircle(three, { graceSeconds: 0, beatsPerTurn: 1, beatIntervalSeconds: 1 });
    arrive(circle);
    let looks = 0;
    for (; holderOf(circle) === 'Ada'; looks += 1) waitForClock(circle, true);
    expect(looks).toBeLessThan(15);
    expect(circle.at).toBe(later(startAt, 3));
  });
});
