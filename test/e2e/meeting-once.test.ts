/** A message whose acknowledgement was lost is sent again under its id: it is taken once, whatever happened to the hall. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MeetingList, MeetingOpened, MeetingView } from '../../src/features/meetings/contract.ts';
import { connectHall, findHall, type HallClient } from '../../src/interfaces/cli/client.ts';
import { close, listed, openMeeting, readTurn, show, startHallWithProject } from '../help/halls.ts';
import { freshHome, spawnProgram, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

interface Said {
  readonly messageId: string;
  readonly turn: number;
  readonly position: number;
  readonly cursor: string;
}

test('a message: at once, while it waits, while it is answered, after that and over a restart [WEB-ONCE]', async () => {
  const { hall } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 20ms x 30]' })) as Said;
  const message = { id, message: 'Where are words counted?', messageId: 'm-k3f9x2ab' };
  const sendAgain = async (): Promise<Said> => (await hall.client.call('meeting.say', message)) as Said;
  const [first, second] = await Promise.all([sendAgain(), sendAgain()]);
  expect(first).toMatchObject({ messageId: 'm-k3f9x2ab', turn: 3, position: 1 });
  expect(second).toEqual(first);
  expect((await show(hall, id)).queue).toHaveLength(1);
  await readTurn(hall, id, slow.cursor, slow.turn);
  expect(await sendAgain()).toEqual(first);
  const turn = await readTurn(hall, id, first.cursor, first.turn);
  expect(turn.events.at(-1)).toMatchObject({ type: 'turn_end' });
  expect(await sendAgain()).toEqual(first);
  await hall.restart();
  expect(await sendAgain()).toEqual(first);
  await expect(hall.client.call('meeting.say', { ...message, message: 'Something else' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Other words were sent under the message id m-k3f9x2ab.',
  });
  const after = (await hall.client.call('meeting.say', { id, message: 'And then?' })) as Said;
  await readTurn(hall, id, after.cursor, 4);
  const { turns } = await show(hall, id);
  expect(turns.filter(({ text }) => text === message.message)).toHaveLength(1);
  expect(turns.filter(({ speaker }) => speaker === 'user')).toHaveLength(4);
  for (const messageId of ['k3f9x2ab', 'm-short', 'm-K3F9X2AB', `m-${'x'.repeat(21)}`, 'm-../../..'])
    await expect(hall.client.call('meeting.say', { ...message, messageId })).rejects.toMatchObject({ code: 'invalid' });
});

test('a message of long ago is known by the transcript', async () => {
  const { hall } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const message = { id, message: 'The first of many', messageId: 'm-longago1' };
  const first = (await hall.client.call('meeting.say', message)) as Said;
  await readTurn(hall, id, first.cursor, first.turn);
  await hall.stop();
  const file = join(hall.home, `state/meetings/tally.${id}.json`);
  const { default: state } = (await import(file, { with: { type: 'json' } })) as { default: { said: unknown[] } };
  expect(state.said).toHaveLength(2);
  writeFileSync(file, JSON.stringify({ ...state, said: [] }));
  await hall.restart();
  expect(await hall.client.call('meeting.say', message)).toMatchObject({ messageId: 'm-longago1', turn: first.turn });
  expect((await show(hall, id)).turns).toHaveLength(4);
});

test('an opening: at once, over a restart, and after the close [WEB-ONCE]', async () => {
  const { hall } = await startHallWithProject();
  const opening = { project: 'tally', worker: 'researcher', message: 'Hello', messageId: 'm-openonce1' };
  const sendAgain = async (): Promise<MeetingOpened> =>
    (await hall.client.call('meeting.open', opening)) as MeetingOpened;
  const [first, second, third] = await Promise.all([sendAgain(), sendAgain(), sendAgain()]);
  expect(first.id.endsWith('-openonce1')).toBe(true);
  expect([second, third]).toEqual([first, first]);
  await readTurn(hall, first.id, first.cursor, 1);
  expect(await sendAgain()).toEqual(first);
  await hall.restart();
  expect(await sendAgain()).toEqual(first);
  expect((await show(hall, first.id)).turns).toHaveLength(2);
  await expect(hall.client.call('meeting.open', { ...opening, message: 'Other' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await close(hall, first.id);
  expect(await sendAgain()).toMatchObject({ id: first.id, status: 'closed' });
  expect(await listed(hall)).toHaveLength(1);
});

test('an opening that failed is none: sent again under its id, it opens [WEB-ONCE]', async () => {
  const { hall } = await startHallWithProject({ config: 'caps:\n  meeting: 1\n' });
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const opening = { project: 'tally', worker: 'researcher', message: 'Again', messageId: 'm-refused01' };
  await expect(hall.client.call('meeting.open', opening)).rejects.toMatchObject({ code: 'limit' });
  await close(hall, id);
  const opened = (await hall.client.call('meeting.open', opening)) as MeetingOpened;
  await readTurn(hall, opened.id, opened.cursor, 1);
  expect((await listed(hall, 'open')).map((meeting) => meeting.id)).toEqual([opened.id]);
});

test('an acceptance: at once and over a restart [WEB-ONCE]', async () => {
  const request = '---\ntitle: Look\nstatus: requested\nworker: researcher\nagenda: Look at it\n---\n# Look\n';
  const { hall, integration } = await startHallWithProject();
  const folder = join(integration, '.lore/meetings');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'look.md'), request);
  const acceptance = { id: 'look', message: 'Begin with the code', messageId: 'm-accept001' };
  const sendAgain = async (): Promise<MeetingOpened> =>
    (await hall.client.call('meeting.accept', acceptance)) as MeetingOpened;
  const [first, second] = await Promise.all([sendAgain(), sendAgain()]);
  expect(second).toEqual(first);
  await readTurn(hall, first.id, first.cursor, 1);
  await hall.restart();
  expect(await sendAgain()).toEqual(first);
  const { turns, meeting } = await show(hall, first.id);
  expect(turns.map(({ mark }) => mark)).toEqual(['m-accept001', 'done']);
  expect(meeting.log.filter(({ event }) => event === 'opened')).toHaveLength(1);
  for (const other of [{ messageId: 'm-accept001', message: 'Other' }, { messageId: 'm-accept002' }])
    await expect(hall.client.call('meeting.accept', { id: 'look', ...other })).rejects.toMatchObject({
      code: 'conflict',
    });
});

test(
  'killed with -9 at any write of an opening and a message, both are sent again and there is one of each [WEB-ONCE, SYS-CRASH]',
  { timeout: 240_000 },
  async () => {
    const repository = await makeRepository({ files: { 'src/count.ts': 'export const count = 1;\n' } });
    const home = await freshHome();
    await home.json('up', '--detach', '--port', '0');
    await home.json('project', 'add', repository.path, '--name', 'tally');
    await home.json('down');
    let died = 0;
    for (const write of [2, 3, 5, 7, 9]) {
      const ids = { open: `m-open${write}aaaa`, say: `m-say${write}aaaaa` };
      Object.assign(home.env, { GUILD_HALL_FAULT_AT: String(write), GUILD_HALL_FAULT_MATCH: 'researcher-' });
      const hall = spawnProgram(home, 'up', '--port', '0');
      for (const name of ['GUILD_HALL_FAULT_AT', 'GUILD_HALL_FAULT_MATCH']) delete home.env[name];
      const exited = once(hall, 'exit');
      onTestFinished(() => void hall.kill('SIGKILL'));
      await waitUntil(async () => (await findHall(home.path))?.identity.pid === hall.pid);
      // Where the hall dies first, the sender knows nothing of what became of it.
      const acknowledged = await sendBoth(await connectHall(home.path), ids).catch(() => undefined);
      if (acknowledged === undefined) died += 1;
      else hall.kill('SIGKILL');
      await exited;
      await home.json('up', '--detach', '--port', '0');
      const client = await connectHall(home.path);
      const again = await sendBoth(client, ids);
      if (acknowledged !== undefined) expect(again).toEqual(acknowledged);
      const { meetings } = (await client.call('meeting.list', { status: 'open' })) as MeetingList;
      expect([write, meetings.map(({ id }) => id)]).toEqual([write, [again.opened.id]]);
      const { turns, queue, running } = (await client.call('meeting.show', { id: again.opened.id })) as MeetingView;
      const waiting = [...(running === null ? [] : [running]), ...queue].map(({ messageId }) => messageId);
      const asked = turns.flatMap(({ speaker, mark }) => (speaker === 'user' ? [mark] : []));
      expect([write, [...new Set([...asked, ...waiting])]]).toEqual([write, [ids.open, ids.say]]);
      expect(new Set(asked).size).toBe(asked.length);
      await client.call('meeting.close', { id: again.opened.id });
      await home.json('down');
    }
    expect(died).toBeGreaterThan(2);
  },
);

async function sendBoth(
  client: HallClient,
  ids: { readonly open: string; readonly say: string },
): Promise<{ readonly opened: MeetingOpened; readonly said: Said }> {
  const opening = { project: 'tally', worker: 'researcher', message: 'Hello', messageId: ids.open };
  const opened = (await client.call('meeting.open', opening)) as MeetingOpened;
  const message = { id: opened.id, message: 'Where are words counted?', messageId: ids.say };
  return { opened, said: (await client.call('meeting.say', message)) as Said };
}
