import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeTestSandbox } from '../../../../test/fixtures/test-sandbox.ts';
import { makeWorkingHall, startWork, type WorkingHall } from '../../../../test/help/finished-work.ts';
import type { TestRepository } from '../../../../test/help/repositories.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { endWork, refOf } from '../../../../test/help/working-context.ts';
import type { CommissionsContext, EnclosedPlace } from '../context.ts';
import type { TimelineEntry } from '../contract.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, type CommissionRef, worktreeOf } from '../store/place.ts';
import { runCheck } from './gate.ts';
import { mergeAgain } from './merging-again.ts';
import { mergeCommission } from './merging.ts';
import { releaseAttempt, saveRest } from './saving.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const awsKey = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

interface Done extends WorkingHall {
  readonly ref: CommissionRef;
  readonly work: TestRepository;
}

/** A hall whose person wants these words to succeed before a merge. */
function wants(hall: WorkingHall, verify: readonly string[], verifyWithoutSandbox = true): void {
  const [project] = hall.ctx.config().projects;
  hall.set({
    projects: [{ ...project!, commissions: { verify } }],
    commissions: { ...hall.ctx.config().commissions, verifyWithoutSandbox },
  });
}

async function worked(
  verify: readonly string[],
  files: Parameters<TestRepository['write']>[0],
  options: { before?: Parameters<typeof makeWorkingHall>[0]; scope?: 'sparse' | 'full' } = {},
): Promise<Done> {
  const hall = await makeWorkingHall(options.before);
  wants(hall, verify);
  const ref = refOf(hall, 'commission-one');
  const work = await startWork(hall.ctx, ref, options);
  work.write(files);
  return { ...hall, ref, work };
}

async function endAndMerge(
  { ref }: Done,
  ctx: CommissionsContext,
): Promise<{ readonly state: string; readonly gates: Extract<TimelineEntry, { event: 'gate' }>[] }> {
  await saveRest(ctx, ref, 1);
  await endWork(ctx, ref);
  const { state } = await mergeCommission(ctx, ref);
  await releaseAttempt(ctx, ref, 1);
  return { state, gates: await gatesOf(ref) };
}

async function gatesOf(ref: CommissionRef): Promise<Extract<TimelineEntry, { event: 'gate' }>[]> {
  return (await requireCommission(ref.project, ref.id)).timeline.filter((entry) => entry.event === 'gate');
}

describe('the check before a merge', () => {
  test('red: not merged, its output in the timeline; tried again in a place made anew, green: merged [SYS-GATE]', async () => {
    const done = await worked(['sh', 'check.sh'], { 'check.sh': 'echo "it is red"; exit 3\n', 'work.txt': 'w\n' });
    const { ctx, ref, repo } = done;
    const before = repo.git('rev-parse', 'claude/main');
    const { state, gates } = await endAndMerge(done, ctx);
    expect(state).toBe('gate_failed');
    expect(gates).toMatchObject([
      { ok: false, command: 'sh check.sh', output: 'the check failed with exit code 3\nit is red' },
    ]);
    const record = await requireCommission(ref.project, ref.id);
    expect(record).toMatchObject({ status: 'completed', merge: { state: 'gate_failed', files: [] } });
    expect(repo.git('diff', '--name-only', before, 'claude/main')).toBe(record.path);
    expect(existsSync(worktreeOf(ctx, ref, 1))).toBe(false);

    expect((await mergeAgain(ctx, ref)).state).toBe('gate_failed');
    repo.git('switch', '--quiet', branchOf(ref, 1));
    repo.commit('mended', { 'check.sh': 'test -f work.txt\n' });
    repo.git('switch', '--quiet', 'main');
    expect((await mergeAgain(ctx, ref)).state).toBe('merged');
    expect((await gatesOf(ref)).map(({ ok }) => ok)).toEqual([false, false, true]);
    expect(existsSync(worktreeOf(ctx, ref, 1))).toBe(false);
    expect(repo.git('show', 'claude/main:work.txt')).toBe('w');
  });

  test('without a sandbox it is not run, unless the person says so; in one it runs through it [SYS-GATE]', async () => {
    const done = await worked(['touch', 'was-run'], { 'work.txt': 'w\n' });
    const { ctx, ref, work } = done;
    wants(done, ['touch', 'was-run'], false);
    await saveRest(ctx, ref, 1);
    await endWork(ctx, ref);
    expect((await mergeCommission(ctx, ref)).state).toBe('gate_failed');
    expect(existsSync(join(work.path, 'was-run'))).toBe(false);
    const [gate] = await gatesOf(ref);
    expect(gate!.output).toContain('there is no sandbox for it');
    expect(gate!.output).toContain('verifyWithoutSandbox: true');

    const places: (EnclosedPlace | 'left')[] = [];
    const enclose: CommissionsContext['enclose'] = async (place) => {
      places.push(place);
      return {
        kind: 'bubblewrap',
        network: 'full',
        wrap: ({ file, args }) => ({ file: '/usr/bin/env', args: ['IN_A_BOX=1', file, ...args] }),
        isCurrent: () => true,
        leave: async () => void places.push('left'),
      };
    };
    wants(done, ['sh', '-c', 'test "$IN_A_BOX" = 1'], false);
    expect((await mergeAgain({ ...ctx, enclose }, ref)).state).toBe('merged');
    expect(places).toEqual([{ project: 'sample', cwd: work.path, tmp: expect.stringContaining('check') }, 'left']);
  });

  test('in the real sandbox it writes to the worktree and its own folder, and sees nothing of the person’s [SYS-GATE]', async () => {
    const outside = await tempFolder();
    writeFileSync(join(outside, 'private.txt'), 'private');
    const sandbox = await makeTestSandbox({ hidden: [outside] });
    onTestFinished(async () => await sandbox.close());
    const enclose: CommissionsContext['enclose'] = async ({ cwd, tmp }) =>
      await sandbox.enter({
        project: null,
        cwd,
        access: { root: cwd, write: true },
        writable: [tmp],
        gatewayUrl: 'http://127.0.0.1:4711',
      });
    const script = `touch inside && touch "$TMPDIR/own" && ! cat ${outside}/private.txt && ! touch ${outside}/more`;
    const done = await worked(['sh', '-c', script], { 'work.txt': 'w\n' });
    wants(done, ['sh', '-c', script], false);
    const { state, gates } = await endAndMerge(done, { ...done.ctx, enclose });
    expect([state, gates[0]!.output.split('\n')[0]]).toEqual(['merged', 'the check succeeded']);
    expect(readdirSync(outside)).toEqual(['private.txt']);
  });

  test('what it leaves in the worktree is neither merged nor kept; a key that it prints is masked', async () => {
    const words = ['sh', '-c', `echo left > left.txt; echo changed > work.txt; echo ${awsKey}`];
    const done = await worked(words, { 'work.txt': 'w\n' });
    const { state, gates } = await endAndMerge(done, done.ctx);
    expect(state).toBe('merged');
    expect(done.repo.git('show', 'claude/main:work.txt')).toBe('w');
    expect(done.repo.git('ls-tree', '-r', '--name-only', 'claude/main')).not.toContain('left.txt');
    expect(JSON.stringify(gates)).toContain('[secret removed: AWS key]');
    expect(JSON.stringify(gates)).not.toContain(awsKey);
  });

  test('a branch that the check moves is not merged', async () => {
    const commit = 'git -c user.name=x -c user.email=x@example.invalid commit --quiet --allow-empty -m more';
    const done = await worked(['sh', '-c', commit], { 'work.txt': 'w\n' });
    const { state, gates } = await endAndMerge(done, done.ctx);
    expect(state).toBe('gate_failed');
    expect(gates[0]!.output).toContain('the branch was moved while the check ran');
  });

  test('of a worker that sees only artifacts it runs on all files', async () => {
    const done = await worked(
      ['test', '-f', 'src/code.ts'],
      { '.lore/notes/a.md': 'a\n' },
      { scope: 'sparse', before: { 'src/code.ts': 'c\n', '.lore/old.md': 'o\n' } },
    );
    expect(existsSync(join(done.work.path, 'src'))).toBe(false);
    expect((await endAndMerge(done, done.ctx)).state).toBe('merged');
    expect(done.repo.git('ls-tree', '-r', '--name-only', 'claude/main').split('\n')).toContain('src/code.ts');
  });

  test('words of the repository or the worker decide nothing about it', async () => {
    const done = await worked(['true'], {
      'config.yaml': 'projects: [{ name: sample, commissions: { verify: [false] } }]\n',
      '.guild-hall/config.yaml': 'verify: [false]\n',
    });
    const { state, gates } = await endAndMerge(done, done.ctx);
    expect([state, gates[0]!.command]).toEqual(['merged', 'true']);
  });
});

describe('the program that checks', () => {
  async function run(words: readonly string[], timeoutMs = 30_000): ReturnType<typeof runCheck> {
    const { ctx } = await makeWorkingHall();
    const [cwd, tmp] = [await tempFolder(), await tempFolder()];
    writeFileSync(join(cwd, 'run.sh'), '#!/bin/sh\nenv > seen\n', { mode: 0o755 });
    const checked = await runCheck(ctx, { words, cwd, tmp, enclosure: undefined, timeoutMs });
    const seen = existsSync(join(cwd, 'seen')) ? readFileSync(join(cwd, 'seen'), 'utf8') : '';
    return { ...checked, output: `${checked.output}\n${seen}`.replaceAll(tmp, '<tmp>') };
  }

  test('sees nothing of the hall’s environment but what is named', async () => {
    process.env['SOME_TOKEN'] = 'a value of the person';
    try {
      const { ok, output } = await run(['./run.sh']);
      expect(ok).toBe(true);
      const names = output.split('\n').flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
      const known = [
        'CI',
        'HOME',
        'LANG',
        'LC_ALL',
        'LC_CTYPE',
        'OLDPWD',
        'PATH',
        'PWD',
        'SHLVL',
        'TERM',
        'TMPDIR',
        'TZ',
        '_',
      ];
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
      expect(output).toContain('HOME=<tmp>\n');
    } finally {
      delete process.env['SOME_TOKEN'];
    }
  });

  test('is ended with all that it started when it takes too long', async () => {
    const { ok, output } = await run(['sh', '-c', 'echo begun; sleep 600 & sleep 600'], 300);
    expect(ok).toBe(false);
    expect(output).toMatch(/^the check took longer than 0 seconds and was ended\nbegun/);
  });

  test('gets its words as they are, without a shell; one that is not there is named', async () => {
    expect((await run(['printf', '%s', '$(id) `id` ; false'])).output).toContain('$(id) `id` ; false');
    expect(await run(['no-such-program-here'])).toMatchObject({
      ok: false,
      output: expect.stringContaining('there is no program no-such-program-here'),
    });
  });

  test('keeps the end of a long output, without signs for terminals', async () => {
    const { output } = await run([
      'sh',
      '-c',
      String.raw`i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done; printf '\033[31mred\033[0m'`,
    ]);
    expect(output.length).toBeLessThan(8_200);
    expect(output).toMatch(/^the check succeeded\n[^]*line 2999\nred/);
  });
});
