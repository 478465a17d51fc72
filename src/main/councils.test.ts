import { expect, test } from 'vitest';
import { joinCouncils } from './councils.ts';
import { recordFoldersOf } from './feature.ts';

test('what a worker wrote among the sessions of councils is left behind when its branch is merged', () => {
  // Nothing of the hall is asked for while the feature is joined.
  const feature = joinCouncils({} as Parameters<typeof joinCouncils>[0], []);
  expect(recordFoldersOf([feature])).toEqual([{ folder: '.gaia/memory/meeting-sessions' }]);
});
