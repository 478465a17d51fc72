import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeRealHome } from '../help/real-home.ts';

test('tests have a home of their own, and no settings of the person', () => {
  expect(homedir()).not.toBe(userInfo().homedir);
  expect(process.env['GUILD_HALL_HOME']).toBe(join(homedir(), '.guild-hall'));
  expect(Object.keys(process.env).filter((name) => /^(ANTHROPIC_|CLAUDE)/.test(name))).toEqual([]);
});

const makeHome = (): string => mkdtempSync(join(homedir(), 'real-'));

test.each([
  ['a hall is made', (home: string) => mkdirSync(join(home, '.guild-hall'))],
  ['a config directory of an agent is made', (home: string) => mkdirSync(join(home, '.claude'))],
])('a real home is touched when %s', (_what, touch) => {
  const home = makeHome();
  const before = describeRealHome(home);
  touch(home);
  expect(describeRealHome(home)).not.toEqual(before);
});

test('a real home with a hall is touched when its settings change, not when its events do', () => {
  const home = makeHome();
  mkdirSync(join(home, '.guild-hall/state/events'), { recursive: true });
  mkdirSync(join(home, '.claude/projects/-home-you-code'), { recursive: true });
  const config = join(home, '.guild-hall/config.yaml');
  writeFileSync(config, 'projects: []\n');
  const before = describeRealHome(home);

  writeFileSync(join(home, '.guild-hall/state/events/1.jsonl'), '{}\n');
  expect(describeRealHome(home)).toEqual(before);

  utimesSync(config, 1, 1);
  expect(describeRealHome(home)).not.toEqual(before);
});

test('a record of an agent that worked in a temporary folder is a touch', () => {
  const home = makeHome();
  mkdirSync(join(home, '.claude/projects'), { recursive: true });
  const before = describeRealHome(home);
  mkdirSync(join(home, '.claude/projects', `${tmpdir().replaceAll('/', '-')}-guild-hall-x`));
  expect(describeRealHome(home)).not.toEqual(before);
});
