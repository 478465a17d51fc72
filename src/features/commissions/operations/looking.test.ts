/** What a person sees of commissions, and says to them, on a real repository with a small program as the worker. */
import { describe, expect, test } from 'vitest';
import { startCommissions, type TestCommissions, type Wanted } from '../../../../test/help/commissions.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { repositoryAt } from '../../../../test/help/repositories.ts';
import { callOperation, personCaller } from '../../../kernel/operations/operations.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type {
  CommissionAnswer,
  CommissionDiff,
  CommissionGraph,
  CommissionList,
  CommissionLogs,
  CommissionsAwaited,
  CommissionView,
  TimelineEntry,
} from '../contract.ts';
import { bindCommissionOperations } from '../operations.ts';
import { readWords } from '../store/attempt.ts';
import { attemptFolder, type CommissionRef } from '../store/place.ts';
import { runningCommissions } from './running.ts';
import { waitingCommissions } from './waiting.ts';

async function startWith(wanted: Wanted = {}) {
  const hall = await startCommissions(wanted);
  const bound = bindCommissionOperations(hall.ctx);
  const call = async <Output>(name: string, input: unknown): Promise<Output> => {
    const operation = bound.find(({ description }) => description.name === name)!;
    return (await callOperation(operation, personCaller, input)) as Output;
  };
  const refusal = async (name: string, input: unknown) => await call(name, input).then(() => 'taken', errorFactsOf);
  const show = async (ref: CommissionRef) => await call<CommissionView>('commission.show', { id: ref.id });
  const inbox = async () => await waitingCommissions(hall.ctx);
  return { hall, call, refusal, show, inbox };
}

const seen = async (hall: TestCommissions, ref: CommissionRef, event: string) =>
  await waitUntil(async () => (await hall.record(ref)).timeline.some((entry) => entry.event === event));

function told(entry: TimelineEntry): string {
  if (entry.event === 'status') return entry.to;
  const words = 'text' in entry ? entry.text : 'path' in entry ? entry.path : 'summary' in entry ? entry.summary : '';
  return `${entry.event} ${words}`;
}

describe('a running one', () => {
  test('shows its process, its progress, its log and what it changed; a question is answered while it runs [COM-2.4, COM-12, COM-18.4, COM-20.1, COM-20.2, COM-26]', async () => {
    const { hall, call, refusal, show, inbox } = await startWith();
    const ref = await hall.create({
      steps: [
        ['write', '.lore/notes/parser.md', '# Parser\n'],
        ['artifact', '.lore/notes/parser.md'],
        ['progress', 'looking'],
        ['progress', 'half done'],
        ['question', 'q1.1', 'Which ones?'],
        ['wait', 'end'],
        ['result', 'all of them', ['.lore/notes/parser.md']],
      ],
    });
    await call('commission.dispatch', { id: ref.id });
    await seen(hall, ref, 'question');
    const view = await show(ref);
    expect(view).toMatchObject({ phase: 'running', openQuestions: [{ id: 'q1.1', text: 'Which ones?' }] });
    expect(view.commission.currentProgress).toBe('half done');
    expect(view.commission.linkedArtifacts).toEqual(['.lore/notes/parser.md']);
    expect(view.process).toMatchObject({ attempt: 1, heartbeat: 'healthy', model: 'fake', sandbox: 'none' });
    expect(view.process!.pid).toBeGreaterThan(1);
    expect(Date.parse(view.process!.lastHeartbeat)).toBeGreaterThanOrEqual(Date.parse(view.process!.startedAt) - 1000);
    expect(view.changedFiles).toEqual([{ path: '.lore/notes/parser.md', status: 'A' }]);
    expect(view.journal.map(({ kind }) => kind)).toEqual(['started', 'artifact', 'progress', 'progress', 'question']);
    expect(view.allowed).toEqual(['cancel', 'answer', 'comment']);
    expect(view.branches).toEqual([`claude/commission/${ref.id}`]);
    expect(await runningCommissions(hall.ctx)).toMatchObject([{ id: ref.id, state: 'answering', kind: 'commission' }]);

    const first = await call<CommissionLogs>('commission.logs', { id: ref.id, from: 1, limit: 2 });
    expect([first.entries.length, first.next, first.hasMore]).toEqual([2, 3, true]);
    const rest = await call<CommissionLogs>('commission.logs', { id: ref.id, from: first.next });
    expect(rest.entries.map(({ n }) => n)).toEqual([3, 4, 5]);
    expect(await call<CommissionLogs>('commission.logs', { id: ref.id, limit: 1 })).toMatchObject({ next: 6 });
    expect(await refusal('commission.logs', { id: ref.id, attempt: 2 })).toMatchObject({ code: 'not_found' });
    const diff = await call<CommissionDiff>('commission.diff', { id: ref.id });
    expect(diff.files).toMatchObject([{ path: '.lore/notes/parser.md', added: 1 }]);

    const [question] = await inbox();
    expect(question).toMatchObject({ kind: 'question', title: 'researcher asks' });
    expect(question!.actions.map(({ verb, operation }) => [verb, operation])).toEqual([
      ['answer', 'commission.answer'],
      ['dismiss', 'commission.answer'],
    ]);
    const answer = { ...question!.actions[0]!.input, text: 'The public ones' };
    const taken = { question: 'q1.1', reaches: 'worker' };
    expect(await call('commission.answer', answer)).toMatchObject(taken);
    expect(await call('commission.answer', answer)).toMatchObject(taken);
    expect(await refusal('commission.answer', { ...answer, text: 'Others' })).toMatchObject({ code: 'conflict' });
    expect(await call('commission.answer', { id: ref.id, text: 'And hurry' })).toMatchObject({ question: null });
    const words = await readWords(attemptFolder(hall.ctx, ref, 1));
    expect(words.map(({ question: to, text }) => [to, text])).toEqual([
      ['q1.1', 'The public ones'],
      [null, 'And hurry'],
    ]);
    expect(await inbox()).toEqual([]);
    expect((await show(ref)).commission.timeline).toContainEqual(
      expect.objectContaining({ event: 'answer', question: 'q1.1', text: 'The public ones' }),
    );
    const waits = await call<CommissionsAwaited>('commission.wait', { id: [ref.id.slice(-6)] });
    expect(waits).toMatchObject({ isOver: false, commissions: [{ heartbeat: 'healthy', progress: 'half done' }] });
    hall.go(ref, 'end');
    await hall.ends(ref);
    expect(await call<CommissionsAwaited>('commission.wait', { id: [ref.id] })).toMatchObject({
      isOver: true,
      commissions: [{ status: 'completed', summary: 'all of them', heartbeat: null }],
    });
    const { timeline, linkedArtifacts } = (await show(ref)).commission;
    expect(linkedArtifacts).toEqual(['.lore/notes/parser.md']);
    expect(timeline.map(told)).toEqual([
      'pending',
      'dispatched',
      'in_progress',
      'artifact .lore/notes/parser.md',
      'progress looking',
      'progress half done',
      'question Which ones?',
      'answer The public ones',
      'comment And hurry',
      'result all of them',
      'completed',
      'merge Merged from ' + view.branches[0],
    ]);
    expect(timeline.map(({ timestamp }) => timestamp)).toEqual(timeline.map(({ timestamp }) => timestamp).toSorted());
    // The branch went with the merge; the commit has what it changed.
    expect((await call<CommissionDiff>('commission.diff', { id: ref.id })).files).toMatchObject([
      { path: '.lore/notes/parser.md', status: 'A' },
    ]);
  });
});

describe('what ended', () => {
  test('finished work waits to be looked at, once; the review is kept', async () => {
    const { hall, call, refusal, inbox, show } = await startWith();
    const ref = await hall.create({
      steps: [
        ['question', 'q1.1', 'Right so?'],
        ['result', 'It is **done**'],
      ],
    });
    expect(await refusal('commission.review', { id: ref.id })).toMatchObject({ code: 'conflict' });
    expect(await refusal('commission.comment', { id: ref.id, text: 'x' })).toMatchObject({ code: 'conflict' });
    await call('commission.dispatch', { id: ref.id });
    await hall.ends(ref);
    const items = await inbox();
    expect(items.map(({ kind, detail }) => [kind, detail.split('\n')[0]])).toEqual([
      ['question', 'Right so?'],
      ['review', 'It is **done**'],
    ]);
    expect((await call<CommissionList>('commission.list', {})).limits.waitingForReview).toBe(1);
    expect(await call('commission.answer', { id: ref.id, text: 'Yes' })).toMatchObject({ reaches: 'next_attempt' });
    await call('commission.comment', { id: ref.id, path: './src//a.ts', line: 3, text: 'Here' });
    expect(await refusal('commission.comment', { id: ref.id, path: '../a', text: 'x' })).toMatchObject({
      code: 'invalid',
    });
    expect(await refusal('commission.comment', { id: ref.id, line: 3, text: 'x' })).toMatchObject({ code: 'invalid' });
    const review = items[1]!.actions[0]!;
    await call(review.operation, { ...review.input, text: 'Good' });
    await call(review.operation, review.input);
    const { commission, allowed } = await show(ref);
    expect(commission.timeline.slice(-3)).toMatchObject([
      { event: 'answer', question: 'q1.1' },
      { event: 'comment', path: 'src/a.ts', line: 3, text: 'Here' },
      { event: 'review', text: 'Good' },
    ]);
    expect(allowed).toEqual(['comment']);
    expect(await inbox()).toEqual([]);
    expect(hall.repo.git('status', '--porcelain')).toBe('');
  });

  test('what stands in the way of an end is told, and it ends when that is gone [COM-14.8]', async () => {
    const { hall, call, inbox } = await startWith();
    const ref = await hall.create({
      steps: [
        ['wait', 'end'],
        ['result', 'done'],
      ],
    });
    await call('commission.dispatch', { id: ref.id });
    await hall.reaches(ref, 'in_progress');
    const checkout = repositoryAt(ref.project.integrationWorktree);
    checkout.git('checkout', '--quiet', '--detach');
    hall.go(ref, 'end');
    await waitUntil(async () => (await inbox()).length > 0);
    expect(await inbox()).toMatchObject([
      {
        kind: 'problem',
        title: 'The end of a commission cannot be finished yet; the hall goes on trying',
        detail: expect.stringContaining(`git -C '${checkout.path}' switch`),
      },
    ]);
    checkout.git('switch', '--quiet', 'claude/main');
    await hall.ends(ref);
    expect((await hall.record(ref)).merge.state).toBe('merged');
    expect((await inbox()).map(({ kind }) => kind)).toEqual(['review']);
  }, 60_000);

  test('a failure waits as a problem: tried again, in the same file, or left [COM-1.1]', async () => {
    const { hall, call, inbox } = await startWith();
    const ref = await hall.create({
      steps: [
        ['progress', 'x'],
        ['exit', 3],
      ],
    });
    await call('commission.dispatch', { id: ref.id });
    await hall.ends(ref);
    const [failed] = await inbox();
    expect(failed).toMatchObject({ kind: 'problem', title: expect.stringMatching(/^A commission failed: .*3/) });
    expect(failed!.actions.map(({ verb, operation }) => [verb, operation])).toEqual([
      ['retry', 'commission.redispatch'],
      ['dismiss', 'commission.review'],
    ]);
    await call('commission.redispatch', { ...failed!.actions[0]!.input, reason: 'Once more' });
    await waitUntil(async () => (await hall.record(ref)).attempt === 2);
    await hall.ends(ref);
    const [again] = await inbox();
    expect(again!.id).toBe(failed!.id);
    await call('commission.review', again!.actions[1]!.input);
    expect(await inbox()).toEqual([]);
    expect((await hall.record(ref)).status).toBe('failed');
    const tracked = hall.repo.git('ls-tree', '--name-only', 'claude/main', '.lore/commissions/');
    expect(tracked).toBe(`.lore/commissions/${ref.id}.md`);
  });
});

describe('all of them', () => {
  test('the list has running ones, the queue with its reasons, then the newest; ids may be shortened', async () => {
    const { hall, call, refusal } = await startWith({ commissions: { perProject: 1 } });
    const steps = [
      ['wait', 'end'],
      ['result', 'done'],
    ] as const;
    const at = (minute: number) => `2026-03-01T09:0${minute}:00.000Z`;
    const running = await hall.create({ id: 'runs-aaaa', steps, createdAt: at(1) });
    const idle = await hall.create({ id: 'idle-bbbb', createdAt: at(4) });
    const later = await hall.create({ id: 'later-cccc', steps, createdAt: at(3) });
    const sooner = await hall.create({ id: 'sooner-dddd', steps, createdAt: at(2) });
    await call('commission.dispatch', { id: running.id });
    await hall.reaches(running, 'in_progress');
    await call('commission.dispatch', { id: later.id });
    const queued = await call<CommissionAnswer>('commission.dispatch', { id: 'dddd' });
    expect(queued).toMatchObject({ status: 'pending', queue: { position: 1, because: 'project_limit' } });
    const { commissions, limits } = await call<CommissionList>('commission.list', {});
    expect(commissions.map(({ id }) => id)).toEqual([running.id, sooner.id, later.id, idle.id]);
    expect(commissions.map(({ queue }) => queue?.position ?? null)).toEqual([null, 1, 2, null]);
    expect(limits).toMatchObject({ running: 1, projects: [{ project: 'p1', running: 1, limit: 1 }] });
    const pending = await call<CommissionList>('commission.list', { status: 'pending', project: 'p1' });
    expect(pending.commissions).toHaveLength(3);
    expect(await refusal('commission.show', { id: 'sooner-ddde' })).toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('Did you mean "sooner-dddd"?'),
    });
    expect(await refusal('commission.show', { id: '../x' })).toMatchObject({ code: 'invalid' });
    await call('commission.hold', { id: 'sooner' });
    expect(await call<CommissionsAwaited>('commission.wait', { id: ['sooner'] })).toMatchObject({ isOver: true });
    await call('commission.cancel', { id: 'later' });
    hall.go(running, 'end');
    await hall.ends(running);
  });

  test('the graph has who waits for whom, for which file, and by which file', async () => {
    const { hall, call } = await startWith({ files: { 'there.md': 'x\n' } });
    const first = await hall.create({
      id: 'first',
      steps: [
        ['write', '.lore/a.md', 'a\n'],
        ['artifact', '.lore/a.md'],
        ['result', 'done'],
      ],
    });
    await call('commission.dispatch', { id: first.id });
    await hall.ends(first);
    await hall.create({ id: 'second', dependencies: ['.lore/a.md', 'there.md'] });
    await hall.create({ id: 'third', dependencies: ['second', '.lore/none.md'], status: 'blocked' });
    const graph = await call<CommissionGraph>('commission.graph', {});
    expect(graph.nodes.map(({ id }) => id)).toEqual(['first', 'second', 'third', 'there.md', '.lore/none.md']);
    expect(graph.edges).toEqual([
      { from: 'first', to: 'second', via: '.lore/a.md', isMet: true },
      { from: 'there.md', to: 'second', via: null, isMet: true },
      { from: 'second', to: 'third', via: null, isMet: false },
      { from: '.lore/none.md', to: 'third', via: null, isMet: false },
    ]);
  });
});
