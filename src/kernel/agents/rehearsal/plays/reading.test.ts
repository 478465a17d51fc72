/** What the plays read out of messages, tool results and lines of code. */
import { describe, expect, test } from 'vitest';

import type { OfferedTool, Situation, SituationTurn } from '../situation.ts';
import { callsIn, commentAbove, definedName, definitionKind, enclosingDefinition, endOfBlock } from './code.ts';
import { countsOf, excerptOf, hitsOf, kindOfFile, pathsOf, totalsOf } from './evidence.ts';
import { quoteAt } from './markdown.ts';
import { fillInput } from './offered.ts';
import { readQuestion } from './question.ts';
import { readRecordOrder } from './record.ts';
import { readTerms, rootOf } from './words.ts';
import { readOrder } from './write-order.ts';

function turnOf(userText: string, assistantText = ''): SituationTurn {
  return { userText, assistantText, calls: [], answers: assistantText === '' ? 0 : 1 };
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

function call(input: Record<string, unknown>, text: string, isError = false) {
  return { id: 't', name: 'Grep', input, result: { text, isError } };
}

describe('the terms of a question', () => {
  test.each([
    [
      'How does `parseAsync` handle z.string() in src/v4/core/parse.ts?',
      ['parseAsync', 'z.string'],
      ['src/v4/core/parse.ts'],
      [],
    ],
    ['How are discriminated unions parsed?', [], [], ['discriminated', 'unions', 'parsed']],
    ['what is the difference between Queue and PriorityQueue', ['Queue', 'PriorityQueue'], [], []],
    ['Is "static route" faster than MAX_DEPTH?', ['static route', 'MAX_DEPTH'], [], ['faster']],
    ['List the functions in json/', [], ['json/'], []],
    ["what's in here, and don't you know?", [], [], []],
    ['see https://example.org/a/b.ts for it', [], [], []],
  ])('%s', (text, names, files, words) => {
    expect(readTerms(text)).toEqual({ names, files, words });
  });

  test.each([
    ['routes', 'rout'],
    ['routing', 'rout'],
    ['validation', 'validat'],
    ['errors', 'error'],
    ['types', 'type'],
    ['configuration', 'config'],
    ['bus', 'bu'],
  ])('forms of one word share a root: %s → %s', (word, root) => {
    expect(rootOf(word)).toBe(root);
  });
});

describe('what a question asks for', () => {
  test.each([
    ['What is this project about?', 'overview'],
    ['who calls `finish`?', 'usage'],
    ['Is `finish` tested?', 'tests'],
    ['how many classes are there', 'count'],
    ['compare `a_b` and `c_d`', 'compare'],
    ['How are patterns compared?', 'explain'],
    ['what dependencies does it have?', 'dependencies'],
    ['which errors are thrown in src/?', 'errors'],
    ['what should we improve?', 'open_work'],
    ['what are the biggest files?', 'largest'],
    ['list the routes', 'list'],
    ['how does `finish` work?', 'explain'],
  ])('%s → %s', (text, intent) => {
    expect(readQuestion(situationOf(text)).intent).toBe(intent);
  });

  const before = [
    turnOf('How does matching work?', 'It does.\n\n### `matchRoute`\n\n`src/router.ts:2-9`\n\nand `src/app.ts:5`'),
  ];

  test('a question back takes the thing that the last answer was about', () => {
    const question = readQuestion(situationOf('and where is it used?', before));
    expect(question).toMatchObject({ intent: 'usage', isFollowUp: true, terms: { names: ['matchRoute'] } });
  });

  test('a place of the last answer is found by its number; beyond the last it is the last', () => {
    expect(readQuestion(situationOf('tell me more about the second', before)).place).toEqual({
      path: 'src/app.ts',
      line: 5,
    });
    expect(readQuestion(situationOf('show me more of the fifth one', before)).place).toEqual({
      path: 'src/app.ts',
      line: 5,
    });
  });

  test('a question with terms of its own does not lean on an earlier one', () => {
    expect(readQuestion(situationOf('Is there any websocket in it?', before)).terms.names).toEqual([]);
    expect(readQuestion(situationOf('how many classes are there', before)).isFollowUp).toBe(false);
  });
});

describe("results of the agent program's tools", () => {
  const situation = situationOf('x');

  test('hits with and without paths, inside the folder made relative', () => {
    const text =
      '/place/tree/src/a.ts:3:const a = "b:4:c";\nsrc/b.ts:12:x\n\n[Showing results with pagination = limit: 2]';
    expect(hitsOf(situation, call({}, text))).toEqual([
      { path: 'src/a.ts', line: 3, text: 'const a = "b:4:c";' },
      { path: 'src/b.ts', line: 12, text: 'x' },
    ]);
    expect(hitsOf(situation, call({ path: '/place/tree/src/a.ts' }, '7:seven'))).toEqual([
      { path: 'src/a.ts', line: 7, text: 'seven' },
    ]);
    expect(hitsOf(situation, call({}, 'src/a.ts:3:x', true))).toEqual([]);
  });

  test('records of activities, which repeat every question, are not found; other artifacts are', () => {
    const rows = '.lore/activitys/x.md:2:asked\n.lore/notes/x.md:3:found\nsrc/a.ts:4:found';
    expect(hitsOf(situation, call({}, rows)).map((hit) => hit.path)).toEqual(['.lore/notes/x.md', 'src/a.ts']);
    const counted = call({}, '.lore/activitys/x.md:2\na.ts:3\n\nFound 5 total occurrences across 2 files.');
    expect([...countsOf(situation, counted)]).toEqual([['a.ts', 3]]);
    expect(totalsOf(situation, counted)).toEqual({ matches: 3, files: 1 });
    expect(pathsOf(situation, call({}, '.lore/activitys/x.md\na.ts'))).toEqual(['a.ts']);
  });

  test('counts, totals, paths and lines', () => {
    const counted = call(
      {},
      'a.ts:3\nb.ts:4\n\nFound 70 total occurrences across 12 files. with pagination = limit: 2',
    );
    expect([...countsOf(situation, counted)]).toEqual([
      ['a.ts', 3],
      ['b.ts', 4],
    ]);
    expect(totalsOf(situation, counted)).toEqual({ matches: 70, files: 12 });
    expect(pathsOf(situation, call({}, 'a.ts\nb/c.ts\n(Showing 2 of 9 matching files)'))).toEqual(['a.ts', 'b/c.ts']);
    expect(pathsOf(situation, call({}, 'No files found'))).toEqual([]);
    const excerpt = excerptOf(situation, call({ file_path: '/place/tree/a.ts' }, '5\tfirst\n6\t\n7\t\tthird'));
    expect(excerpt).toEqual({ path: 'a.ts', from: 5, lines: ['first', '', '\tthird'] });
    expect(excerptOf(situation, call({ file_path: 'a.ts' }, 'Warning: the file exists but is empty'))).toBeUndefined();
  });

  test.each([
    ['src/a.test.ts', 'test'],
    ['tests/unit/x.py', 'test'],
    ['pkg/x_test.go', 'test'],
    ['README.md', 'docs'],
    ['dist/a.min.js', 'generated'],
    ['package-lock.json', 'generated'],
    ['package.json', 'data'],
    ['src/contest.ts', 'source'],
  ])('%s is %s', (path, kind) => {
    expect(kindOfFile(path)).toBe(kind);
  });
});

describe('lines of code', () => {
  test.each([
    ['export async function run(a: string) {', 'run', 'function'],
    ['export const run = async (a) => {', 'run', 'function'],
    ['const run = 5;', 'run', 'constant'],
    ['  async run(): Promise<void> {', 'run', 'method'],
    ['export abstract class run<T> {', 'run', 'class'],
    ['type run = string;', 'run', 'type'],
    ['def run(self):', 'run', 'function'],
    ['func (s *Server) run(x int) error {', 'run', 'function'],
    ['pub fn run<T>(x: T) -> T {', 'run', 'function'],
    ['  return run(5);', 'run', undefined],
    ["import { run } from './run.ts';", 'run', undefined],
    ['  type run,', 'run', undefined],
    ['const runner = 5;', 'run', undefined],
    ['// function run() {}', 'run', undefined],
  ])('%s defines %s as %s', (line, name, kind) => {
    expect(definitionKind(line, name)).toBe(kind);
  });

  test.each([
    [['function f(', '  a: string,', '): void {', '  if (a) {', '    g("}");', '  }', '}', 'next'], 7],
    [['export interface I<', '  T extends A,', '> extends B {', '  a: T;', '}', ''], 5],
    [['export const f: F =', '  /* pure */', '  make("x", (inst) => {', '    inst.a = 1;', '  });', 'next'], 5],
    [['const a = 5;', 'const b = 6;'], 1],
    [['def f(self):', '    """Says."""', '', '    return 1', '', 'def g():'], 4],
    [['function open() {', '  never closed'], 2],
  ])('a block ends where it ends: %j', (lines, end) => {
    expect(endOfBlock(lines, 0)).toBe(end);
  });

  const lines = [
    '// @ts-check',
    '/**',
    ' * Runs the whole thing, and says when it has ended.',
    ' * @param a what to run',
    ' */',
    'export function run(a: string): void {',
    '  prepare(a);',
    '  const x = finish(prepare(a), () => later());',
    '}',
  ];

  test('the comment above, the enclosing definition and the calls of a place', () => {
    expect(commentAbove(lines, 5)).toBe('Runs the whole thing, and says when it has ended.');
    expect(enclosingDefinition(lines, 7)).toBe(5);
    expect(definedName(lines[5]!)).toBe('run');
    expect(callsIn(lines.slice(6), 'run')).toEqual(['prepare', 'finish', 'later']);
  });

  test('a quote names its lines and is cut when it is long', () => {
    const quote = quoteAt({ path: 'a.ts', from: 100, lines }, 107);
    expect(quote).toMatchObject({ name: 'run', from: 105, to: 108, comment: expect.stringContaining('whole thing') });
    expect(quote.markdown).toBe(`\`a.ts:105-108\`\n\n\`\`\`ts\n${lines.slice(5).join('\n')}\n\`\`\``);
    const long = ['function f() {', ...Array.from({ length: 90 }, (_, i) => `  step(${i});`), '}'];
    const cut = quoteAt({ path: 'a.ts', from: 1, lines: long }, 60, 20).markdown;
    expect(cut).toContain('function f() {');
    expect(cut).toContain('step(58);');
    expect(cut).toContain('lines left out');
    expect(cut.split('\n').length).toBeLessThan(30);
  });
});

describe('orders', () => {
  test.each([
    ['Write your findings about email to `.lore/research/email.md`', '.lore/research/email.md', 'email'],
    ['please draft a summary of the router in docs/router.md', 'docs/router.md', 'router'],
    ['Save this as notes.md', 'notes.md', ''],
    ['Create .lore/specs/x.md about how parsing works', '.lore/specs/x.md', 'how parsing works'],
  ])('%s → %s', (text, path, subject) => {
    const order = readOrder(text);
    expect(order?.path).toBe(path);
    expect(order?.chosen).toBe(false);
    expect(order?.subject).toContain(subject);
  });

  test('without a path one is made from the subject; a question about a file is no order', () => {
    expect(readOrder('Write a note about how errors are flattened')).toMatchObject({
      path: '.lore/notes/how-errors-are-flattened.md',
      chosen: true,
    });
    expect(readOrder('What is in .lore/notes/x.md?')).toBeUndefined();
    expect(readOrder('How does the project write files?')).toBeUndefined();
  });

  const orderOf = (text: string, turns: SituationTurn[] = []) => readRecordOrder(situationOf(text, turns));

  test('a decision with its question and reason, where they were said', () => {
    const turns = [turnOf('Which router do we take?', 'x')];
    expect(orderOf('We decided to keep the router because it is small', turns)).toMatchObject({
      tool: 'record_decision',
      values: { question: 'Which router do we take?', decision: 'Keep the router', reasoning: 'It is small' },
    });
    expect(orderOf('Record a decision: use tabs')?.values).toMatchObject({
      decision: 'Use tabs',
      reasoning: expect.stringContaining('no reason'),
    });
  });

  test.each([
    ['remember for all projects: tests first', 'write_memory', { scope: 'global', content: 'Tests first' }],
    ['Remember that v3 is frozen', 'write_memory', { scope: 'project', content: 'V3 is frozen' }],
    ['please summarize the progress', 'summarize_progress', {}],
    ['propose a follow-up on the parser', 'propose_followup', { title: 'The parser' }],
  ])('%s → %s', (text, tool, values) => {
    expect(orderOf(text)).toMatchObject({ tool, values });
  });

  test.each(['How does it remember things?', 'what did we decide?', 'is there a follow-up in the code?', 'hello'])(
    'no order: %s',
    (text) => {
      expect(orderOf(text)).toBeUndefined();
    },
  );
});

describe('the input of a tool', () => {
  const toolOf = (properties: Record<string, unknown>, required: string[]): OfferedTool => ({
    name: 't',
    description: '',
    inputSchema: { type: 'object', properties, required },
  });

  test('is filled by name, then by synonym, then by type; nothing that was not asked for', () => {
    const properties = {
      file_path: { type: 'string' },
      markdown: { type: 'string' },
      scope: { type: 'string', enum: ['global', 'project'] },
      count: { type: 'integer', minimum: 1 },
      force: { type: 'boolean' },
      tags: { type: 'array' },
      optional: { type: 'string' },
    };
    const tool = toolOf(properties, ['file_path', 'markdown', 'scope', 'count', 'force', 'tags']);
    expect(fillInput(tool, { path: 'a.md', content: 'text', scope: 'elsewhere' })).toEqual({
      file_path: 'a.md',
      markdown: 'text',
      scope: 'global',
      count: 1,
      force: false,
      tags: [],
    });
  });
});
