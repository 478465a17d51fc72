import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';

import { failureNames } from './failures.ts';
import { parseScenario } from './scenario.ts';
import { createCounters, scenarioMove } from './scenario-play.ts';
import type { Situation } from './situation.ts';

function situation(userText: string, over: Partial<Situation> & { answers?: number } = {}): Situation {
  const { answers = 0, ...rest } = over;
  return {
    systemPrompt: '',
    tools: [{ name: 'mcp__hall__record_decision', description: '', inputSchema: {} }],
    turns: [],
    turn: { userText, assistantText: '', calls: [], answers },
    model: 'rehearsal',
    stream: true,
    cwd: undefined,
    worker: 'researcher',
    activityKind: 'activity',
    ...rest,
  };
}

describe('a scenario file', () => {
  test('names every problem by line and column, and keeps the entries that are right', () => {
    const source = `# a comment
- match: fine
  say: yes
- match: /(/
  say: broken pattern
- match: typo
  sya: no such field
- match: nothing to do
- match: bad
  do:
    - fail: ratelimit
    - wait: soon
    - call: { input: {} }
  turn: 0
- say: no match
`;
    const { entries, problems } = parseScenario(source, 's.yaml');
    expect(entries.map((entry) => entry.line)).toEqual([2]);
    const told = problems.map((problem) => `${problem.line}: ${problem.message}`);
    expect(told).toEqual([
      expect.stringMatching(/^4: match: .*Unterminated group/),
      expect.stringMatching(/^7: "sya" is no field/),
      expect.stringMatching(/^6: an entry does something/),
      expect.stringMatching(/^8: an entry does something/),
      expect.stringMatching(/^11: fail: one of auth, /),
      expect.stringMatching(/^12: wait: /),
      expect.stringMatching(/^13: call: /),
      expect.stringMatching(/^14: turn: /),
      expect.stringMatching(/^15: match: /),
    ]);
    expect(problems[0]).toMatchObject({ file: 's.yaml', column: 10 });
  });

  test.each([['- match: [unclosed'], ['just: a map'], ['text']])(
    'that is none has a problem and no entries: %s',
    (source) => {
      const { entries, problems } = parseScenario(source, 's.yaml');
      expect(entries).toEqual([]);
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  test('that is empty has neither', () => {
    expect(parseScenario('# nothing yet\n', 's.yaml')).toEqual({ entries: [], problems: [] });
  });
});

describe('the examples', () => {
  const folder = new URL('../../../../examples/rehearsal/', import.meta.url);

  test('have no problem, and show every failure that there is', async () => {
    const shown = new Set<string>();
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.yaml'))) {
      const { entries, problems } = parseScenario(await readFile(new URL(name, folder), 'utf8'), name);
      expect(problems).toEqual([]);
      for (const step of entries.flatMap((entry) => entry.steps)) if (step.kind === 'fail') shown.add(step.failure);
    }
    expect([...shown].toSorted()).toEqual([...failureNames].toSorted());
  });
});

describe('what is said over and over', () => {
  const say = (step: string) => parseScenario(`- match: x\n  say: ${step}\n`, 's.yaml');

  test('is written once', () => {
    expect(say('{ text: "ab ", times: 3 }').entries[0]?.steps).toEqual([{ kind: 'say', text: 'ab ab ab ' }]);
    expect(say('{ text: ab }').entries[0]?.steps).toEqual([{ kind: 'say', text: 'ab' }]);
  });

  test.each(['{ times: 3 }', '{ text: ab, times: 0 }', '{ text: ab, times: 9000000 }', '[a]'])(
    '%s is a problem',
    (step) => {
      expect(say(step)).toMatchObject({ entries: [], problems: [{ line: 2 }] });
    },
  );

  test('no scenario that ships has a problem', async () => {
    const scenarios = new URL('../../../../examples/scenarios/', import.meta.url);
    const names = (await readdir(scenarios)).filter((file) => file.endsWith('.yaml'));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      expect(parseScenario(await readFile(new URL(name, scenarios), 'utf8'), name).problems).toEqual([]);
    }
  });
});

describe('playing', () => {
  const source = `
- match: /review (\\w+)/i
  worker: researcher
  do:
    - say: I look.
    - call: { tool: record_decision, input: { question: q } }
    - call: { tool: no_such }
    - wait: 2 s
    - say: Done.
- match: shaky
  fail: rate_limit x2
  say: in the end
- match: once
  times: 1
  say: only this time
- match: hello
  turn: 2
  say: second turn
- match: elsewhere
  activity: other
  say: never
`;
  const { entries, problems } = parseScenario(source, 's.yaml');
  const play = (facts: Situation, counters = createCounters(), turnKey = 'a/1') =>
    scenarioMove(entries, facts, counters, turnKey);

  test('says and calls first, then goes on after the results; tools by their short name', () => {
    expect(problems).toEqual([]);
    expect(play(situation('Review this'))).toEqual({
      blocks: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', name: 'mcp__hall__record_decision', input: { question: 'q' } },
        { type: 'tool_use', name: 'no_such', input: {} },
      ],
    });
    expect(play(situation('Review this', { answers: 1 }))).toEqual({
      blocks: [{ type: 'text', text: 'Done.' }],
      waitMs: 2000,
    });
  });

  test('holds to worker, activity and turn', () => {
    expect(play(situation('review this', { worker: 'writer' }))).toBeUndefined();
    expect(play(situation('elsewhere'))).toBeUndefined();
    expect(play(situation('hello'))).toBeUndefined();
    const [earlier] = [situation('x').turn];
    expect(play(situation('hello', { turns: [earlier!] }))?.blocks[0]).toMatchObject({ text: 'second turn' });
  });

  test('fails as often as it says, for each turn anew', () => {
    const counters = createCounters();
    const fails = (turnKey: string) => play(situation('shaky'), counters, turnKey)?.fail;
    expect([fails('t1'), fails('t1'), fails('t1')]).toEqual(['rate_limit', 'rate_limit', undefined]);
    expect(fails('t2')).toBe('rate_limit');
  });

  test('times counts turns, not the model calls of one', () => {
    const counters = createCounters();
    expect(play(situation('once'), counters, 't1')).toBeDefined();
    expect(play(situation('once'), counters, 't1')).toBeDefined();
    expect(play(situation('once'), counters, 't2')).toBeUndefined();
  });
});
