import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ruleWorld, type RuleRun } from '../../../../test/help/rules.ts';
import { ruleNames } from './list.ts';

describe('raise-hand-arbiter', () => {
  const state = { RAISE_HAND_STATE: 'hands' };

  test('--detect [CNC-HLP-27]', async () => {
    const { run } = await ruleWorld();
    expect(
      await run(
        'raise-hand-arbiter',
        '--detect',
        'So.\n[raise-hand →  respond to  Zara Q ] [raise-hand -> respond to B]',
      ),
    ).toEqual({
      exitCode: 0,
      out: ['Zara Q'],
      err: [],
    });
    for (const body of ['', 'none', '[raise-hand → respond to ]']) {
      expect(await run('raise-hand-arbiter', `--detect=${body}`)).toEqual({ exitCode: 1, out: [], err: [] });
    }
  });

  test('--plan-insertion [CNC-HLP-28]', async () => {
    const { run } = await ruleWorld();
    const plan = async (requesting: string, target: string): Promise<RuleRun> =>
      await run(
        'raise-hand-arbiter',
        '--plan-insertion',
        '--invitees',
        'A, B,C,D',
        '--requesting',
        requesting,
        '--target',
        target,
        '--cycle',
        '1',
      );
    expect((await plan('A', 'C')).out).toEqual(['C', 'B', 'C', 'D']);
    expect((await plan('D', 'B')).out).toEqual(['B']);
    for (const [requesting, target] of [
      ['X', 'A'],
      ['A', 'X'],
      ['a', 'B'],
    ] as const) {
      expect(await plan(requesting, target)).toMatchObject({ exitCode: 2, out: [] });
    }
  });

  const record = ['raise-hand-arbiter', '--record-raise-hand', '--cycle'];

  test('--record-raise-hand: the first is honoured, whatever the names hold [CNC-HLP-29]', async () => {
    const { run } = await ruleWorld(state);
    const odd = 'A:";$(x)|%\n';
    expect((await run(...record, '1', '--requesting', odd, '--target', 'C;D')).out).toEqual(['honored']);
    expect((await run(...record, '1', '--requesting', 'B', '--target', odd)).out).toEqual(['deferred-to-next-cycle']);
    expect((await run(...record, '1', '--requesting', odd, '--target', 'B')).out).toEqual(['deferred-to-next-cycle']);
    const { out } = await run('raise-hand-arbiter', '--pending-deferred', '--cycle', '2');
    expect(out).toEqual(['B->A:";$(x)|%', 'A:";$(x)|%->B']);
    expect((await run(...record, '2', '--requesting', 'X', '--target', 'Y')).out).toEqual(['honored']);
  });

  test('--pending-deferred lists all that still wait, oldest first [CNC-HLP-30]', async () => {
    const { run } = await ruleWorld(state);
    const put = async (cycle: number, requesting: string, target: string): Promise<RuleRun> =>
      await run(...record, String(cycle), '--requesting', requesting, '--target', target);
    const pending = async (cycle: number) =>
      (await run('raise-hand-arbiter', '--pending-deferred', `--cycle=${cycle}`)).out;
    for (const [cycle, a, b] of [
      [1, 'A', 'B'],
      [1, 'B', 'C'],
      [1, 'C', 'A'],
      [2, 'A', 'C'],
      [2, 'B', 'A'],
    ] as const)
      await put(cycle, a, b);
    expect([await pending(1), await pending(2)]).toEqual([[], ['B->C', 'C->A']]);
    // Nothing older is lost.
    expect(await pending(9)).toEqual(['B->C', 'C->A', 'B->A']);
    // Recorded in a later cycle it is heard, and waits no longer.
    expect((await put(3, 'B', 'C')).out).toEqual(['honored']);
    expect(await pending(9)).toEqual(['C->A', 'B->A']);
  });

  test('--log-line, and calls that are malformed [CNC-HLP-31]', async () => {
    const { run } = await ruleWorld(state);
    const words = ['--cycle', '2', '--requesting', 'A', '--target', 'C'];
    expect((await run('raise-hand-arbiter', '--log-line', ...words, '--status', 'honored')).out).toEqual([
      '[raise-hand cycle=2 requesting=A target=C status=honored]',
    ]);
    const wrong = [
      [],
      ['--log-line', ...words],
      ['--log-line', ...words, '--status', 'no such]\n'],
      ['--record-raise-hand', '--cycle', 'x', '--requesting', 'A', '--target', 'B'],
      ['--record-raise-hand', '--cycle', '1', '--requesting', '', '--target', 'B'],
      ['--record-raise-hand', '--pending-deferred', '--cycle', '1'],
      ['--plan-insertion', '--invitees', 'A'],
      ['--pending-deferred'],
      ['--detect'],
      ['--wat'],
    ];
    for (const args of wrong) expect([args, (await run('raise-hand-arbiter', ...args)).exitCode]).toEqual([args, 3]);
  });

  test('two councils at once never share a ledger, and without one’s name there is none [CNC-HLP-32]', async () => {
    const { run, cwd } = await ruleWorld();
    const put = async (...more: string[]) => await run(...record, '1', '--requesting', 'A', '--target', 'B', ...more);
    expect(await put()).toMatchObject({ exitCode: 3, out: [], err: [expect.stringContaining('RAISE_HAND_STATE')] });
    expect((await put('--session-id', '2026-05-18-a')).out).toEqual(['honored']);
    expect((await put('--session-id', '2026-05-18-b')).out).toEqual(['honored']);
    expect((await put('--session-id', '2026-05-18-a')).out).toEqual(['deferred-to-next-cycle']);
    expect((await put('--session-id', '../../x')).out).toEqual(['honored']);
    expect((await put('--state', 'mine')).out).toEqual(['honored']);
    // Names that look alike in a path are still two.
    for (const id of ['a:b', 'a;b']) expect((await put('--session-id', id)).out).toEqual(['honored']);
    expect(readdirSync(cwd).toSorted()).toEqual([
      expect.stringMatching(/^gaia-meeting-2026-05-18-a-[0-9a-f]{16}\.raise-hand$/),
      expect.stringMatching(/^gaia-meeting-2026-05-18-b-[0-9a-f]{16}\.raise-hand$/),
      expect.stringMatching(/^gaia-meeting-a-b-[0-9a-f]{16}\.raise-hand$/),
      expect.stringMatching(/^gaia-meeting-a-b-[0-9a-f]{16}\.raise-hand$/),
      expect.stringMatching(/^gaia-meeting-x-[0-9a-f]{16}\.raise-hand$/),
      'mine',
    ]);
    const byFile = await ruleWorld({ GAIA_MEETING_SESSION_FILE: '.gaia/memory/meeting-sessions/c.yaml' }, cwd);
    expect((await byFile.run(...record, '1', '--requesting', 'A', '--target', 'B')).out).toEqual(['honored']);
    // Counters and turns are only ever where the caller says.
    for (const call of [['cost-cadence', '--tick'], ['per-agent-cap', '--agent', 'A', '--get'], ['loop-detector']]) {
      expect((await run(...call)).exitCode).toBe(3);
    }
  });
});

describe('caps and counters', () => {
  test('max-turns-cap [CNC-HLP-57]', async () => {
    const { run } = await ruleWorld();
    const check = async (...more: string[]) => (await run('max-turns-cap', '--check', ...more)).exitCode;
    expect([await check('--emitted-turns', '40'), await check('--emitted-turns=41')]).toEqual([0, 2]);
    expect([
      await check('--emitted-turns', '3', '--max-turns', '3'),
      await check('--emitted-turns', '4', '--max-turns', '3'),
    ]).toEqual([0, 2]);
    for (const more of [
      [],
      ['--emitted-turns', 'x'],
      ['--emitted-turns', '-1'],
      ['--emitted-turns', '1', '--max-turns', '0'],
    ]) {
      expect([more, await check(...more)]).toEqual([more, 3]);
    }
    expect((await run('max-turns-cap', '--emitted-turns', '1')).exitCode).toBe(3);
  });

  const cap = ['per-agent-cap', '--state', 'tokens', '--agent'];

  test('per-agent-cap --accumulate says MUTED once, and counts on [CNC-HLP-58]', async () => {
    const { run } = await ruleWorld();
    const add = async (tokens: number, ...more: string[]) =>
      (await run(...cap, 'Zara', '--accumulate', '--tokens', String(tokens), ...more)).out;
    expect(await add(24_999)).toEqual([]);
    expect(await add(1)).toEqual(['MUTED agent=Zara tokens=25000 cap=25000 fr=FR-MTG-29']);
    expect([await add(5), (await run(...cap, 'Zara', '--get')).out]).toEqual([[], ['25005']]);
    expect((await run(...cap, 'Ivo', '--accumulate', '--tokens', '7', '--per-agent-cap=7')).out).toEqual([
      'MUTED agent=Ivo tokens=7 cap=7 fr=FR-MTG-29',
    ]);
    // A higher cap afterwards does not give the word back.
    expect([await add(0, '--per-agent-cap', '99999'), (await run(...cap, 'Zara', '--is-muted')).exitCode]).toEqual([
      [],
      0,
    ]);
    for (const more of [
      ['--accumulate'],
      ['--accumulate', '--tokens', '-1'],
      ['--accumulate', '--tokens', '1', '--per-agent-cap', '0'],
      ['--get', '--is-muted'],
      [],
    ]) {
      expect([more, (await run(...cap, 'Zara', ...more)).exitCode]).toEqual([more, 3]);
    }
  });

  test('per-agent-cap: each agent for itself, and nobody is unmuted [CNC-HLP-59]', async () => {
    const { run, cwd } = await ruleWorld();
    const odd = ['A.B', 'A.', 'AxB', '.*', 'A|"B"\n', '__proto__'];
    for (const [index, agent] of odd.entries()) {
      expect(
        (await run(...cap, agent, '--accumulate', '--tokens', String(index), '--per-agent-cap', '3')).exitCode,
      ).toBe(0);
    }
    for (const [index, agent] of odd.entries()) {
      expect((await run(...cap, agent, '--get')).out).toEqual([String(index)]);
      expect((await run(...cap, agent, '--is-muted')).exitCode).toBe(index >= 3 ? 0 : 1);
    }
    expect((await run(...cap, 'nobody', '--get')).out).toEqual(['0']);
    const before = readFileSync(join(cwd, 'tokens'), 'utf8');
    for (const more of [['--unmute'], ['--unmute', '--accumulate', '--tokens', '1']]) {
      expect(await run(...cap, '.*', ...more)).toMatchObject({ exitCode: 3, out: [] });
    }
    expect(readFileSync(join(cwd, 'tokens'), 'utf8')).toBe(before);
  });

  test('loop-detector [CNC-HLP-60, CNC-GRD-15]', async () => {
    const { run, cwd } = await ruleWorld();
    const detect = async (...lines: string[]) => {
      writeFileSync(join(cwd, 'turns'), `${lines.join('\n')}\n`);
      return await run('loop-detector', '--turns-file', 'turns');
    };
    const loop = {
      exitCode: 0,
      out: ['FACILITATOR / LOOP-BREAK turn injected — A=A B=B no-progress fr=FR-MTG-30'],
      err: [],
    };
    expect(await detect('C|new-pin|x', 'A|none|a | b', 'B|none|', 'A|none|again')).toEqual(loop);
    expect(await detect('A|none|x', 'A|hm|x', 'B||x')).toEqual(loop);
    const none = [
      ['A|none|x', 'B|none|x'],
      ['A|none|x', 'B|none|x', 'C|none|x'],
      ['A|none|', 'A|none|', 'A|none|'],
      ['A|none|', 'B|new-citation|', 'A|none|'],
      [''],
    ];
    for (const lines of none)
      expect([lines, await detect(...lines)]).toEqual([lines, { exitCode: 1, out: [], err: [] }]);
    for (const args of [[], ['--turns-file', 'nowhere'], ['--wat']])
      expect((await run('loop-detector', ...args)).exitCode).toBe(3);
  });

  test('cost-cadence [CNC-HLP-61]', async () => {
    const { run, cwd } = await ruleWorld();
    const say = async (...more: string[]) => await run('cost-cadence', '--state', 'counter', ...more);
    expect([(await say('--get')).out, (await say('--should-fire')).exitCode]).toEqual([['0'], 1]);
    const fired: number[] = [];
    for (let turn = 1; turn <= 30; turn += 1) {
      expect((await say('--tick')).out).toEqual([String(turn)]);
      if ((await say('--should-fire')).exitCode === 0) fired.push(turn);
    }
    expect(fired).toEqual([10, 20, 30]);
    expect(readFileSync(join(cwd, 'counter'), 'utf8')).toBe('counter=30\n');
    expect([
      (await say('--should-fire', '--cadence', '7')).exitCode,
      (await say('--should-fire', '--cadence=6')).exitCode,
    ]).toEqual([1, 0]);
    for (const more of [[], ['--tick', '--get'], ['--get', '--cadence', '0'], ['--get', '--wat']]) {
      expect([more, (await say(...more)).exitCode]).toEqual([more, 3]);
    }
    writeFileSync(join(cwd, 'counter'), 'counter=$(x)');
    expect([(await say('--tick')).exitCode, readFileSync(join(cwd, 'counter'), 'utf8')]).toEqual([3, 'counter=$(x)']);
  });

  test('ticks at once are all counted', async () => {
    const { run } = await ruleWorld();
    const ticks = await Promise.all(
      Array.from({ length: 8 }, async () => (await run('cost-cadence', '--state', 'c', '--tick')).out[0]),
    );
    expect(ticks.map(Number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('the scratchpad of scripts', () => {
  const pin = ['scratchpad-allocate', 'pin', '--state', 'pad', '--agent', 'Zara', '--intent', 'why|not'];

  test('scratchpad-allocate pin: records, escapes, replacement [CNC-HLP-39]', async () => {
    const { run, cwd } = await ruleWorld();
    expect((await run(...pin, '--content', '50% | a\nb')).out).toEqual(['SP-1']);
    expect((await run(...pin, '--content', 'two', '--content-type', 'ts')).out).toEqual(['SP-2']);
    expect((await run(...pin, '--content', 'one again', '--target', 'SP-1')).out).toEqual(['SP-1']);
    const file = () => readFileSync(join(cwd, 'pad'), 'utf8');
    expect(file()).toBe('SP-1|one again|md|Zara|why%7Cnot|1\nSP-2|two|ts|Zara|why%7Cnot|0\n');
    expect((await run(...pin, '--content', '50% | a\nb', '--target=SP-2')).out).toEqual(['SP-2']);
    expect(file()).toContain('SP-2|50%25 %7C a%0Ab|md|');
    const before = file();
    expect(await run(...pin, '--content', 'x', '--target', 'SP-9')).toMatchObject({ exitCode: 2, out: [] });
    for (const more of [[], ['--content', 'x', '--content-type', 'exe'], ['--content', 'x', '--agent', '']]) {
      expect([more, (await run(...pin, ...more)).exitCode]).toEqual([more, 3]);
    }
    expect(file()).toBe(before);
    writeFileSync(join(cwd, 'pad'), 'my own notes\n');
    expect([(await run(...pin, '--content', 'x')).exitCode, file()]).toEqual([3, 'my own notes\n']);
  });

  test('scratchpad-allocate list and render [CNC-HLP-40, CNC-HLP-41]', async () => {
    const { run } = await ruleWorld();
    for (const content of ['one', 'two\nlines\r\nhere']) await run(...pin, '--content', content);
    const list = async (field: string) =>
      (await run('scratchpad-allocate', 'list', '--state', 'pad', '--field', field)).out;
    expect(await list('id')).toEqual(['SP-1', 'SP-2']);
    expect(await list('content')).toEqual(['one', 'two\nlines\r\nhere']);
    expect(await list('content_type')).toEqual(['md', 'md']);
    expect(await list('pinning_agent')).toEqual(['Zara', 'Zara']);
    expect(await list('intent')).toEqual(['why|not', 'why|not']);
    expect(await list('history_count')).toEqual(['0', '0']);
    expect((await run('scratchpad-allocate', 'render', '--state=pad')).out).toEqual([
      'SP-1: one',
      String.raw`SP-2: two\nlines\nhere`,
    ]);
    expect(await run('scratchpad-allocate', 'render', '--state', 'none yet')).toEqual({
      exitCode: 0,
      out: [],
      err: [],
    });
    for (const args of [
      [],
      ['toString'],
      ['list', '--state', 'pad'],
      ['list', '--state', 'pad', '--field', 'constructor'],
      ['render'],
    ]) {
      expect([args, (await run('scratchpad-allocate', ...args)).exitCode]).toEqual([args, 3]);
    }
  });

  test('scratchpad-disposition [CNC-HLP-42]', async () => {
    const { run } = await ruleWorld();
    const check = async (word: string) => await run('scratchpad-disposition', '--check', word);
    for (const [word, canonical] of [
      ['Extract', 'extract'],
      ['KEEP', 'keep'],
      ['keep in notes only', 'keep'],
      ['Drop', 'drop'],
    ] as const) {
      expect(await check(word)).toEqual({ exitCode: 0, out: [canonical], err: [] });
    }
    for (const word of ['', 'delete', 'keep it', 'extract\ndrop'])
      expect(await check(word)).toMatchObject({ exitCode: 2, out: [] });
    expect((await run('scratchpad-disposition', '--prompt')).out).toEqual(['Extract', 'Keep in notes only', 'Drop']);
    for (const args of [[], ['--prompt', '--check', 'keep'], ['--wat']])
      expect((await run('scratchpad-disposition', ...args)).exitCode).toBe(3);
  });

  test('scratchpad-detect-type [CNC-HLP-43, CNC-HLP-44]', async () => {
    const { feed } = await ruleWorld();
    const table: readonly (readonly [string, string])[] = [
      ['#!/usr/bin/env bash', 'sh'],
      ['{"a": 1}', 'json'],
      ['[1]', 'json'],
      ['# T', 'md'],
      ['interface A {', 'ts'],
      ['type A = B', 'ts'],
      ['export const a = 1', 'ts'],
      ['function a() {', 'ts'],
      ['def a():', 'py'],
      ['import os', 'py'],
      ['from a import b', 'py'],
      ['package a', 'go'],
      ['func a() {', 'go'],
      ['fn a() {', 'rs'],
      ['fun a() {', 'kt'],
      ['public class A {', 'java'],
      ['public static void a() {', 'java'],
      ['class A {', 'java'],
      ['import UIKit', 'swift'],
      ['import Combine', 'swift'],
      ['words', 'md'],
      ['[ ] todo', 'md'],
      ['type of risk = high', 'md'],
      ['import java.util.List;', 'java'],
    ];
    for (const [content, type] of table) {
      expect([content, await feed(`\n  \n${content}\nx`, 'scratchpad-detect-type')]).toEqual([
        content,
        { exitCode: 0, out: [type], err: [] },
      ]);
    }
    expect((await feed('', 'scratchpad-detect-type')).out).toEqual(['md']);
    expect((await feed('', 'scratchpad-detect-type', '--wat')).exitCode).toBe(3);
  });

  test('scratchpad-resolve-path [CNC-HLP-45, CNC-PAD-9]', async () => {
    const { run } = await ruleWorld();
    const words = [
      'scratchpad-resolve-path',
      '--date',
      '2026-05-18',
      '--slug',
      'cache',
      '--sp-n',
      'SP-2',
      '--content',
      '# The Plan',
      '--intent',
      'i',
      '--content-type',
      'md',
    ];
    expect(await run(...words)).toEqual({
      exitCode: 0,
      out: ['.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/cache/SP-2-the-plan.md'],
      err: [],
    });
    const wrong = [
      ['--date', '2026-5-18'],
      ['--date', '2026-13-45'],
      ['--sp-n', 'SP-0'],
      ['--sp-n', '2'],
      ['--slug', '..'],
      ['--slug', 'a/b'],
      ['--slug', '.a'],
      ['--slug', ''],
      ['--content-type', 'exe'],
      ['--wat', 'x'],
    ];
    for (const more of wrong)
      expect([more, await run(...words, ...more)]).toMatchObject([more, { exitCode: 2, out: [] }]);
  });
});

/** Those that write only where they are told and start nothing. */
const tame = ruleNames.filter(
  (name) => !['dispatch-agent-turn', 'checkpoint-reaper', 'resolve-user-name'].includes(name),
);

test('no words at all make a helper fall over', async () => {
  const { run, cwd } = await ruleWorld({ RAISE_HAND_STATE: 'hands' });
  const word = fc.constantFrom(
    '',
    ' ',
    '--',
    '-',
    '--help',
    'toString',
    '__proto__',
    '--state',
    's',
    '--agent',
    'A',
    '--tokens',
    '1',
    '--get',
    '--cycle',
    '--detect',
    '--mode',
    'ux',
    '--phase',
    'SAVE',
    '--check',
    '--prompt',
    'pin',
    'list',
    'A,B',
    '\n',
    '--a=b',
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tame), fc.array(word, { maxLength: 6 }), async (name, words) => {
      const { exitCode, err } = await run(name, ...words);
      expect([0, 1, 2, 3, 4, 7]).toContain(exitCode);
      expect(err.join('\n')).not.toMatch(/Something went wrong|TypeError|\bat .*\.ts:/);
    }),
    { numRuns: 400 },
  );
  expect(existsSync(join(cwd, '__proto__'))).toBe(false);
});
