/** The hall is killed at one point of a gathering after the other, and the next one goes on: nothing is lost, nothing comes twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/interfaces/cli/client.ts';
import { harvestWords, holdersIn, openCircle, saidIn, type TestCircle } from '../help/gatherings.ts';
import { programFile, useBuiltProgram, waitUntil } from '../help/programs.ts';

useBuiltProgram();

interface Fault {
  readonly match: string;
  readonly at: number;
}

interface Dying {
  readonly child: ChildProcess;
  /** How it ended; undefined while it runs. */
  end: string | undefined;
}

/** A hall that dies at that point. */
function startDying({ hall: { home } }: TestCircle, { match, at }: Fault): Dying {
  const env = { ...process.env, GUILD_HALL_HOME: home, GUILD_HALL_FAULT_MATCH: match, GUILD_HALL_FAULT_AT: `${at}` };
  const child = spawn(process.execPath, [programFile(), 'up', '--port', '0'], { env, cwd: home, stdio: 'ignore' });
  const dying: Dying = { child, end: undefined };
  child.once('exit', (code, signal) => (dying.end = signal ?? `exit code ${code}`));
  return dying;
}

/** @returns `closed` where the gathering was over before it came to that point */
async function runUntilDead(circle: TestCircle, id: string, fault: Fault): Promise<string> {
  const dying = startDying(circle, fault);
  const file = join(circle.hall.home, 'state/gatherings', id, 'gathering.json');
  const isClosed = (): boolean => (JSON.parse(readFileSync(file, 'utf8')) as { stage: string }).stage === 'closed';
  await waitUntil(() => dying.end !== undefined || isClosed());
  if (dying.end !== undefined) return dying.end;
  dying.child.kill('SIGKILL');
  await waitUntil(() => dying.end !== undefined);
  return 'closed';
}

/** In the turns, before and after the record is changed, and between what is kept and what is handed over; then in the close. */
const faults: readonly Fault[] = [
  { match: 'gathering:before', at: 2 },
  { match: 'gathering:after', at: 2 },
  { match: 'write:after:gathering.json', at: 3 },
  { match: 'relay:after:keep', at: 1 },
  { match: 'relay:before:hand-over', at: 5 },
  { match: 'write:after:harvest.json', at: 1 },
  { match: 'write:after:daily.md', at: 1 },
  { match: 'gathering:after', at: 1 },
];

test('killed at every step of its turns and of its close: each speaks once a round, all words arrive once, there is one entry in the trail [GTH-STATE-2, GTH-STATE-5, GTH-HARVEST-8, GTH-RELAY-5, GTH-RELAY-17, GTH-PIECE-14]', async () => {
  const circle = await openCircle(
    { Ada: { says: 'Ada' }, Grace: { says: 'Grace' }, Hal: { harvest: [{ work: 1_000, say: harvestWords }] } },
    { settings: 'graceSeconds: 20, harvestSeconds: 60' },
  );
  const { id } = await circle.begin({
    participants: ['Ada=circle', 'Grace=circle'],
    harvester: 'Hal=circle',
    structure: '2-2-2',
    beatIntervalSeconds: 60,
  });
  await circle.hall.stop();
  for (const fault of faults)
    expect(await runUntilDead(circle, id, fault), `${fault.match} ${fault.at}`).toBe('SIGKILL');
  await circle.hall.restart();

  const view = await circle.untilClosed(id);
  const words = view.messages.filter(({ kind, to }) => kind === 'words' && to.length > 0);
  expect(words.map(({ from }) => from)).toEqual([1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2]);
  expect(new Set(saidIn(view)).size).toBe(12);
  // A turn that began anew was announced anew.
  const holders = holdersIn(view).filter((name, index, names) => name !== names[index - 1]);
  expect(holders).toEqual(words.map(({ from }) => (from === 1 ? 'Ada' : 'Grace')));
  for (const [name, own] of [
    ['Ada', 1],
    ['Grace', 2],
    ['Hal', 3],
  ] as const) {
    const spoken = circle.taken(name).filter((text) => /^(?:Ada|Grace) \(\d\):/.test(text));
    const expected = words
      .filter(({ from }) => from !== own)
      .map(({ from, text }) => `${from === 1 ? 'Ada' : 'Grace'} (${from}):\n\n${text}`);
    expect(spoken, `to ${name}`).toEqual(expected);
    expect(
      circle.taken(name).filter((text) => text.startsWith('You are **')),
      `to ${name}`,
    ).toHaveLength(1);
    expect(
      circle.taken(name).filter((text) => text.includes('The close:')),
      `to ${name}`,
    ).toHaveLength(1);
  }
  expect(view.gathering.end).toMatchObject({ isWrittenByHall: false, harvested: [{ kind: 'todo' }] });
  const trail = readFileSync(join(circle.integration, view.gathering.end!.trail), 'utf8');
  expect(trail.split('Counting is not understanding.')).toHaveLength(2);
  await waitUntil(async () => (await circle.terminals()).length === 0);
}, 240_000);

test('killed while it is begun: nothing of it is left, and it can be begun again [GTH-STATE-5]', async () => {
  const circle = await openCircle({ Ada: { says: 'Ada' }, Grace: { says: 'Grace' }, Hal: { harvest: [harvestWords] } });
  const { home } = circle.hall;
  const wanted = {
    participants: ['Ada=circle', 'Grace=circle'],
    harvester: 'Hal=circle',
    structure: '1-1-1',
    beatIntervalSeconds: 60,
  };
  await circle.hall.stop();
  const dying = startDying(circle, { match: 'write:before:gathering.json', at: 1 });
  const record = join(home, 'state/hall.json');
  await waitUntil(() => existsSync(record));
  const { url } = JSON.parse(readFileSync(record, 'utf8')) as { url: string };
  circle.hall.client = createClient(home, url, readFileSync(join(home, 'token'), 'utf8').trim());
  await expect(circle.begin(wanted)).rejects.toMatchObject({ code: 'unavailable' });
  await waitUntil(() => dying.end !== undefined);
  await circle.hall.restart();
  expect(await circle.hall.client.call('gathering.list', {})).toEqual({ gatherings: [] });
  await waitUntil(async () => (await circle.terminals()).length === 0);
  const { id } = await circle.begin(wanted);
  expect(saidIn(await circle.untilClosed(id))).toHaveLength(6);
}, 90_000);
