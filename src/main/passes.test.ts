import { expect, test } from 'vitest';
import type { AttemptRef, HallFeature } from './feature.ts';
import { admissionOfPass, printPass } from './passes.ts';

const token = 'a-token-of-this-hall-1234';
const attempt: AttemptRef = { project: 'shop', kind: 'commission', id: 'job_1', attempt: 2 };
const features: readonly HallFeature[] = [
  {
    name: 'commissions',
    operations: [],
    activityKind: 'commission',
    isUnderWay: (asked) => JSON.stringify(asked) === JSON.stringify(attempt),
  },
];

test('a pass admits the worker of that attempt while it runs, and nobody else [COM-C3]', () => {
  const pass = printPass(token, attempt);
  expect(admissionOfPass(features, token, pass)).toEqual({
    caller: { kind: 'agent', activity: { project: 'shop', kind: 'commission', id: 'job_1' }, worker: 'manager' },
  });
  const earlier = printPass(token, { ...attempt, attempt: 1 });
  const elsewhere = printPass(token, { ...attempt, kind: 'meeting' });
  const foreign = printPass('another-token-altogether', attempt);
  const changed = pass.replace('job_1', 'job_2');
  for (const given of [earlier, elsewhere, foreign, changed, pass.slice(0, -1), `${pass}A`, '', undefined, token]) {
    expect(admissionOfPass(features, token, given)).toBeUndefined();
  }
});
