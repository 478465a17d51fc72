import { describe, expect, test } from 'vitest';
import type { ScreenText } from '../contract.ts';
import { beforeEnter, isSamePrompt, standsAtCursor, wasTaken } from './evidence.ts';
import { personHoldsFor, quietMs, type Seen, standingOf, typedAfter } from './standing.ts';

type Looks = Parameters<typeof wasTaken>[0];

function screen(...lines: string[]): ScreenText {
  const cursorLine = lines.length - 1;
  const cursorColumn = lines[cursorLine]?.length ?? 0;
  return { lines, cursorLine, cursorColumn, firstVisible: 0, isAlternate: false, takesPaste: false };
}

describe('typed words', () => {
  const text = 'Mo (1):\n\nWhat do you think of it?';

  test.each([
    ['behind a prompt', screen('> Mo (1): ⏎ ⏎ What do you think of it?'), true],
    ['in lines', screen('> Mo (1):', '', '  What do you think of it?'), true],
    ['broken in two', screen('> Mo (1): What do you', '  think of it?'), true],
    ['gone', screen('> What do you think of it?', ''), false],
    ['answered', screen('What do you think of it?', 'I like it.'), false],
    ['nothing', screen(''), false],
  ])('stand at the cursor or not: %s', (_name, shown, expected) => {
    expect(standsAtCursor(shown, text)).toBe(expected);
  });

  test('without any letter are found, too', () => {
    expect(standsAtCursor(screen('> 👍👍'), '👍👍')).toBe(true);
    expect(standsAtCursor(screen('> '), '👍👍')).toBe(false);
  });

  test.each<[string, Looks, ScreenText, ScreenText, boolean]>([
    ['the cursor went on', {}, screen('$ go on'), screen('$ go on', ''), true],
    ['they still stand there', {}, screen('$ go on'), screen('$ go on'), false],
    ['nobody sees input, something changed', {}, screen('password:'), screen('password:', 'fine'), true],
    ['nobody sees input, nothing changed', {}, screen('password:'), screen('password:'), false],
    ['its input is empty', { inputOf: () => '' }, screen('❯ go on'), screen('❯'), true],
    [
      'its input holds something',
      { inputOf: () => '[Pasted text]' },
      screen('❯ [Pasted text]'),
      screen('other'),
      false,
    ],
    ['it works', { inputOf: () => 'next', isBusy: () => true }, screen('❯ go on'), screen('…'), true],
  ])('are taken or not: %s', (...row) => {
    const [, manner, earlier, later, expected] = row;
    expect(wasTaken(manner, later, 'go on', beforeEnter(manner, earlier, 'go on'))).toBe(expected);
  });

  test.each([
    [text, true],
    ['Mo (1): What do you think of it?', true],
    [`<pasted id="1">${text}</pasted>`, true],
    ['What do you think?', false],
    ['', false],
  ])('are the prompt %j: %s', (told, expected) => {
    expect(isSamePrompt(told, text)).toBe(expected);
  });
});

describe('how a program stands', () => {
  const seen: Seen = {
    screen: screen('ready'),
    nowMs: 10_000,
    lastOutputMs: 1_000,
    startedMs: 0,
    wasReady: true,
    hasEnded: false,
    isInTurn: false,
    toldDialog: undefined,
  };
  const shown = (...lines: string[]): Partial<Seen> => ({ screen: screen(...lines) });
  const agent = {
    isIdle: ({ lines }: ScreenText) => lines.includes('❯'),
    isBusy: ({ lines }: ScreenText) => lines.includes('working'),
    dialogOf: ({ lines }: ScreenText) => lines.find((line) => line.endsWith('?')),
  };

  test.each([
    ['quiet', {}, {}, { status: 'idle' }],
    ['just wrote', {}, { lastOutputMs: 9_900 }, { status: 'busy', againInMs: quietMs - 100 }],
    [
      'has written nothing yet',
      {},
      { lastOutputMs: undefined, startedMs: 9_990, wasReady: false },
      { status: 'starting', againInMs: 1_490 },
    ],
    ['over', {}, { hasEnded: true }, { status: 'ended' }],
    ['idle by its screen at once', agent, { ...shown('❯'), lastOutputMs: 10_000 }, { status: 'idle' }],
    ['busy by its screen however quiet', agent, shown('working', '❯'), { status: 'busy' }],
    ['not idle by its screen', agent, shown('…'), { status: 'busy' }],
    ['starting until it is idle', agent, { ...shown('…'), wasReady: false }, { status: 'starting' }],
    ['asks', agent, shown('May I?', '❯'), { status: 'dialog', question: 'May I?' }],
    ['told that it asks', agent, { ...shown('x'), toldDialog: 'May I?' }, { status: 'dialog', question: 'May I?' }],
    ['has an answer that nobody told of', agent, { ...shown('❯'), toldDialog: 'May I?' }, { status: 'idle' }],
    [
      'its turn is not told to be over',
      agent,
      { ...shown('❯'), isInTurn: true, lastOutputMs: 9_500 },
      { status: 'busy', againInMs: 1_500 },
    ],
    ['its turn was interrupted', agent, { ...shown('❯'), isInTurn: true, lastOutputMs: 7_000 }, { status: 'idle' }],
  ])('%s', (_name, manner, facts, expected) => {
    expect(standingOf(manner, { ...seen, ...facts })).toEqual(expected);
  });

  test('without any sign it is done after 400 ms of quiet at most [GTH-RELAY-15]', () => {
    const quiet = (ms: number) => standingOf({}, { ...seen, lastOutputMs: seen.nowMs - ms }).status;
    expect([quiet(200), quiet(400)]).toEqual(['busy', 'idle']);
  });
});

describe('a person who types', () => {
  const none = { isHalfLine: false, lastKeyMs: 0, line: '' };

  test.each([
    ['hel', 30_000],
    ['hello\r', 250],
    ['hello\u0003', 250],
    ['\u001b[A', 250],
    ['\u001b[<0;3;4M', 250],
    ['a\u001b[D', 30_000],
    ['a\u001b', 250],
    ['\r\nx', 30_000],
  ])('after %j is waited for %i ms', (keys, expected) => {
    expect(personHoldsFor(typedAfter(none, keys, 5_000).typed, 5_000)).toBe(expected);
  });

  test('has typed whole lines, mistakes taken out', () => {
    const first = typedAfter(none, 'hex\u007Fl', 5_000);
    expect(first.lines).toEqual([]);
    expect(typedAfter(first.typed, 'lo\r\r\u001b[Anext\u0015new\r', 5_000).lines).toEqual(['hello', 'new']);
  });

  test('is waited for no longer than half a minute', () => {
    expect(personHoldsFor(typedAfter(none, 'hel', 5_000).typed, 40_000)).toBe(0);
    expect(personHoldsFor(undefined, 0)).toBe(0);
  });
});
