/** Two rehearsals that talk with each other over the sample project, as terminals do: each is given what the other said. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../../test/help/programs.ts';
import type { OfferedTool, Situation, SituationCall, SituationTurn } from '../situation.ts';
import { conversePlay } from './converse.ts';

const sample = join(packageRoot, 'examples/sample-project');
const rows = readdirSync(sample, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .toSorted()
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((text, at) => ({
        path: path.slice(sample.length + 1),
        row: `${path.slice(sample.length + 1)}:${at + 1}:${text}`,
        text,
      })),
  );

/** As the agent's program answers. */
function grep(input: Readonly<Record<string, unknown>>): string {
  const pattern = new RegExp(String(input['pattern']), input['-i'] === true ? 'i' : '');
  const wanted = input['glob'] === '*.md' ? rows.filter(({ path }) => path.endsWith('.md')) : rows;
  const found = wanted.filter(({ text }) => pattern.test(text)).slice(0, Number(input['head_limit']));
  return found.length === 0 ? 'No matches found' : found.map(({ row }) => row).join('\n');
}

const inputSchema = {
  properties: { session_id: { type: 'string' }, message: { type: 'string' }, direct: { type: 'boolean' } },
  required: ['session_id', 'message'],
};
const tools: OfferedTool[] = [
  { name: 'Grep', description: '', inputSchema: {} },
  { name: 'mcp__guild-hall__send_message', description: '', inputSchema },
];

function situationOf(turns: readonly SituationTurn[], turn: SituationTurn, offered = tools): Situation {
  const about = { model: 'rehearsal', stream: true, cwd: sample, worker: 'claude', activityKind: 'terminal' };
  return { systemPrompt: '', tools: offered, turns, turn, ...about };
}

/** Plays a turn to its end. */
function speak(turns: SituationTurn[], userText: string, offered = tools): SituationTurn {
  const calls: SituationCall[] = [];
  for (let answers = 0; answers < 10; answers += 1) {
    const turn = { userText, assistantText: '', calls: [...calls], answers };
    const [block] = conversePlay.play(situationOf(turns, turn, offered))?.blocks ?? [];
    if (block === undefined || block.type === 'text') {
      const done = { ...turn, assistantText: block?.text ?? '' };
      turns.push(done);
      return done;
    }
    const text = block.name === 'Grep' ? grep(block.input) : 'Delivered.';
    calls.push({ id: String(answers), name: block.name, input: block.input, result: { text, isError: false } });
  }
  throw new Error('It never comes to an end.');
}

test('six turns read well: each tells a place that nobody has told, and goes into what the other said', () => {
  const first: SituationTurn[] = [];
  const second: SituationTurn[] = [];
  const begun = speak(first, 'Talk to Mira about how the entries of a day are parsed.');
  const called = begun.calls.map(({ name, input }) => [name, input['session_id'], input['direct']]);
  expect(called.filter(([name]) => name !== 'Grep')).toEqual([['mcp__guild-hall__send_message', 'Mira', true]]);
  expect(begun.assistantText).toMatch(/^As a beginning: at `[^`]+:\d+` I read /);
  let words = String(begun.calls[0]!.input['message']);
  const said = [words];
  for (let turn = 0; turn < 6; turn += 1) {
    const [turns, other] = turn % 2 === 0 ? [second, 'Ada (1)'] : [first, 'Mira (2)'];
    const before = words;
    words = speak(turns, `${other}:\n\n${before}`).assistantText;
    // One thing that the other has named stands in the answer.
    const named = [...words.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.toLowerCase());
    expect(named.some((name) => before.toLowerCase().includes(name)) || words.includes(other.slice(0, 3))).toBe(true);
    said.push(words);
  }
  const places = said.flatMap((each) => each.match(/`[^`\s]+:\d+`/g) ?? []);
  expect(places.length).toBeGreaterThanOrEqual(6);
  expect(new Set(places).size).toBe(places.length);
  for (const place of places) expect(rows.some(({ row }) => row.startsWith(`${place.slice(1, -1)}:`))).toBe(true);
  const sentences = said.flatMap((each) => each.split('\n\n'));
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('it comes to an end by itself, and says what was found', () => {
  const turns: SituationTurn[] = [];
  for (let turn = 0; turn < 6; turn += 1) speak(turns, `Mira (2):\n\nWhat of word${turn} and pledge?`);
  expect(turns.at(-1)!.assistantText).toMatch(/enough for now\.$/);
  expect(turns.at(-1)!.calls).toEqual([]);
});

test('it looks around until the hall’s tools are told, and then begins', () => {
  const [search] = tools;
  const turn = { userText: 'Talk to Mira about hours', assistantText: '', calls: [] as SituationCall[], answers: 0 };
  const look = (calls: SituationCall[], offered: OfferedTool[]) =>
    conversePlay
      .play(situationOf([], { ...turn, calls }, offered))
      ?.blocks.map((block) => 'name' in block && block.name);
  expect(look([], [search!])).toEqual(['Grep']);
  const looked = { id: '1', name: 'Grep', input: {}, result: { text: '', isError: false } };
  expect(look([looked], tools)).toEqual(['mcp__guild-hall__send_message']);
  expect(
    look(
      Array.from({ length: 8 }, () => looked),
      [search!],
    ),
  ).toBeUndefined();
});

test('without tools it says so; words that no terminal sent are not for it', () => {
  expect(speak([], 'Mira (2):\n\nWhat of the pledges?', []).assistantText).toContain('I cannot look into the project');
  const plain = { userText: 'What is this project?', assistantText: '', calls: [], answers: 0 };
  expect(conversePlay.play(situationOf([], plain))).toBeUndefined();
  const relayed = { ...plain, userText: 'Mira (2):\n\nWhat?' };
  expect(conversePlay.play({ ...situationOf([], relayed), activityKind: 'activity' })).toBeUndefined();
});

test('a line of the hall is noted, and nothing is searched for it', () => {
  const { assistantText, calls } = speak([], '[guild-hall] The conversation of Ada (1) and Mira (2) is paused.');
  expect({ assistantText, calls }).toEqual({ assistantText: 'Noted.', calls: [] });
});
