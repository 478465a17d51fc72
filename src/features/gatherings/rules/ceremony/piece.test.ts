import { describe, expect, test } from 'vitest';
import { passOn, sampleCircle, sampleSeats } from '../../../../../test/help/ceremony.ts';
import { decidePass, findSeat, nextHolder, speakersOf } from './piece.ts';

const seats = sampleSeats(['Mo', 'Ada Lovelace', 'Jo-Ann', 'Jörg Müller', 'R2', '7', 'Ada', 'Scribe 2']);

describe('who is meant', () => {
  test.each([
    ['Mo', 1],
    ['mo', 1],
    [' MO. ', 1],
    ['@mo', 1],
    ['**Mo**', 1],
    ['“Mo”', 1],
    ['`Mo`', 1],
    ['Mo (1)', 1],
    ['Mo (4)', 1],
    ['Mo 1', 1],
    ['1', 1],
    ['#2', 2],
    ['(3)', 3],
    ['number 4', 4],
    ['No. 4', 4],
    ['speaker 5', 5],
    ['Ada Lovelace', 2],
    ['ada   lovelace', 2],
    ['Ada', 7],
    ['Ada (7)', 7],
    ['jo-ann', 3],
    ['Jo\u0308rg Mu\u0308ller', 4],
    ['JÖRG MÜLLER', 4],
    ['R2', 5],
    ['r2 (5)', 5],
    // A name goes before a number.
    ['7', 6],
    ['Scribe 2', 8],
    ['Scribe', 9],
  ])('[GTH-PIECE-8] %j is number %i', (wanted, number) => {
    expect(findSeat(seats, wanted)?.number).toBe(number);
  });

  test.each([
    '',
    ' ',
    'Zoe',
    'M',
    'Mo and Ada',
    '10',
    '0',
    '-1',
    'Ada 8 9',
    'Jo',
    'number',
    '(',
    '1e1',
    '99999999999999999999',
  ])('%j is nobody', (wanted) => {
    expect(findSeat(seats, wanted)).toBeUndefined();
  });

  test('so is everything that is long', () => {
    expect(findSeat(seats, `${'( '.repeat(50_000)}1`)).toBeUndefined();
    expect(findSeat(seats, `${' '.repeat(250)}Mo`)).toBeUndefined();
  });
});

describe('who is next', () => {
  test('[GTH-PIECE-5] the harvester is in no order', () => {
    expect(speakersOf({ seats }).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('[GTH-PIECE-4] the first in order who has not had it, round after round, to the end', () => {
    const circle = sampleCircle(['Ada', 'Ben'], { structure: { inhale: 1, hold: 1, exhale: 1 } });
    const places: unknown[] = [];
    for (let next = nextHolder(circle.gathering, null); next !== undefined; next = nextHolder(circle.gathering, null)) {
      places.push([next.stage, next.round, next.holder, next.isNewRound]);
      passOn(circle, 1);
    }
    expect(places).toEqual([
      ['inhale', 1, 2, false],
      ['hold', 1, 1, true],
      ['hold', 1, 2, false],
      ['exhale', 1, 1, true],
      ['exhale', 1, 2, false],
    ]);
  });

  test.each([
    'next',
    'the next',
    'the next one',
    'The next speaker.',
    'whoever is next',
    'the next in order',
    'our next voice',
  ])('%j names nobody, and needs no word', (to) => {
    expect(decidePass(sampleCircle(['Ada', 'Ben']).gathering, to)).toEqual({ wanted: null, note: undefined });
  });
});
