/** What a hall does where something cannot be read, written or told at just this moment. */
import { existsSync, mkdirSync, readFileSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { identityOfWorker, startCommissions, type TestCommissions } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { startProcess, type StartedProcess } from '../../../kernel/processes/start.ts';
import { cancelCommission } from '../operations/cancelling.ts';
import { dispatchCommission } from '../operations/dispatching.ts';
import { redispatchCommission } from '../operations/redispatching.ts';
import { runningCommissions } from '../operations/running.ts';
import { waitingCommissions } from '../operations/waiting.ts';
import { artifactFile } from '../store/files.ts';
import { attemptFolder, type CommissionRef, stateFolder } from '../store/place.ts';
import { runOf } from '../store/run.ts';

function runFile(hall: TestCommissions, ref: CommissionRef): string {
  return join(stateFolder(hall.ctx, ref), 'run.json');
}

/** The next look at the clock after its place is taken fails, as a write on a full disk would. */
function failAfterReservation(hall: TestCommissions, ref: CommissionRef): void {
  let isArmed = true;
  const nowIso = (): string => {
    if (isArmed && existsSync(runFile(hall, ref))) {
      isArmed = false;
      throw new Error('no space left on device');
    }
    return systemClock.nowIso();
  };
  hall.ctx = Object.assign(hall.ctx, { clock: { ...systemClock, nowIso } });
}

test('a place that was taken for one that then cannot start is given back, and it is told once, until it is asked for again', async () => {
  const hall = await startCommissions();
  const ref = await hall.create();
  const told = async (): Promise<string[]> =>
    (await waitingCommissions(hall.ctx)).map(({ title }) => title).filter((title) => title.includes('not be started'));
  for (let round = 0; round < 2; round += 1) {
    failAfterReservation(hall, ref);
    await dispatchCommission(hall.ctx, ref);
    expect((await hall.record(ref)).status).toBe('pending');
    expect(await runOf(hall.ctx, ref).read()).toBeUndefined();
    expect(await told()).toHaveLength(1);
  }
  expect((await cancelCommission(hall.ctx, ref)).status).toBe('cancelled');
  expect(await told()).toEqual([]);
  await redispatchCommission(hall.ctx, ref);
  expect((await hall.ends(ref)).status).toBe('completed');
}, 60_000);

test('a worker whose identity file is gone is found by what the hall knows of it', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const { pid } = identityOfWorker(hall, ref);
  await hall.restart(() => rmSync(join(attemptFolder(hall.ctx, ref, 1), 'identity.json')));
  await expect.poll(() => hall.ctx.engine.live.get(`p1/${ref.id}`)?.phase).toBe('running');
  expect((await runOf(hall.ctx, ref).read())?.process?.pid).toBe(pid);
  hall.go(ref, 'end');
  expect((await hall.ends(ref)).status).toBe('completed');
}, 60_000);

test('a worker that speaks is alive, although its words cannot be written into the record for a while', async () => {
  const hall = await startCommissions({ commissions: { heartbeatSeconds: 0.6 } });
  const ref = await hall.create({
    steps: [
      ['alive', 300],
      ['wait', 'go'],
      ['progress', 'half'],
      ['alive', 3000],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const file = await artifactFile(ref.project, ref.id);
  rmSync(file);
  mkdirSync(join(file, 'in-the-way'), { recursive: true });
  hall.go(ref, 'go');
  await systemClock.sleep(1_500);
  expect((await runOf(hall.ctx, ref).read())?.ending).toBeNull();
  rmdirSync(join(file, 'in-the-way'));
  rmdirSync(file);
  await expect.poll(() => existsSync(file)).toBe(true);
  const record = await hall.ends(ref);
  expect(record).toMatchObject({ status: 'completed', currentProgress: 'half' });
  expect(JSON.stringify(record.timeline)).not.toContain('unresponsive');
}, 60_000);

test('one of which nothing is known but that it runs by its record can be cancelled', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({ steps: [['wait', 'end']] });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  rmSync(runFile(hall, ref));
  expect((await cancelCommission(hall.ctx, ref)).status).toBe('cancelled');
  await hall.ends(ref);
}, 60_000);

test('a check before a merge ends with the hall, and what a killed hall left of one ends at the next start', async () => {
  const hall = await startCommissions({ commissions: { verifyWithoutSandbox: true } });
  const seen = join(hall.ctx.home.root, 'checks');
  const check = (words: readonly string[]): void => {
    const projects = hall.settings.projects.map((project) => ({ ...project, commissions: { verify: [...words] } }));
    hall.settings = { ...hall.settings, projects };
  };
  const checks = (): number[] => (existsSync(seen) ? readFileSync(seen, 'utf8').trim().split('\n').map(Number) : []);
  check(['sh', '-c', `echo $$ >> '${seen}'; sleep 1000`]);
  const ref = await hall.create({
    steps: [
      ['write', '.lore/notes/kept.md', '# Kept\n'],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await waitUntil(() => checks().length === 1);
  const { token } = (await runOf(hall.ctx, ref).read())!;
  expect(await runningCommissions(hall.ctx, 'p1'), 'its project cannot be removed now').toMatchObject([{ id: ref.id }]);
  let left: StartedProcess | undefined;
  await hall.restart(() => {
    expect(isAlive(checks()[0]!), 'ended when the hall had stopped').toBe(false);
    check(['true']);
    const env = { PATH: process.env['PATH'], GUILD_HALL_ATTEMPT: token };
    const request = { file: 'sleep', args: ['1000'], cwd: '/', env, stdio: 'ignore', detached: true } as const;
    left = startProcess({ log: silentLog }, request);
  });
  const record = await hall.ends(ref);
  expect(record.merge.state).toBe('merged');
  expect(record.timeline.filter(({ event }) => event === 'gate')).toMatchObject([{ ok: true }]);
  expect(await left!.exited).toMatchObject({ signal: 'SIGKILL' });
}, 60_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('an attempt whose place is that of another commission fails, says so, comes to its end, and the next one goes', async () => {
  const hall = await startCommissions({ commissions: { perProject: 5 } });
  const first = await hall.create({ id: 'job', steps: [['exit', 1]] });
  await dispatchCommission(hall.ctx, first);
  await hall.ends(first);
  const other = await hall.create({
    id: 'job-2',
    steps: [
      ['write', '.lore/notes/other.md', 'x'],
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, other);
  await hall.reaches(other, 'in_progress');
  await redispatchCommission(hall.ctx, first);
  const second = await hall.ends(first);
  expect(second).toMatchObject({ status: 'failed', attempt: 2 });
  expect(second.linkedArtifacts).toEqual([]);
  await redispatchCommission(hall.ctx, first);
  expect((await hall.ends(first)).attempt).toBe(3);
  hall.go(other, 'end');
  expect((await hall.ends(other)).merge.state).toBe('merged');
}, 60_000);

test('a project that comes back while the hall runs is taken up with all that was under way in it', async () => {
  const hall = await startCommissions();
  const ref = await hall.create({
    steps: [
      ['wait', 'end'],
      ['result', 'done'],
    ],
  });
  await dispatchCommission(hall.ctx, ref);
  await hall.reaches(ref, 'in_progress');
  const { projects } = hall.settings;
  await hall.restart(() => void (hall.settings = { ...hall.settings, projects: [] }));
  expect(hall.ctx.engine.live.size).toBe(0);
  hall.settings = { ...hall.settings, projects };
  for (let time = 0; time < 2; time += 1) hall.configure({});
  await expect.poll(() => hall.ctx.engine.live.get(`p1/${ref.id}`)?.phase).toBe('running');
  hall.go(ref, 'end');
  expect((await hall.ends(ref)).merge.state).toBe('merged');
}, 60_000);
