/** What the tools of a commission leave on disk, and what becomes of what an agent says; on a real attempt's folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import type { ToolOutcome } from '../../../kernel/agents/tools.ts';
import { createBackground } from '../../../kernel/background/background.ts';
import { systemIds } from '../../../kernel/clock/clock.ts';
import { createLocks } from '../../../kernel/locks/locks.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { readyToFind } from '../../../kernel/secrets/find.ts';
import { scrub } from '../../../kernel/secrets/scrub.ts';
import type { JournalEntry } from '../contract/journal.ts';
import { appendWord, openJournal, readJournal, readResult } from '../store/attempt.ts';
import { createCommissionToolbox } from '../toolbox.ts';
import type { Attempt, WorkerContext } from './context.ts';
import { createDesk } from './desk.ts';
import { startHearing, takeWords, withHearing } from './hearing.ts';
import { madeBy, startMade, tellMade } from './made.ts';
import { startTelling, tell, tellLife, tellRest } from './telling.ts';

const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

async function rig() {
  await readyToFind();
  const folder = await tempFolder();
  const worktree = join(folder, 'work');
  mkdirSync(join(worktree, '.lore'), { recursive: true });
  const clock = handClock();
  const background = createBackground(silentLog);
  const ctx = {
    clock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    spawn: background.spawn,
    scrub,
  } as unknown as WorkerContext;
  const journal = await openJournal(ctx, folder);
  const attempt = { folder, journal, order: { worktree, attempt: 2, token: 't'.repeat(30) } } as unknown as Attempt;
  const hearing = startHearing(ctx, attempt);
  onTestFinished(async () => {
    await hearing.follower.close();
    await background.stop(5000);
    await journal.close();
  });
  const tools = withHearing(createCommissionToolbox(createDesk(ctx, attempt, hearing)), hearing);
  const call = async (name: string, input: object): Promise<ToolOutcome> =>
    await tools.find((tool) => tool.name === name)!.run(input as never);
  const lines = async (): Promise<JournalEntry[]> => [...(await readJournal(folder, { from: 1, limit: 1000 })).entries];
  return { ctx, clock, attempt, folder, worktree, hearing, call, lines };
}

test('a report and a question are on disk before the worker goes on, without secrets [COM-18.1, COM-18.4]', async () => {
  const { call, lines } = await rig();
  expect(await call('report_progress', { summary: `Half of it; ${key}` })).toMatchObject({ text: 'Reported.' });
  expect((await call('log_question', { question: 'Which?' })).text).toContain('Recorded as q2.1.');
  expect((await call('log_question', { question: 'And when?' })).text).toContain('Recorded as q2.2.');
  expect(await lines()).toMatchObject([
    { kind: 'progress', text: expect.stringMatching(/^Half of it; \[secret removed/) as string },
    { kind: 'question', id: 'q2.1', text: 'Which?' },
    { kind: 'question', id: 'q2.2', text: 'And when?' },
  ]);
});

test('a result is taken once, with plain paths of the project only [COM-18.2, COM-19.1, COM-V14]', async () => {
  const { call, folder, worktree, lines } = await rig();
  writeFileSync(join(worktree, 'a.md'), '');
  symlinkSync(folder, join(worktree, 'out'));
  for (const path of ['../x.md', '/etc/passwd', '.git/config', 'sub/.GIT/hooks/x', 'out/order.json']) {
    const refused = await call('submit_result', { summary: 'x', artifacts: ['a.md', path] });
    expect({ path, ...refused }).toMatchObject({
      isError: true,
      text: expect.stringContaining('Nothing was submitted'),
    });
  }
  expect(existsSync(join(folder, 'result.json'))).toBe(false);
  const artifacts = [join(worktree, 'a.md'), './a.md', '.lore//later.md'];
  const kept = await call('submit_result', { summary: `Done with ${key}`, artifacts });
  expect(kept.text).toContain('It lists: a.md, .lore/later.md. Nothing stands at .lore/later.md yet');
  const result = await readResult(folder);
  expect(result).toMatchObject({ token: 't'.repeat(30), artifacts: ['a.md', '.lore/later.md'] });
  expect(result!.summary).toMatch(/^Done with \[secret removed/);
  const again = await call('submit_result', { summary: 'Another' });
  expect(again).toMatchObject({ isError: true, text: expect.stringContaining('it stands as it was') });
  expect(await readResult(folder)).toEqual(result);
  expect((await lines()).map(({ kind }) => kind)).toEqual(['result']);
  expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).not.toContain(key);
});

test('a result without files says so', async () => {
  const { call } = await rig();
  expect((await call('submit_result', { summary: 'Nothing to do' })).text).toContain('It lists no files.');
});

test('words of the person come with the answer of the next tool, each once, and are told as heard', async () => {
  const { call, folder, hearing, lines } = await rig();
  await call('log_question', { question: 'Which?' });
  const word = { at: '', question: 'q2.1', text: 'The first' };
  for (const one of [
    word,
    { ...word, question: 'q1.9', text: 'Of before' },
    { ...word, question: null, text: 'Hurry' },
  ])
    await appendWord(folder, one);
  await waitUntil(() => hearing.waiting.length === 3);
  expect((await call('report_progress', { summary: 'On' })).text).toBe(
    'Reported.\n\n---\nThe person answers your question q2.1 ("Which?"):\nThe first\n\nThe person answers your question q1.9:\nOf before\n\nThe person says to you:\nHurry',
  );
  expect((await call('report_progress', { summary: 'On' })).text).toBe('Reported.');
  expect(await takeWords(hearing)).toBeUndefined();
  expect((await lines()).filter(({ kind }) => kind === 'heard')).toMatchObject([{ word: 3 }]);
});

test('an artifact that the agent’s own tools wrote is told once, when they have succeeded [COM-24.4]', async () => {
  const { attempt, worktree, lines } = await rig();
  const made = startMade(attempt);
  let calls = 0;
  const writes = (name: string, file: unknown, ok = true): string | undefined => {
    calls += 1;
    const callId = `c${calls}`;
    const input = name === 'Read' ? { file_path: file } : file === null ? null : { file_path: file };
    expect(madeBy(made, { type: 'tool_call', callId, name, input } as AgentEvent)).toBeUndefined();
    return madeBy(made, { type: 'tool_result', callId, name, ok, summary: '' } as AgentEvent);
  };
  expect(writes('Write', join(worktree, '.lore/a.md'))).toBe('.lore/a.md');
  expect(writes('Edit', '.lore/b.md')).toBe('.lore/b.md');
  for (const [name, file, ok] of [
    ['Write', '.lore/c.md', false],
    ['Read', '.lore/c.md', true],
    ['Write', 'src/a.ts', true],
    ['Write', '../.lore/c.md', true],
    ['Write', 7, true],
    ['Write', null, true],
  ] as const)
    expect(writes(name, file, ok)).toBeUndefined();
  for (const path of ['.lore/a.md', '.lore/a.md', '.lore/b.md']) await tellMade(made, path);
  expect(await lines()).toMatchObject([
    { kind: 'artifact', path: '.lore/a.md' },
    { kind: 'artifact', path: '.lore/b.md' },
  ]);
  await attempt.journal.close();
  await expect(tellMade(made, '.lore/d.md')).rejects.toThrow(/./);
  expect(made.told.has('.lore/d.md'), 'it is told when it is tried again').toBe(false);
});

test('what an agent says is kept in pieces, in its order, and what was once a secret is one everywhere [COM-13.2]', async () => {
  const { ctx, clock, attempt, folder, lines } = await rig();
  const telling = startTelling(ctx, attempt, 'Do it.');
  const event = (one: object): void => tell(telling, one as AgentEvent);
  event({ type: 'thought', text: 'Let me see. ' });
  event({ type: 'text', text: '🦉'.repeat(2500) });
  event({ type: 'tool_call', callId: 'c1', name: 'Bash', input: { command: `export TOKEN=${key}`, timeout: 1000 } });
  event({ type: 'tool_result', callId: 'c1', name: 'Bash', ok: true, summary: 'x'.repeat(5000) });
  event({ type: 'retry', attempt: 1, errorClass: 'overloaded', delayMs: 10 });
  event({ type: 'text', text: `The key is ${key}.` });
  tellRest(telling);
  tellLife(telling);
  await clock.pass(6000);
  tellLife(telling);
  await waitUntil(async () => (await lines()).at(-1)?.kind === 'alive');
  const told = await lines();
  expect(told.map(({ kind }) => kind)).toEqual([
    'thought',
    'text',
    'text',
    'tool',
    'tool_result',
    'retry',
    'text',
    'alive',
  ]);
  const texts = told.flatMap((entry) => (entry.kind === 'text' ? [entry.text] : []));
  expect(texts.slice(0, 2).join('')).toBe('🦉'.repeat(2500));
  expect(texts.every((text) => text.length <= 4000)).toBe(true);
  expect(told[3]).toMatchObject({ limitMs: 31_000 });
  expect(told[4]).toMatchObject({ summary: `${'x'.repeat(1999)}…` });
  expect(readFileSync(join(folder, 'journal.jsonl'), 'utf8')).not.toContain(key);
});

test('what a model calls a tool, and a file, is masked and cut like its words [COM-18.1, SEC-SECRETS]', async () => {
  const { ctx, attempt, call, lines, folder } = await rig();
  const telling = startTelling(ctx, attempt, '');
  const name = `${key} ${'x'.repeat(5000)}`;
  tell(telling, { type: 'tool_call', callId: 'c'.repeat(5000), name, input: {} } as AgentEvent);
  tell(telling, { type: 'tool_result', callId: 'c'.repeat(5000), name, ok: false, summary: '' } as AgentEvent);
  await waitUntil(async () => (await lines()).length === 2);
  const said = JSON.stringify(await lines());
  expect(said).not.toContain(key);
  expect(said.length).toBeLessThan(1500);
  const answer = await call('submit_result', { summary: 'Done', artifacts: [`${key}.md`] });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('looks like a secret') });
  expect(answer.text).not.toContain(key);
  expect(await readResult(folder)).toBeNull();
});
