import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { recordChangesOnBranch } from './records.ts';

test('of what a worker wrote among the records a new one may come along; one that is there, and one too large to be read, stay behind', async () => {
  const hall = await makeHallRepository({ files: { '.lore/records/known.md': 'known\n' } });
  const one = await hall.activity('one');
  one.write({
    '.lore/records/known.md': 'changed\n',
    '.lore/records/new.md': 'new\n',
    '.lore/records/huge.md': Buffer.alloc(65 * 1024 * 1024, 'x'),
    '.lore/notes/own.md': 'own\n',
  });
  const asked: string[] = [];
  const changes = await recordChangesOnBranch(hall.ctx, {
    project: { name: 'p', path: hall.repo.path, integrationBranch: hall.branch },
    tip: one.commit('work'),
    author: 'writer',
    folders: [{ folder: '.lore/records', admit: async ({ path, content }) => (asked.push(path), content.trim()) }],
    own: '.lore/records/own.md',
  });
  expect(changes).toEqual({
    admitted: { '.lore/records/new.md': 'new' },
    leftBehind: ['.lore/records/huge.md', '.lore/records/known.md'],
    artifacts: ['.lore/notes/own.md'],
    made: ['.lore/notes/own.md'],
  });
  expect(asked).toEqual(['.lore/records/new.md']);
});
