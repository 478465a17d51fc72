import { afterEach, expect, test, vi } from 'vitest';
import { ensureSystemPackages } from '../../scripts/system-packages.mjs';
import { makeHouseCopy } from '../help/house-copies.ts';

const row = { command: 'git', debian: 'git', atLeast: [2, 38] as const, neededBy: 'all' };
/** Never to be had: no version of git is this new. */
const future = { ...row, atLeast: [999, 0] as const, neededBy: 'test/far' };

const root = makeHouseCopy({ 'test/far/a.test.ts': '', 'test/far/deep/b.test.ts': '', 'test/near/c.test.ts': '' });
afterEach(() => vi.unstubAllEnvs());

/** Nobody is root here, so that nothing is installed. */
const asPerson = () => vi.spyOn(process as { getuid: () => number }, 'getuid').mockReturnValue(1000);

test('nothing is left out when all is there', async () => {
  expect(await ensureSystemPackages(root, [row])).toEqual({
    counts: { passed: 0, failed: 0, skipped: 0 },
    exclude: [],
  });
});

test('what is missing takes its tests along, counted as skipped', async () => {
  asPerson();
  vi.stubEnv('CI', '');
  const { counts, exclude } = await ensureSystemPackages(root, [row, future]);
  expect(exclude.sort()).toEqual(['test/far/a.test.ts', 'test/far/deep/b.test.ts']);
  expect(counts).toEqual({ passed: 0, failed: 0, skipped: 2 });
});

test('under CI=true what is left out has failed', async () => {
  asPerson();
  vi.stubEnv('CI', 'true');
  expect((await ensureSystemPackages(root, [future])).counts).toEqual({ passed: 0, failed: 2, skipped: 0 });
});

test('what everything needs ends the run with the command to type', async () => {
  asPerson();
  await expect(ensureSystemPackages(root, [{ ...future, neededBy: 'all' }])).rejects.toThrow(
    /git 999\.0 or newer.*sudo apt-get install git/s,
  );
});
