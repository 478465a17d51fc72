import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { systemClock, systemIds } from '../../kernel/clock/clock.ts';
import { type EventStream, openEventStream } from '../../kernel/events/events.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, personCaller } from '../../kernel/operations/operations.ts';
import { homePaths } from '../../kernel/projects/home.ts';
import type { ActivityId, ProjectName } from '../../kernel/pure/ids.ts';
import { loadWorkers } from '../../kernel/workers/catalogue.ts';
import type { WorkerList, WorkerMade, WorkerShown } from './contract.ts';
import { bindWorkerOperations } from './operations.ts';

const shipped = join(import.meta.dirname, '../../../workers');
const six = ['developer', 'facilitator', 'manager', 'researcher', 'reviewer', 'writer'];
const readOnly = ['Read', 'Grep', 'Glob'];

let root: string;
let kept: string;
let events: EventStream;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'workers-'));
  kept = await mkdtemp(join(tmpdir(), 'workers-events-'));
  events = await openEventStream({ clock: systemClock, ids: systemIds, log: silentLog }, kept);
});
afterEach(async () => {
  await events.close();
  await rm(kept, { recursive: true, force: true });
  await rm(root, { recursive: true, force: true });
});

async function call<Answer>(name: string, input: object = {}): Promise<Answer> {
  const home = homePaths(root);
  const catalogue = () => loadWorkers({ log: silentLog }, { shipped, packages: home.packages });
  const bound = bindWorkerOperations({ catalogue, home, locks: createLocks(), events });
  const operation = bound.find(({ description }) => description.name === name)!;
  return (await callOperation(operation, personCaller, input)) as Answer;
}

describe('the workers that ship with the hall', () => {
  test('are six, and nothing is wrong with them', async () => {
    const { workers, problems } = await call<WorkerList>('worker.list');
    expect(problems).toEqual([]);
    expect(workers.map(({ name }) => name)).toEqual(six);
    expect(workers.every(({ origin, insteadOf }) => origin === 'shipped' && insteadOf === null)).toBe(true);
    expect(Object.fromEntries(workers.map(({ name, checkoutScope }) => [name, checkoutScope]))).toEqual({
      developer: 'full',
      facilitator: 'sparse',
      manager: 'sparse',
      researcher: 'full',
      reviewer: 'full',
      writer: 'full',
    });
    expect(Object.fromEntries(workers.map(({ name, builtInTools }) => [name, builtInTools]))).toEqual({
      ...Object.fromEntries(six.map((name) => [name, readOnly])),
      developer: [...readOnly, 'Write', 'Edit', 'Bash'],
    });
  });

  test.each(six)(
    'the %s checks its result against the criteria, records the gap before it submits, and reports progress [COM-3a.1]',
    async (name) => {
      const { posture } = await call<WorkerShown>('worker.show', { name });
      const text = posture.replaceAll(/\s+/g, ' ');
      expect(text).toMatch(/check the result against the (?:agenda or the )?prompt's criteria, one by one/i);
      expect(text).toMatch(/could not check.{0,40}`log_question`.{0,10} (?:before `submit_result`|first)/);
      expect(text).toContain('`submit_result`');
      expect(text).toContain('`report_progress`');
      expect(posture.split('\n').length).toBeGreaterThanOrEqual(40);
      expect(posture.split('\n').length).toBeLessThanOrEqual(90);
    },
  );
});

test('the one that hands out work is told to write the outcome, and how it can be checked, into every prompt [COM-3]', async () => {
  const { posture } = await call<WorkerShown>('worker.show', { name: 'manager' });
  const text = posture.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Every prompt says: the \*\*outcome\*\*;.*\*\*how the worker can check it\*\*: commands to run/);
  expect(text).toContain('When no check can be named, say so in the prompt');
});

test('a worker is shown with its limits and its posture', async () => {
  const shown = await call<WorkerShown>('worker.show', { name: 'reviewer' });
  expect(shown).toMatchObject({
    displayName: 'Reviewer',
    maxTurns: 150,
    maxBudgetUsd: null,
    model: null,
    hasOwnActivation: false,
  });
  expect(shown.posture).toContain('## Prove each finding');
  await expect(call('worker.show', { name: 'reviewers' })).rejects.toMatchObject({
    code: 'not_found',
    hint: 'Did you mean "reviewer"? See: guild-hall worker list',
  });
});

describe('the councillors', () => {
  const modes = parse(readFileSync(join(import.meta.dirname, '../councils/knowledge/modes.yaml'), 'utf8')) as object;
  const named = [
    ...new Set(
      JSON.stringify(modes)
        .match(/"default_invitees":\[[^\]]*\]/g)!
        .flatMap((list) => [...list.matchAll(/"([A-Z][a-z]+)"/g)].map(([, name]) => name!)),
    ),
  ];

  test('are whom the modes invite by name, apart from those to meet [CNC-WHO-4]', async () => {
    const { workers, councillors } = await call<WorkerList>('worker.list', { councillors: true });
    expect(named).toHaveLength(26);
    expect(workers.map(({ displayName }) => displayName).toSorted()).toEqual(named.toSorted());
    expect(councillors).toBe(26);
    expect(workers.every(({ name, displayName, councillor }) => councillor && name === displayName.toLowerCase())).toBe(
      true,
    );
    expect(workers.every(({ builtInTools }) => builtInTools.join() === 'Read,Grep,Glob,Bash')).toBe(true);
    expect(new Set(workers.map(({ displayTitle }) => displayTitle)).size).toBe(26);
    expect(workers.filter(({ displayTitle }) => /[\]/[()\n]/.test(displayTitle))).toEqual([]);
    const others = await call<WorkerList>('worker.list');
    expect(others).toMatchObject({ councillors: 26 });
    expect(others.workers.map(({ name }) => name)).toEqual(six);
  });

  test('each have a way of their own: no two share a line', async () => {
    const { workers } = await call<WorkerList>('worker.list', { councillors: true });
    const seen = new Map<string, string>();
    for (const { name } of workers) {
      const { posture } = await call<WorkerShown>('worker.show', { name });
      const lines = posture.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
      expect([name, lines.length >= 20 && lines.length <= 40]).toEqual([name, true]);
      for (const line of lines) {
        expect([line, seen.get(line) ?? name]).toEqual([line, name]);
        seen.set(line, name);
      }
    }
  });
});

describe("a worker of one's own", () => {
  test('is a copy in the packages folder that can be changed by hand', async () => {
    const made = await call<WorkerMade>('worker.new', { name: 'code-historian', from: 'researcher' });
    expect(made).toMatchObject({
      name: 'code-historian',
      from: 'researcher',
      source: join(root, 'packages/code-historian'),
    });
    expect(await readFile(made.edit[0]!, 'utf8')).toBe(await readFile(join(shipped, 'researcher/posture.md'), 'utf8'));
    await writeFile(made.edit[0]!, 'Ask the log first.');
    const shown = await call<WorkerShown>('worker.show', { name: 'code-historian' });
    expect(shown).toMatchObject({
      displayName: 'Code historian',
      posture: 'Ask the log first.',
      origin: 'home',
      builtInTools: readOnly,
    });
    expect((await call<WorkerList>('worker.list')).problems).toEqual([]);
  });

  test('is told to whoever shows the workers', async () => {
    const after = events.cursor();
    await call('worker.new', { name: 'historian' });
    await expect(call('worker.new', { name: 'historian' })).rejects.toMatchObject({ code: 'conflict' });
    const told = events.subscribe({ after });
    await events.close();
    const all: unknown[] = [];
    for await (const { type, subject, data } of told) all.push({ type, subject, data });
    expect(all).toEqual([
      { type: 'worker.made', subject: 'worker:historian', data: { name: 'historian', from: 'researcher' } },
    ]);
  });

  test('by the name of a shipped one stands in for it, and the list says so', async () => {
    await call('worker.new', { name: 'developer', from: 'developer' });
    const { workers } = await call<WorkerList>('worker.list');
    const developer = workers.find(({ name }) => name === 'developer');
    expect(developer).toMatchObject({
      displayName: 'Developer',
      origin: 'home',
      insteadOf: join(shipped, 'developer'),
    });
  });

  test('does not overwrite one that is there', async () => {
    await call('worker.new', { name: 'historian' });
    await writeFile(join(root, 'packages/historian/posture.md'), 'Mine.');
    await expect(call('worker.new', { name: 'historian' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(join(root, 'packages/historian/posture.md'), 'utf8')).toBe('Mine.');
  });

  test('that a crash left half-made is completed by the same command', async () => {
    await mkdir(join(root, 'packages/historian'), { recursive: true });
    await writeFile(join(root, 'packages/historian/posture.md'), 'half');
    await call('worker.new', { name: 'historian' });
    expect((await call<WorkerShown>('worker.show', { name: 'historian' })).posture).toContain('You answer questions');
  });

  test.each([{ name: '../x' }, { name: 'A b' }, { name: 'historian', from: 'nobody' }, {}])(
    '%j is refused, and nothing is made',
    async (input) => {
      await expect(call('worker.new', input)).rejects.toMatchObject({
        code: expect.stringMatching(/invalid|not_found/),
      });
      expect(await readdir(root)).toEqual([]);
    },
  );

  test('is for the person to make, not for an agent', async () => {
    const home = homePaths(root);
    const catalogue = () => loadWorkers({ log: silentLog }, { shipped, packages: home.packages });
    const [list, , make] = bindWorkerOperations({ catalogue, home, locks: createLocks(), events });
    const activity = { project: 'shop' as ProjectName, kind: 'meeting', id: 'talk-1' as ActivityId };
    await expect(callOperation(make!, { kind: 'agent', activity }, { name: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await callOperation(list!, { kind: 'agent', activity }, {})).toMatchObject({ problems: [] });
  });
});
