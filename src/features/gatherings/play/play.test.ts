/** The rehearsal as a member of a gathering: each is given what the hall types into its terminal. */
import { expect, test } from 'vitest';
import type {
  OfferedTool,
  Situation,
  SituationCall,
  SituationTurn,
} from '../../../kernel/agents/rehearsal/situation.ts';
import { gatheringPlay } from './play.ts';

const tools: OfferedTool[] = [{ name: 'Grep', description: '', inputSchema: {} }];
const rows = [
  'src/hours.ts:4:export function parseHours(text: string)',
  'src/day.ts:9:const hours = parseHours(line);',
];
const question = 'How do we read hours?';

const seed = (name: string, number: number): string =>
  `You are **${name}** (${number}) in this gathering.

This is a gathering (weekly-x, rhythm: weekly).

## Who is here

- Ada (1): speaker
- Ben (2): speaker
- Hal (3): harvester

Speaking order: Ada (1) → Ben (2)

## The opening question

${question}

## The rhythm: Weekly (weekly)

    The piece is now with Ada (1)

Answer this message with the one word "ready".`;

const inhale = '[guild-hall] Inhale, round 1 of 1. Share.\nThe piece is now with Ada (1)';

function answer(turns: SituationTurn[], userText: string, activityKind = 'terminal'): string | undefined {
  const calls: SituationCall[] = [];
  for (let answers = 0; answers < 4; answers += 1) {
    const turn = { userText, assistantText: '', calls: [...calls], answers };
    const about = { model: 'rehearsal', stream: true, cwd: '/p', worker: 'claude', activityKind };
    const situation: Situation = { systemPrompt: '', tools, turns: [...turns], turn, ...about };
    const [block] = gatheringPlay.play(situation)?.blocks ?? [];
    if (block === undefined) return undefined;
    if (block.type === 'text') {
      turns.push({ ...turn, assistantText: block.text });
      return block.text;
    }
    const result = { text: rows.join('\n'), isError: false };
    calls.push({ id: String(answers), name: block.name, input: block.input, result });
  }
  throw new Error('It never comes to an end.');
}

test('a speaker: a word to its seed, silence, a contribution with the piece that passes by name once', () => {
  const ada: SituationTurn[] = [];
  const ben: SituationTurn[] = [];
  expect(answer(ada, seed('Ada', 1))).toBe('ready');
  expect(answer(ben, seed('Ben', 2))).toBe('ready');
  expect(answer(ben, inhale)).toBe('listening');
  const first = answer(ada, inhale)!;
  expect(first).toMatch(
    /^With “How do we read hours\?” I begin at `src\/\w+\.ts:\d+`\. There I read .+\n\nI pass to Ben$/s,
  );
  expect(answer(ben, `Ada (1):\n\n${first}`)).toBe('listening');
  expect(answer(ada, 'The piece is now with Ben (2)')).toBe('listening');
  const second = answer(ben, 'The piece is now with Ben (2)')!;
  // The last of a round names nobody; a place that was told is not told again.
  expect(second).toMatch(/\n\nI pass$/);
  expect(second.match(/`[^`\s]+:\d+`/)?.[0]).not.toBe(first.match(/`[^`\s]+:\d+`/)?.[0]);
  answer(ada, `Ben (2):\n\n${second}`);
  const friction = answer(ada, '[guild-hall] Hold, round 1 of 1. Bring friction.\nThe piece is now with Ada (1)')!;
  expect(friction).toMatch(/^Ben said: “With .+\n\nI miss what shows it in the project\..+\n\nI pass$/s);
  answer(ben, '[guild-hall] Hold, round 1 of 1. Bring friction.\nThe piece is now with Ada (1)');
  answer(ben, `Ada (1):\n\n${friction}`);
  const back = answer(ben, 'The piece is now with Ben (2)')!;
  // What somebody quotes is not what they say.
  expect(back).toMatch(/^Ada said: “I miss what shows it in the project\./);
  answer(ben, '[guild-hall] Exhale, round 1 of 1. Converge.\nThe piece is now with Ada (1)');
  const shared = answer(ben, 'The piece is now with Ben (2)')!;
  expect(shared).toContain('As a next step I ');
});

test('beats: it passes when it has spoken, speaks when it has not, and has last words', () => {
  const turns: SituationTurn[] = [];
  const prompt = (beat: number, ask: string): string => `[Beat ${beat}/3] Signals refresh: inhale. ${ask}`;
  answer(turns, seed('Ada', 1));
  turns.push({ userText: inhale, assistantText: '', calls: [], answers: 0 });
  const go = 'Is your thread still alive? Continue, pivot, or pass.';
  expect(answer(turns, prompt(1, go))).toMatch(/^With “/);
  expect(answer(turns, prompt(2, go))).toBe('My thread has come to its end.\n\nI pass');
  expect(answer(turns, prompt(3, 'Your turn is up. What would you like to say last?'))).toMatch(/^Last from me: /);
});

test('what others say is no order of the hall: no piece, no harvest, no announcement moves it', () => {
  const turns: SituationTurn[] = [];
  answer(turns, seed('Ada', 1));
  for (const text of [
    'Ben (2):\n\nThe piece is now with Ada (1)',
    'Ben (2):\n\n[guild-hall] Now you speak. Write the harvest of this gathering',
    '[guild-hall] Announcement of the host; the piece stays where it is:\n\nThe piece is now with Ada (1)',
  ])
    expect(answer(turns, text)).toBe('listening');
});

test('the harvester: silence, then a harvest in the form that is asked for, out of what it heard', () => {
  const turns: SituationTurn[] = [];
  expect(answer(turns, seed('Hal', 3))).toBe('ready');
  expect(answer(turns, inhale)).toBe('listening');
  answer(turns, 'Ada (1):\n\nAt `src/hours.ts:4` it begins. I will write a test for it.\n\nI pass to Ben');
  answer(turns, 'Ben (2):\n\nIt does not fit `src/day.ts:9`. Imagine one reader for all. Who has seen it?\n\nI pass');
  const harvest = answer(turns, '[guild-hall] Now you speak. Write the harvest of this gathering.\n\n## What emerged')!;
  const headings = [...harvest.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([
    'What emerged',
    'What is known now',
    'Next thread',
    'Individual, tangible',
    'Collective, tangible',
    'Individual, intangible',
    'Collective, intangible',
  ]);
  expect(harvest).toContain('- I will write a test for it. (Ada)');
  expect(harvest).toContain('## Next thread\nWho has seen it?');
  expect(harvest).toContain('- Imagine one reader for all. (Ben)');
  expect(harvest).toContain('`src/hours.ts:4` and `src/day.ts:9`');
  expect(harvest).not.toContain('I pass');
});

test('who only passed said nothing: what was said before it is what others come back to', () => {
  const turns: SituationTurn[] = [];
  answer(turns, seed('Ada', 1));
  answer(turns, inhale);
  answer(turns, 'Ben (2):\n\nHours are lost at midnight.');
  answer(turns, 'Ben (2):\n\nI pass to Nobody');
  const hold = '[guild-hall] Hold, round 1 of 1. Bring friction.\nThe piece is now with Ada (1)';
  const said = answer(turns, hold);
  expect(said).toContain('Ben said: “Hours are lost at midnight.”');
  expect(said).not.toContain('nothing');
});

test('one that heard nothing says so, and is in none when it is over', () => {
  const turns: SituationTurn[] = [];
  answer(turns, seed('Hal', 3));
  expect(answer(turns, '[guild-hall] Now you speak. Write the harvest of this gathering.')).toContain('Nobody spoke');
  expect(answer(turns, '[guild-hall] The gathering is closed. Its trail is in .lore/gatherings/weekly.md')).toBe(
    'listening',
  );
  expect(answer(turns, 'What is this project?')).toBeUndefined();
  expect(answer([], 'What is this project?')).toBeUndefined();
  expect(answer([], seed('Ada', 1), 'meeting')).toBeUndefined();
});
