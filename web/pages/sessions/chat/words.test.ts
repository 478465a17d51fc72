import { describe, expect, test } from 'vitest';
import type { ToolPart } from '../../../../src/features/sessions/contract.ts';
import { kindOfBytes, refusalOf, sayBytes } from './images.ts';
import { inOrder, sayAnswer } from './permission-words.ts';
import { commandOf, matching, slashOf } from './slash.ts';
import { sayDoing, sayWork, shortPath, toolWords, workKind } from './tool-words.ts';
import { contextPercent, saySessionUsage } from './usage-words.ts';

const tool = (change: Partial<ToolPart>): ToolPart => ({
  type: 'tool',
  callId: 'c',
  name: 'Read',
  title: '',
  kind: '',
  input: {},
  state: 'done',
  output: '',
  summary: '',
  diffs: [],
  ...change,
});

describe('tool calls', () => {
  test('the agent’s own words go before the tool’s name, below the folder where it works', () => {
    const said = (change: Partial<ToolPart>) => toolWords(tool(change), '/home/mo/p');
    expect(said({ title: 'Read /home/mo/p/src/a.ts' })).toEqual({ verb: 'Read', subject: 'src/a.ts' });
    expect(said({ title: 'Run `npm test`' })).toEqual({ verb: 'Run', subject: 'npm test' });
    expect(said({ title: 'Look for the parser' })).toEqual({ verb: 'Look for the parser', subject: '' });
    expect(said({ title: 'Read', input: { file_path: '/home/mo/p/b.ts' } })).toEqual({ verb: 'Read', subject: 'b.ts' });
    expect(said({ title: 'Search for a b', input: { pattern: 'a b' } })).toEqual({
      verb: 'Search for',
      subject: 'a b',
    });
    expect(said({ title: 'ls -l', name: 'Bash', input: { command: 'ls -l' } })).toEqual({
      verb: 'Bash',
      subject: 'ls -l',
    });
    const diffs = [{ path: '/home/mo/p/c.ts', oldText: null, newText: 'x' }];
    expect(said({ name: 'mcp__x__put_file', diffs })).toEqual({ verb: 'put_file', subject: 'c.ts' });
    expect(shortPath('/home/mo/pq/a', '/home/mo/p')).toBe('/home/mo/pq/a');
  });

  test('what a call does is told by its kind, else by its name', () => {
    expect(workKind({ kind: 'execute', name: 'x' })).toBe('run');
    expect(workKind({ kind: 'other', name: 'Write' })).toBe('change');
    expect(workKind({ kind: '', name: 'nothing' })).toBe('other');
    expect(sayDoing(tool({ kind: 'execute', input: { command: 'ls' } }), '')).toBe('Running ls');
    expect(sayDoing(tool({ title: 'Thinking it over' }), '')).toBe('Thinking it over');
    expect(sayDoing(tool({ name: 'foo' }), '')).toBe('Using foo');
  });

  test('many are told in a line, failures last', () => {
    const files = ['a.ts', 'b.ts', 'a.ts'].map((path) => tool({ input: { path } }));
    expect(sayWork([...files, tool({ kind: 'execute', state: 'failed' })])).toBe(
      '4 steps: read 2 files, ran 1 command, 1 failed',
    );
  });
});

test('options are shown by their weight, and an answer is told as the person gave it', () => {
  const options = [
    { id: '1', name: 'Always', kind: 'allow_always' },
    { id: '2', name: 'Yes', kind: 'allow_once' },
    { id: '3', name: 'No', kind: 'reject_once' },
  ] as const;
  expect(inOrder(options).map(({ name }) => name)).toEqual(['Yes', 'No', 'Always']);
  const part = {
    type: 'permission',
    requestId: 'r',
    callId: 'c',
    name: 'n',
    title: '',
    input: {},
    diffs: [],
    options,
  } as const;
  expect(sayAnswer({ ...part, outcome: { optionId: '1' } })).toBe('you allowed it from now on');
  expect(sayAnswer({ ...part, outcome: { optionId: 'gone' } })).toBe('answered');
  expect(sayAnswer({ ...part, outcome: 'cancelled' })).toBe('not answered');
});

describe('commands', () => {
  const commands = ['req', 'rsrc', 'arq'].map((name) => ({ name, description: '', hint: `<${name}>` }));

  test('are offered while nothing but their name is there', () => {
    expect([slashOf('/'), slashOf('/re'), slashOf('/req a'), slashOf('a /re'), slashOf('')]).toEqual([
      '',
      're',
      undefined,
      undefined,
      undefined,
    ]);
    expect(matching(commands, 'R').map(({ name }) => name)).toEqual(['req', 'rsrc', 'arq']);
    expect(matching(commands, 'x')).toEqual([]);
  });

  test('tell what may follow once they are whole', () => {
    expect(commandOf(commands, '/req ')?.hint).toBe('<req>');
    expect(commandOf(commands, '/req')).toBeUndefined();
    expect(commandOf(commands, 'words')).toBeUndefined();
  });
});

describe('images', () => {
  test('are told by their bytes, whatever they are called', () => {
    const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    expect(kindOfBytes(bytes('\x89PNG\r\n\x1a\n0000'))).toBe('image/png');
    expect(kindOfBytes(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
    expect(kindOfBytes(bytes('GIF89a'))).toBe('image/gif');
    expect(kindOfBytes(bytes('RIFF0000WEBP'))).toBe('image/webp');
    for (const other of ['', '<svg>', 'RIFF0000WAVE', 'PNG']) expect(kindOfBytes(bytes(other))).toBeUndefined();
  });

  test('are refused by number and by size, in words', () => {
    expect(refusalOf([], 'a.png', 100_000)).toBeUndefined();
    expect(
      refusalOf(
        Array.from({ length: 8 }, () => ({ bytes: 1 })),
        'a.png',
        1,
      ),
    ).toContain('8 images');
    expect(refusalOf([{ bytes: 1_000_000 }], 'a.png', 400_000)).toContain(
      '1.3 MB together, and this would make 1.4 MB',
    );
    expect([sayBytes(840), sayBytes(12_300), sayBytes(1_240_000)]).toEqual(['840 B', '12 kB', '1.2 MB']);
  });
});

test('use is told as money where it is known, and how full the model is', () => {
  const usage = { inputTokens: 1000, outputTokens: 200, costUsd: null, contextUsed: 46_000, contextWindow: 200_000 };
  expect(saySessionUsage(usage)).toEqual(['1.2K tokens', 'context 23 % full']);
  expect(saySessionUsage({ ...usage, costUsd: 0.42, contextUsed: null })).toEqual(['$0.42']);
  expect(saySessionUsage(null)).toEqual([]);
  expect(contextPercent({ ...usage, contextWindow: 0 })).toBeUndefined();
});
