/** An agent that takes a request and never answers it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AcpRig, createAcpRig } from '../../../../../test/fixtures/acp-rig.ts';
import { systemClock } from '../../../clock/clock.ts';
import { type Deferred, deferred } from '../../../pure/deferred.ts';
import { benchOf, collect, lastOf, say, sessionOf, textOf } from '../../conformance-bench.ts';

/** Nothing but the limit of an answer sleeps so long. */
const answerMs = 7_654_300;

/** An agent that owes the answer to `request`; it is late when the test says so. */
async function openOwing(request: string) {
  const waiting: Deferred<void>[] = [];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms !== answerMs) return await systemClock.sleep(ms, signal);
    const limit = deferred();
    waiting.push(limit);
    await limit.promise;
  };
  const late = (): void => {
    for (const limit of waiting.splice(0)) limit.resolve();
  };
  const rig = await createAcpRig({ handshakeMs: answerMs, clock: { ...systemClock, sleep } });
  onTestFinished(async () => await rig.close());
  rig.flags = [`owes=${request}`];
  const bench = benchOf(rig);
  const opened = await bench.open();
  const asked = async (): Promise<void> => {
    await expect.poll(() => existsSync(join(opened.options.cwd, 'asked'))).toBe(true);
  };
  return { rig, bench, ...opened, late, asked };
}

async function expectAnswered(rig: AcpRig, { session, key }: Awaited<ReturnType<typeof openOwing>>): Promise<void> {
  rig.flags = [];
  rig.model.answer(key, say('Here.'));
  expect(textOf(await collect(session.prompt('Now?')))).toBe('Here.');
  await session.close();
  expect(await rig.livePids()).toEqual([]);
}

test('a new session that does not come ends its turn and the process; the next prompt has another one', async () => {
  const owing = await openOwing('new');
  const events = collect(owing.session.prompt('Go.'));
  await owing.asked();
  owing.late();
  expect(lastOf(await events)).toMatchObject({
    type: 'error',
    errorClass: 'protocol',
    message: expect.stringMatching(/did not answer a request of the hall within 7654.3 s/),
    hint: expect.stringContaining('Send the message again'),
  });
  await expectAnswered(owing.rig, owing);
});

test('a turn that is stopped before its session came lets the next one begin', async () => {
  const owing = await openOwing('new');
  const events = collect(owing.session.prompt('Go.'));
  await owing.asked();
  await owing.session.interrupt();
  expect(lastOf(await events)).toMatchObject({ type: 'end', reason: 'interrupted' });
  owing.late();
  await expectAnswered(owing.rig, owing);
});

test('a session that does not come can be closed', async () => {
  const { rig, session, asked, late } = await openOwing('new');
  const begun = session.begin!().then(
    () => 'begun',
    ({ message }: Error) => message,
  );
  await asked();
  const closed = session.close();
  late();
  expect(await begun).toContain('did not answer a request of the hall');
  await closed;
  expect(await rig.livePids()).toEqual([]);
});

test('a session that is not taken up ends its turn and the process', async () => {
  const { rig, bench, session, key, options, asked, late } = await openOwing('load');
  rig.model.answer(key, say('Noted.'));
  const resume = sessionOf(await collect(session.prompt('Note.')));
  await session.close();
  const { session: second } = await bench.open(options);
  const events = collect(second.prompt('Go.', { resume }));
  await asked();
  late();
  expect(lastOf(await events)).toMatchObject({
    errorClass: 'protocol',
    message: expect.stringContaining('did not answer a request of the hall'),
  });
  await second.close();
  expect(await rig.livePids()).toEqual([]);
});

test('a choice that is made again for a session that was taken up, and is not answered, ends the turn and the process', async () => {
  const { rig, bench, session, options, asked, late } = await openOwing('nothing');
  const { sessionId } = await session.begin!();
  await session.choose!(sessionId, 'mode', 'plan');
  for (const pid of await rig.livePids()) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => await rig.livePids()).toEqual([]);
  rig.flags = ['usual-mode', 'owes=set_mode'];
  // One beside it in the same place begins the process, once the hall knows of the other's death.
  const { activity: _own, model, ...place } = options;
  const beside = await bench.open({ ...place, model: { ...model, token: 'beside' } });
  const begin = async () =>
    await beside.session.begin!().then(
      () => 'begun',
      ({ message }: Error) => message,
    );
  await expect.poll(begin).toBe('begun');
  const events = collect(session.prompt('Go.', { resume: sessionId }));
  await asked();
  late();
  expect(lastOf(await events)).toMatchObject({
    errorClass: 'protocol',
    message: expect.stringContaining('did not answer a request of the hall'),
  });
  await session.close();
  await beside.session.close();
  expect(await rig.livePids()).toEqual([]);
});

test('a choice that is not answered is refused; the process and its sessions stay', async () => {
  const { rig, session, key, asked, late } = await openOwing('set_mode');
  const { sessionId } = await session.begin!();
  const chosen = session.choose!(sessionId, 'mode', 'plan').then(
    () => 'chosen',
    (error: unknown) => error,
  );
  await asked();
  late();
  expect(await chosen).toMatchObject({
    code: 'unavailable',
    message: 'The small agent did not answer within 7654.3 s when it was to change Mode.',
    hint: expect.stringContaining('Choose again'),
  });
  rig.model.answer(key, say('Here.'));
  expect(textOf(await collect(session.prompt('Go.', { resume: sessionId })))).toBe('Here.');
  await session.close();
});
