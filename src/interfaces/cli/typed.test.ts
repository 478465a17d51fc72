import { describe, expect, test } from 'vitest';
import { asTyped, programNameOf } from './typed.ts';

test.each([
  [{}, '/usr/bin/guild-hall', 'guild-hall'],
  [{}, '/code/hall/node_modules/.bin/guild-hall', 'npx guild-hall'],
  [{ npm_command: 'exec' }, '/x', 'npx guild-hall'],
  [{ npm_lifecycle_event: 'start' }, '/x', 'npx guild-hall'],
  [{ npm_lifecycle_event: '', npm_command: 'run' }, '/x', 'guild-hall'],
])('started with %j as %s it is typed as %s', (env, script, expected) => {
  expect(programNameOf(env, script)).toBe(expected);
});

describe('command lines in hints', () => {
  test.each([
    ['See: guild-hall worker list', 'See: npx guild-hall worker list'],
    ['See `guild-hall logs` or guild-hall --help.', 'See `npx guild-hall logs` or npx guild-hall --help.'],
    ['npx guild-hall up', 'npx guild-hall up'],
    ['Mend ~/.guild-hall/config.yaml now', 'Mend ~/.guild-hall/config.yaml now'],
    ['ls /srv/guild-hall x', 'ls /srv/guild-hall x'],
  ])('%s', (given, typed) => {
    expect(asTyped(given, 'npx guild-hall')).toBe(typed);
    expect(asTyped(given, 'guild-hall')).toBe(given);
  });
});
