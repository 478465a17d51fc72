import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ruleWorld } from '../../../../test/help/rules.ts';

const name = 'cite-or-flag-check';

/** One line, its class, and the class that the original gave it. Golden: what changes here changes scripts of others. */
const lines: readonly (readonly [line: string, here: string, original: string])[] = [
  ['', 'non-claim', 'non-claim'],
  ['## The cache is lost', 'non-claim', 'non-claim'],
  ['---', 'non-claim', 'non-claim'],
  ['```ts', 'non-claim', 'non-claim'],
  [
    '[round 1 / turn 2 / Nate (Scrum Master) / per-turn-cost 3 tokens / running-total 9 tokens]',
    'non-claim',
    'non-claim',
  ],
  ['[Prelude] Nate (Scrum Master) — 120 tokens', 'non-claim', 'non-claim'],
  ['The cache is lost on a restart.', 'unflagged-inference', 'unflagged-inference'],
  ['Redis stores tokens', 'unflagged-inference', 'non-claim'],
  ['we ship Monday', 'unflagged-inference', 'non-claim'],
  ['I would prefer option A', 'non-claim', 'unflagged-inference'],
  ['What would you test first?', 'non-claim', 'non-claim'],
  ['> The cache is lost on a restart.', 'unflagged-inference', 'non-claim'],
  ['The cache is lost on a restart, right?', 'unflagged-inference', 'non-claim'],
  ['[round 1] The cache is lost on a restart.', 'unflagged-inference', 'non-claim'],
  ['[Prelude] The cache is lost on a restart.', 'unflagged-inference', 'non-claim'],
  ['The cache is lost on a restart. [inference]', 'inference', 'inference'],
  ['The cache is lost on a restart. [Inference]', 'unflagged-inference', 'unflagged-inference'],
  ['The cache is lost on a restart (docs/cache.md) [inference]', 'cited', 'cited'],
  ['The cache is lost on a restart (src/cache.ts:12).', 'cited', 'unflagged-inference'],
  ['The cache is lost on a restart, see `README.md`.', 'cited', 'unflagged-inference'],
  ['The cache is lost, as "src/cache.ts" says.', 'cited', 'unflagged-inference'],
  ['The cache is lost (.gaia/artifacts/a/b.md).', 'cited', 'unflagged-inference'],
  ['The cache is lost (.gaia/memory/nate-sidecar/decisions/a.md).', 'cited', 'cited'],
  ['The cache is lost (https://example.org/cache).', 'cited', 'cited'],
  ['The cache is lost, www.example.org says.', 'cited', 'unflagged-inference'],
  ['The cache is lost (_memory/nate/a.md).', 'unflagged-inference', 'unflagged-inference'],
  ['The cache is lost and/or stale.', 'unflagged-inference', 'unflagged-inference'],
  ['Node.js 18 is out of support.', 'unflagged-inference', 'unflagged-inference'],
  ['parse() swallows the error', 'unflagged-inference', 'unflagged-inference'],
  ['One is in docs/a.md. The other is lost.', 'unflagged-inference', 'cited'],
];

describe('one line', () => {
  test.each(lines)(
    '%j is %s, and was %s [CNC-HLP-22, CNC-HLP-23, CNC-HLP-24, CNC-PLG-10]',
    async (line, here, original) => {
      const { run } = await ruleWorld();
      expect(await run(name, '--classify-line', line)).toEqual({ exitCode: 0, out: [here], err: [] });
      expect(await run(name, `--classify-line=${line}`, '--compat')).toEqual({ exitCode: 0, out: [original], err: [] });
    },
  );

  test('with --verify-evidence a path has to be there, with its line [CNC-HLP-24]', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, '.gaia/memory/a-sidecar'), { recursive: true });
    writeFileSync(join(cwd, '.gaia/memory/a-sidecar/a.md'), 'The cache.\n');
    writeFileSync(join(cwd, 'cache.ts'), 'const cache = lost();\n');
    const classify = async (line: string) => (await run(name, '--classify-line', line, '--verify-evidence')).out[0];
    expect(await classify('The cache is lost (cache.ts).')).toBe('cited');
    expect(await classify('The cache is lost (cache.ts:1).')).toBe('cited');
    expect(await classify('The cache is lost (cache.ts:99).')).toBe('unflagged-inference');
    expect(await classify('The cache is lost (cash.ts).')).toBe('unflagged-inference');
    expect(await classify('The cache is lost (.gaia/memory/a-sidecar/a.md).')).toBe('cited');
    expect(await classify('The cache is lost (.gaia/memory/a-sidecar/b.md).')).toBe('unflagged-inference');
    expect(await classify('The cache is lost (https://example.org).')).toBe('cited');
  });
});

const draft = `I would keep it small.

The cache is lost on a restart.
It is read in src/cache.ts:3. It is written twice.

\`\`\`ts
cache is lost
\`\`\`

- The lock is held for a minute
  while the file is written.
- What do we lose?
`;

describe('a whole draft', () => {
  test('with claims that nothing holds up is halted, each named by its line [CNC-HLP-25, CNC-PLG-10]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'turn.md'), draft);
    expect(await run(name, '--gate-draft-turn', 'turn.md')).toEqual({
      exitCode: 2,
      out: [
        'HALT: 3 unflagged claims in the draft turn; each needs a source or [inference].',
        'line 3: The cache is lost on a restart.',
        'line 4: It is written twice.',
        'line 10: The lock is held for a minute while the file is written.',
        'HALT condition=CITE-OR-FLAG agent=— fr=FR-MTG-9 detail=3 unflagged claims in the draft turn',
      ],
      err: [],
    });
    expect((await run(name, '--gate-draft-turn', 'turn.md', '--compat')).out.slice(1, -1)).toEqual([
      'line 1: I would keep it small.',
      'line 3: The cache is lost on a restart.',
      'line 4: It is read in src/cache.ts:3. It is written twice.',
      'line 7: cache is lost',
      'line 10: - The lock is held for a minute',
      'line 11: while the file is written.',
    ]);
    writeFileSync(join(cwd, 'clean.md'), 'I would keep it small.\n\nIt is written twice [inference].\n');
    expect(await run(name, '--gate-draft-turn', 'clean.md')).toEqual({ exitCode: 0, out: [], err: [] });
  });

  test('no file, no action, two actions, an unknown word: exit 3 [CNC-HLP-25, CNC-HLP-26]', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, 'folder'));
    const wrong = [[], ['--gate-draft-turn', 'nowhere'], ['--gate-draft-turn', 'folder'], ['--verify-transcript', 'x']];
    for (const words of [
      ...wrong,
      ['--gate-draft-turn'],
      ['--classify-line', 'a', '--gate-draft-turn', 'b'],
      ['x'],
      ['--x'],
    ])
      expect([words, await run(name, ...words)]).toEqual([words, { exitCode: 3, out: [], err: [expect.any(String)] }]);
  });
});

test('a transcript is judged below its frontmatter, by the lines of the file [CNC-HLP-26]', async () => {
  const { run, cwd } = await ruleWorld();
  const front = '---\ncharter: The cache is lost.\n---\n';
  const turn = `[round 1 / turn 1 / Nate (Scrum Master) / per-turn-cost 3 tokens / running-total 3 tokens]
Phase: DISCUSS
Turn: T1
dispatched_via: subagent

I would keep it small. The lock is held too long [inference].
`;
  writeFileSync(join(cwd, 'clean.md'), `${front}## Phase: DISCUSS\n\n${turn}`);
  expect(await run(name, '--verify-transcript', 'clean.md')).toEqual({ exitCode: 0, out: [], err: [] });
  writeFileSync(join(cwd, 'notes.md'), `${front}${turn}The cache is lost.\n`);
  expect(await run(name, '--verify-transcript', 'notes.md')).toEqual({
    exitCode: 2,
    out: [
      'HALT: 1 unflagged claim in the transcript; each needs a source or [inference].',
      'line 10: The cache is lost.',
      'HALT condition=CITE-OR-FLAG agent=— fr=FR-MTG-9 detail=1 unflagged claim in the transcript',
    ],
    err: [],
  });
  writeFileSync(join(cwd, 'open.md'), '---\nThe cache is lost.\n');
  expect((await run(name, '--verify-transcript', 'open.md')).exitCode).toBe(2);
});
