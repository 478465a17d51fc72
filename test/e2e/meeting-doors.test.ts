/** Meetings through HTTP as the seed has it, and what a worker's checkout holds. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMeeting, readTurn, say, show, startHallWithProject } from '../help/halls.ts';

test('POST /meetings opens, POST /meetings/:id/messages says, DELETE /meetings/:id closes [MTG-14.3, MTG-14.4]', async () => {
  const { hall } = await startHallWithProject();
  const ask = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${hall.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${hall.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status >= 300) throw new Error(await response.text());
    return (await response.json()) as Record<string, unknown>;
  };
  const opened = await ask('POST', '/meetings', { project: 'tally', worker: 'researcher', message: 'Hello' });
  const id = String(opened['id']);
  await readTurn(hall, id, String(opened['cursor']), 1);
  const said = await ask('POST', `/meetings/${id}/messages`, { message: 'Where are words counted?' });
  const turn = await readTurn(hall, id, String(said['cursor']), Number(said['turn']));
  expect(turn.text).toContain('src/count.ts');
  expect(turn.all.every((event) => event.subject === `meeting:${id}`)).toBe(true);
  expect(await ask('DELETE', `/meetings/${id}`)).toMatchObject({ status: 'closed', merge: { state: 'merged' } });
});

test('a worker with the sparse scope sees only .lore/ in its worktree, one with the full scope the code [MTG-26.1, MTG-26.2, MTG-8.4]', async () => {
  const { hall } = await startHallWithProject();
  const sparse = await openMeeting(hall, { worker: 'facilitator', message: 'Hello' });
  const full = await openMeeting(hall, { worker: 'researcher', message: 'Hello' });
  const seen = (worktree: string): string[] =>
    readdirSync(worktree)
      .filter((name) => name !== '.git')
      .sort();
  expect(seen(sparse.worktree)).toEqual(['.lore']);
  expect(seen(full.worktree)).toEqual(['.lore', 'README.md', 'src']);
  expect(sparse.worktree).not.toBe(full.worktree);
});

test('a meeting that is left alone over restarts of the hall is as it was [MTG-13.1, MTG-29]', async () => {
  const { hall, repo } = await startHallWithProject();
  const { id, branch, worktree } = await openMeeting(hall, { message: 'Hello' });
  const before = await show(hall, id);
  const tip = repo.git('rev-parse', branch);
  for (let sitting = 0; sitting < 3; sitting += 1) await hall.restart();
  const after = await show(hall, id);
  expect(after.meeting).toEqual(before.meeting);
  expect(after.turns).toEqual(before.turns);
  expect(repo.git('rev-parse', branch)).toBe(tip);
  expect(existsSync(worktree)).toBe(true);
  expect((await say(hall, id, 'Still here?')).events.at(-1)).toMatchObject({ type: 'turn_end' });
});

test('what a meeting keeps in the home is closed to other users: folders 0700, files 0600 [SYS-HOME]', async () => {
  const { hall } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  for (const folder of [
    '',
    'meetings',
    'state',
    'state/meetings',
    'state/events',
    `state/agents/tally.meeting-${id}`,
  ]) {
    expect([folder, statSync(join(hall.home, folder)).mode & 0o077]).toEqual([folder, 0]);
  }
  for (const file of ['token', 'config.yaml', `meetings/${id}.md`, `state/meetings/tally.${id}.json`]) {
    expect([file, statSync(join(hall.home, file)).mode & 0o077]).toEqual([file, 0]);
  }
});

test('a reader that went away and comes back from its cursor misses nothing and gets nothing twice [WEB-CURSOR, SYS-EVENTS]', async () => {
  const { hall } = await startHallWithProject();
  const { id, cursor, first } = await openMeeting(hall, { message: 'Where are words counted?' });
  const halves: number[] = [];
  let from = cursor;
  for (;;) {
    const leaving = new AbortController();
    let taken = 0;
    for await (const event of hall.client.events({ subject: `meeting:${id}`, after: from, signal: leaving.signal })) {
      halves.push(event.seq);
      from = `${event.epoch}.${event.seq}`;
      taken += 1;
      if (taken === 3 || event.seq === first.all.at(-1)!.seq) break;
    }
    leaving.abort();
    if (halves.at(-1) === first.all.at(-1)!.seq) break;
  }
  expect(halves).toEqual(first.all.map(({ seq }) => seq));
});
