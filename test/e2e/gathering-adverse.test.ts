/** What befalls gatherings: a hall that is started anew, members that die, silent ones, one that never stops, no tmux. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import { runCommand } from '../../src/kernel/processes/command.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { tmuxSocketOf } from '../../src/main/tmux-socket.ts';
import { waitUntil } from '../help/programs.ts';
import { type Answer, harvestWords, holdersIn, openCircle, saidIn, type TestCircle } from '../help/gatherings.ts';

const short = { structure: '1-1-1', beatsPerTurn: 2, beatIntervalSeconds: 30 };
const quick = { structure: '1-1-1', beatsPerTurn: 1, beatIntervalSeconds: 1 };
const harvest: readonly Answer[] = [harvestWords];

/** Three that are started for it, called `<one>`, `<one>2` and `<one>H`. */
const trio = (one: string): { participants: string[]; harvester: string } => ({
  participants: [`${one}=circle`, `${one}2=circle`],
  harvester: `${one}H=circle`,
});

function trailOf({ integration }: TestCircle, { gathering }: GatheringView): string {
  return readFileSync(join(integration, gathering.end!.trail), 'utf8');
}

test('a hall that is started anew: one goes on at the start of the turn, one closes with what there is, one gets the harvest that was on its way [GTH-STATE-3, GTH-STATE-5]', async () => {
  const circle = await openCircle({
    Ada: { turns: [null, 'Ada again. I pass'] },
    AdaH: { harvest },
    Ben: { turns: [null] },
    BenH: { harvest },
    Cyn: { turns: [null] },
    CynH: { harvest: [{ work: 1_500, say: harvestWords }] },
  });
  const { hall, show, taken } = circle;
  const begun = await Promise.all(['Ada', 'Ben', 'Cyn'].map(async (one) => circle.begin({ ...short, ...trio(one) })));
  const [goes, dies, closes] = begun.map(({ id }) => id) as [string, string, string];
  const hasArrived = async (id: string): Promise<boolean> =>
    typeof (await show(id)).gathering.turn?.arrivedAt === 'string';
  for (const id of [goes, dies]) await waitUntil(async () => hasArrived(id));
  await hall.client.call('gathering.end', { id: closes });
  await waitUntil(() => taken('CynH').some((text) => text.includes('Now you speak.')));
  await hall.stop();
  await circle.kill('Ben');
  await hall.restart();

  const [went, died, closed] = await Promise.all([goes, dies, closes].map(circle.untilClosed));
  expect(holdersIn(went!)).toEqual(['Ada', 'Ada', 'Ada2', 'Ada', 'Ada2', 'Ada', 'Ada2']);
  expect(saidIn(went!)[0]).toBe('1: Ada again. I pass');
  for (const name of ['Ada', 'Ada2', 'AdaH'])
    expect(
      taken(name).filter((text) => text.includes('The hall was started anew')),
      `to ${name}`,
    ).toHaveLength(1);
  expect(died!.gathering.close?.why).toEqual({ kind: 'restart' });
  expect(died!.gathering.end).toMatchObject({ isWrittenByHall: false });
  await waitUntil(() => taken('Ben2').some((text) => text.includes('The gathering is closed.')));
  expect(taken('CynH').filter((text) => text.includes('Now you speak.'))).toHaveLength(1);
  expect(closed!.gathering.end).toMatchObject({ isWrittenByHall: false, harvested: [{ kind: 'todo' }] });
  for (const id of [goes, dies, closes]) expect(trailOf(circle, went!).split(id).length, `of ${id}`).toBeGreaterThan(1);
  await waitUntil(async () => (await circle.terminals()).length === 0);
}, 120_000);

test('a harvester that is silent or dies, a speaker that never stops, silence, and too few: each comes to its close by itself [GTH-BEAT-1, GTH-HUMAN-2, GTH-HUMAN-6, GTH-HUMAN-8, GTH-HARVEST-9, GTH-HARVEST-10, GTH-BEAT-11, GTH-STATE-2]', async () => {
  const circle = await openCircle({
    Ada: { turns: ['I say one thing. I pass'] },
    Ben: { turns: ['I say one thing. I pass'] },
    BenH: { harvest: [{ exit: 1 }] },
    // It works on when all its time is over.
    Cyn: { turns: [{ work: 9_000, say: 'Much too late. I pass' }] },
    CynH: { harvest },
    Dan: { turns: [null, null, null] },
    DanH: { harvest },
    Eve: { turns: [{ exit: 1 }] },
    EveH: { harvest },
  });
  const { taken } = circle;
  const begin = async (one: string, shape: object): Promise<string> =>
    (await circle.begin({ ...trio(one), ...shape })).id;
  const ids = await Promise.all([
    begin('Ada', short),
    begin('Ben', short),
    begin('Cyn', { ...quick, beatIntervalSeconds: 2 }),
    begin('Dan', { ...quick, beatsPerTurn: 2, participants: ['Mo', 'Dan=circle'], human: 'Mo' }),
    begin('Eve', short),
  ]);
  const [silent, dead, endless, mute, few] = (await Promise.all(ids.map(circle.untilClosed))) as [
    GatheringView,
    GatheringView,
    GatheringView,
    GatheringView,
    GatheringView,
  ];
  for (const view of [silent, dead]) {
    expect(view.gathering.end).toMatchObject({ isWrittenByHall: true, harvested: [] });
    expect(trailOf(circle, view)).toContain('I say one thing');
  }
  expect(holdersIn(endless).slice(0, 2)).toEqual(['Cyn', 'Cyn2']);
  expect(saidIn(endless).some((words) => words.includes('Much too late'))).toBe(false);
  // One beat and two more.
  const turns = endless.messages.filter(({ kind }) => kind === 'piece').map(({ at }) => Date.parse(at));
  expect(turns[1]! - turns[0]!).toBeGreaterThanOrEqual(6_000);
  expect(taken('Cyn2').some((text) => text.includes('The time of Cyn (1) is up.'))).toBe(true);
  expect([holdersIn(mute).length, saidIn(mute).length]).toEqual([6, 0]);
  expect(mute.gathering.end).toMatchObject({ isWrittenByHall: false });
  proveWhatThePersonGot(mute);
  expect(few.gathering.close?.why).toEqual({ kind: 'few' });
  expect(few.gathering.end).toMatchObject({ isWrittenByHall: false });
}, 120_000);

/** The same as an agent: a seed, beats, the closing question; and after three time-outs they are still there. */
function proveWhatThePersonGot({ messages, gathering, you }: GatheringView): void {
  expect(gathering.seats[0]).toEqual({
    number: 1,
    name: 'Mo',
    role: 'speaker',
    terminal: null,
    isSpawned: false,
    state: 'here',
  });
  expect(you).toBe(1);
  const got = messages.filter(({ to }) => to.includes(1));
  const [seed, ...others] = got;
  expect(seed).toMatchObject({ kind: 'seed', to: [1] });
  expect(seed!.text.split('\n')[0]).toBe('You are **Mo** (1) in this gathering.');
  const beats = others.filter(({ kind }) => kind === 'beat').map(({ text }) => text);
  expect(beats.map((text) => text.slice(0, 10))).toEqual(
    Array.from({ length: 3 }, () => ['[Beat 1/2]', '[Beat 2/2]']).flat(),
  );
  expect(beats[0]).toMatch(/Continue, pivot, or pass\.$/);
  expect(beats[1]).toMatch(/Your turn is up\. What would you like to say last\?$/);
  // One second after the piece came, and two.
  const came = others.filter(({ kind, text }) => kind === 'beat' || text.includes('The piece is now with Mo'));
  const times = came.map(({ at }) => Date.parse(at));
  for (const start of [0, 3, 6]) {
    expect(times[start + 1]! - times[start]!).toBeGreaterThanOrEqual(1_000);
    expect(times[start + 2]! - times[start]!).toBeGreaterThanOrEqual(2_000);
  }
  expect(holdersIn({ messages })).toEqual(['Mo', 'Dan', 'Mo', 'Dan', 'Mo', 'Dan']);
  expect(got.every(({ receipts }) => receipts.find(({ to }) => to === 1)?.receipt.state === 'delivered')).toBe(true);
}

test('when tmux is killed with all its members, it closes and the record is its harvest [GTH-HARVEST-10]', async () => {
  const circle = await openCircle({ Ada: { turns: ['I saw it coming. I pass'] }, Ada2: { turns: [null] } });
  const { id } = await circle.begin({ ...short, ...trio('Ada') });
  await circle.untilHolds(id, 'Ada2');
  const socket = tmuxSocketOf(homePaths(circle.hall.home));
  await runCommand(
    { log: silentLog },
    { file: 'tmux', args: ['-S', socket, 'kill-server'], cwd: '/', env: process.env, timeoutMs: 10_000 },
  );
  const view = await circle.untilClosed(id);
  expect(view.gathering.end).toMatchObject({ isWrittenByHall: true });
  expect(trailOf(circle, view)).toContain('I saw it coming');
}, 120_000);
