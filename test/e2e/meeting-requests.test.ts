/** Requests, limits, conflicts, and what is refused. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { HallError } from '../../src/kernel/pure/errors.ts';
import { makeRepository } from '../help/repositories.ts';
import { close, listed, openMeeting, readTurn, say, show, startHallWithProject, type TestHall } from '../help/halls.ts';

async function refusal(work: Promise<unknown>): Promise<HallError> {
  const outcome = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(HallError);
  return outcome as HallError;
}

const requestScenario = `
- match: please ask for a follow-up
  do:
    - call: { tool: propose_followup, input: { agenda: Go on with the parser, reason: It is larger than thought, artifacts: [README.md] } }
    - say: Asked.
- match: follow up without anything
  do:
    - call: { tool: propose_followup, input: {} }
    - say: Asked.
- match: write the request file
  do:
    - call:
        tool: write_artifact
        input:
          path: .lore/meetings/review-of-counting.md
          content: |
            ---
            title: Review of counting
            status: requested
            worker: reviewer
            agenda: Look at countWords together
            ---
            Because of the white space.
    - say: Written.
- match: write a record
  do:
    - call: { tool: write_artifact, input: { path: .lore/meetings/mine.md, content: "---\\nstatus: open\\n---\\n" } }
    - say: Tried.
- match: keep where we stand
  do:
    - call: { tool: summarize_progress, input: { summary: Half of it is read } }
    - call: { tool: summarize_progress, input: { summary: All of it is read } }
    - call: { tool: record_decision, input: { question: Split how?, decision: On white space, reasoning: Simple enough } }
    - call: { tool: link_artifact, input: { path: README.md } }
    - call: { tool: link_artifact, input: { path: ./README.md } }
    - call: { tool: link_artifact, input: { path: ../outside.md } }
    - say: Kept.
`;

describe('requests', () => {
  test('asked for by tool: requested at once, committed, over restarts, until the person accepts; the worker speaks first [MTG-2.2, MTG-3.1, MTG-5.1, MTG-8.2, MTG-8.8, MTG-8.9, MTG-17.2, MTG-17.3, MTG-17.4, MTG-22.1, MTG-22.2, MTG-24.1, MTG-24.3]', async () => {
    const { hall, repo } = await startHallWithProject({ scenario: requestScenario });
    const { id } = await openMeeting(hall, { message: 'Hello' });
    await say(hall, id, 'please ask for a follow-up');
    expect((await show(hall, id)).meeting.status).toBe('open');
    const [request] = await listed(hall, 'requested');
    expect(request).toMatchObject({
      worker: 'researcher',
      requestedBy: 'researcher',
      requestReason: 'It is larger than thought',
      agenda: 'Go on with the parser',
      referencedArtifacts: ['README.md'],
      branch: null,
      sessionId: null,
    });
    expect(repo.git('show', `claude/main:${request!.path}`)).toContain('status: requested');
    await hall.restart();
    expect((await listed(hall, 'requested')).map((meeting) => meeting.id)).toEqual([request!.id]);
    const accepted = (await hall.client.call('meeting.accept', {
      id: request!.id,
      message: 'Start with the second part',
    })) as { cursor: string; path: string };
    expect(accepted.path).toBe(request!.path);
    await readTurn(hall, request!.id, accepted.cursor, 1);
    const view = await show(hall, request!.id);
    expect(view.turns[0]!.text).toBe(
      'Go on with the parser\n\nReferenced artifacts:\n- README.md\n\nStart with the second part',
    );
    expect(view.turns[1]!.text).not.toBe('');
    expect(view.meeting.log.map(({ event }) => event)).toEqual(['requested', 'opened']);
    const again = await refusal(hall.client.call('meeting.accept', { id: request!.id }));
    expect(again).toMatchObject({ code: 'conflict' });
  });

  for (const worker of ['researcher', 'manager']) {
    test(`a follow-up by the ${worker} needs neither reason nor artifacts, and is only requested [MTG-3.1, MTG-17.3, MTG-22.2]`, async () => {
      const { hall } = await startHallWithProject({ scenario: requestScenario });
      const { id } = await openMeeting(hall, { worker, message: 'follow up without anything' });
      const [request] = await listed(hall, 'requested');
      expect(request).toMatchObject({ worker, requestedBy: worker, sessionId: null, branch: null });
      expect(request!.agenda).toContain(id);
      expect(request!.related).toEqual([`.lore/meetings/${id}.md`]);
      const fields = async (which: string): Promise<string[]> =>
        Object.keys(
          parseArtifact(readFileSync(join(hall.home, 'projects/tally/.lore/meetings', `${which}.md`), 'utf8'), '')
            .frontmatter,
        );
      expect(await fields(request!.id)).toEqual(await fields(id));
      expect((await close(hall, id)).notes).toContain(`## Follow-ups\n\n- [${request!.path}]`);
    });
  }

  test('an acceptance that fails half-way makes it a request again, with the reason in its log; a new title is logged too [MTG-2.6, MTG-8.11, MTG-S2]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    makeLonelyWorker(hall);
    mkdirSync(join(integration, '.lore/meetings'), { recursive: true });
    writeFileSync(
      join(integration, '.lore/meetings/ask.md'),
      '---\nstatus: requested\nworker: lonely\nagenda: Look\n---\n',
    );
    await refusal(hall.client.call('meeting.accept', { id: 'ask' }));
    await hall.client.call('meeting.rename', { id: 'ask', title: 'Another title' });
    const { meeting } = await show(hall, 'ask');
    expect(meeting).toMatchObject({ status: 'requested', title: 'Another title', branch: null, sessionId: null });
    expect(meeting.log.map(({ event }) => event)).toEqual(['opened', 'opening_rolled_back', 'renamed']);
    expect(meeting.log[1]!.reason).toContain('no-such-toolbox');
    expect(repo.git('branch', '--list', 'claude/meeting/*')).toBe('');
    expect(repo.git('-C', integration, 'status', '--porcelain')).toBe('');
  });

  test('written as a file with the artifact tool alone [MTG-23.1, MTG-23.2, MTG-C3]', async () => {
    const { hall, repo } = await startHallWithProject({ scenario: requestScenario });
    const { id } = await openMeeting(hall, { message: 'write the request file' });
    const [request] = await listed(hall, 'requested');
    expect(request).toMatchObject({
      id: 'review-of-counting',
      worker: 'reviewer',
      requestedBy: 'researcher',
      agenda: 'Look at countWords together',
    });
    expect(repo.git('show', 'claude/main:.lore/meetings/review-of-counting.md')).toContain(
      'Because of the white space.',
    );
    const turn = await say(hall, id, 'write a record');
    expect(turn.events.find((event) => event.type === 'tool_result')).toMatchObject({ ok: false });
    expect((await listed(hall)).map((meeting) => meeting.id).sort()).toEqual([id, 'review-of-counting'].sort());
  });

  test('put on the integration branch by hand, with bad neighbours; deferred, declined, refused after that [MTG-5.2, MTG-24.2, MTG-24.4, MTG-25.5]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    mkdirSync(join(integration, '.lore/meetings'), { recursive: true });
    writeFileSync(
      join(integration, '.lore/meetings/by-hand.md'),
      '---\nstatus: requested\nworker: reviewer\nagenda: By hand\nreferenced_artifacts: [README.md]\n---\n',
    );
    writeFileSync(join(integration, '.lore/meetings/broken.md'), '---\nstatus: [requested\n---\n');
    writeFileSync(join(integration, '.lore/meetings/odd.md'), '---\nstatus: perhaps\nworker: reviewer\n---\n');
    writeFileSync(join(integration, '.lore/elsewhere.md'), '---\nstatus: requested\nworker: reviewer\n---\n');
    const all = await listed(hall);
    expect(all.map((meeting) => meeting.id).sort()).toEqual(['broken', 'by-hand', 'odd']);
    expect(all.find((meeting) => meeting.id === 'broken')!.problems[0]!.line).toBeGreaterThan(1);
    expect(all.find((meeting) => meeting.id === 'odd')).toMatchObject({ status: null });
    await hall.client.call('meeting.defer', { id: 'by-hand', until: '2026-12-24' });
    expect(await listed(hall, 'requested')).toMatchObject([{ id: 'by-hand', deferredUntil: '2026-12-24' }]);
    await hall.client.call('meeting.decline', { id: 'by-hand' });
    expect((await show(hall, 'by-hand')).meeting.log.map(({ event }) => event)).toEqual(['deferred', 'declined']);
    expect(repo.git('branch', '--list', 'claude/meeting/*')).toBe('');
    expect(readFileSync(join(integration, 'README.md'), 'utf8')).toBe('# Tally\n\nCounts words in files.\n');
    for (const verb of ['accept', 'decline', 'defer']) {
      const no = await refusal(hall.client.call(`meeting.${verb}`, { id: 'by-hand' }));
      expect(no.message).toContain('declined');
    }
    expect(await refusal(hall.client.call('meeting.accept', { id: 'odd' }))).toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(integration, '.lore/meetings/odd.md'), 'utf8')).toBe(
      '---\nstatus: perhaps\nworker: reviewer\n---\n',
    );
  });
});

test('the meeting toolbox: progress kept in order, decisions and links in the notes, no doubles, nothing outside [MTG-16.1, MTG-17.1, MTG-17.5, MTG-17.6, MTG-18.1, MTG-20.2]', async () => {
  const { hall } = await startHallWithProject({ scenario: requestScenario });
  const { id } = await openMeeting(hall, { message: 'keep where we stand' });
  const { meeting, turns } = await show(hall, id);
  expect(meeting.linkedArtifacts).toEqual(['README.md']);
  expect(meeting.log.filter(({ event }) => event === 'progress_summary').map(({ reason }) => reason)).toEqual([
    'Half of it is read',
    'All of it is read',
  ]);
  expect(meeting.decisions).toMatchObject([
    { question: 'Split how?', decision: 'On white space', reasoning: 'Simple enough' },
  ]);
  expect(turns[1]!.tools.filter(({ line }) => line.includes('failed'))).toHaveLength(1);
  const { notes } = await close(hall, id);
  expect(notes.indexOf('Half of it is read')).toBeGreaterThan(0);
  expect(notes.indexOf('All of it is read')).toBeGreaterThan(notes.indexOf('Half of it is read'));
  expect(notes).toContain('Split how?');
  expect(notes).toContain('[README.md](<../../README.md>)');
});

describe('limits', () => {
  test('two openings at the last free place: one wins; the other leaves nothing; requests do not count [MTG-8.1, MTG-9.1, MTG-9.2, MTG-28.2, MTG-28.3, MTG-28.4]', async () => {
    const { hall, repo, integration } = await startHallWithProject({ config: 'caps:\n  meeting: 1\n' });
    mkdirSync(join(integration, '.lore/meetings'), { recursive: true });
    writeFileSync(
      join(integration, '.lore/meetings/waiting.md'),
      '---\nstatus: requested\nworker: reviewer\nagenda: Later\n---\n',
    );
    const open = { project: 'tally', worker: 'researcher', message: 'Hello' };
    const outcomes = await Promise.allSettled([
      hall.client.call('meeting.open', open),
      hall.client.call('meeting.open', open),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [first] = await listed(hall, 'open');
    const no = (outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult).reason as HallError;
    expect(no).toMatchObject({ code: 'limit' });
    expect(no.message).toContain(first!.id);
    expect(no.message).toContain('limit is 1');
    expect(repo.git('branch', '--list', '--format=%(refname:short)', 'claude/meeting/*')).toBe(
      `claude/meeting/${first!.id}`,
    );
    expect(await refusal(hall.client.call('meeting.accept', { id: 'waiting' }))).toMatchObject({ code: 'limit' });
    expect(await listed(hall, 'requested')).toMatchObject([{ id: 'waiting', log: [] }]);
    const other = await makeRepository({ files: { 'a.txt': 'a\n' } });
    await hall.client.call('project.add', { path: other.path, name: 'other' });
    expect(await hall.client.call('meeting.open', { ...open, project: 'other' })).toMatchObject({
      status: 'open',
      project: 'other',
    });
    await close(hall, first!.id);
    expect(await hall.client.call('meeting.accept', { id: 'waiting' })).toMatchObject({ status: 'open' });
  });
});

describe('conflicts', () => {
  async function conflicting(): Promise<{
    hall: TestHall;
    id: string;
    repo: Awaited<ReturnType<typeof makeRepository>>;
    integration: string;
  }> {
    const { hall, repo, integration } = await startHallWithProject();
    const { id, worktree } = await openMeeting(hall, { message: 'Hello' });
    writeFileSync(join(worktree, 'README.md'), '# Ours\n');
    const second = await openMeeting(hall, { message: 'Hello' });
    writeFileSync(join(second.worktree, 'README.md'), '# Theirs\n');
    await close(hall, second.id);
    return { hall, id, repo, integration };
  }

  test('nothing is lost, the files are named, the branch stays, and a retry merges [MTG-25.6, SYS-GIT-CONFLICT]', async () => {
    const { hall, id, repo, integration } = await conflicting();
    const closed = await close(hall, id);
    expect(closed).toMatchObject({
      status: 'closed',
      merge: { state: 'merge_conflict', files: ['README.md'] },
      branch: `claude/meeting/${id}`,
      transcriptKept: true,
    });
    expect(repo.git('show', `claude/meeting/${id}:README.md`)).toBe('# Ours');
    expect(readFileSync(join(integration, 'README.md'), 'utf8')).toBe('# Theirs\n');
    expect(existsSync(join(hall.home, 'meetings', `${id}.md`))).toBe(true);
    expect((await show(hall, id)).meeting).toMatchObject({ status: 'closed', merge: { state: 'merge_conflict' } });
    expect((await close(hall, id)).merge.state).toBe('merge_conflict');
    await hall.restart();
    const elsewhere = join(hall.home, '..', 'resolve');
    repo.git('worktree', 'add', '--quiet', elsewhere, `claude/meeting/${id}`);
    const there = await makeResolution(elsewhere, repo);
    expect(there).toBe('resolved');
    const merged = await close(hall, id);
    expect(merged.merge.state).toBe('merged');
    expect(repo.git('show', 'claude/main:README.md')).toBe('# Both');
    expect(existsSync(join(hall.home, 'meetings', `${id}.md`))).toBe(false);
  });

  test('a branch that the person has checked out to resolve it stays, and their checkout stays whole', async () => {
    const { hall, id, repo } = await conflicting();
    await close(hall, id);
    repo.git('switch', '--quiet', `claude/meeting/${id}`);
    repo.git('merge', '--quiet', '--no-commit', '-s', 'ours', 'claude/main');
    repo.commit('Resolve', { 'README.md': '# Both\n' });
    expect(await close(hall, id)).toMatchObject({ merge: { state: 'merged' }, branch: `claude/meeting/${id}` });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('show', 'claude/main:README.md')).toBe('# Both');
  });

  test('given up: the branch stays, the transcript goes', async () => {
    const { hall, id, repo } = await conflicting();
    await close(hall, id);
    expect(await hall.client.call('meeting.dismiss', { id })).toMatchObject({ branch: `claude/meeting/${id}` });
    expect(repo.git('rev-parse', `claude/meeting/${id}`)).toMatch(/^[0-9a-f]{40}$/);
    expect(existsSync(join(hall.home, 'meetings', `${id}.md`))).toBe(false);
    expect((await show(hall, id)).meeting.merge.state).toBe('dismissed');
  });
});

/** A worker whose package names a toolbox that is nowhere. */
function makeLonelyWorker(hall: TestHall): void {
  const folder = join(hall.home, 'packages/lonely');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'lonely',
      guildHall: {
        type: 'worker',
        identity: { name: 'lonely', description: 'Misses a toolbox.', displayTitle: 'Lonely' },
        toolboxes: ['no-such-toolbox'],
        builtInTools: [],
        checkoutScope: 'sparse',
      },
    }),
  );
  writeFileSync(join(folder, 'posture.md'), 'You miss a toolbox.\n');
}

async function makeResolution(elsewhere: string, repo: { git(...args: string[]): string }): Promise<string> {
  const git = (...args: string[]): string => repo.git('-C', elsewhere, ...args);
  git('merge', '--quiet', '--no-commit', '-s', 'ours', 'claude/main');
  writeFileSync(join(elsewhere, 'README.md'), '# Both\n');
  git('add', 'README.md');
  git('commit', '--quiet', '-m', 'Resolve');
  repo.git('worktree', 'remove', elsewhere);
  return 'resolved';
}

describe('what is refused changes nothing', () => {
  test('an unknown worker, an artifact that is not there, no words, hostile ids [MTG-S2]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    const before = repo.git('rev-parse', 'claude/main');
    const attempts: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ['meeting.open', { worker: 'nobody', message: 'Hi' }, 'not_found'],
      ['meeting.open', { worker: '../manager', message: 'Hi' }, 'not_found'],
      ['meeting.open', { worker: 'researcher', message: '' }, 'invalid'],
      ['meeting.open', { worker: 'researcher', message: 'Hi', artifacts: ['.lore/none.md'] }, 'not_found'],
      ['meeting.open', { worker: 'researcher', message: 'Hi', artifacts: ['../../etc/passwd'] }, 'invalid'],
      ['meeting.open', { worker: 'researcher', message: 'Hi', project: 'none' }, 'not_found'],
      ['meeting.say', { id: '..', message: 'Hi' }, 'invalid'],
      ['meeting.say', { id: 'a/b', message: 'Hi' }, 'invalid'],
      ['meeting.show', { id: 'with space' }, 'invalid'],
      ['meeting.close', { id: 'x'.repeat(10_000) }, 'invalid'],
      ['meeting.show', { id: 'not-there' }, 'not_found'],
    ];
    for (const [operation, input, code] of attempts) {
      const no = await refusal(hall.client.call(operation, input));
      expect([operation, input, no.code]).toEqual([operation, input, code]);
      expect(no.hint.length).toBeGreaterThan(5);
      expect(no.message.length).toBeLessThan(600);
    }
    expect(repo.git('rev-parse', 'claude/main')).toBe(before);
    expect(existsSync(join(integration, '.lore/meetings'))).toBe(false);
  });

  test('a worker whose toolbox is missing: the opening fails with its name and leaves nothing behind [MTG-8.11, MTG-18.3]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    makeLonelyWorker(hall);
    const no = await refusal(hall.client.call('meeting.open', { project: 'tally', worker: 'lonely', message: 'Hi' }));
    expect(no.message).toContain('no-such-toolbox');
    expect(await listed(hall)).toEqual([]);
    expect(repo.git('branch', '--list', 'claude/meeting/*')).toBe('');
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
    expect(repo.git('-C', integration, 'status', '--porcelain')).toBe('');
  });

  test('only an open meeting takes a message [MTG-4.2]', async () => {
    const { hall } = await startHallWithProject();
    const { id } = await openMeeting(hall, { message: 'Hello' });
    await close(hall, id);
    const no = await refusal(hall.client.call('meeting.say', { id, message: 'Still there?' }));
    expect(no).toMatchObject({ code: 'conflict' });
    expect(no.message).toContain('closed');
  });
});
