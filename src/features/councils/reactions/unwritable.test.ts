/** Councils whose session file cannot be written for a while, and what an interrupt leaves behind. */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cited, sampleDrafts, sampleSetup, sampleSpoken } from '../../../../test/help/council-values.ts';
import { makeRepository } from '../../../../test/help/repositories.ts';
import { createBackground } from '../../../kernel/background/background.ts';
import { systemClock, systemIds } from '../../../kernel/clock/clock.ts';
import { createLocks } from '../../../kernel/locks/locks.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { homePaths } from '../../../kernel/projects/home.ts';
import { defaultConfig } from '../../../kernel/projects/settings.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import type { CouncilsContext, CouncilTurns } from '../context.ts';
import { councilIdSchema, type CouncilSession, type CouncilSetup } from '../contract.ts';
import { answerCouncil, type ResumeFlags, resumeCouncil } from '../operations/answering.ts';
import { listCouncils, viewOf } from '../operations/reading.ts';
import { runningCouncils } from '../operations/running.ts';
import { waitingCouncils } from '../operations/waiting.ts';
import { putQuestion, startSession } from '../rules/steps.ts';
import { type CouncilRef, sessionsFolder } from '../store/place.ts';
import { readOwner } from '../store/secret.ts';
import { readSession, writeSession } from '../store/session-file.ts';
import { interruptCouncil } from './person.ts';
import { recoverCouncils } from './recovery.ts';
import { wakeCouncil } from './runner.ts';
import { beginCouncil } from './starting.ts';

const talking: CouncilTurns = {
  speak: async (_ctx, _ref, _session, step) =>
    sampleSpoken(`T${step.number}`, { claims: cited(`T${step.number}`), tokens: 10 }),
  draft: async (_ctx, _ref, { setup }) => sampleDrafts(setup.invitees.map(({ name }) => name)),
};

const toContinue: ResumeFlags = { continue: true, wrapUp: false };

interface Table {
  readonly ctx: CouncilsContext;
  readonly ref: CouncilRef;
  readonly idle: () => Promise<void>;
  readonly now: () => Promise<CouncilSession>;
}

/** A council that asks its first question. */
async function openTable(turns: Partial<CouncilTurns>, setup: Partial<CouncilSetup> = {}): Promise<Table> {
  const { path } = await makeRepository({ files: { 'README.md': '# Sample\n' } });
  const background = createBackground(silentLog);
  onTestFinished(async () => {
    await background.stop(5000);
  });
  const home = homePaths(join(path, '..', 'home'));
  const name = projectNameSchema.parse('sample');
  const parts = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home,
    config: () => ({ ...defaultConfig, projects: [{ name, path }] }),
    spawn: background.spawn,
    events: { publish: <T>(event: T) => event },
    turns: { ...talking, ...turns },
    liveCouncils: new Map(),
    knownSessions: new Map(),
    sandbox: { state: () => ({ kind: 'none', reason: 'not needed' }) },
    gateway: { describeModel: () => ({ isRehearsal: true }) },
  };
  // Of the context only what the engine needs besides its turns.
  const ctx = parts as unknown as CouncilsContext;
  const project = { name, path, integrationBranch: 'claude/main', integrationWorktree: home.integrationWorktree(name) };
  const ref = { project, id: councilIdSchema.parse('2026-05-18-who-owns-the-cache'), root: path };
  const begun = { sessionId: ref.id, project: name, charter: 'Who owns the cache?', cadence: 3, warnings: [] };
  await beginCouncil(ctx, ref, startSession(sampleSetup(['Ada', 'Ben'], { inPlace: path, ...setup }), begun));
  wakeCouncil(ctx, ref);
  await background.idle();
  return { ctx, ref, idle: background.idle, now: async () => (await readSession(path, ref.id))! };
}

/** From now on its file can be read and not be written: nothing of a council goes through a link. */
function refuseWrites({ ref: { root } }: Table): () => void {
  const folder = join(root, sessionsFolder);
  renameSync(folder, `${folder}-aside`);
  symlinkSync(`${folder}-aside`, folder);
  return () => {
    rmSync(folder);
    renameSync(`${folder}-aside`, folder);
  };
}

test('a council that could not be written down goes on where it was, when it is told to and the file can be written', async () => {
  let allow = (): void => {};
  const spoken: number[] = [];
  const told: unknown[] = [];
  const table = await openTable({
    speak: async (ctx, ref, session, step, hooks) => {
      spoken.push(step.number);
      if (spoken.length === 1) allow = refuseWrites(table);
      return await talking.speak(ctx, ref, session, step, hooks);
    },
  });
  const { ctx, ref, idle } = table;
  ctx.events.publish = (event) => (told.push(event.type, event.data), event as never);
  await answerCouncil(ctx, ref, { answer: 'continue' });
  await idle();
  expect(await table.now()).toMatchObject({ status: 'running', turnCounter: 0 });
  // Whoever follows it hears that it stands, and sees it so.
  expect(told.slice(-2)).toEqual(['council.status', expect.objectContaining({ to: 'paused' })]);
  expect(viewOf(ctx, ref, await table.now(), '')).toMatchObject({
    status: 'paused',
    trouble: expect.stringContaining('symbolic link'),
  });
  expect((await listCouncils(ctx, { project: undefined, status: 'paused' })).councils).toHaveLength(1);
  expect(await runningCouncils(ctx)).toEqual([]);
  const [item] = await waitingCouncils(ctx);
  expect(item).toMatchObject({
    title: 'A council cannot be written down',
    detail: expect.stringContaining('symbolic link'),
    actions: [{ operation: 'council.resume', input: { id: ref.id, continue: true } }],
  });
  // As long as nothing can be written, it says so and goes on waiting.
  await expect(resumeCouncil(ctx, ref, toContinue)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await waitingCouncils(ctx)).toHaveLength(1);
  allow();
  await resumeCouncil(ctx, ref, toContinue);
  await idle();
  expect(await table.now()).toMatchObject({ status: 'asking', question: { at: 'post-research' }, turnCounter: 2 });
  expect(spoken).toEqual([1, 1, 2]);
  expect((await waitingCouncils(ctx)).map(({ kind }) => kind)).toEqual(['yield']);
});

test('a council that goes on is not resumed a second time', async () => {
  const table = await openTable({
    speak: async (_ctx, _ref, _session, _step, { signal }) => {
      await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
      return { outcome: 'interrupted', tokens: 0 };
    },
  });
  const { ctx, ref } = table;
  await answerCouncil(ctx, ref, { answer: 'continue' });
  await expect.poll(() => ctx.liveCouncils.get(`sample/${ref.id}`)?.turn).toBeDefined();
  await expect(resumeCouncil(ctx, ref, toContinue)).rejects.toMatchObject({ code: 'conflict' });
  await interruptCouncil(ctx, ref);
  expect(await table.now()).toMatchObject({ status: 'paused' });
});

test('an interrupt ends the turn that runs and none after the resume, also where that turn failed at it', async () => {
  let isBroken = true;
  const table = await openTable({
    speak: async (ctx, ref, session, step, hooks) => {
      if (!isBroken) return await talking.speak(ctx, ref, session, step, hooks);
      await new Promise((done) => hooks.signal.addEventListener('abort', done, { once: true }));
      throw new Error('the pipe broke');
    },
  });
  const { ctx, ref, idle } = table;
  await answerCouncil(ctx, ref, { answer: 'continue' });
  await expect.poll(() => ctx.liveCouncils.get(`sample/${ref.id}`)?.turn).toBeDefined();
  expect(await interruptCouncil(ctx, ref)).toMatchObject({ status: 'paused' });
  isBroken = false;
  await resumeCouncil(ctx, ref, toContinue);
  await idle();
  expect(await table.now()).toMatchObject({ status: 'asking', turnCounter: 2 });
});

test('a council to which the person said yes to everything goes on by itself when the hall died at a question', async () => {
  const table = await openTable({}, { yes: true });
  const { ctx, ref, idle } = table;
  const saved = await table.now();
  expect(saved.status).toBe('saved');
  const begun = { sessionId: ref.id, project: ref.project.name, charter: saved.charter, cadence: 3, warnings: [] };
  const asked = putQuestion(
    startSession(saved.setup, begun),
    { kind: 'yield', at: 'post-charter', turns: 0 },
    '2026-05-18',
  );
  await writeSession(ctx, ref.root, asked.at(-1)!);
  expect(await table.now()).toMatchObject({ status: 'asking', turnCounter: 0 });
  await recoverCouncils(ctx);
  await idle();
  expect(await table.now()).toMatchObject({ status: 'saved', turnCounter: saved.turnCounter });
});

test('two halls that begin a council of one id in one checkout do not write over each other', async () => {
  const [one, other] = [await openTable({}), await openTable({})];
  const id = councilIdSchema.parse('2026-05-18-both');
  const begun = { sessionId: id, project: one.ref.project.name, cadence: 3, warnings: [] };
  const begin = async ({ ctx }: Table, charter: string): Promise<boolean> => {
    const setup = sampleSetup(['Ada', 'Ben'], { inPlace: one.ref.root });
    return beginCouncil(ctx, { ...one.ref, id }, startSession(setup, { ...begun, charter }));
  };
  const charters = ['Who is first?', 'Who is second?'];
  const begins = await Promise.all([begin(one, charters[0]!), begin(other, charters[1]!)]);
  expect(begins.filter((isBegun) => isBegun)).toHaveLength(1);
  expect((await readSession(one.ref.root, id))?.charter).toBe(charters[begins.indexOf(true)]);
  const owners = await Promise.all([one, other].map(({ ctx }) => readOwner(ctx, { ...one.ref, id })));
  expect(owners.map((owner) => owner !== undefined)).toEqual(begins);
});
