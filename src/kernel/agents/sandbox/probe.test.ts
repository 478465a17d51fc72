import { describe, expect, test } from 'vitest';
import { silentLog } from '../../log/log.ts';
import { decideState, explainBubblewrap, type MachineFacts, probeMachine } from './probe.ts';

const machine: MachineFacts = {
  apparmorRestricts: undefined,
  userNamespacesAllowed: undefined,
  mostUserNamespaces: '96365',
  installer: 'apt-get',
};
const refused = { stderr: 'bwrap: setting up uid map: Permission denied\n', exitCode: 1 };

describe('why there is no sandbox, and what helps', () => {
  test.each<
    [
      what: string,
      said: Parameters<typeof explainBubblewrap>[0],
      facts: Partial<MachineFacts>,
      reason: RegExp,
      hint: string,
    ]
  >([
    [
      'not installed, Debian',
      { ...refused, failedToStart: 'ENOENT' },
      {},
      /is not installed/,
      'sudo apt-get install bubblewrap',
    ],
    [
      'not installed, Fedora',
      { ...refused, failedToStart: 'ENOENT' },
      { installer: 'dnf' },
      /is not installed/,
      'sudo dnf install bubblewrap',
    ],
    [
      'not installed, anywhere',
      { ...refused, failedToStart: 'ENOENT' },
      { installer: undefined },
      /is not installed/,
      'Install the package bubblewrap.',
    ],
    [
      'Ubuntu 24.04',
      refused,
      { apparmorRestricts: '1' },
      /AppArmor/,
      'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
    ],
    [
      'older Debian',
      refused,
      { userNamespacesAllowed: '0' },
      /refuses user namespaces/,
      'sudo sysctl -w kernel.unprivileged_userns_clone=1',
    ],
    [
      'none at all',
      refused,
      { mostUserNamespaces: '0' },
      /refuses user namespaces/,
      'sudo sysctl -w user.max_user_namespaces=15000',
    ],
    [
      'a container',
      refused,
      {},
      /does not work here: bwrap: setting up uid map/,
      'See: bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / --proc /proc true',
    ],
    [
      'without a word',
      { stderr: '', exitCode: null },
      {},
      /it ended with a signal/,
      'See: bwrap --unshare-user --unshare-pid --unshare-net --ro-bind / / --proc /proc true',
    ],
  ])('%s', (_what, said, facts, reason, hint) => {
    const found = explainBubblewrap(said, { ...machine, ...facts });
    expect(found.kind).toBe('none');
    expect(found.reason).toMatch(reason);
    expect(found.hint).toBe(hint);
  });
});

test('a machine without the program is found by looking', async () => {
  const found = await probeMachine({ log: silentLog }, '/nowhere');
  expect(found).toMatchObject({ kind: 'none', reason: expect.stringMatching(/not installed|sandbox/) });
});

test('what the person wants counts over what there is', () => {
  const there = { kind: 'bubblewrap', reason: '', hint: '' } as const;
  expect(decideState('auto', there)).toEqual(there);
  expect(decideState('required', there)).toEqual(there);
  expect(decideState('off', there)).toMatchObject({ kind: 'none', reason: 'config.yaml switches the sandbox off.' });
});
