/** What Tab offers is asked for fields that exist, and each of them is answered by a real hall. */
import { expect, test } from 'vitest';
import { openMeeting, startHallWithProject } from '../../test/help/halls.ts';
import { fieldsOf } from '../kernel/operations/fields.ts';
import { candidates } from './candidates.ts';
import { descriptions } from './descriptions.ts';

const fields = new Map(
  descriptions.flatMap((description) =>
    fieldsOf(description).map(({ name, choices }) => [`${description.name}.${name}`, choices] as const),
  ),
);

test.each(Object.keys(candidates))('%s is a field, and has no values of its own', (key) => {
  const meant = [...fields].filter(([name]) => name === key || (!key.includes('.') && name.endsWith(`.${key}`)));
  expect(meant.length).toBeGreaterThan(0);
  for (const [, choices] of meant) expect(choices).toEqual([]);
});

test('a real hall answers each, and each verb is offered what it can be used on [DOOR-COMPLETION]', async () => {
  const { hall } = await startHallWithProject({
    files: { '.lore/a.md': '---\ntitle: A\nstatus: open\ntags: [x]\n---\n', '.lore/specs/b.md': '# B\n' },
  });
  const open = await openMeeting(hall, { message: 'Hello' });
  const closed = await openMeeting(hall, { message: 'Bye' });
  await hall.client.call('meeting.close', { id: closed.id });
  const offered = async (key: string, given = {}): Promise<string[]> => {
    const question = { client: hall.client, typed: '', given, project: async () => 'tally' };
    return (await candidates[key]!(question)).map(({ value }) => value);
  };
  for (const key of Object.keys(candidates)) expect([key, await offered(key)]).toEqual([key, expect.any(Array)]);
  const short = (id: string): string => id.slice(-4);
  expect(await offered('project')).toEqual(['tally']);
  expect(await offered('worker')).toContain('researcher');
  expect((await offered('meeting.show.id')).toSorted()).toEqual([short(open.id), short(closed.id)].toSorted());
  expect(await offered('meeting.say.id')).toEqual([short(open.id)]);
  expect(await offered('meeting.accept.id')).toEqual([]);
  expect(await offered('artifact.show.path')).toEqual(expect.arrayContaining(['.lore/a.md', '.lore/specs/b.md']));
  expect(await offered('artifact.list.under')).toEqual(expect.arrayContaining(['.lore', '.lore/specs']));
  expect(await offered('artifact.list.tag')).toContain('x');
  expect(await offered('artifact.list.status')).toContain('open');
  expect(await offered('inbox.act.verb', { id: 'nothing' })).toEqual([]);
  const job = { project: 'tally', worker: 'researcher', title: 'Job', prompt: 'A note is there.' };
  const { id } = (await hall.client.call('commission.create', job)) as { id: string };
  for (const verb of ['show', 'edit', 'dispatch', 'cancel']) {
    expect([verb, await offered(`commission.${verb}.id`)]).toEqual([verb, [short(id)]]);
  }
  for (const verb of ['hold', 'redispatch', 'merge', 'answer', 'logs', 'review']) {
    expect([verb, await offered(`commission.${verb}.id`)]).toEqual([verb, []]);
  }
  expect(await offered('depends')).toEqual(expect.arrayContaining([short(id), '.lore/a.md']));
});
