/** What is typed at a council's question, and what is shown of it. */
import { expect, test } from 'vitest';
import type { Asked } from '../../features/councils/contract.ts';
import {
  knownAnswer,
  optionsOf,
  parseTyped,
  questionWords,
  yieldLine,
} from '../../features/councils/contract/asking.ts';
import { askPerson, howToAnswer, questionText } from './council-asking.ts';
import { createTerminal } from './terminal.ts';

const question = { kind: 'yield', at: 'discuss-cadence', turns: 4 } as const;
const pin = { kind: 'pin', pin: 'SP-1' } as const;
const review = { kind: 'review', draft: 'memory:Theo' } as const;

function askedOf(about: Asked['question'], shown: string | null = null): Asked {
  return { question: about, ...questionWords(about), notes: [], options: [...optionsOf(about)], shown };
}

test.each([
  ['post-charter', 'Yield: post-CHARTER', 'post-CHARTER yield — review charter and decide how to proceed'],
  ['post-research', 'Yield: post-RESEARCH', 'post-RESEARCH yield — review preludes and decide how to proceed'],
  [
    'discuss-cadence',
    'Yield: discuss-cadence',
    'discuss-cadence yield — 4 DISCUSS turns since last yield; review and decide how to proceed',
  ],
  [
    'pre-close',
    'Yield: pre-CLOSE',
    'pre-CLOSE yield — about to draft close-time triage and artifacts; review and decide how to proceed',
  ],
  [
    'pre-save',
    'Yield: pre-SAVE',
    'pre-SAVE yield — about to write artifacts to disk; review and decide how to proceed',
  ],
] as const)('%s is asked to the letter [CNC-YLD-1, CNC-YLD-3, CNC-YLD-4, CNC-YLD-5, CNC-YLD-6]', (at, header, text) => {
  expect(questionWords({ kind: 'yield', at, turns: 4 })).toEqual({ header, text });
});

test('one turn is one turn', () => {
  expect(questionWords({ ...question, turns: 1 }).text).toContain('— 1 DISCUSS turn since last yield;');
});

test('a yield offers four choices, and its line is to the letter [CNC-YLD-9, CNC-YLD-10]', () => {
  expect(optionsOf(question).map(({ label }) => label)).toEqual(['[c]ontinue', '[p]ause', '[w]rap-up', '[a]bort']);
  expect(yieldLine).toBe('[c]ontinue / [p]ause / [i]nterject "..." / [w]rap-up / [a]bort');
});

test.each([
  ['c', { answer: 'continue' }],
  [' Continue ', { answer: 'continue' }],
  ['[p]ause', { answer: 'pause' }],
  ['wrap up', { answer: 'wrap-up' }],
  ['W', { answer: 'wrap-up' }],
  ['abort', { answer: 'abort' }],
  ['i', { answer: 'interject' }],
  ['i "What of it?"', { answer: 'interject', text: 'What of it?' }],
  ['interject: later', { answer: 'interject', text: 'later' }],
  ['[i]nterject a\nb', { answer: 'interject', text: 'a\nb' }],
  ['It is cheap.', { answer: 'interject', text: 'It is cheap.' }],
  ['"quoted" in part', { answer: 'interject', text: '"quoted" in part' }],
  ['', undefined],
])('at a yield %j means %j [CNC-YLD-9]', (typed, meant) => {
  expect(parseTyped(question, typed)).toEqual(meant);
});

test('of a pin and of a draft only the known words count [CNC-PAD-5]', () => {
  expect(['e', 'Keep in notes only', 'drop', 'continue', 'maybe'].map((word) => knownAnswer(pin, word))).toEqual([
    'extract',
    'keep',
    'drop',
    undefined,
    undefined,
  ]);
  expect(['A', 'edit', 'd', 'extract'].map((word) => knownAnswer(review, word))).toEqual([
    'accept',
    'edit',
    'drop',
    undefined,
  ]);
  expect(parseTyped(pin, 'file it')).toBeUndefined();
});

function terminalOf(isTTY: boolean) {
  const said = { out: '', err: '' };
  const term = createTerminal(
    {
      out: { isTTY, columns: 80, write: (text) => (said.out += text) },
      err: { isTTY, write: (text) => (said.err += text) },
    },
    { NO_COLOR: '1' },
  );
  return { term, said };
}

interface Played {
  readonly given: Awaited<ReturnType<typeof askPerson>>;
  readonly out: string;
  readonly asked: number;
}

async function play(asked: Asked, typed: readonly (string | undefined)[], edited?: string): Promise<Played> {
  const { term, said } = terminalOf(true);
  const left = [...typed];
  const prompt = { ask: async () => left.shift(), edit: async () => edited };
  const given = await askPerson(prompt, term, asked, new AbortController().signal);
  return { given, out: said.out, asked: typed.length - left.length };
}

test('what is no answer is asked again; a slip of the fingers is no interjection', async () => {
  const slip = await play(askedOf(question), ['contineu', '', 'continue']);
  expect(slip).toMatchObject({ given: { answer: 'continue' }, asked: 3 });
  expect(slip.out).toContain('Did you mean continue? To say it to the council: i "contineu"');
  const lone = await play(askedOf(question), ['x', 'Help', 'no', 'continue']);
  expect(lone).toMatchObject({ given: { answer: 'interject', text: 'no' }, asked: 3 });
  expect(lone.out).toContain('x is none of the answers. To say it to the council: i "x"');
  const other = await play(askedOf(pin), ['maybe', 'keep']);
  expect(other).toMatchObject({ given: { answer: 'keep' }, out: expect.stringContaining('[e]xtract') });
  expect((await play(askedOf(question), ['i', 'What does it cost?'])).given).toEqual({
    answer: 'interject',
    text: 'What does it cost?',
  });
  expect((await play(askedOf(question), ['i', '', undefined])).given).toBeUndefined();
});

test('the letter that accepted the drafts does not abort the council at the question after them', async () => {
  const save = { kind: 'yield', at: 'pre-save', turns: 0 } as const;
  const held = await play(askedOf(save), ['a', '[a]bort', 'c']);
  expect(held).toMatchObject({ given: { answer: 'continue' }, asked: 3 });
  expect(held.out).toContain('To abort it, type the word: abort.');
  expect((await play(askedOf(save), ['abort'])).given).toEqual({ answer: 'abort' });
  expect((await play(askedOf(question), ['a'])).given).toEqual({ answer: 'abort' });
});

test('an edit takes the draft from the editor; without one, or unchanged, it is asked again [CNC-REV-3]', async () => {
  expect((await play(askedOf(review, 'old'), ['edit'], 'new')).given).toEqual({ answer: 'edit', text: 'new' });
  const none = await play(askedOf(review, 'old'), ['edit', 'accept']);
  expect(none).toMatchObject({ given: { answer: 'accept' }, out: expect.stringContaining('$EDITOR') });
  const same = await play(askedOf(review, 'old'), ['edit', 'drop'], 'old');
  expect(same).toMatchObject({ given: { answer: 'drop' }, out: expect.stringContaining('as it was') });
});

test('a draft is shown whole between two lines, without what would move the cursor', () => {
  const { term } = terminalOf(false);
  const text = questionText(askedOf(review, '# A\n\u001b[2Jb\n'), term);
  expect(text).toMatch(/^Review: memory of Theo\n/);
  expect(text).toContain('─\n# A\n[2Jb\n─');
  expect(text.split('\n').at(-1)).toBe('[a]ccept / [e]dit / [d]rop');
  expect(howToAnswer('x', askedOf(review), term)).toContain('guild-hall council answer x edit --file <path>');
});
