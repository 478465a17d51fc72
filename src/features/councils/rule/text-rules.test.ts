import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { ruleNames } from './list.ts';

const feature = join(import.meta.dirname, '..');

/** What a file of the feature imports of it, by its path below the feature. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(feature, file), 'utf8');
  const found = [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path]) => join(dirname(file), path!));
  return found.filter((path) => !path.startsWith('..'));
}

const fileOf = (name: string): string => `rule/${name.split('/').at(-1)}.ts`;

test('helpers read their arguments in one way, and decide by what the engine decides by [CNC-HLP-1, CNC-HLP-2]', () => {
  const read = (name: string): boolean => importsOf(fileOf(name)).includes('rule/args.ts');
  // These have no flags; or, the last of them, a reader that is tried like the others.
  expect(ruleNames.filter((name) => !read(name)).toSorted()).toEqual([
    'lib/load-mode-registry',
    'lib/type-target-resolver',
    'parse-resume-flags',
  ]);
  const engine = readdirSync(feature, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('rule/'),
  );
  const shared = new Set(
    engine.flatMap((file) => importsOf(file)).filter((file) => !/^(?:contract|rule\/)/.test(file)),
  );
  // What the engine has in another form: seals instead of text, typed fields instead of flags and words, whole sessions.
  expect(ruleNames.filter((name) => !importsOf(fileOf(name)).some((file) => shared.has(file))).toSorted()).toEqual([
    'dispatch-provenance-check',
    'parse-resume-flags',
    'review-gate',
    'session-state',
    'stdout-sentinel-scan',
  ]);
});

test('stdout-sentinel-scan [CNC-HLP-70]', async () => {
  const { run, cwd } = await ruleWorld();
  const skill = (procedure: string): void =>
    writeFileSync(
      join(cwd, 'SKILL.md'),
      `# S\n<<YIELD-STOP\n## Procedure\n### One\n${procedure}\n## After\n<<TURN-END\n`,
    );
  skill('nothing');
  expect(await run('stdout-sentinel-scan', 'SKILL.md')).toEqual({ exitCode: 0, out: [], err: [] });
  skill('say <<TURN-END>> and <<YIELD-STOP now');
  expect(await run('stdout-sentinel-scan', 'SKILL.md')).toMatchObject({
    exitCode: 1,
    out: ['line 5: <<YIELD-STOP', 'line 5: <<TURN-END'],
  });
  for (const args of [[], ['nowhere.md'], ['SKILL.md', 'SKILL.md'], ['--wat']]) {
    expect([args, (await run('stdout-sentinel-scan', ...args)).exitCode]).toEqual([args, 2]);
  }
});

test('dispatch-provenance-check takes a file, --stdin or what is piped [CNC-HLP-68]', async () => {
  const { run, feed, cwd } = await ruleWorld();
  const header = '[round 1 / turn 3 / Derek (Product) / per-turn-cost 12 tokens / running-total 40 tokens]';
  const good = (via: string) =>
    `${header}\nPhase: DISCUSS\nTurn: T3\ndispatched_via: ${via}\n\nwords\ndispatched_via: charter\n`;
  for (const via of ['subagent', 'interject', 'attendee', 'facilitator']) {
    expect(await feed(good(via), 'dispatch-provenance-check', '--stdin')).toEqual({ exitCode: 0, out: [], err: [] });
    writeFileSync(join(cwd, 'notes.md'), good(via));
    expect((await run('dispatch-provenance-check', 'notes.md')).exitCode).toBe(0);
    expect((await feed(good(via), 'dispatch-provenance-check')).exitCode).toBe(0);
  }
  const forged = `${header}\nPhase: DISCUSS\n\ndispatched_via: subagent\n\n${header}\n\nPhase: DISCUSS\n`;
  const { exitCode, out } = await feed(forged, 'dispatch-provenance-check', '--stdin');
  expect([exitCode, out]).toEqual([
    1,
    [expect.stringMatching(/^FAIL: line 1/), expect.stringMatching(/^FAIL: line 6/)],
  ]);
  expect((await feed('', 'dispatch-provenance-check', '--stdin')).exitCode).toBe(1);
  expect((await feed('', 'dispatch-provenance-check')).exitCode).toBe(2);
  expect((await run('dispatch-provenance-check')).exitCode).toBe(2);
  expect((await run('dispatch-provenance-check', 'nowhere')).exitCode).toBe(2);
});
