/** The process of a worker as it is built, with the real SDK and real git, and no hall at all. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/features/commissions/contract/journal.ts';
import { appendWord } from '../../src/features/commissions/store/attempt.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { isSameProcess } from '../../src/kernel/processes/identity.ts';
import { findProcessesByMark } from '../../src/kernel/processes/marks.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { projectNameSchema, workerNameSchema } from '../../src/kernel/pure/ids.ts';
import { appendMemory } from '../../src/kernel/workers/memory.ts';
import { say } from '../../src/kernel/agents/conformance-bench.ts';
import { startScriptedModel } from '../fixtures/scripted-model.ts';
import { makeAttempt, type TestAttempt } from '../help/attempts.ts';
import { useBuiltProgram, waitUntil } from '../help/programs.ts';

useBuiltProgram();

/** A step that calls a tool. */
function call(tool: string, input: object): string {
  return `    - call: { tool: ${tool}, input: ${JSON.stringify(input)} }`;
}

function script(...steps: readonly string[]): string {
  return ['- match: /./', '  activity: commission', '  do:', ...steps].join('\n');
}

const submit = call('submit_result', { summary: 'It is **done**.', artifacts: ['README.md'] });
const patience = '    - wait: 60 s\n    - say: That was long.';

function lastOf(entries: readonly JournalEntry[]): JournalEntry | undefined {
  return entries.at(-1);
}

async function nothingLives(attempt: TestAttempt): Promise<void> {
  await waitUntil(async () => (await findProcessesByMark('GUILD_HALL_ATTEMPT', attempt.token)).length === 0);
}

describe('a commission without its hall', () => {
  test('is worked on from its order to its result [COM-11.1]', async () => {
    const prompt =
      'Find out how orders are parsed, and write it to `.lore/research/parsing.md`.\n\n"Quotes", {{id}} & ümläute: 🦉';
    const attempt = await makeAttempt({ prompt });
    const { child, ended } = attempt.start();
    expect(await ended).toEqual({ code: 0, signal: null });
    const identity = await attempt.identity();
    expect(identity).toMatchObject({ token: attempt.token, process: { pid: child.pid } });
    const entries = await attempt.entries();
    expect(entries.map(({ n }) => n)).toEqual(entries.map((_, i) => i + 1));
    expect(entries[0]).toMatchObject({ kind: 'started', isRehearsal: true });
    expect(lastOf(entries)).toMatchObject({ kind: 'ended', how: 'done', class: null, reason: '' });
    expect((await attempt.of('artifact')).map(({ path }) => path)).toEqual(['.lore/research/parsing.md']);
    expect(readFileSync(join(attempt.worktree, '.lore/research/parsing.md'), 'utf8')).toContain('src/parse.ts:1');
    expect(await attempt.result()).toMatchObject({ token: attempt.token, artifacts: ['.lore/research/parsing.md'] });
    expect((await attempt.of('progress')).length).toBeGreaterThan(1);
    expect(await attempt.of('question')).toEqual([]);
    expect((await attempt.of('usage')).at(-1)!.usage.inputTokens).toBeGreaterThan(0);
    const session = readdirSync(join(attempt.folder, 'agent'), { recursive: true }) as string[];
    const transcript = session.find((file) => file.endsWith('.jsonl'))!;
    const said = readFileSync(join(attempt.folder, 'agent', transcript), 'utf8')
      .split('\n')
      .filter(Boolean);
    expect(
      said.some((line) => (JSON.parse(line) as { message?: { content?: unknown } }).message?.content === prompt),
    ).toBe(true);
    const state = homePaths(attempt.home).state;
    expect(readdirSync(state).filter((name) => name.startsWith('hall'))).toEqual([]);
    expect(readdirSync(join(state, 'events'))).toEqual([]);
    await nothingLives(attempt);
  });

  test('speaks with the person’s model as its worker was activated, through a gateway of its own [COM-9.7]', async () => {
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    const entry = `{ name: own, modelId: claude-sonnet-4-5, baseUrl: "${model.baseUrl}", auth: { kind: api-key, key: the-persons-key } }`;
    const attempt = await makeAttempt({
      prompt: 'Do it.',
      config: `models: [${entry}]`,
      order: { earlier: 'It failed once.' },
    });
    model.answer('the-persons-key', say('Done.'));
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    expect((await attempt.of('started'))[0]).toMatchObject({ isRehearsal: false, model: 'own (claude-sonnet-4-5)' });
    const [request] = model.requests('the-persons-key');
    const system = JSON.stringify(request!.body.system);
    for (const part of ['You change code that other people', 'commission-parse-20261122-abcd', 'It failed once.'])
      expect(system).toContain(part);
    const names = request!.body.tools!.map(({ name }) => name.replace('mcp__hall__', ''));
    expect(names).toEqual(
      expect.arrayContaining(['Read', 'submit_result', 'report_progress', 'log_question', 'write_memory']),
    );
  });

  test('has one process only, which was started for it', async () => {
    const attempt = await makeAttempt({ prompt: 'Wait', scenario: script(patience) });
    expect(await attempt.start({ GUILD_HALL_ATTEMPT: 'x'.repeat(30) }).ended).toEqual({ code: 2, signal: null });
    expect(await attempt.identity()).toBeNull();
    const { child, ended } = attempt.start();
    await attempt.sees('started');
    expect(await attempt.start().ended).toEqual({ code: 2, signal: null });
    expect(attempt.log()).toContain('has a process already');
    expect((await attempt.identity())!.process.pid).toBe(child.pid);
    expect(await isSameProcess((await attempt.identity())!.process)).toBe(true);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(lastOf(await attempt.entries())).toMatchObject({ kind: 'ended', how: 'stopped' });
    expect((await attempt.of('ended')).length).toBe(1);
    await nothingLives(attempt);
  });

  test('keeps a submitted result over kill -9, and what is left of it can be found [COM-V14]', async () => {
    const attempt = await makeAttempt({ prompt: 'Go', scenario: script(submit, patience) });
    const { child, ended } = attempt.start();
    await attempt.sees('tool_result', 'submit_result');
    expect((await findProcessesByMark('GUILD_HALL_ATTEMPT', attempt.token)).length).toBeGreaterThan(1);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    expect(await attempt.result()).toMatchObject({ summary: 'It is **done**.', artifacts: ['README.md'] });
    expect(await attempt.of('ended')).toEqual([]);
    for (const { pid } of await findProcessesByMark('GUILD_HALL_ATTEMPT', attempt.token)) process.kill(pid, 'SIGKILL');
    await nothingLives(attempt);
  });

  test('has a whole result or none, wherever it dies while it writes one [COM-V14]', async () => {
    const outcomes = [];
    for (const at of [1, 2]) {
      const attempt = await makeAttempt({ prompt: 'Go', scenario: script(submit, patience) });
      const faults = { GUILD_HALL_FAULT_AT: String(at), GUILD_HALL_FAULT_MATCH: 'result.json' };
      expect((await attempt.start(faults).ended).signal).toBe('SIGKILL');
      outcomes.push((await attempt.result())?.summary);
      for (const { pid } of await findProcessesByMark('GUILD_HALL_ATTEMPT', attempt.token))
        process.kill(pid, 'SIGKILL');
    }
    expect(outcomes).toEqual([undefined, 'It is **done**.']);
  });
});

describe('the tools of a commission', () => {
  test('take one result; what is made afterwards is told too [COM-19.1, COM-18.5]', async () => {
    const attempt = await makeAttempt({
      prompt: 'Go',
      scenario: script(
        call('report_progress', { summary: 'First' }),
        call('report_progress', { summary: 'Second' }),
        call('log_question', { question: 'Which format?' }),
        call('record_decision', { question: 'Which?', decision: 'JSON', reasoning: 'It is there.' }),
        '    - say: Now the result.',
        call('submit_result', { summary: 'Bad', artifacts: ['../outside.md'] }),
        call('submit_result', { summary: 'The first', artifacts: ['./src//parse.ts', 'not/there.md'] }),
        '    - say: And another one.',
        call('submit_result', { summary: 'The second' }),
        call('write_artifact', { path: '.lore/late.md', content: '# Late' }),
        call('write_artifact', { path: '.lore/commissions/commission-other.md', content: '# Not mine' }),
        '    - say: Done.',
      ),
    });
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    expect(await attempt.result()).toMatchObject({ summary: 'The first', artifacts: ['src/parse.ts', 'not/there.md'] });
    const answers = (await attempt.of('tool_result')).filter(({ name }) => name === 'submit_result');
    expect(answers.map(({ ok }) => ok)).toEqual([false, true, false]);
    expect(answers[0]!.summary).toContain('Nothing was submitted');
    expect(answers[1]!.summary).toContain('Nothing stands at not/there.md yet');
    expect(answers[2]!.summary).toContain('it stands as it was');
    expect((await attempt.of('progress')).map(({ text }) => text)).toEqual(['First', 'Second']);
    expect((await attempt.of('question')).map(({ id, text }) => [id, text])).toEqual([['q1.1', 'Which format?']]);
    expect((await attempt.of('decision'))[0]).toMatchObject({ decision: 'JSON' });
    expect((await attempt.of('artifact')).map(({ path }) => path)).toEqual(['.lore/late.md']);
    expect(existsSync(join(attempt.worktree, '.lore/commissions'))).toBe(false);
    expect((await attempt.of('result')).map(({ summary }) => summary)).toEqual(['The first']);
  });

  test('are not needed to end, but words alone are no result [COM-18.3]', async () => {
    const attempt = await makeAttempt({ prompt: 'Go', scenario: script('    - say: I am done. submit_result!') });
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    expect(lastOf(await attempt.entries())).toMatchObject({ kind: 'ended', how: 'done' });
    expect(await attempt.result()).toBeNull();
  });

  test('give the words of the person with the next answer, each once', async () => {
    const list = call('list_artifacts', {});
    const attempt = await makeAttempt({
      prompt: 'Go',
      scenario: script(
        call('log_question', { question: 'Which format?' }),
        '    - wait: 1 s',
        list,
        '    - say: Again',
        list,
      ),
    });
    const { ended } = attempt.start();
    await attempt.sees('tool_result');
    const word = { at: systemClock.nowIso(), question: 'q1.1', text: 'JSON, please' };
    await appendWord(attempt.folder, word);
    await appendWord(attempt.folder, { ...word, question: null, text: 'And be quick' });
    expect(await ended).toEqual({ code: 0, signal: null });
    const lists = (await attempt.of('tool_result')).filter(({ name }) => name === 'list_artifacts');
    expect(lists[0]!.summary).toContain('The person answers your question q1.1 ("Which format?"):\nJSON, please');
    expect(lists[0]!.summary).toContain('The person says to you:\nAnd be quick');
    expect(lists[1]!.summary).not.toContain('JSON');
    expect((await attempt.of('heard')).map(({ word: n }) => n)).toEqual([2]);
  });

  test('write the memory that others write at the same moment', async () => {
    const note = (text: string): string =>
      call('write_memory', { scope: 'project', name: 'build', mode: 'append', content: text });
    const steps = Array.from({ length: 8 }, (_, i) => note(`worker ${i}`));
    const attempt = await makeAttempt({ prompt: 'Go', scenario: script(...steps, '    - say: Done') });
    const { ended } = attempt.start();
    const home = homePaths(attempt.home);
    const ctx = { clock: systemClock, ids: systemIds, locks: createLocks(), home };
    const owner = { project: projectNameSchema.parse('shop'), worker: workerNameSchema.parse('writer') };
    await attempt.sees('tool', 'write_memory');
    for (let i = 0; i < 40; i += 1) await appendMemory(ctx, owner, 'project', 'build', () => `hall ${i}\n\n`);
    expect(await ended).toEqual({ code: 0, signal: null });
    const text = readFileSync(join(home.memory, 'projects/shop/build.md'), 'utf8');
    const found = (who: string): number => text.split('\n').filter((line) => line.startsWith(`${who} `)).length;
    expect([found('worker'), found('hall')]).toEqual([8, 40]);
  });
});

describe('what goes wrong in a session', () => {
  test('a megabyte of words is kept in pieces, and a secret in none of them', async () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const attempt = await makeAttempt({ prompt: 'Speak [rehearse: huge]' });
    const secret = await makeAttempt({
      prompt: 'Go',
      scenario: script(
        `    - say: The key is ${key} and no other.`,
        call('report_progress', { summary: `Found ${key}` }),
      ),
    });
    const runs = [attempt.start().ended, secret.start().ended];
    expect(await Promise.all(runs)).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    const pieces = await attempt.of('text');
    expect(pieces.map(({ text }) => text).join('').length).toBeGreaterThan(1024 * 1024);
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(4000);
    expect(lastOf(await attempt.entries())).toMatchObject({ how: 'done' });
    const journal = readFileSync(join(secret.folder, 'journal.jsonl'), 'utf8');
    expect(journal).not.toContain(key);
    expect(journal).toContain('[secret removed');
  });

  test('a limit ends it by its name; those of the commission stand in for the package’s [COM-2.5, COM-2.6]', async () => {
    const turns = await makeAttempt({ prompt: 'Look [rehearse: loop]', order: { maxTurns: 3 } });
    const money = await makeAttempt({ prompt: 'Look [rehearse: loop]', order: { maxBudgetUsd: 0.0001 } });
    await Promise.all([turns.start().ended, money.start().ended]);
    expect(lastOf(await turns.entries())).toMatchObject({
      how: 'failed',
      class: 'max_turns',
      reason: 'turn limit reached (3)',
    });
    expect((await turns.of('tool')).length).toBe(3);
    const ended = lastOf(await money.entries());
    expect(ended).toMatchObject({ how: 'failed', class: 'budget' });
    expect(ended).toMatchObject({
      reason: expect.stringMatching(/^budget reached \(\$[\d.]+ of \$[\d.]+\)$/) as string,
    });
  });

  test('a long task of more than 30 turns comes to its end with the default [COM-C6]', async () => {
    const look = [call('list_artifacts', {}), '    - say: On.'];
    const steps = Array.from({ length: 34 }, () => look).flat();
    const attempt = await makeAttempt({ prompt: 'Go', scenario: script(...steps, submit, '    - say: Done') });
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    expect((await attempt.of('tool')).length).toBe(35);
    expect(await attempt.result()).not.toBeNull();
  });

  test('what the provider refuses is told with its class and its words', async () => {
    const config = 'agents: { maxRetries: 0 }';
    const failures = ['auth', 'rate_limit', 'overloaded'] as const;
    const attempts = await Promise.all(
      failures.map(async (name) => makeAttempt({ prompt: `Go [rehearse: ${name}]`, config })),
    );
    const ends = await Promise.all(attempts.map(async (attempt) => attempt.start().ended));
    expect(ends).toEqual(failures.map(() => ({ code: 0, signal: null })));
    const last = await Promise.all(attempts.map(async (attempt) => lastOf(await attempt.entries())));
    expect(last).toMatchObject([
      { how: 'failed', class: 'auth', reason: expect.stringContaining('refused the credential') as string },
      { how: 'failed', class: 'rate_limit', reason: expect.stringContaining('usage limit reached') as string },
      { how: 'failed', class: 'overloaded', reason: expect.stringContaining('overloaded') as string },
    ]);
    expect(last.every((entry) => entry?.kind === 'ended' && entry.hint !== '')).toBe(true);
  });

  test('an agent that falls silent is ended even where no hall watches, and a result before that stays', async () => {
    const config = 'agents: { silenceSeconds: 5, maxRetries: 0 }\ncommissions: { heartbeatSeconds: 5 }';
    const attempt = await makeAttempt({
      prompt: 'Go',
      config,
      scenario: script(submit, '    - say: I begin to speak, and then\n    - fail: stalled'),
    });
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    expect(lastOf(await attempt.entries())).toMatchObject({
      how: 'failed',
      class: 'crashed',
      reason: 'process unresponsive',
    });
    expect(await attempt.result()).toMatchObject({ summary: 'It is **done**.' });
    await nothingLives(attempt);
  });

  test('a fault of the process itself is its last line, and it ends with 1', async () => {
    const attempt = await makeAttempt({ prompt: 'Go', scenario: script(submit, patience) });
    const bomb = join(attempt.folder, 'bomb.cjs');
    writeFileSync(bomb, "process.on('SIGUSR2', () => setImmediate(() => { throw new Error('out of luck'); }));");
    const { child, ended } = attempt.start({ NODE_OPTIONS: `--require=${bomb}` });
    await attempt.sees('tool_result', 'submit_result');
    child.kill('SIGUSR2');
    expect(await ended).toEqual({ code: 1, signal: null });
    expect((await attempt.of('ended'))[0]).toMatchObject({
      how: 'failed',
      class: 'crashed',
      reason: 'process crashed: out of luck',
    });
    expect(await attempt.result()).not.toBeNull();
    await nothingLives(attempt);
  });

  test('a worker that is not there is named, and no agent is started', async () => {
    const attempt = await makeAttempt({ prompt: 'Go', worker: 'nobody' });
    expect(await attempt.start().ended).toEqual({ code: 0, signal: null });
    const [only, ...more] = await attempt.entries();
    expect(only).toMatchObject({
      kind: 'ended',
      how: 'failed',
      class: 'activation',
      reason: expect.stringContaining('nobody') as string,
    });
    expect(more).toEqual([]);
  });
});
