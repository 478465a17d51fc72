/** What reaches the model in a meeting: read off the wire by an endpoint that answers what it is told. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { say as answer } from '../../src/kernel/agents/conformance-bench.ts';
import { startScriptedModel, type WireModel } from '../fixtures/scripted-model.ts';
import {
  close,
  openMeeting,
  readTurn,
  say,
  show,
  startHallWithProject,
  type TestHall,
  untilStill,
} from '../help/halls.ts';

const key = 'person-key-1';

async function startScripted(extra = ''): Promise<{ model: WireModel; hall: TestHall; integration: string }> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const config = `model: scripted\nmodels:\n  - { name: scripted, modelId: scripted-1, baseUrl: "${model.baseUrl}", auth: { kind: api-key, key: ${key} } }\n${extra}`;
  const { hall, integration } = await startHallWithProject({ config });
  return { model, hall, integration };
}

const systemOf = (request: { body: { system?: unknown } }): string => JSON.stringify(request.body.system);

/** Texts of the person's messages as the model got them, without what the client adds. */
function wordsOf(request: { body: { messages: readonly { role: string; content: unknown }[] } }): string[] {
  return request.body.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : (content as { type: string; text?: string }[]),
    )
    .filter(({ type, text }) => type === 'text' && !/^\s*<system-reminder>/.test(text ?? ''))
    .map(({ text }) => text ?? '');
}

test('the first turn: the words of the person as they are; posture, context and tools of the worker, and nothing else [MTG-8.5, MTG-8.6, MTG-8.7, MTG-10.1, MTG-16.1, MTG-18.1, MTG-18.2, MTG-C3, MTG-C7, COM-17.2, SYS-GATEWAY, SYS-WORKER-CONTEXT]', async () => {
  const { model, hall } = await startScripted();
  const { id, first } = await openMeeting(hall, {
    message: 'What is here?\n  Two lines.',
    artifacts: ['README.md'],
    agenda: 'An overview of the project',
  });
  expect(first.text).toBe('Nothing is scripted.');
  const [request] = model.requests(key);
  expect(wordsOf(request!).at(-1)).toBe(
    'Agenda: An overview of the project\n\nReferenced artifacts:\n- README.md\n\nWhat is here?\n  Two lines.',
  );
  const system = systemOf(request!);
  expect(system).toContain(id);
  expect(system).toContain('An overview of the project');
  expect(system).toContain('not a commission');
  const posture = readFileSync('workers/researcher/posture.md', 'utf8').trim().split('\n').at(-1)!;
  expect(system).toContain(JSON.stringify(posture).slice(1, -1));
  // The client itself adds a placeholder that nothing can call.
  const names = (request!.body.tools ?? [])
    .map(({ name }) => name)
    .filter((name) => name !== 'DeferredToolPlaceholder')
    .sort();
  expect(names).toEqual(
    [
      'Glob',
      'Grep',
      'Read',
      'link_artifact',
      'propose_followup',
      'summarize_progress',
      'list_artifacts',
      'read_artifact',
      'write_artifact',
      'record_decision',
      'list_memory',
      'read_memory',
      'write_memory',
    ]
      .map((name) => (/^[A-Z]/.test(name) ? name : `mcp__hall__${name}`))
      .sort(),
  );
  expect(JSON.stringify(request!.headers)).not.toContain(hall.token);

  await say(hall, id, 'And then?');
  const second = model.requests(key).at(-1)!;
  expect(wordsOf(second).at(-1)).toBe('And then?');
  expect(second.conversation).toContain('What is here?');
});

test('the message alone is the first prompt where no agenda is given [MTG-8.7]', async () => {
  const { model, hall } = await startScripted();
  await openMeeting(hall, { message: 'Just this.' });
  expect(wordsOf(model.requests(key)[0]!).at(-1)).toBe('Just this.');
});

test('an accepted request: the agenda is the first prompt, the words of the person follow it [MTG-8.8, MTG-8.9]', async () => {
  const { model, hall, integration } = await startScripted();
  mkdirSync(join(integration, '.lore/meetings'), { recursive: true });
  const request = (name: string): void =>
    writeFileSync(
      join(integration, '.lore/meetings', `${name}.md`),
      '---\nstatus: requested\nworker: reviewer\nagenda: Present what you found\n---\n',
    );
  request('alone');
  request('with-words');
  for (const [id, message, expected] of [
    ['alone', undefined, 'Present what you found'],
    ['with-words', 'Be short', 'Present what you found\n\nBe short'],
  ] as const) {
    const accepted = (await hall.client.call('meeting.accept', message === undefined ? { id } : { id, message })) as {
      cursor: string;
    };
    await readTurn(hall, id, accepted.cursor, 1);
    expect(wordsOf(model.requests(key).at(-1)!).at(-1)).toBe(expected);
  }
});

test('a renewed session is told posture, memory and what was said, and the message once [MTG-12.1, MTG-12.2]', async () => {
  const { model, hall } = await startScripted();
  const memory = join(hall.home, 'memory/projects/tally');
  mkdirSync(memory, { recursive: true });
  writeFileSync(join(memory, 'facts.md'), 'The person likes short answers.\n');
  const { id } = await openMeeting(hall, { message: 'The password of the day is heron.' });
  await hall.stop();
  rmSync(join(hall.home, 'state/agents', `tally.meeting-${id}`, 'config'), { recursive: true });
  await hall.restart();
  await say(hall, id, 'Which one was it?');
  const renewed = model.requests(key).at(-1)!;
  expect(wordsOf(renewed)).toEqual(['Which one was it?']);
  expect(systemOf(renewed)).toContain('The password of the day is heron.');
  expect(systemOf(renewed)).toContain('The person likes short answers.');
  expect(systemOf(renewed)).toContain(
    JSON.stringify(readFileSync('workers/researcher/posture.md', 'utf8').trim().split('\n').at(-1)!).slice(1, -1),
  );
});

test('the session id is in the record before the first turn is over [MTG-8.10]', async () => {
  const { hall } = await startScripted();
  const { id, first } = await openMeeting(hall, { message: 'Hello' });
  expect(first.events.at(-1)!.type).toBe('turn_end');
  expect((await show(hall, id)).meeting.sessionId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a package of the person whose own activation ignores the context still gets it [MTG-8.6, SYS-WORKER-CONTEXT]', async () => {
  const { model, hall } = await startScripted();
  const folder = join(hall.home, 'packages/own');
  mkdirSync(folder, { recursive: true });
  const guildHall = {
    type: 'worker',
    identity: { name: 'own', description: 'Has its own activation.', displayTitle: 'Own' },
    toolboxes: [],
    builtInTools: [],
    checkoutScope: 'sparse',
    activation: './activate.js',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'own', type: 'module', guildHall }));
  writeFileSync(join(folder, 'posture.md'), 'A posture.\n');
  writeFileSync(
    join(folder, 'activate.js'),
    'export const activate = (context) => ({ systemPrompt: `MINE ${context.activity?.kind ?? JSON.stringify(context).length}` });\n',
  );
  const { id } = await openMeeting(hall, { worker: 'own', message: 'Hello' });
  const system = systemOf(model.requests(key)[0]!);
  expect(system).toContain('MINE');
  expect(system).toContain(id);
});

test('the notes are written by the model; when it fails they are assembled, and the transcript is kept', async () => {
  const { model, hall } = await startScripted('agents: { maxRetries: 0, maxPrepared: 0 }\n');
  const one = await openMeeting(hall, { message: 'Hello' });
  model.answer(key, answer('## Summary\n\nThe model wrote this.\n\n## Open questions\n\n- None of note'));
  const written = await close(hall, one.id);
  expect(written.notes).toContain('The model wrote this.');
  expect(written.notes.indexOf('## Decisions')).toBeGreaterThan(written.notes.indexOf('## Summary'));
  expect(written.transcriptKept).toBe(false);
  const two = await openMeeting(hall, { message: 'Hello again' });
  model.answer(key, { status: 401 });
  const assembled = await close(hall, two.id);
  expect(assembled).toMatchObject({ status: 'closed', merge: { state: 'merged' }, transcriptKept: true });
  expect(assembled.notes).toContain('The model could not write these notes');
  expect(assembled.notes).toContain('Hello again');
});

test('what a meeting used so far adds up over its answers, over a restart, and stands in its record after the close', async () => {
  const { hall, integration } = await startScripted();
  const { id, first } = await openMeeting(hall, { message: 'Hello' });
  const second = await say(hall, id, 'And then?');
  await untilStill(hall, id);
  const told = [...first.all, ...second.all].filter(({ type }) => type === 'meeting.turn_usage');
  const each = told.map(({ data }) => data as { inputTokens: number; outputTokens: number; contextUsed: number });
  expect(each).toHaveLength(2);
  const sum = {
    inputTokens: each[0]!.inputTokens + each[1]!.inputTokens,
    outputTokens: each[0]!.outputTokens + each[1]!.outputTokens,
    contextUsed: each[1]!.contextUsed,
    contextWindow: expect.any(Number) as number,
  };
  expect(sum.outputTokens).toBeGreaterThan(0);
  const { usage } = await show(hall, id);
  expect(usage).toMatchObject(sum);
  expect((await show(hall, id)).turns.at(-1)!.usage).toMatchObject({ outputTokens: each[1]!.outputTokens });
  await hall.restart();
  expect((await show(hall, id)).usage).toEqual(usage);
  await close(hall, id);
  const after = await show(hall, id);
  expect([after.turns, after.usage]).toEqual([[], usage]);
  expect(readFileSync(join(integration, after.meeting.path), 'utf8')).toContain('usage:');
});

test('the rehearsal costs nothing that is known', async () => {
  const { hall } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const { usage } = await show(hall, id);
  expect(usage?.costUsd ?? null).toBeNull();
});
