import { expect, test } from 'vitest';
import type { WorkerPackage } from './contract.ts';
import { findByIdentity, listIdentities } from './identities.ts';

const catalogueOf = (...workers: readonly (readonly [name: string, shown: string])[]) => ({
  workers: new Map(
    workers.map(([name, shown]) => [name as never, { name, identity: { name: shown } } as unknown as WorkerPackage]),
  ),
});

test('whom to invite: every worker by the name that it bears in headers, each once [CNC-WHO-4]', () => {
  expect(listIdentities(catalogueOf(['derek', 'Derek'], ['writer', 'Writer'], ['other', 'Writer']))).toEqual([
    'Derek',
    'Writer',
  ]);
});

test.each([
  ['Derek', 'a'],
  ['derek', 'derek'],
  ['DEREK', 'a'],
  ['A', 'a'],
  ['nobody', undefined],
  ['', undefined],
])('"%s" is found by its exact name, then by the package, then without regard to case', (given, name) => {
  const catalogue = catalogueOf(['a', 'Derek'], ['derek', 'Another']);
  expect(findByIdentity(catalogue, given)?.name).toBe(name);
});
