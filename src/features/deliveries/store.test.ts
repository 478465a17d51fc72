import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { readDeliveries } from './store.ts';

test('a record that came with its repository cannot have a branch of the person pushed', async () => {
  const integrationWorktree = mkdtempSync(join(tmpdir(), 'gh-deliveries-'));
  const folder = join(integrationWorktree, '.lore', 'deliveries');
  mkdirSync(folder, { recursive: true });
  const record = (branch: string, commit: string): string =>
    `---\ntitle: T\nstatus: proposed\nbranch: ${branch}\ncommit: ${commit}\ntarget: main\nproposed_by: person\nproposed_at: 2026-11-22T06:00:00Z\n---\n`;
  const commit = 'a'.repeat(40);
  const given = {
    fine: record('guild-hall/errors-k3f9', commit),
    person: record('main', commit),
    upwards: record('guild-hall/../main', commit),
    option: record('--force', commit),
    revision: record('guild-hall/errors-k3f9', 'HEAD'),
  };
  for (const [id, text] of Object.entries(given)) writeFileSync(join(folder, `${id}.md`), text);
  const name = projectNameSchema.parse('sample');
  const found = await readDeliveries({ name, path: '/nowhere', integrationBranch: 'claude/main', integrationWorktree });
  expect(found.map(({ id }) => id)).toEqual(['fine']);
});
