import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTerminal } from '../interfaces/cli/terminal.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { silentLog } from '../kernel/log/log.ts';
import { defaultConfig } from '../kernel/projects/config.ts';
import { homePaths } from '../kernel/projects/home.ts';
import { agentProgram } from '../kernel/agents/drivers/claude/program.ts';
import { doctorContext } from './doctor-context.ts';
import { mayHoldTempFiles } from './kernel.ts';
import { createFileLog, rotateLog } from './log-file.ts';
import { runLogs } from './logs.ts';
import { packageRoot, packageVersion } from './package.ts';
import { createStage } from './stage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gh-main-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a stage closes the last first, and goes on when a part cannot be closed', async () => {
  const closed: string[] = [];
  const stage = createStage();
  stage.opened('first', async () => void closed.push('first'));
  stage.opened('broken', async () => {
    throw new Error('stuck');
  });
  stage.opened('last', async () => void closed.push('last'));
  await stage.closeAll(silentLog);
  await stage.closeAll(silentLog);
  expect(closed).toEqual(['last', 'first']);
});

test.each([
  ['state/events', true],
  ['meetings', true],
  ['projects', true],
  ['projects/shop', true],
  ['projects/shop/.lore/notes', true],
  ['projects/shop/src', false],
  ['worktrees/shop/job-1', true],
  ['worktrees/shop/job-1/.lore', true],
  ['worktrees/shop/job-1/src/deep', false],
  ['sample', false],
])('temp files may be in %s: %s', (path, expected) => {
  const home = homePaths('/h');
  expect(mayHoldTempFiles(home, join('/h', path))).toBe(expected);
});

test('the program finds its own files and the agent’s program', () => {
  expect(existsSync(join(packageRoot(), 'examples/sample-project/README.md'))).toBe(true);
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
  expect(agentProgram()).toMatch(/claude-agent-sdk-/);
});

test('the doctor reads settings as they are, and knows what counts in their place', async () => {
  const base = { clock: systemClock, log: silentLog, home: homePaths(folder) };
  const inForce = { ...defaultConfig, port: 5000 };
  const [alone, inHall] = [doctorContext(base), doctorContext({ ...base, config: () => inForce })];
  expect(await alone.readSettings()).toMatchObject({ file: 'missing', problems: [], config: defaultConfig });
  writeFileSync(base.home.config, 'port: 5001\nmaybe: 1\n');
  expect(await alone.readSettings()).toMatchObject({ file: 'read', config: { port: 5001 }, problems: [{ line: 2 }] });
  writeFileSync(base.home.config, 'port: [');
  expect(await alone.readSettings()).toMatchObject({ file: 'broken', config: defaultConfig, instead: 'the defaults' });
  expect(await inHall.readSettings()).toMatchObject({ config: inForce, instead: 'the last good settings' });
  expect((await alone.catalogue()).workers.size).toBeGreaterThan(6);
});

describe('the log', () => {
  test('is moved aside when it grew too long, and is 0600', () => {
    const path = join(folder, 'logs/hall.log');
    createFileLog(path, 'info').info('first');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    rotateLog(path, 1_000_000);
    expect(existsSync(`${path}.1`)).toBe(false);
    rotateLog(path, 10);
    expect(existsSync(path)).toBe(false);
    expect(readFileSync(`${path}.1`, 'utf8')).toContain('first');
  });

  test('is shown readable: its end, with levels, facts and stacks, whatever lines are in it', async () => {
    const home = homePaths(folder);
    const log = createFileLog(home.log, 'info');
    log.info({ port: 1 }, 'one');
    log.error({ err: new Error('bad \u001b[2J thing') }, 'two');
    writeFileSync(home.log, 'not a log line\n', { flag: 'a' });
    let out = '';
    const term = createTerminal({ out: { write: (text) => (out += text) }, err: { write: () => {} } }, {});
    const request = { home, term, follow: false, asJson: false, lines: 3, onInterrupt: () => () => {} };
    await runLogs(request);
    expect(out).toMatch(/^\d\d:\d\d:\d\d info one {2}port=1\n/);
    expect(out).toContain('error two');
    expect(out).toContain('Error: bad [2J thing');
    expect(out).toMatch(/not a log line\n$/);
    out = '';
    await runLogs({ ...request, lines: 1, asJson: true });
    expect(out).toBe('not a log line\n');
  });

  test('is followed until the person leaves', async () => {
    const home = homePaths(folder);
    const log = createFileLog(home.log, 'info');
    log.info('before');
    let out = '';
    let leave = (): void => {};
    const write = (text: string): void => {
      out += text;
      if (text.includes('before')) log.info('after');
      if (text.includes('after')) leave();
    };
    const term = createTerminal({ out: { write }, err: { write: () => {} } }, {});
    const onInterrupt = (listener: () => void) => {
      leave = listener;
      return () => {};
    };
    await runLogs({ home, term, follow: true, asJson: false, lines: 1, onInterrupt });
    expect(out).toContain('info after');
  });

  test('that is not there is said so', async () => {
    const term = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
    const request = {
      home: homePaths(folder),
      term,
      follow: false,
      asJson: false,
      lines: 1,
      onInterrupt: () => () => {},
    };
    await expect(runLogs(request)).rejects.toMatchObject({ code: 'not_found' });
  });
});
