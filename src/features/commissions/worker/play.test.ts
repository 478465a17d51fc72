import { expect, test } from 'vitest';
import type { Move } from '../../../kernel/agents/rehearsal/move.ts';
import type { Situation, SituationCall } from '../../../kernel/agents/rehearsal/situation.ts';
import { commissionPlay } from './play.ts';

const names = [
  'Grep',
  'Glob',
  'Read',
  'read_artifact',
  'write_artifact',
  'report_progress',
  'log_question',
  'submit_result',
];
const path = { path: { type: 'string' }, content: { type: 'string' } };
const tools = names.map((name) => ({ name, description: '', inputSchema: { properties: path } }));

/** Plays an order to its end. `answer` stands for the tools. */
function play(userText: string, answer: (call: Omit<SituationCall, 'id'>) => string | undefined, kind = 'commission') {
  const calls: SituationCall[] = [];
  const words: string[] = [];
  for (let answers = 0; answers < 40; answers += 1) {
    const turn = { userText, assistantText: '', calls: [...calls], answers };
    const about = {
      systemPrompt: '',
      tools,
      turns: [],
      model: 'rehearsal',
      stream: true,
      cwd: '/work',
      worker: 'developer',
    };
    const move: Move | undefined = commissionPlay.play({ ...about, turn, activityKind: kind } as Situation);
    if (move === undefined) return undefined;
    const made = move.blocks.flatMap((block) => (block.type === 'tool_use' ? [block] : []));
    words.push(...move.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    if (made.length === 0) return { calls, words };
    for (const { name, input } of made) {
      const text = answer({ name, input });
      calls.push({ id: `${calls.length}`, name, input, result: { text: text ?? 'no', isError: text === undefined } });
    }
  }
  throw new Error('it does not end');
}

const written = new Set<string>();
function project({ name, input }: Omit<SituationCall, 'id'>): string | undefined {
  const at = String(input['path'] ?? '');
  if (name === 'Grep') return 'No matches found';
  if (name === 'Glob') return 'No files found';
  if (name === 'write_artifact') written.add(at);
  if (name === 'read_artifact' && !written.has(at)) return undefined;
  return 'done';
}

const order = 'Find out how orders are parsed, and write it to `.lore/research/parsing.md`.';

test('writes to the path that is named, reads it again and submits it, once', () => {
  written.clear();
  const played = play(order, project)!;
  const made = played.calls
    .map(({ name }) => name)
    .filter((name) => !['Grep', 'Glob', 'Read', 'log_question'].includes(name));
  expect(made).toEqual([
    'report_progress',
    'read_artifact',
    'write_artifact',
    'report_progress',
    'read_artifact',
    'submit_result',
  ]);
  expect(played.calls.at(-1)!.input['artifacts']).toEqual(['.lore/research/parsing.md']);
  expect(played.words.at(-1)).toBe('The result is handed over.');
});

test.each([
  '.lore/research/parsing.md says how orders are parsed. Check: it names the function.',
  '`.lore/research/parsing.md` names each function that parses orders.',
  'Write to .lore/research/parsing.md how orders are parsed.',
])('takes the file as it is to be in the end for an order to write it: %s', (words) => {
  written.clear();
  const played = play(words, project)!;
  const made = played.calls.find(({ name }) => name === 'write_artifact')!;
  expect(made.input['path']).toBe('.lore/research/parsing.md');
  expect(String(made.input['content'])).not.toMatch(/\bTo how\b|Find out/);
});

test('a sentence that only begins with a file orders nothing to be written', () => {
  written.clear();
  const { calls } = play('README.md is wrong about orders.', project)!;
  expect(calls.filter(({ name }) => name === 'write_artifact')).toEqual([]);
});

test('asks where it cannot check, and looks for the subject alone', () => {
  written.clear();
  const played = play(`${order} Check it with npm test.`, project)!;
  const question = played.calls.find(({ name }) => name === 'log_question')!;
  expect(question.input['question']).toContain('“npm”');
  expect(played.calls.some(({ name, input }) => name === 'Grep' && /npm/i.test(String(input['pattern'])))).toBe(false);
  expect(played.calls.at(-1)!.name).toBe('submit_result');
  const lost = play(order, project)!;
  expect(lost.calls.find(({ name }) => name === 'log_question')!.input['question']).toContain('I found nothing');
});

test('has nothing to say outside of a commission', () => {
  expect(play(order, project, 'meeting')).toBeUndefined();
});
