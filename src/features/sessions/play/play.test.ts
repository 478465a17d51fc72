/** The rehearsal in a session: the phases of a spec, one after the other, and a question to the person. */
import { expect, test } from 'vitest';
import type { OfferedTool, Situation, SituationCall } from '../../../kernel/agents/rehearsal/situation.ts';
import { sessionPlay } from '../play.ts';

const schema = { properties: { file_path: { type: 'string' }, content: { type: 'string' } } };
const tools: OfferedTool[] = [
  { name: 'Grep', description: '', inputSchema: {} },
  { name: 'Read', description: '', inputSchema: {} },
  { name: 'Write', description: '', inputSchema: schema },
  { name: 'Bash', description: '', inputSchema: {} },
];

/** Of each block its kind and its value; that a page reads them is shown by `test/e2e/session-command-line.test.ts`. */
function blocksIn(text: string): { kind: string; value: Record<string, string> }[] {
  return [...text.matchAll(/^```conclave:(\w+)\n([^]*?)\n```$/gm)].map(([, kind, json]) => ({
    kind: kind!,
    value: JSON.parse(json!) as Record<string, string>,
  }));
}

interface Stage {
  readonly files: Map<string, string>;
  readonly calls: string[];
  readonly refuses?: boolean;
  readonly tools?: OfferedTool[];
}

function resultOf({ files, refuses }: Stage, name: string, input: Readonly<Record<string, unknown>>) {
  const path = String(input['file_path'] ?? '').replace('/p/', '');
  if (name === 'Grep') return { text: 'src/voice.ts:4:export const voice = 1;', isError: false };
  if (name === 'Bash')
    return refuses ? { text: 'The person refused this call.', isError: true } : { text: '', isError: false };
  if (name === 'Write') {
    if (refuses) return { text: 'The person refused this call.', isError: true };
    files.set(path, String(input['content']));
    return { text: 'Written.', isError: false };
  }
  const text = files.get(path);
  const rows = text?.split('\n').map((line, index) => `${index + 1}\t${line}`);
  return rows === undefined ? { text: 'not there', isError: true } : { text: rows.join('\n'), isError: false };
}

function answer(stage: Stage, userText: string, activityKind = 'session'): string | undefined {
  const calls: SituationCall[] = [];
  for (let answers = 0; answers < 6; answers += 1) {
    const turn = { userText, assistantText: '', calls: [...calls], answers };
    const about = { model: 'rehearsal', stream: true, cwd: '/p', worker: 'claude', activityKind };
    const situation: Situation = { systemPrompt: '', tools: stage.tools ?? tools, turns: [], turn, ...about };
    const [block] = sessionPlay.play(situation)?.blocks ?? [];
    if (block === undefined || block.type === 'text') return block?.text;
    stage.calls.push(block.name);
    calls.push({
      id: String(answers),
      name: block.name,
      input: block.input,
      result: resultOf(stage, block.name, block.input),
    });
  }
  throw new Error('It never comes to an end.');
}

const newStage = (): Stage => ({ files: new Map(), calls: [] });

test('each phase writes its file, shows blocks that can be read, and ends with the way to the next', () => {
  const stage = newStage();
  let command: string | undefined = '/rsrc voice-dictation how would it work?';
  const seen: string[] = [];
  while (command !== undefined) {
    const text: string = answer(stage, command) ?? '';
    const blocks = blocksIn(text);
    seen.push(`${command.split(' ', 1)[0]}: ${blocks.map(({ kind }) => kind).join(' ')}`);
    const last = blocks.at(-1);
    command = last?.kind === 'next' ? last.value['command'] : undefined;
    if (last?.kind === 'next') expect(last.value['metaContext']).toBe('voice-dictation');
  }
  expect(seen).toEqual([
    '/rsrc: next',
    '/req: usecase usecase next',
    '/arq: eventmodel eventmodel next',
    '/plan: next',
    '/org: tasks next',
    '/orc: ',
  ]);
  const folder = '.conclave/specs/voice-dictation';
  expect([...stage.files.keys()]).toEqual([
    `${folder}/research.md`,
    `${folder}/analysis.md`,
    `${folder}/breakdown.md`,
    `${folder}/implementation.json`,
  ]);
  const analysis = blocksIn(stage.files.get(`${folder}/analysis.md`)!).map(({ kind }) => kind);
  expect(analysis).toEqual(['usecase', 'usecase', 'eventmodel', 'eventmodel']);
});

test('what a person added to the analysis stays in it', () => {
  const stage = newStage();
  const path = '.conclave/specs/voice/analysis.md';
  stage.files.set(path, '# Voice\n\nMy own words.\n\n## Event Model\n\nold');
  answer(stage, '/arq voice');
  expect(stage.files.get(path)).toContain('My own words.');
  expect(stage.files.get(path)).not.toContain('\nold');
});

test('a refused file leaves the phase undone: no way on, and how to try again', () => {
  const text = answer({ ...newStage(), refuses: true }, '/rsrc voice') ?? '';
  expect(blocksIn(text)).toEqual([]);
  expect(text).toContain('`/rsrc voice`');
});

test('without tools the answer has it all', () => {
  const text = answer({ ...newStage(), tools: [] }, '/req voice') ?? '';
  expect(blocksIn(text).map(({ kind }) => kind)).toEqual(['usecase', 'usecase', 'next']);
});

test.each([
  ['/rsrc', /Which spec/],
  ['/rsrc ../../etc', /Which spec/],
  ['/dance', /no part for `\/dance`/],
])('%s is answered with what to type', (words, expected) => {
  expect(answer(newStage(), words)).toMatch(expected);
});

test('asked to ask, it asks; other words and other activities are not its own', () => {
  const stage = newStage();
  expect(answer(stage, 'Please ask me for something.')).toContain('git status');
  expect(stage.calls).toEqual(['Bash']);
  expect(answer({ ...newStage(), refuses: true }, 'ask me')).toContain('You refused');
  expect(answer(newStage(), 'What is voice?')).toBeUndefined();
  expect(answer(newStage(), '/rsrc voice', 'meeting')).toBeUndefined();
});
