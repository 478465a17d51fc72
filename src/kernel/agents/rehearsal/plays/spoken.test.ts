/** Orders and questions: what is read out of a message, and what of it is only quoted. */
import { describe, expect, test } from 'vitest';

import type { Situation, SituationCall, SituationTurn } from '../situation.ts';
import { readDecision } from './decisions.ts';
import { splitQuestions } from './halves.ts';
import { outcomeOf, turnsAbout } from './outcome.ts';
import { readQuestion } from './question.ts';
import { recapPlay } from './recap.ts';
import { readRecordOrder } from './record.ts';
import { sidesOf } from './sides.ts';
import { ownWords, spokenText } from './spoken.ts';
import { readTerms, stemPattern } from './words.ts';
import { readOrder } from './write-order.ts';

function turnOf(userText: string, assistantText = '', calls: SituationCall[] = []): SituationTurn {
  return { userText, assistantText, calls, answers: assistantText === '' ? 0 : 1 };
}

function situationOf(userText: string, turns: SituationTurn[] = []): Situation {
  return {
    systemPrompt: '',
    tools: [],
    turns,
    turn: turnOf(userText),
    model: 'rehearsal',
    stream: true,
    cwd: '/place/tree',
    worker: 'researcher',
    activityKind: 'activity',
  };
}

const quotedOrder = 'Write what we found about unions to `.lore/notes/zod-unions.md`';

describe('quoted words order nothing', () => {
  test.each([
    `Unions in the parser.\n\nComes from:\n\n- “How are unions parsed?”: answered\n- “${quotedOrder}”: answered; used write_artifact`,
    `Unions.\n\nComes from:\n${quotedOrder}`,
    `I was told “${quotedOrder}”. What does that mean?`,
    `I was told "${quotedOrder}". What does that mean?`,
    `What about this?\n\n> ${quotedOrder}`,
    `What about this?\n\n\`\`\`\n${quotedOrder}\n\`\`\``,
    `Earlier turns:\n\n1. ${quotedOrder}\n2. remember that tabs are better`,
    `Some turns of before\n\n- ${quotedOrder}`,
    'Go on with unions\n\nReferenced artifacts:\n- .lore/notes/write-to.md',
    'What does the code write to notes.md?',
  ])('%s', (text) => {
    expect(readOrder(text)).toBeUndefined();
    expect(readRecordOrder(situationOf(text))).toBeUndefined();
  });

  test('the words around a quote still do, and a path may stand in quotes', () => {
    expect(readOrder('You said “save it to old.md”. Please write a note to "notes/über uns.md"')).toMatchObject({
      path: 'notes/über uns.md',
    });
    expect(readOrder(`Please do:\n\n- ${quotedOrder}`)?.path).toBe('.lore/notes/zod-unions.md');
    expect(ownWords('a “b c” d')).toBe('a ····· d');
    expect(spokenText('Unions.\n\nComes from:\n\n- “x”: y\n\nBegin')).toBe('Unions.\n\nBegin');
  });

  test('what is asked is read without its history', () => {
    expect(readQuestion(situationOf(spokenText('Unions.\n\nComes from:\n\n- “tabs”: y'))).terms.words).toEqual([
      'unions',
    ]);
  });
});

describe('an order to write', () => {
  test.each([
    [
      'Write what we found about discriminated unions, for a colleague who is new, to `.lore/notes/u.md`',
      'discriminated unions',
    ],
    ['Please save everything we learned so far to .lore/notes/u.md', ''],
    ['Write your findings about rounding to .lore/notes/u.md', 'rounding'],
  ])('%s', (text, subject) => {
    expect(readOrder(text)).toEqual({ path: '.lore/notes/u.md', chosen: false, subject, existing: 'keep' });
  });

  test.each([
    ['Update .lore/notes/u.md with the new errors', 'replace'],
    ['Please append the errors to `.lore/notes/u.md`', 'append'],
    ['Write the errors to .lore/notes/u.md', 'keep'],
  ])('%s: what is there is to %s', (text, existing) => {
    expect(readOrder(text)?.existing).toBe(existing);
  });

  test('a path with letters of any language, or with spaces where it is quoted', () => {
    expect(readOrder('Write a note to .lore/notes/größe.md')?.path).toBe('.lore/notes/größe.md');
    expect(readOrder('Append the rest to .lore/notes/zwei Wörter.md')?.path).toBe('.lore/notes/zwei Wörter.md');
    expect(readOrder('Write a note to `.lore/notes/zwei Wörter.md`')?.path).toBe('.lore/notes/zwei Wörter.md');
  });
});

describe('decisions and follow-ups', () => {
  test.each([
    [
      'We decide: we use tabs for indentation because they are short.',
      'What do we use for indentation?',
      'We use tabs for indentation',
      'They are short',
    ],
    ["Let's use zod for the contracts", 'What do we use for the contracts?', 'Use zod for the contracts', undefined],
    [
      'Record a decision: keep the router instead of the table',
      'The router or the table?',
      'Keep the router instead of the table',
      undefined,
    ],
    ['We decided to freeze parsers', 'What holds for freeze parsers?', 'Freeze parsers', undefined],
  ])('%s', (text, question, decision, reasoning) => {
    const read = readDecision(situationOf(text), text);
    expect(read).toMatchObject({ question, decision });
    if (reasoning !== undefined) expect(read?.reasoning).toBe(reasoning);
  });

  const unions = turnOf('How are unions parsed?', '### `union`\n\n`src/a.ts:3-9`\n\nx');
  const dates = turnOf('How are dates parsed?', '### `date`\n\n`src/b.ts:4-9`\n\nx');

  test('the agenda of a follow-up has the turns of its topic, and only them', () => {
    const agenda = readRecordOrder(situationOf('Propose a follow-up on unions', [unions, dates, dates]))?.values[
      'agenda'
    ];
    expect(agenda).toBe('Go on with: unions.\n\nComes from:\n\n- “How are unions parsed?”: `union` (`src/a.ts:3`)');
  });

  test('what came of a turn', () => {
    const call = {
      id: '1',
      name: 'mcp__hall__record_decision',
      input: { decision: 'Tabs' },
      result: { text: '', isError: false },
    };
    expect(outcomeOf(unions)).toEqual({
      asked: 'How are unions parsed?',
      kind: 'answer',
      found: '`union` (`src/a.ts:3`)',
    });
    expect(outcomeOf(turnOf('We decide: tabs', 'Recorded.', [call]))).toMatchObject({
      kind: 'decision',
      found: 'decided: Tabs',
    });
    expect(outcomeOf(turnOf('Why?', 'I searched all files for `why` and found nothing.')).kind).toBe('nothing');
    expect(turnsAbout([unions, dates], readTerms('unions'))).toEqual([unions]);
  });

  test.each(['Please summarize where we are', 'recap please', 'what have we found so far?', 'summarize this activity'])(
    'told from the conversation, without a search: %s',
    (text) => {
      const move = recapPlay.play(situationOf(text, [unions]));
      expect(move?.blocks).toEqual([
        { type: 'text', text: expect.stringContaining('How are unions parsed? → `union` (`src/a.ts:3`)') },
      ]);
    },
  );

  test('what was decided is told from the record', () => {
    const input = { question: 'Tabs or spaces?', decision: 'Tabs', reasoning: 'Short' };
    const call = { id: '1', name: 'mcp__hall__record_decision', input, result: { text: '', isError: false } };
    const move = recapPlay.play(situationOf('What did we decide?', [turnOf('We decide: tabs', 'x', [call])]));
    expect(move?.blocks[0]).toMatchObject({ text: expect.stringContaining('**Tabs or spaces?** Tabs (Short)') });
    expect(recapPlay.play(situationOf('How does the parser decide?'))).toBeUndefined();
  });
});

describe('questions', () => {
  test.each([
    ['Who calls `a`, and what is the difference to `b`?', 2],
    ['Where is it? How does it work?', 2],
    ['How do reading and writing work?', 1],
    ['What is read and is written', 2],
    ['Compare `a` and `b`', 1],
  ])('%s has %i', (text, count) => {
    expect(splitQuestions(text)).toHaveLength(count);
  });

  test.each([
    ['compare optional in v3 and in v4', ['v3', 'v4']],
    ['what is the difference between src/v3 and src/v4?', ['src/v3', 'src/v4']],
    ['compare how retries are done in client and in server', ['client', 'server']],
    ['compare `a` and `b`', undefined],
  ])('%s has the sides %j', (text, sides) => {
    expect(sidesOf(readQuestion(situationOf(text)))).toEqual(sides);
  });

  test('a word that is no search word elsewhere is the subject where the form says so', () => {
    expect(readQuestion(situationOf('how does hello work?')).terms.names).toEqual(['hello']);
    expect(readQuestion(situationOf('how does it work?')).terms.names).toEqual([]);
    expect(readQuestion(situationOf('What do the tests cover?')).intent).toBe('tests');
  });

  test('a word is found in names and in its forms, not within another word', () => {
    const form = new RegExp(stemPattern('turn'));
    for (const text of ['a turn', 'Turned', 'handleTurn', 'MAX_TURN', 'my_turn', 'toTURNTable', 'JSONTurn'])
      expect(text).toMatch(form);
    for (const text of ['return x', 'nocturnal', 'RETURN']) expect(text).not.toMatch(form);
  });
});
