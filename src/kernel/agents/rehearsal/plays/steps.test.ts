/** Plays of several steps against tools that answer from a table: what they call, and what they say in the end. */
import { describe, expect, test } from 'vitest';

import type { RehearsalPlay } from '../move.ts';
import type { OfferedTool, Situation, SituationCall } from '../situation.ts';
import { askPlay } from './ask.ts';
import { writePlay } from './write.ts';

type Input = Readonly<Record<string, unknown>>;
type Answer = (name: string, input: Input) => string | { readonly error: string };

const schemaOf = (...fields: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
  required: fields,
});
const tools: OfferedTool[] = [
  { name: 'Grep', description: '', inputSchema: schemaOf('pattern') },
  { name: 'Glob', description: '', inputSchema: schemaOf('pattern') },
  { name: 'Read', description: '', inputSchema: schemaOf('file_path') },
  { name: 'mcp__hall__read_artifact', description: '', inputSchema: schemaOf('path') },
  { name: 'mcp__hall__write_artifact', description: '', inputSchema: schemaOf('path', 'content') },
];

/** Plays on until the answer comes. */
function run(play: RehearsalPlay, userText: string, answer: Answer): { text: string; calls: SituationCall[] } {
  const calls: SituationCall[] = [];
  for (let round = 0; round < 30; round += 1) {
    const turn = { userText, assistantText: '', calls: [...calls], answers: round };
    const about = { model: 'rehearsal', stream: true, cwd: '/place', worker: 'researcher', activityKind: 'activity' };
    const situation: Situation = { systemPrompt: '', tools, turns: [], turn, ...about };
    const move = play.play(situation);
    if (move === undefined) break;
    const [first] = move.blocks;
    if (first?.type === 'text') return { text: first.text, calls };
    for (const block of move.blocks) {
      if (block.type !== 'tool_use') continue;
      const result = answer(block.name, block.input);
      const isError = typeof result !== 'string';
      const text = isError ? result.error : result;
      calls.push({ id: String(calls.length), name: block.name, input: block.input, result: { text, isError } });
    }
  }
  return { text: '', calls };
}

const writes = (calls: readonly SituationCall[]): Input[] =>
  calls.filter((call) => call.name.endsWith('write_artifact')).map((call) => call.input);

describe('an artifact that is there already', () => {
  const there =
    (text: string): Answer =>
    (name, input) => {
      if (name === 'Glob') return 'No files found';
      if (name === 'Grep') return 'No matches found';
      if (!name.endsWith('read_artifact')) return 'Written.';
      return input['path'] === '.lore/notes/u.md' ? text : { error: 'There is no such artifact.' };
    };

  test('is kept: a free name is taken, and it is said', () => {
    const { text, calls } = run(writePlay, 'Write a note about unions to `.lore/notes/u.md`', there('# Old'));
    expect(writes(calls).map((input) => input['path'])).toEqual(['.lore/notes/u-2.md']);
    expect(text).toContain('`.lore/notes/u.md` is there already');
  });

  test('is rewritten or added to where the person says so', () => {
    const updated = writes(run(writePlay, 'Rewrite .lore/notes/u.md about unions', there('# Old')).calls);
    expect(updated).toEqual([{ path: '.lore/notes/u.md', content: expect.not.stringContaining('# Old') }]);
    const added = writes(run(writePlay, 'Append unions to .lore/notes/u.md', there('# Old')).calls);
    expect(added).toEqual([{ path: '.lore/notes/u.md', content: expect.stringMatching(/^# Old\n\n# Unions\n/) }]);
  });

  test('that was read only in part is not cut off by adding to it', () => {
    const page = '# Old\n[Cut here: 90 of 100 characters follow. Read on with offset 10.]';
    const added = writes(run(writePlay, 'Append unions to .lore/notes/u.md', there(page)).calls);
    expect(added.map((input) => input['path'])).toEqual(['.lore/notes/u-2.md']);
  });
});

describe('a search in a part of the project', () => {
  const rows = Array.from({ length: 250 }, (_, i) => `src/core/a.ts:${i + 1}:throw new Error('x')`).join('\n');
  const project: Answer = (name, input) => {
    if (name === 'Glob') return input['pattern'] === 'src/core/**' ? 'src/core/a.ts' : 'No files found';
    if (name === 'Grep' && input['pattern'] === String.raw`\bthrow\b` && input['path'] === 'src/core') return rows;
    return 'No matches found';
  };

  test('a folder needs no slash at its end; a list that was cut is no total', () => {
    const { text } = run(askPlay, 'Which errors are thrown in src/core?', project);
    expect(text).toContain('**at least 250 lines that throw, raise or define an error** in `src/core/`');
  });

  test('nothing found is said with pattern and place; a place that is not there is said to be missing', () => {
    const none = run(askPlay, 'Which errors are thrown in src/core?', (name) =>
      name === 'Glob' ? 'src/core/a.ts' : 'No matches found',
    );
    expect(none.text).toMatch(/in `src\/core\/`.*by the patterns `\\bthrow\\b`.*no line matches/);
    const missing = run(askPlay, 'Which errors are thrown in src/shell?', project);
    expect(missing.text).toContain('There is no file or folder `src/shell` here');
    expect(missing.calls.filter((call) => call.name === 'Grep')).toEqual([]);
  });

  test('words that occur without speaking for an answer are told as that', () => {
    const { text } = run(askPlay, 'Who turned the lights on?', (name, input) => {
      if (name === 'Glob') return 'No files found';
      if (input['output_mode'] === 'count')
        return 'src/a.ts:1\n\nFound 1 total occurrence across 1 file.'.replace(
          'a.ts',
          String(input['pattern']).includes('urn') ? 'a.ts' : 'b.ts',
        );
      return String(input['pattern']).startsWith('(') ? 'src/a.ts:1:x turned y' : 'No matches found';
    });
    expect(text).toMatch(
      /^I have no answer to this: .* I searched for \*turned\* \(1 file\) and \*lights\* \(1 file\)\./,
    );
  });

  test('files are counted by the search, the records of activities left out of it', () => {
    const { text, calls } = run(
      askPlay,
      'How many files are there?',
      () => 'a.ts:3\nb.md:4\n\nFound 900 total occurrences across 512 files.',
    );
    expect(text).toContain('I count **512 files**');
    expect(calls[0]?.input).toMatchObject({ output_mode: 'count', glob: '!.lore/activitys/**' });
  });
});

describe('an order that names a file', () => {
  const found = 'src/parse.ts:1:export type Parsed = string;\nsrc/parse.ts:2:export function parse() {';
  const answer: Answer = (name, input) => {
    const pattern = String(input['pattern']);
    if (name === 'Glob') return pattern === 'src/parse.ts' ? '/place/src/parse.ts' : 'No files found';
    if (name === 'Grep') return input['path'] === 'src/parse.ts' ? found : 'No matches found';
    if (name === 'Read') return '     1\texport type Parsed = string;\n     2\texport function parse() {\n     3\t}\n';
    return name.endsWith('read_artifact') ? { error: 'There is no such artifact.' } : 'Written.';
  };

  test.each([
    ['Write a short artifact about src/parse.ts', 'src/parse.ts'],
    ['Src/parse.ts: write a short artifact about it', 'Src/parse.ts'],
    ['Write what stands in src/parse.ts to .lore/notes/p.md', 'What stands in src/parse.ts'],
  ])('is looked up in it, and the path keeps its letters: %s', (order, title) => {
    const [input] = writes(run(writePlay, order, answer).calls);
    expect(input?.['content']).toContain('### `parse`');
    expect(input?.['content']).toContain(`title: "${title}"`);
  });
});
