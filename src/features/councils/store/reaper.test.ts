import { existsSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { reapSessions } from './reaper.ts';

const now = Date.parse('2026-05-18T10:00:00.000Z');
const clock = { ...systemClock, nowMs: () => now };
const sessions = '.gaia/memory/meeting-sessions';
const checkpoints = '.gaia/memory/checkpoints';

/** Files by path: how many days ago they were changed, and the status of a session. */
function fill(root: string, files: Readonly<Record<string, readonly [days: number, status?: string]>>): void {
  for (const [path, [days, status]] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(
      join(root, path),
      `session_id: x\nphase: SAVE\nproject: p\nstatus: ${status ?? 'saved'}\ncharter: c\n`,
    );
    const at = (now - days * 86_400_000) / 1000;
    utimesSync(join(root, path), at, at);
  }
}

const files = {
  [`${sessions}/2026-01-01-saved.yaml`]: [31],
  [`${sessions}/2026-04-30-saved.yaml`]: [18],
  [`${sessions}/2026-01-02-paused.yaml`]: [31, 'paused'],
  [`${sessions}/2026-04-29-paused.yaml`]: [19, 'paused'],
  [`${sessions}/2026-04-28-asking.yaml`]: [20, 'asking'],
  [`${checkpoints}/old.sha256`]: [40],
  [`${checkpoints}/deep/old.txt`]: [40],
  [`${checkpoints}/new.txt`]: [1],
  ['.gaia/memory/Ada-sidecar/decisions/2025-01-01-x.md']: [400],
  ['.gaia/state/action-items.yaml']: [400],
} as const;

test('what is older than thirty days goes, nothing else; at first it is only said [CNC-STA-19]', async () => {
  const root = await tempFolder();
  fill(root, files);
  const gone = [
    `${checkpoints}/deep/old.txt`,
    `${checkpoints}/old.sha256`,
    `${sessions}/2026-01-01-saved.yaml`,
    `${sessions}/2026-01-02-paused.yaml`,
  ];
  expect((await reapSessions({ clock }, root, 30, false)).map(({ path }) => path)).toEqual(gone);
  for (const path of Object.keys(files)) expect(existsSync(join(root, path))).toBe(true);
  const reaped = await reapSessions({ clock }, root, 30, true);
  expect(reaped.map(({ id }) => id)).toEqual([undefined, undefined, '2026-01-01-saved', '2026-01-02-paused']);
  for (const path of Object.keys(files)) expect(existsSync(join(root, path))).toBe(!gone.includes(path));
});

test('a council that is not over stays for thirty days, whatever is asked for', async () => {
  const root = await tempFolder();
  fill(root, files);
  const paths = (await reapSessions({ clock }, root, 0, true)).map(({ path }) => path);
  expect(paths).toContain(`${sessions}/2026-04-30-saved.yaml`);
  expect(paths).not.toContain(`${sessions}/2026-04-29-paused.yaml`);
  expect(paths).not.toContain(`${sessions}/2026-04-28-asking.yaml`);
});

test('a session file of any size keeps none of the others', async () => {
  const root = await tempFolder();
  fill(root, files);
  const large = join(root, sessions, '2026-01-02-paused.yaml');
  truncateSync(large, 3 * 2 ** 30);
  utimesSync(large, 0, 0);
  const reaped = await reapSessions({ clock }, root, 30, true);
  expect(reaped.flatMap(({ id }) => id ?? [])).toEqual(['2026-01-01-saved', '2026-01-02-paused']);
});

test('links are not followed, and a place without any of it is no error', async () => {
  const root = await tempFolder();
  const other = await tempFolder();
  fill(other, { 'old.yaml': [99] });
  expect(await reapSessions({ clock }, root, 30, true)).toEqual([]);
  mkdirSync(join(root, '.gaia/memory'), { recursive: true });
  symlinkSync(other, join(root, sessions));
  mkdirSync(join(root, checkpoints));
  symlinkSync(join(other, 'old.yaml'), join(root, checkpoints, 'link'));
  expect(await reapSessions({ clock }, root, 30, true)).toEqual([]);
  expect(existsSync(join(other, 'old.yaml'))).toBe(true);
});

test('the helper says what would go, and what went [CNC-HLP-69]', async () => {
  const { run, cwd } = await ruleWorld();
  fill(cwd, files);
  const path = `${sessions}/2026-01-01-saved.yaml`;
  const dry = await run('checkpoint-reaper', '--root', cwd);
  expect(dry.exitCode).toBe(0);
  expect(dry.out).toContain(`REAP ${join(cwd, path)}`);
  expect(await run('checkpoint-reaper', '--root', cwd, '--dry-run', '--age-days=30')).toEqual(dry);
  const done = await run('checkpoint-reaper', '--root', cwd, '--apply');
  expect(done.out).toEqual(dry.out.map((line) => line.replace('REAP', 'DELETED')));
  expect(existsSync(join(cwd, path))).toBe(false);
  expect((await run('checkpoint-reaper')).exitCode).toBe(2);
  expect((await run('checkpoint-reaper', '--root', cwd, '--age-days', 'x')).exitCode).toBe(2);
});
