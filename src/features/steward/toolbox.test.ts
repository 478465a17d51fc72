import { expect, test } from 'vitest';
import { activityIdSchema, projectNameSchema, workerNameSchema } from '../../kernel/pure/ids.ts';
import { createStewardToolbox } from './toolbox.ts';
import { stewardToolboxes } from './toolboxes.ts';

const activity = {
  project: projectNameSchema.parse('shop'),
  kind: 'meeting',
  id: activityIdSchema.parse('talk-1'),
};
const desk = { call: async () => ({}) };

test('the hall gives the toolbox to the one worker of its name, and knows no other', () => {
  const toolboxes = stewardToolboxes(() => desk);
  const named = (worker: string, name = 'manager') =>
    toolboxes(name, { worker: workerNameSchema.parse(worker), activity });
  expect(named('manager')?.map(({ name }) => name)).toEqual([
    'see_work',
    'create_commission',
    'dispatch_commission',
    'cancel_commission',
    'request_meeting',
    'propose_pull_request',
  ]);
  expect(named('researcher', 'other')).toBeUndefined();
  expect(() => named('researcher')).toThrow('gives to the worker "manager" alone');
});

test('no tool opens a meeting, merges, answers, reviews or speaks to a running worker [MTG-3.2, COM-C5]', async () => {
  const called: string[] = [];
  const tools = createStewardToolbox(
    {
      call: async (operation) => {
        called.push(operation);
        throw new Error('seen');
      },
    },
    activity,
  );
  const inputs = [{}, { id: 'k3f9' }, { worker: 'writer', title: 'T', prompt: 'P' }, { reason: 'R', id: 'k3f9' }];
  const more = [...inputs, { worker: 'writer', agenda: 'A' }, { title: 'T', text: '' }];
  for (const tool of tools) for (const input of more) await expect(tool.run(input)).rejects.toThrow('seen');
  expect([...new Set(called)].toSorted()).toEqual([
    'briefing.show',
    'commission.cancel',
    'commission.create',
    'commission.dispatch',
    'commission.show',
    'delivery.propose',
    'meeting.request',
  ]);
});

test('it lets a whole chain start with one word, and is told what started besides', async () => {
  const called: unknown[] = [];
  const answer = {
    id: 'guide-1',
    project: 'shop',
    path: '.lore/commissions/guide-1.md',
    title: 'Guide',
    worker: 'writer',
    status: 'blocked',
    attempt: 0,
    queuedAt: '2026-11-22T10:00:00.000Z',
    queue: null,
    missing: ['docs/errors.md'],
    branch: null,
    merge: { state: 'none', files: [] },
    also: [{ id: 'errors-1', title: 'Errors' }],
    unmade: ['docs/more.md'],
  };
  const call = async (operation: string, input: object) => {
    called.push([operation, input]);
    return answer;
  };
  const dispatch = createStewardToolbox({ call }, activity).find(({ name }) => name === 'dispatch_commission')!;
  const { text } = await dispatch.run({ id: 'guide-1', with_dependencies: true });
  await dispatch.run({ id: 'guide-1' });
  expect(called).toEqual([
    ['commission.dispatch', { project: 'shop', id: 'guide-1', withDependencies: true }],
    ['commission.dispatch', { project: 'shop', id: 'guide-1', withDependencies: false }],
  ]);
  expect(text).toContain('Dispatched as well, for it waits for them: "Errors" (errors-1).');
  expect(text).toContain('Nothing of the chain is known to make docs/more.md.');
});
