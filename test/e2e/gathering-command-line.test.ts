/** Gatherings on the command line: sitting in one at a terminal, and each verb for a script. */
import { expect, test } from 'vitest';
import type { GatheringStatus } from '../../src/features/gatherings/contract/gathering-views.ts';
import type { InboxItem, InboxList } from '../../src/features/inbox/contract.ts';
import type { Overview } from '../../src/features/overview/contract.ts';
import { openCircle, saidIn, type TestCircle } from '../help/gatherings.ts';
import { programFile, runProgram, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { startOnTerminal } from '../help/pty.ts';

useBuiltProgram();

const timeoutMs = 180_000;
const question = 'Alive?';
const wish = (participants: string): string[] =>
  `gathering start --rhythm daily --participants ${participants} --harvester Hal --structure 1-1-1 --beats 2 --beat-interval 300 --question ${question} --project tally`.split(
    ' ',
  );

function envOf({ hall }: TestCircle): NodeJS.ProcessEnv {
  return { ...process.env, GUILD_HALL_HOME: hall.home, NO_COLOR: '1' };
}

const starting = async (circle: TestCircle, ...names: string[]): Promise<unknown> =>
  await Promise.all(names.map(async (name) => await circle.start(name)));

test(
  'at a terminal the person is in it from its start: hears, speaks, passes, leaves, comes back, ends it [GTH-HUMAN-1, GTH-HUMAN-3, GTH-HUMAN-4, GTH-HUMAN-5, GTH-HUMAN-9, GTH-HUMAN-10]',
  async () => {
    const circle = await openCircle({
      Ada: { turns: ['Words are alive.\n\nI pass', 'I go on.'] },
      Hal: { harvest: ['## What emerged\nWords.\n\n## Individual, tangible\n- Mo: count them'] },
    });
    await starting(circle, 'Ada', 'Hal');
    const sit = (words: readonly string[]) =>
      startOnTerminal([process.execPath, programFile(), ...words], {
        env: envOf(circle),
        cwd: circle.hall.home,
        width: 100,
      });
    const first = sit([...wish('Ada,Mo'), '--human', 'Mo']);
    // The person's own seed, and what others get of the hall.
    await first.until('You are **Mo** (2) in this gathering.');
    await first.until('Inhale, round 1 of 1.');
    await first.until('◆ The piece is now with Ada (1)');
    await first.until(/Ada \(1\) {2}\d{4}-[\s\S]+Words are alive\./);
    await first.until('◆ The piece is now with Mo (2)');
    await first.until('It is your turn.');
    await first.until(/◆ your turn, beat 1 of 2, \d+ min(?: \d+ s)? left > /);
    first.type('From me.\r');
    await first.until('Said to all.');
    await waitUntil(() => circle.taken('Ada').includes('Mo (2):\n\nFrom me.'));
    first.type('/pass Ada\r');
    await first.until('Hold, round 1 of 1.');
    await first.until('I go on.');
    first.type('For later.\r');
    await first.until('Kept: it goes out with your next turn.');
    first.type('/host Ten minutes left\r');
    await first.until('Ten minutes left');
    await waitUntil(() =>
      circle.taken('Ada').some((text) => text.includes('Announcement') && text.endsWith('Ten minutes left')),
    );
    first.type('/status\r');
    await first.until('· 2 Mo (you)  waits');
    first.type('/nope\r');
    await first.until('/nope is no command here.');
    first.type('\u0003');
    await first.until('You left; the gathering goes on.');
    expect(await first.ended).toBe(130);

    const [{ id }] = (await listed(circle)) as [{ id: string }];
    const view = await circle.show(id);
    expect(view.gathering).toMatchObject({ stage: 'hold', turn: { holder: 1 } });
    expect(view.kept.map(({ text }) => text)).toEqual(['For later.']);
    expect(saidIn(view)).toEqual(['1: Words are alive.\n\nI pass', '2: From me.', '1: I go on.']);

    const second = sit(['gathering', 'join', id.slice(-4)]);
    await second.until('Words are alive.');
    await second.until('(Ada has the piece) > ');
    second.type('/end\r');
    await second.until('The close: the person ended the gathering.');
    await second.until('✓ The trail: .lore/gatherings/daily.md');
    await second.until('todo: Mo: count them');
    expect(await second.ended).toBe(0);
    const trailed = await circle.show(id);
    expect(trailed.gathering).toMatchObject({ stage: 'closed', close: { why: { kind: 'ended', by: 'person' } } });
  },
  timeoutMs,
);

async function listed({ hall }: TestCircle): Promise<readonly { id: string }[]> {
  return ((await hall.client.call('gathering.list', {})) as { gatherings: { id: string }[] }).gatherings;
}

test(
  'each verb for a script: what is started says what to type next, what is refused names the flag, nothing is started then [GTH-TOOL-3, GTH-TOOL-7, GTH-TOOL-9, GTH-TOOL-10, GTH-HARVEST-1, GTH-GUARD-5]',
  async () => {
    const circle = await openCircle({ Ada: { turns: ['Words.'] } });
    await starting(circle, 'Ada', 'Ben', 'Hal');
    const run = async (...words: string[]) => await runProgram(envOf(circle), circle.hall.home, words);
    const start = wish('Ada,Ben');
    const but = (flag: string, ...values: string[]): string[] => {
      const at = start.indexOf(flag);
      return [...start.slice(0, at), ...values.flatMap((value) => [flag, value]), ...start.slice(at + 2)];
    };
    const refused = await Promise.all(
      [
        but('--harvester'),
        but('--harvester', 'Hal', 'Ben'),
        but('--harvester', 'Hal,Ben'),
        but('--participants', 'Ada'),
        but('--participants', 'Ada,Nobody'),
        but('--beat-interval', '0'),
      ].map(async (words) => await run(...words)),
    );
    expect(refused.map(({ exitCode, err }) => `${exitCode} ${err.split('\n')[0]}`)).toEqual([
      expect.stringMatching(/^2 .*--harvester/),
      expect.stringMatching(/^2 .*--harvester/),
      expect.stringMatching(/^2 .*--harvester.*exactly one/),
      expect.stringMatching(/^2 .*two speakers/i),
      expect.stringMatching(/^4 .*There is no terminal "Nobody"/),
      expect.stringMatching(/^2 .*--beat-interval: .*at least 1/),
    ]);
    expect(await listed(circle)).toEqual([]);
    expect((await circle.terminals()).map(({ conversation }) => conversation)).toEqual([null, null, null]);

    const begun = await run(...start);
    const id = /The gathering has begun: (\S+)\n/.exec(begun.out)?.[1] ?? '';
    expect([begun.exitCode, begun.err]).toEqual([0, '']);
    expect(begun.out).toContain(`guild-hall gathering join ${id}\n`);
    await circle.untilHolds(id, 'Ada');
    await waitUntil(async () => saidIn(await circle.show(id)).length === 1);
    const status = JSON.parse((await run('gathering', 'status', '--json')).out) as GatheringStatus;
    expect(status).toMatchObject({ id, stage: 'inhale', holder: { name: 'Ada', number: 1 }, you: null, beats: 2 });
    expect((await run('gathering', 'list')).out).toContain(`● inhale  ${id}  daily`);
    expect((await run('gathering', 'status', id)).out).toContain('  ◆ 1 Ada  has the piece\n');
    expect((await run('gathering', 'show', id)).out).toMatch(/\nAda \(1\) {2}\d{4}-.+\nWords\.\n/);
    expect((await run('gathering', 'rhythms')).out).toMatch(/^daily +1-1-1/m);
    expect(await run('gathering', 'say', id, 'Hello')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('say') as string,
    });
    expect((await run('gathering', 'say', id, '--as-host', 'Five minutes')).out).toBe('✓ Announced to all.\n');
    expect(await run('gathering', 'pass', id)).toMatchObject({ exitCode: 3, out: '' });
    expect((await run('gathering', 'end', id)).out).toContain('✓ The gathering goes to its close;');
    await circle.untilClosed(id);
    expect((await run('gathering', 'end', id)).exitCode).toBe(5);
    // Without a terminal it is followed to its end, and that has come.
    const joined = await run('gathering', 'join', id);
    expect(joined.out).toMatch(/Words\.\n[\s\S]+✓ The trail: \.lore\/gatherings\/daily\.md.+the record\.\n/);
    expect((await run('gathering', 'show', 'nope')).exitCode).toBe(4);
    expect((await run('gathering', 'status')).err).toContain('No gathering runs.');
  },
  timeoutMs,
);

test(
  'the turn of the person waits in the inbox with what was said last, and can be taken there [GTH-HUMAN-4, GTH-HUMAN-6]',
  async () => {
    const harvest = ['## What emerged\nWords.'];
    const turns = ['Words are\n# alive.\n\nI pass', 'On.'];
    const circle = await openCircle({ Ada: { turns }, Hal: { harvest } });
    await starting(circle, 'Ada', 'Hal');
    const { client } = circle.hall;
    const members = { participants: ['Mo', 'Ada'], human: 'Mo', harvester: 'Hal', structure: '1-1-1' };
    const { id } = await circle.begin({ ...members, beatIntervalSeconds: 300 });
    const waiting = async (): Promise<InboxItem[]> => {
      const { items } = (await client.call('inbox.list', { kind: 'yield' })) as InboxList;
      return items.filter(({ subject }) => subject.id === id);
    };
    const running = async () =>
      ((await client.call('overview', {})) as Overview).running.flatMap(({ kind, worker, state }) =>
        kind === 'gathering' ? [[worker, state]] : [],
      );
    const [first] = await waiting();
    expect(first).toMatchObject({
      project: 'tally',
      title: 'It is your turn',
      subject: { kind: 'gathering', id, title: 'What is alive?' },
      detail: '> What is alive?\n\nNobody has spoken yet.',
      actions: [
        { verb: 'answer', operation: 'gathering.say', asks: 'text', field: 'text', required: true },
        { verb: 'pass', operation: 'gathering.pass', asks: 'nothing' },
      ],
    });
    expect(await running()).toEqual([['Mo, Ada, Hal', 'waiting']]);
    const text = 'It is slow.\n\nI pass';
    const acted = await client.call('inbox.act', { id: first!.id, verb: 'answer', text });
    expect(acted).toMatchObject({ operation: 'gathering.say', output: { id, fate: 'sent' } });
    await waitUntil(async () => (await waiting()).some((item) => item.id !== first!.id));
    const [second] = await waiting();
    // What a member says is a quotation, whatever stands in it.
    expect(second!.detail).toBe('> What is alive?\n\nAda (2):\n\n> Words are\n> # alive.\n> \n> I pass');
    await client.call('inbox.act', { id: second!.id, verb: 'pass' });
    await circle.untilHolds(id, 'Ada');
    expect(await waiting()).toEqual([]);
    expect(await running()).toEqual([['Mo, Ada, Hal', 'answering']]);
    expect(saidIn(await circle.show(id))[0]).toBe(`1: ${text}`);
    await client.call('gathering.end', { id });
    await circle.untilClosed(id);
    expect(await running()).toEqual([]);
  },
  timeoutMs,
);
