import { expect, test } from 'vitest';
import { seatbeltCommand, seatbeltProfile, type SeatbeltView } from './seatbelt.ts';

const view: SeatbeltView = {
  mounts: [
    { how: 'write', path: '/Users/p/.guild-hall/worktrees/x' },
    { how: 'read', path: '/Users/p/.guild-hall/worktrees/x/.git', source: '/own' },
    { how: 'hide', path: '/Users/p/.guild-hall' },
    { how: 'read', path: '/Users/p' },
    { how: 'read', path: '/Users/p/a "b"\\c' },
    { how: 'link', path: '/bin', leadsTo: 'usr/bin' },
  ],
  onlyPorts: undefined,
};

test('everything is denied but what is named, and what is named last wins', () => {
  const lines = seatbeltProfile(view).split('\n');
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  const from = lines.indexOf('(allow file-read* (subpath "/Users/p"))');
  expect(lines.slice(from)).toEqual([
    '(allow file-read* (subpath "/Users/p"))',
    '(deny file-write* (subpath "/Users/p"))',
    '(deny file-read* file-write* (subpath "/Users/p/.guild-hall"))',
    String.raw`(allow file-read* (subpath "/Users/p/a \"b\"\\c"))`,
    String.raw`(deny file-write* (subpath "/Users/p/a \"b\"\\c"))`,
    '(allow file-read* file-write* (subpath "/Users/p/.guild-hall/worktrees/x"))',
    '(allow file-read* (subpath "/Users/p/.guild-hall/worktrees/x/.git"))',
    '(deny file-write* (subpath "/Users/p/.guild-hall/worktrees/x/.git"))',
    '(allow network*)',
    '(deny network* (subpath "/Users/p/.guild-hall"))',
    '',
  ]);
});

test('the network can be cut to one port of loopback', () => {
  const profile = seatbeltProfile({ ...view, onlyPorts: [4711] });
  expect(profile).toContain('(allow network-outbound (remote ip "localhost:4711"))');
  expect(profile).not.toContain('(allow network*)');
});

test('the command is one of the system, and the program’s words come after', () => {
  const { file, args } = seatbeltCommand(view, { file: '/agent', args: ['-x'] });
  expect([file, args[0], ...args.slice(2)]).toEqual(['/usr/bin/sandbox-exec', '-p', '/agent', '-x']);
});
