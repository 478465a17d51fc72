/** What a shipped worker really has in a commission: activated by the real catalogue, on a real home. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { systemClock, systemIds } from '../../../kernel/clock/clock.ts';
import { createLocks } from '../../../kernel/locks/locks.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { defaultConfig } from '../../../kernel/projects/settings.ts';
import { ensureHome, homePaths } from '../../../kernel/projects/home.ts';
import { activityIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { activateWorker } from '../../../kernel/workers/activate.ts';
import { loadWorkers } from '../../../kernel/workers/catalogue.ts';
import { appendMemory } from '../../../kernel/workers/memory.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import { openJournal } from '../store/attempt.ts';
import type { WorkerContext } from './context.ts';
import { createCommissionFace } from './face.ts';
import { startMade } from './made.ts';

const root = join(import.meta.dirname, '../../../..');
const desk = {
  report: async () => {},
  ask: async () => await Promise.resolve('q1.1'),
  submit: async () => await Promise.resolve({ outcome: 'already' as const }),
};

async function rig(order: Partial<AttemptOrder> = {}) {
  const folder = await tempFolder();
  const home = homePaths(join(folder, 'home'));
  await ensureHome(home);
  const project = projectNameSchema.parse('shop');
  const ctx = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home,
    config: () => defaultConfig,
    // What a package asks the hall for is the hall's to give.
    hallToolboxes: () => [],
    scrub: async (text: string) => await Promise.resolve(text),
    commissionPrompts: join(root, 'src/features/commissions/prompts'),
  } as unknown as WorkerContext;
  const journal = await openJournal(ctx, folder);
  onTestFinished(() => journal.close());
  const attempt = {
    folder,
    journal,
    order: {
      version: 1,
      project,
      id: activityIdSchema.parse('commission-x-20261122-abcd'),
      attempt: 2,
      token: 't'.repeat(30),
      home: home.root,
      worktree: folder,
      worker: 'developer',
      title: 'Parsing',
      prompt: 'Do {{it}}.',
      dependencies: ['.lore/specs/plan.md'],
      maxTurns: null,
      maxBudgetUsd: null,
      earlier: '',
      orderedAt: '',
      ...order,
    } as AttemptOrder,
  };
  const face = await createCommissionFace(ctx, attempt, desk, startMade(attempt));
  const catalogue = await loadWorkers(ctx, { shipped: join(root, 'workers'), packages: home.packages });
  return { ctx, face, catalogue, project };
}

test('every shipped worker has the commission toolbox beside the base toolbox without naming it, and of itself no tool for states or other workers [COM-17.1]', async () => {
  const { ctx, face, catalogue, project } = await rig();
  for (const worker of catalogue.workers.values()) {
    const of = { name: project, integrationBranch: 'claude/main' };
    const { tools, builtInTools } = await activateWorker(ctx, catalogue, worker.name, of, face);
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['report_progress', 'submit_result', 'log_question', 'record_decision']),
    );
    const verbs = [...names, ...builtInTools].filter((name) =>
      /commission|dispatch|cancel|merge|status|message|send|followup|meeting/i.test(name),
    );
    expect([worker.name, ...verbs]).toEqual([worker.name]);
  }
});

test('its prompt is posture and memory, its context the id, the prompt and the dependencies [COM-11.2, COM-9.4]', async () => {
  const { ctx, face, catalogue, project } = await rig({ earlier: 'The first attempt: turn limit reached (3).' });
  const developer = [...catalogue.workers.values()].find(({ name }) => name === 'developer')!;
  await appendMemory(ctx, { project, worker: developer.name }, 'project', 'build', () => 'Built with make all.\n');
  const of = { name: project, integrationBranch: 'claude/main' };
  const { systemPrompt } = await activateWorker(ctx, catalogue, developer.name, of, face);
  expect(systemPrompt).toContain(developer.posture.trim());
  expect(systemPrompt).toContain('Built with make all.');
  expect(systemPrompt).toContain('Commission id: commission-x-20261122-abcd');
  expect(systemPrompt).toContain('- .lore/specs/plan.md');
  expect(systemPrompt).toContain('The first attempt: turn limit reached (3).');
  expect(face.context).toMatchObject({
    commissionId: 'commission-x-20261122-abcd',
    prompt: 'Do {{it}}.',
    dependencies: ['.lore/specs/plan.md'],
  });
});
