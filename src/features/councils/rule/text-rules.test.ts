import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ruleWorld } from '../../../../test/help/rules.ts';

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
