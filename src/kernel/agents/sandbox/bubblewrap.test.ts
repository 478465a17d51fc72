import { describe, expect, test } from 'vitest';
import { type BubblewrapView, bubblewrapArguments, inOrder, isBelow } from './bubblewrap.ts';
import type { Mount } from './contract.ts';
import { programMounts, systemMounts } from './system.ts';

const view: BubblewrapView = {
  mounts: [
    { how: 'write', path: '/home/p/.guild-hall/worktrees/x' },
    { how: 'link', path: '/bin', leadsTo: 'usr/bin' },
    { how: 'read', path: '/usr' },
    { how: 'read', path: '/etc/hosts', optional: true },
    { how: 'read', path: '/home/p/shop/.git/config', source: '/own/config' },
    { how: 'read', path: '/home/p/shop/.git' },
    { how: 'hide', path: '/home/p' },
  ],
  cwd: '/home/p/.guild-hall/worktrees/x',
  ownNetwork: false,
  canDisableUserNamespaces: true,
};

test('the whole line: rights and namespaces first, folders before what lies in them, then nothing more is to be put in', () => {
  expect(bubblewrapArguments(view, { file: '/opt/agent', args: ['--x', 'a b'] }).join(' ')).toBe(
    [
      '--unshare-user --disable-userns --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try',
      '--die-with-parent --proc /proc --dev /dev --tmpfs /tmp --symlink ../tmp /var/tmp',
      '--symlink usr/bin /bin --ro-bind /usr /usr --ro-bind-try /etc/hosts /etc/hosts',
      '--ro-bind /home/p/shop/.git /home/p/shop/.git',
      '--bind /home/p/.guild-hall/worktrees/x /home/p/.guild-hall/worktrees/x',
      '--ro-bind /own/config /home/p/shop/.git/config',
      '--remount-ro / --chdir /home/p/.guild-hall/worktrees/x -- /opt/agent --x a b',
    ].join(' '),
  );
});

test.each<[what: string, change: Partial<BubblewrapView>, has: string, hasNot: string]>([
  ['a network of its own', { ownNetwork: true }, '--unshare-net', 'nothing'],
  ['the machine’s network', {}, '--unshare-pid', '--unshare-net'],
  ['an older bubblewrap', { canDisableUserNamespaces: false }, '--cap-drop', '--disable-userns'],
])('%s', (_what, change, has, hasNot) => {
  const words = bubblewrapArguments({ ...view, ...change }, { file: 'x', args: [] });
  expect(words).toContain(has);
  expect(words).not.toContain(hasNot);
});

describe('the order of mounts', () => {
  const paths = (mounts: readonly Mount[]): string[] => inOrder(mounts).map(({ how, path }) => `${how} ${path}`);

  test('what is hidden hides only what would be shown, and before what is given of it', () => {
    const home: Mount = { how: 'hide', path: '/srv/shop/hall' };
    const own: Mount = { how: 'write', path: '/srv/shop/hall/worktrees/x' };
    expect(paths([own, home])).toEqual(['write /srv/shop/hall/worktrees/x']);
    expect(paths([own, home, { how: 'read', path: '/srv/shop' }])).toEqual([
      'read /srv/shop',
      'hide /srv/shop/hall',
      'write /srv/shop/hall/worktrees/x',
    ]);
    expect(paths([{ how: 'hide', path: '/tmp/hall' }])).toEqual(['hide /tmp/hall']);
  });

  test('of two for one path the later counts', () => {
    expect(
      paths([
        { how: 'read', path: '/a' },
        { how: 'write', path: '/a' },
      ]),
    ).toEqual(['write /a']);
  });

  test.each([
    ['/', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/ab', false],
    ['/a', '/a', false],
    ['/a/b', '/a', false],
  ])('%s holds %s: %s', (folder, path, expected) => {
    expect(isBelow(folder, path)).toBe(expected);
  });
});

describe('what is shown of the machine', () => {
  test('folders and links as they are here; of /etc a list, without what is secret', () => {
    const mounts = systemMounts((path) =>
      path === '/usr' ? 'folder' : path === '/bin' ? { leadsTo: 'usr/bin' } : undefined,
    );
    expect(mounts.slice(0, 2)).toEqual([
      { how: 'read', path: '/usr' },
      { how: 'link', path: '/bin', leadsTo: 'usr/bin' },
    ]);
    const etc = mounts.slice(2);
    expect(etc.every((mount) => mount.how === 'read' && mount.optional === true)).toBe(true);
    const names = etc.map(({ path }) => path);
    expect(names).toContain('/etc/ssl/certs');
    expect(names.filter((name) => /shadow|sudoers|\/ssh|private|\/etc$|\/etc\/ssl$/.test(name))).toEqual([]);
  });

  test.each([
    ['of the system', '/usr/bin/node', []],
    ['of a version of its own', '/home/p/.nvm/versions/v20/bin/node', ['/home/p/.nvm/versions/v20']],
    ['of a package', '/srv/x/node_modules/agent/claude', ['/srv/x/node_modules/agent']],
    ['in the person’s bin', '/home/p/bin/node', ['/home/p/bin']],
    ['among all else of the person', '/home/p/.local/bin/node', ['/home/p/.local/bin', '/home/p/.local/lib']],
    ['in the person’s home itself', '/home/p/node', ['/home/p/node']],
    ['above the home', '/home/bin/node', ['/home/bin']],
    ['in the root', '/node', ['/node']],
  ])('a program %s', (_where, file, expected) => {
    expect(programMounts(file, ['/home/p', '/home/p/.guild-hall']).map(({ path }) => path)).toEqual(expected);
  });
});
