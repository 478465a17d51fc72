import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/help/repositories.ts';
import { homePaths } from '../kernel/projects/home.ts';
import { projectNameSchema } from '../kernel/pure/ids.ts';
import { memoryOfCouncils } from './council-memory.ts';

test('what a worker decided in councils of a project is found in its integration checkout [CNC-SAV-15]', async () => {
  const home = homePaths(await tempFolder());
  const project = projectNameSchema.parse('shop');
  const folder = join(home.integrationWorktree(project), '.gaia/memory/Architect-sidecar/decisions');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '2026-05-18-a.md'), '---\ntags: [cache]\n---\n\n- Redis it is\n');
  const remember = memoryOfCouncils({ home });
  const wanted = { project, names: ['architect', 'The Architect'], about: 'Warm the cache.' };
  expect(await remember(wanted)).toContain('Redis it is');
  expect(await remember({ ...wanted, about: 'Paint the door.' })).toBe('');
  expect(await remember({ ...wanted, project: projectNameSchema.parse('other') })).toBe('');
});
