import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { systemClock } from '../../kernel/clock/clock.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, personCaller } from '../../kernel/operations/operations.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { BriefingContext } from './context.ts';
import { bindBriefing } from './operations.ts';

const open = {
  kind: 'meeting',
  id: 'talk-20261122-120000-k3f9',
  title: 'The parser',
  project: 'shop',
  worker: 'writer',
  state: 'waiting',
  since: '',
};

test('the words of a model are asked for once for the same facts, and where it fails the facts are told with the reason', async () => {
  const asked: string[] = [];
  const told: string[] = [];
  let title = 'The parser';
  let answer: () => string = () => 'In the words of the model.';
  const ctx = {
    clock: systemClock,
    log: silentLog,
    locks: createLocks(),
    home: { state: join(await tempFolder(), 'state') },
    events: { publish: ({ type }: { type: string }) => told.push(type) },
    spawn: () => {},
    scrub: async (text: string) => text,
    standing: async () => ({ commissions: [], waiting: [], open: title === '' ? [] : [{ ...open, title }] }),
    modelName: async () => undefined,
    gateway: {
      describeModel: () => ({ name: 'm', label: 'M', isRehearsal: false }),
      complete: async (_: unknown, { prompt }: { prompt: string }) => {
        asked.push(prompt);
        return answer();
      },
    },
    askedAtMs: new Map(),
  } as unknown as BriefingContext;
  const [show] = bindBriefing(ctx);
  const brief = async (input: object = {}) => await callOperation(show!, personCaller, input);
  expect(await brief({ wait: false })).toMatchObject({ by: 'record', isWriting: true });
  expect(await brief({ wait: false })).toMatchObject({ by: 'record', isWriting: false });
  expect(await brief()).toMatchObject({ by: 'model', text: 'In the words of the model.' });
  expect(await brief({ wait: false })).toMatchObject({ by: 'model' });
  expect(await brief({ plain: true })).toMatchObject({ by: 'record' });
  expect([asked.length, told]).toEqual([1, ['briefing.written']]);
  expect(asked[0]).toContain('`k3f9`');
  title = 'Another parser';
  answer = () => {
    throw fail('limit', 'The model is tired.', 'Wait.');
  };
  expect(await brief()).toMatchObject({ by: 'record', problem: 'The model is tired.' });
  expect(asked).toHaveLength(2);
  title = '';
  expect(await brief()).toMatchObject({ isQuiet: true, by: 'record' });
  expect(asked).toHaveLength(2);
});
