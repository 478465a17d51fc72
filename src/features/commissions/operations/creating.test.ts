/** Writing commissions down and changing them, on a real repository: what is taken, what is refused and how. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startCommissions, type TestCommissions, type Wanted } from '../../../../test/help/commissions.ts';
import { callOperation, type Caller, personCaller } from '../../../kernel/operations/operations.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { listProjects } from '../../../kernel/projects/projects.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import type { CommissionAnswer, CommissionEdited, CommissionView } from '../contract.ts';
import { bindCommissionOperations, creatorOf } from '../operations.ts';
import { readCommissions } from '../store/files.ts';
import { createCommission } from './creating.ts';

type Call = <Output>(name: string, input: unknown) => Promise<Output>;

async function startWith(wanted: Wanted = {}): Promise<{ hall: TestCommissions; call: Call; refusal: Refusal }> {
  const hall = await startCommissions(wanted);
  const bound = bindCommissionOperations(hall.ctx);
  const call: Call = async (name, input) => {
    const operation = bound.find(({ description }) => description.name === name)!;
    return (await callOperation(operation, personCaller, input)) as never;
  };
  const refusal: Refusal = async (name, input) => await call(name, input).then(() => 'taken', errorFactsOf);
  return { hall, call, refusal };
}
type Refusal = (name: string, input: unknown) => Promise<unknown>;

const asked = { project: 'p1', worker: 'researcher', title: 'Errors of the parser', prompt: 'A note names each.' };
const files = { '.lore/specs/plan.md': '# Plan\n', 'README.md': 'Read me.\n', LICENSE: 'Free.\n' };

function projectOf(hall: TestCommissions) {
  return listProjects(hall.ctx)[0]!;
}

function sourceOf(hall: TestCommissions, path: string): string {
  return readFileSync(join(projectOf(hall).integrationWorktree, path), 'utf8');
}

/** Of commissions themselves; the queue is told at the start of a hall. */
function ownEvents(hall: TestCommissions): string[] {
  return hall.events.flatMap(({ type, subject }) => (subject === null ? [] : [type]));
}

describe('creating', () => {
  test('one committed file with every field; pending, and nothing starts [COM-1.1, COM-1.2, COM-2.1, COM-2.4, COM-5.2]', async () => {
    const { hall, call } = await startWith();
    const made = await call<CommissionAnswer>('commission.create', { ...asked, maxTurns: 12, maxBudgetUsd: 0.5 });
    expect(made).toMatchObject({
      status: 'pending',
      queuedAt: null,
      queue: null,
      missing: [],
      attempt: 0,
      branch: null,
    });
    expect(made.id).toMatch(/^errors-of-the-parser-\d{8}-\d{6}-[a-z0-9]{4}$/);
    expect(made.path).toBe(`.lore/commissions/${made.id}.md`);
    const { frontmatter, body, problems } = parseArtifact(sourceOf(hall, made.path), made.path);
    expect(problems).toEqual([]);
    expect(Object.keys(frontmatter).slice(0, 6)).toEqual(['title', 'date', 'status', 'tags', 'modules', 'related']);
    expect(frontmatter).toMatchObject({
      worker: 'researcher',
      prompt: asked.prompt,
      dependencies: [],
      linked_artifacts: [],
      resource_overrides: { maxTurns: 12, maxBudgetUsd: 0.5 },
      created_by: 'person',
      queued_at: '',
    });
    expect(body).toContain(asked.prompt);
    expect(hall.repo.git('show', `claude/main:${made.path}`)).toBe(sourceOf(hall, made.path).trimEnd());
    expect(ownEvents(hall)).toEqual(['commission.created']);
    expect(hall.repo.git('branch', '--list', 'claude/commission/*')).toBe('');
  });

  test('missing dependencies make it blocked, and they are named; present ones do not [COM-2.3, COM-5.3]', async () => {
    const { call } = await startWith({ files });
    const first = await call<CommissionAnswer>('commission.create', {
      ...asked,
      depends: ['./.lore//specs/plan.md', 'README.md', 'LICENSE', 'README.md'],
    });
    expect(first).toMatchObject({ status: 'pending', missing: [] });
    const tail = first.id.slice(-4);
    const second = await call<CommissionAnswer>('commission.create', {
      ...asked,
      title: 'After it',
      depends: ['.lore/notes/new.md', tail],
      dispatch: true,
    });
    expect(second).toMatchObject({ status: 'blocked', missing: ['.lore/notes/new.md', first.id] });
    expect(second.queue).toMatchObject({ position: 1, because: 'dependency' });
    const view = await call<CommissionView>('commission.show', { id: second.id });
    expect(view.dependencies).toEqual([
      { on: '.lore/notes/new.md', isThere: false, commission: null },
      { on: first.id, isThere: false, commission: { id: first.id, title: asked.title, status: 'pending' } },
    ]);
    expect((await call<CommissionView>('commission.show', { id: tail })).dependents).toEqual([
      { id: second.id, title: 'After it', status: 'blocked' },
    ]);
    expect(view.commission.timeline[0]).toMatchObject({ event: 'status', from: null, to: 'blocked' });
  });

  test('a prompt of 1 MB comes back unchanged; one of more than 2 MB, and an empty one, are refused [COM-2.2]', async () => {
    const { call, refusal } = await startWith();
    const line = '---\nkey: "value" # \\ \t ✓ 日本 \u0007\r\n``` <b>\n';
    const prompt = line.repeat(Math.ceil(1_000_000 / line.length));
    const made = await call<CommissionAnswer>('commission.create', { ...asked, prompt });
    const { commission } = await call<CommissionView>('commission.show', { id: made.id });
    expect(commission.prompt === prompt).toBe(true);
    expect(await refusal('commission.create', { ...asked, prompt: 'x'.repeat(2_000_001) })).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('at most 2000000 characters'),
    });
    expect(await refusal('commission.create', { ...asked, prompt: ' \n ' })).toMatchObject({
      message: expect.stringContaining('what is to be there in the end'),
    });
  });

  test('what cannot be is refused with the next thing to do, and leaves nothing', async () => {
    const { hall, refusal } = await startWith({ files });
    const refused: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
      [{ worker: 'reseacher' }, { code: 'not_found', hint: expect.stringContaining('Did you mean "researcher"?') }],
      [{ title: '  ' }, { code: 'invalid' }],
      [{ title: 'x'.repeat(201) }, { code: 'invalid' }],
      [
        { depends: ['../outside.md'] },
        { code: 'invalid', message: expect.stringContaining('no path inside the project') },
      ],
      [{ depends: ['/etc/passwd'] }, { code: 'invalid' }],
      [{ depends: ['.git/config'] }, { code: 'invalid' }],
      [{ depends: ['a\\b'] }, { code: 'invalid' }],
      [{ depends: ['zzzz'] }, { code: 'not_found', hint: expect.stringContaining('./zzzz') }],
      [{ depends: [''] }, { code: 'invalid' }],
      [{ maxTurns: 0 }, { code: 'invalid' }],
      [{ maxTurns: 1.5 }, { code: 'invalid' }],
      [{ maxTurns: 'many' }, { code: 'invalid' }],
      [{ maxBudgetUsd: 0 }, { code: 'invalid' }],
      [{ maxBudgetUsd: -1 }, { code: 'invalid' }],
      [{ project: 'p2' }, { code: 'not_found' }],
      [{ surprise: 1 }, { code: 'invalid' }],
      [
        { prompt: `Use ghp_${'a1B2'.repeat(9)} to push.` },
        { code: 'conflict', message: expect.stringContaining('the prompt, line 1') },
      ],
    ];
    for (const [change, facts] of refused) {
      expect([change, await refusal('commission.create', { ...asked, ...change })]).toEqual([
        change,
        expect.objectContaining({ hint: expect.stringMatching(/\S/), ...facts }),
      ]);
    }
    expect(await readCommissions(projectOf(hall))).toEqual({ commissions: [], problems: [] });
    expect(ownEvents(hall)).toEqual([]);
  });

  test('two in one second have different ids; one that is asked for again under its request is the same', async () => {
    const { hall, call, refusal } = await startWith();
    const [one, two] = await Promise.all([
      call<CommissionAnswer>('commission.create', asked),
      call<CommissionAnswer>('commission.create', asked),
    ]);
    expect(one.id).not.toBe(two.id);
    const request = { ...asked, requestId: 'r-k3f9x2ab' };
    const answers = await Promise.all([1, 2, 3].map(() => call<CommissionAnswer>('commission.create', request)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await hall.restart();
    expect((await readCommissions(projectOf(hall))).commissions).toHaveLength(3);
    expect(await refusal('commission.create', { ...request, prompt: 'Something else.' })).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('r-k3f9x2ab'),
    });
  });

  test('one that an agent makes is the same file, but for who made it [COM-4.1]', async () => {
    const { hall, call } = await startWith();
    const mine = await call<CommissionAnswer>('commission.create', asked);
    const agent = { kind: 'agent', activity: { project: 'p1', kind: 'meeting', id: 'talk-1' } } as unknown as Caller;
    const input = { ...asked, depends: [], dispatch: false };
    const its = await createCommission(hall.ctx, projectOf(hall), input, creatorOf(agent));
    const fieldsOf = (answer: CommissionAnswer) => parseArtifact(sourceOf(hall, answer.path), answer.path).frontmatter;
    const told = (answer: CommissionAnswer) => {
      const { created_at: _at, activity_timeline: timeline, created_by: _by, ...rest } = fieldsOf(answer);
      return { ...rest, timeline: (timeline as object[]).map((entry) => ({ ...entry, timestamp: '' })) };
    };
    expect(told(its)).toEqual(told(mine));
    expect([fieldsOf(mine)['created_by'], fieldsOf(its)['created_by']]).toEqual(['person', 'meeting talk-1']);
  });

  test('the worker of a commission cannot order one from itself, and so hand itself on for ever', async () => {
    const { hall } = await startWith();
    const create = bindCommissionOperations(hall.ctx).find(
      ({ description }) => description.name === 'commission.create',
    )!;
    const order = async (kind: string, worker: string): Promise<unknown> => {
      const agent = {
        kind: 'agent',
        activity: { project: 'p1', kind, id: 'x-1' },
        worker: 'manager',
      } as unknown as Caller;
      return await callOperation(create, agent, { ...asked, worker }).then(() => 'taken', errorFactsOf);
    };
    expect(await order('commission', 'manager')).toMatchObject({ code: 'forbidden' });
    expect(await order('commission', 'researcher')).toBe('taken');
    expect(await order('meeting', 'manager')).toBe('taken');
  });

  test('to be dispatched at once it is queued in the very file, and runs', async () => {
    const { hall, call } = await startWith();
    const prompt = JSON.stringify([['result', 'done']]);
    const made = await call<CommissionAnswer>('commission.create', { ...asked, prompt, dispatch: true });
    expect(made).toMatchObject({ status: 'dispatched', attempt: 1 });
    const record = await hall.ends({ project: projectOf(hall), id: made.id });
    expect(record).toMatchObject({ status: 'completed', merge: { state: 'merged' } });
  });
});

describe('editing', () => {
  test('title, prompt, worker, limits and dependencies; the state follows what it waits for', async () => {
    const { hall, call } = await startWith({ files });
    const { id } = await call<CommissionAnswer>('commission.create', asked);
    const change = { title: 'Other', prompt: 'Otherwise.', worker: 'writer', depends: ['.lore/x.md'], maxTurns: 3 };
    const edited = await call<CommissionEdited>('commission.edit', { id, ...change });
    expect(edited).toMatchObject({
      title: 'Other',
      worker: 'writer',
      status: 'blocked',
      missing: ['.lore/x.md'],
      fields: ['title', 'prompt', 'worker', 'depends', 'maxTurns'],
    });
    const back = await call<CommissionEdited>('commission.edit', { id, clear: ['depends', 'max-turns'] });
    expect(back).toMatchObject({ status: 'pending', fields: ['depends', 'maxTurns'], missing: [] });
    expect(await call<CommissionEdited>('commission.edit', { id, title: 'Other' })).toMatchObject({ fields: [] });
    const { commission } = await call<CommissionView>('commission.show', { id });
    expect(commission).toMatchObject({ title: 'Other', prompt: 'Otherwise.', worker: 'writer', maxTurns: null });
    expect(commission.timeline.map((entry) => ('fields' in entry ? entry.fields.length : entry.event))).toEqual([
      'status',
      5,
      'status',
      2,
      'status',
    ]);
    expect(hall.repo.git('status', '--porcelain')).toBe('');
  });

  test('itself, a circle, and what has begun are refused, and nothing is changed', async () => {
    const { hall, call, refusal } = await startWith();
    const one = await call<CommissionAnswer>('commission.create', asked);
    const two = await call<CommissionAnswer>('commission.create', { ...asked, title: 'Two', depends: [one.id] });
    const three = await call<CommissionAnswer>('commission.create', { ...asked, title: 'Three', depends: [two.id] });
    expect(await refusal('commission.edit', { id: one.id, depends: [one.id.slice(-4)] })).toMatchObject({
      message: expect.stringContaining('cannot wait for itself'),
    });
    expect(await refusal('commission.edit', { id: one.id, depends: [`.lore/commissions/${one.id}.md`] })).toMatchObject(
      {
        message: expect.stringContaining('cannot wait for itself'),
      },
    );
    expect(await refusal('commission.edit', { id: one.id, depends: [three.id] })).toMatchObject({
      code: 'conflict',
      message: `These commissions would wait for each other for ever: ${[one.id, three.id, two.id, one.id].join(' → ')}.`,
    });
    expect(await refusal('commission.edit', { id: one.id, worker: 'nobody' })).toMatchObject({ code: 'not_found' });
    expect((await call<CommissionView>('commission.show', { id: one.id })).commission.dependencies).toEqual([]);
    const running = await hall.create({
      steps: [
        ['wait', 'end'],
        ['result', 'done'],
      ],
      queuedAt: null,
    });
    await call('commission.dispatch', { id: running.id });
    await hall.reaches(running, 'in_progress');
    expect(await refusal('commission.edit', { id: running.id, title: 'Late' })).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('while it is pending or blocked'),
    });
    hall.go(running, 'end');
    await hall.ends(running);
  });
});
