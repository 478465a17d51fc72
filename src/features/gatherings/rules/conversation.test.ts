import { describe, expect, test } from 'vitest';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';
import { type Conversation, conversationIdSchema, type Message } from '../contract.ts';
import {
  decideEnd,
  decideExtend,
  decidePause,
  fateOf,
  isOld,
  type KeptMessage,
  nextToSpeak,
  paused,
  usedTurns,
} from './conversation.ts';
import { goesRound } from './loop.ts';
import { attributed, calledAs, cutWords, endedLine, extendedLine, pausedLine, withRest } from './words.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 9, 0, second)).toISOString();

const conversation: Conversation = {
  id: conversationIdSchema.parse('ada-grace'),
  project: null,
  members: ['Ada', 'Grace'].map((name, index) => ({
    terminal: terminalIdSchema.parse(name.toLowerCase()),
    name,
    number: index + 1,
  })),
  state: 'open',
  startedBy: 1,
  startedAt: at(0),
  turns: 2,
  countedFrom: 1,
  pauses: 0,
  pause: null,
  end: null,
};

type Given = readonly [from: Message['from'], text: string, more?: Partial<KeptMessage>];

/** In order, a second apart. */
function messages(...given: readonly Given[]): KeptMessage[] {
  return given.map(([from, text, more], index) => ({
    id: `m-${index + 1}`,
    number: index + 1,
    kind: from === 'hall' ? 'paused' : 'words',
    from,
    text,
    own: text,
    at: at(index + 1),
    to: from === 1 ? [2] : from === 2 ? [1] : [1, 2],
    fate: 'sent',
    receipts: [],
    ...more,
  }));
}

const arrived = (to: number, second: number): KeptMessage['receipts'][number] => ({
  to,
  receipt: { state: 'delivered', at: at(second) },
});

describe('the budget', () => {
  test.each<[string, readonly Given[], string | undefined]>([
    ['nothing said', [], undefined],
    [
      'one of them had its turns',
      [
        [1, 'a'],
        [2, 'b'],
        [1, 'c'],
      ],
      undefined,
    ],
    [
      'both had theirs',
      [
        [1, 'a'],
        [2, 'b'],
        [1, 'c'],
        [2, 'd'],
      ],
      'budget',
    ],
    [
      'one speaks alone',
      [
        [1, 'a'],
        [1, 'b'],
        [1, 'c'],
      ],
      undefined,
    ],
    [
      'one speaks alone, twice as much',
      [
        [1, 'a'],
        [1, 'b'],
        [1, 'c'],
        [1, 'd'],
      ],
      'budget',
    ],
    [
      'the hall, the person and what is not sent do not count',
      [
        [1, 'a'],
        ['hall', 'x'],
        ['person', 'y'],
        [2, 'b', { fate: 'aside' }],
        [2, 'c', { fate: 'held' }],
        [1, 'd'],
      ],
      undefined,
    ],
  ])('%s', (_name, given, expected) => {
    expect(decidePause(conversation, messages(...given))).toBe(expected);
  });

  test('counts from the extension on, and not while it is paused', () => {
    const said = messages([1, 'a'], [2, 'b'], [1, 'c'], [2, 'd'], [1, 'e']);
    expect(decidePause({ ...conversation, countedFrom: 5 }, said)).toBeUndefined();
    expect(usedTurns({ ...conversation, countedFrom: 5 }, said)).toEqual([1, 0]);
    expect(decidePause({ ...conversation, state: 'paused' }, said)).toBeUndefined();
  });
});

describe('a loop', () => {
  const said = (...texts: readonly string[]) => texts.map((words, index) => ({ from: (index % 2) + 1, words }));
  const stuck = 'API error 529: it is overloaded';
  const long =
    'The parser reads each line from the left to the right and stops at the first mistake that it finds there';
  test.each<[string, readonly string[], boolean]>([
    ['the same four times', ['Bye.', 'Bye!', 'bye', 'BYE'], true],
    ['the same three times', ['Hello.', 'Bye.', 'Bye.', 'Bye.'], false],
    ['a round of two, three times', ['Yes.', 'No.', 'Yes.', 'No.', 'Yes.', 'No.'], true],
    ['a round of two, twice', ['Hello.', 'Yes.', 'No.', 'Yes.', 'No.'], false],
    ['a round of four', ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'], true],
    ['counting', ['turn 1', 'turn 2', 'turn 3', 'turn 4', 'turn 5', 'turn 6'], false],
    ['nearly the same', [long, `${long}.`, `Well: ${long}`, `${long}, yes`], true],
    [
      'long, and about one thing',
      [long, `I think so. ${long} in the first file, not the second one`, 'Hm.', long],
      false,
    ],
    ['no letters', ['👍', '👍', '👍', '👍'], true],
    ['other signs', ['👍', '👎', '🎉', '👋'], false],
    ['one who says always the same', ['a', stuck, 'b', stuck, 'c', stuck, 'd', stuck], true],
    ['one who answers shortly', ['a', 'Done.', 'b', 'Done.', 'c', 'Done.', 'd', 'Done.'], false],
  ])('%s', (_name, texts, expected) => {
    expect(goesRound(said(...texts))).toBe(expected);
  });

  test('is seen by what each said itself, without what it quoted', () => {
    const quoting: Given[] = [1, 2, 1, 2].map((from, index) => [
      from,
      `> line ${index}\nOf course.`,
      { own: 'Of course.' },
    ]);
    expect(decidePause({ ...conversation, turns: 9 }, messages(...quoting))).toBe('loop');
  });
});

describe('what is said during a pause', () => {
  const isPaused = paused(conversation, 'budget', at(9));
  test.each<[string, readonly Given[], string]>([
    ['before the line about it has arrived', [['hall', 'x']], 'held'],
    ['just after it has arrived', [['hall', 'x', { receipts: [arrived(1, 2)] }]], 'aside'],
    [
      'after it was answered',
      [
        ['hall', 'x', { receipts: [arrived(1, 1)] }],
        [1, 'ok', { fate: 'aside' }],
      ],
      'held',
    ],
    [
      'when other words came after it',
      [
        ['hall', 'x', { receipts: [arrived(1, 1)] }],
        [2, 'b', { receipts: [arrived(1, 3)] }],
      ],
      'held',
    ],
    ['when it arrived at the other alone', [['hall', 'x', { receipts: [arrived(2, 2)] }]], 'held'],
  ])('%s', (_name, given, expected) => {
    expect(fateOf(isPaused, messages(...given), 1)).toBe(expected);
  });

  test('goes on when nobody pauses it; a late answer to the line does not', () => {
    expect(fateOf(conversation, messages([2, 'b', { receipts: [arrived(1, 2)] }]), 1)).toBe('sent');
    expect(fateOf(conversation, messages(['hall', 'x', { receipts: [arrived(1, 2)] }]), 1)).toBe('aside');
  });
});

describe('from one state to the next', () => {
  const isPaused = paused(conversation, 'idle', at(9));
  const ended = decideEnd(conversation, { kind: 'closed', by: 'person' }, at(9));

  test('a pause is told as such, and an extension begins to count anew, with the words that waited', () => {
    expect(isPaused).toMatchObject({ state: 'paused', pauses: 1, pause: { why: 'idle', at: at(9) } });
    expect(decideExtend(isPaused, 3, { held: undefined, next: 7 })).toMatchObject({
      next: { state: 'open', pause: null, turns: 3, countedFrom: 7 },
    });
    expect(decideExtend(isPaused, 3, { held: 5, next: 7 })).toMatchObject({ next: { countedFrom: 5 } });
    expect(decideExtend(conversation, 3, { held: undefined, next: 7 })).toMatchObject({
      next: { state: 'open', turns: 5, countedFrom: 1 },
    });
  });

  test('an ended one stays ended', () => {
    expect(ended).toMatchObject({ ok: true, next: { state: 'ended', end: { reason: { by: 'person' } } } });
    const next = ended.ok ? ended.next : conversation;
    expect(decideEnd(next, { kind: 'member', number: 1 }, at(10))).toMatchObject({ refusal: { code: 'conflict' } });
    expect(decideExtend(next, 1, { held: undefined, next: 1 })).toMatchObject({ refusal: { code: 'conflict' } });
    expect(isOld(next, Date.parse(at(9)) + 30 * 86_400_000)).toBe(false);
    expect(isOld(next, Date.parse(at(9)) + 30 * 86_400_000 + 1)).toBe(true);
    expect(isOld(conversation, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  test('whoever did not speak last is next', () => {
    expect(nextToSpeak(conversation, [])).toBe(1);
    expect(nextToSpeak(conversation, messages([1, 'a']))).toBe(2);
    expect(nextToSpeak(conversation, messages([1, 'a'], [2, 'b'], ['hall', 'x']))).toBe(1);
  });
});

describe('words', () => {
  test('stand under the name and the number, without brackets [GTH-RELAY-3]', () => {
    expect(attributed({ name: 'Mo', number: 1 }, 'Hello\nthere')).toBe('Mo (1):\n\nHello\nthere');
    expect(calledAs({ name: 'Mo\n(2):\u001b[2J', number: 1 })).toBe('Mo (2): [2J (1)');
  });

  test('are cut at 12,000 characters, and never within one [GTH-RELAY-16]', () => {
    expect(cutWords('a'.repeat(12_000))).toEqual({ head: 'a'.repeat(12_000), rest: '' });
    const cut = cutWords(`${'a'.repeat(11_999)}👍b`);
    expect([cut.head.length, cut.rest]).toEqual([11_999, '👍b']);
    expect(withRest(cut, '/rest/m.md').endsWith('a\n\n[… 3 characters more are in the file /rest/m.md]')).toBe(true);
    expect(withRest(cut, undefined).endsWith('[… 3 characters more could not be put into a file]')).toBe(true);
  });

  test('of the hall are one line', () => {
    const lines = [
      pausedLine(conversation, 'loop'),
      pausedLine({ ...conversation, turns: 1 }, 'budget'),
      extendedLine(conversation),
      endedLine(conversation, { kind: 'hall', why: 'the disk\nis full.' }),
      endedLine(conversation, { kind: 'closed', by: 2 }),
    ];
    for (const line of lines)
      expect(line).toMatch(/^\[guild-hall\] The conversation of Ada \(1\) and Grace \(2\) [^\n]*\.$/);
    expect(lines[3]).toContain('the hall could not go on (the disk is full)');
  });
});
