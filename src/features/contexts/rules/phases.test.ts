import { expect, test } from 'vitest';
import { noteOfTasks } from './phases.ts';

test('a list of tasks is told by its numbers; what is none, also one without a bottom, is not', () => {
  const task = { id: 'T-0', name: 'A', ucs: [], depends: [], wave: 0, kind: 'code', files: {}, description: 'Do.' };
  expect(noteOfTasks([task, { ...task, id: 'T-1' }])).toBe('2 tasks in 1 wave');
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  for (const none of [undefined, null, {}, [{}], deep]) expect(noteOfTasks(none)).toBeUndefined();
});
