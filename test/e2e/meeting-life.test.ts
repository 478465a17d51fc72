/** The life of a meeting through the hall's own door, on real git and the real agent SDK. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { close, listed, openMeeting, readTurn, say, show, startHallWithProject } from '../help/halls.ts';

const path = (id: string): string => `.lore/meetings/${id}.md`;

describe('a meeting from open to close', () => {
  test('open, three turns with a restart of the hall between the second and the third, close [MTG-1.1, MTG-1.2, MTG-2.1, MTG-2.3, MTG-2.4, MTG-2.5, MTG-2.7, MTG-4.3, MTG-6, MTG-7, MTG-8.3, MTG-8.4, MTG-10.2, MTG-11.3, MTG-13.2, MTG-19.1, MTG-19.4, MTG-20.1, MTG-20.3, MTG-21.1, MTG-21.2, MTG-25.1, MTG-25.2, MTG-25.3, MTG-25.4, MTG-25.7, MTG-27.1, MTG-27.3, MTG-C1, MTG-C2]', async () => {
    const { hall, repo, integration } = await startHallWithProject({ prepares: true });
    const mainBefore = repo.git('rev-parse', 'main');
    const integrationBefore = repo.git('rev-parse', 'claude/main');

    const opened = await openMeeting(hall, { message: 'Where are words counted?' });
    expect(opened).toMatchObject({ status: 'open', branch: `claude/meeting/${opened.id}`, turn: 1 });
    expect(opened.worktree).toBe(join(hall.home, 'worktrees', 'tally', `meeting-${opened.id}`));
    expect(existsSync(join(opened.worktree, 'src/count.ts'))).toBe(true);
    expect(opened.first.text).toMatch(/src\/count\.ts:\d/);
    const onBranch = repo.git('show', `${opened.branch}:${path(opened.id)}`);
    const first = parseArtifact(onBranch, 'record').frontmatter;
    expect(first).toMatchObject({ status: 'open', worker: 'researcher', linked_artifacts: [], session_id: '' });
    expect(repo.git('log', '--format=%s', 'claude/main', '--', path(opened.id))).not.toContain('request');
    for (const field of ['title', 'date', 'status', 'tags', 'modules', 'related']) expect(first).toHaveProperty(field);

    const artifact = '.lore/notes/counting.md';
    const second = await say(hall, opened.id, `Write what you found to ${artifact}`);
    expect(second.events.at(-1)).toMatchObject({ type: 'turn_end' });
    expect(existsSync(join(opened.worktree, artifact))).toBe(true);
    expect(existsSync(join(integration, artifact))).toBe(false);
    const transcript = join(hall.home, 'meetings', `${opened.id}.md`);
    expect(statSync(transcript).mode & 0o777).toBe(0o600);
    const before = readFileSync(transcript, 'utf8');
    const sessionBefore = (await show(hall, opened.id)).meeting.sessionId;
    expect(sessionBefore).toMatch(/^[0-9a-f-]{36}$/);

    await hall.restart();
    const resumed = await show(hall, opened.id);
    expect(resumed.turns.map((entry) => [entry.speaker, entry.turn])).toEqual([
      ['user', 1],
      ['assistant', 1],
      ['user', 2],
      ['assistant', 2],
    ]);
    const third = await say(hall, opened.id, 'And who calls it?');
    expect(third.events.at(-1)).toMatchObject({ type: 'turn_end' });
    expect(readFileSync(transcript, 'utf8').startsWith(before)).toBe(true);
    const view = await show(hall, opened.id);
    expect(view.meeting.linkedArtifacts).toEqual([artifact]);
    expect(view.meeting.log.filter((entry) => entry.event === 'session_renewed')).toEqual([]);

    const tip = repo.git('rev-parse', 'claude/main');
    const closed = await close(hall, opened.id);
    expect(closed).toMatchObject({ status: 'closed', merge: { state: 'merged' }, transcriptKept: false });
    expect(repo.git('rev-list', '--count', `${tip}..claude/main`)).toBe('1');
    const changed = repo.git('show', '--name-only', '--format=', 'claude/main').split('\n');
    expect(changed).toEqual(expect.arrayContaining([artifact, path(opened.id)]));
    expect(existsSync(transcript)).toBe(false);
    expect(existsSync(opened.worktree)).toBe(false);
    expect(repo.git('branch', '--list', 'claude/meeting/*')).toBe('');
    expect(readdirSync(join(hall.home, 'state/agents'))).toEqual([]);
    expect(repo.git('rev-parse', 'main')).toBe(mainBefore);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.git('log', '--format=%an <%ae>', '-1', 'claude/main')).toBe('Test Person <person@example.invalid>');
    expect(integrationBefore).not.toBe(repo.git('rev-parse', 'claude/main'));

    const record = parseArtifact(readFileSync(join(integration, path(opened.id)), 'utf8'), 'record');
    expect(record.frontmatter).toMatchObject({
      status: 'closed',
      merge: { state: 'merged', files: [] },
      worker: 'researcher',
    });
    expect(record.frontmatter['notes_summary']).toContain('## Summary');
    expect(record.frontmatter['notes_summary']).toContain(`[${artifact}](<../notes/counting.md>)`);
    expect(existsSync(join(integration, '.lore/meetings', '../notes/counting.md'))).toBe(true);
    const log = record.frontmatter['meeting_log'] as { event: string; timestamp: string; reason: string }[];
    expect(log.map((entry) => entry.event)).toEqual(['opened', 'closed']);
    for (const entry of log) expect(entry.reason).not.toBe('');
    const after = await show(hall, opened.id);
    expect(after).toMatchObject({ worktree: null, meeting: { status: 'closed' }, turns: [] });
    expect(after.meeting.notesSummary).toContain('Where are words counted?');

    const shown = (await hall.client.call('artifact.show', { project: 'tally', path: artifact })) as {
      producedBy?: unknown;
    };
    expect(JSON.stringify(shown)).toContain(opened.id);
  });

  test('nothing produced, nothing said after the first turn: it closes just as well, and twice is safe [MTG-27.4]', async () => {
    const { hall, repo } = await startHallWithProject({ prepares: true });
    const { id } = await openMeeting(hall, { message: 'Hello' });
    const [one, two] = await Promise.all([close(hall, id), close(hall, id)]);
    expect(one).toMatchObject({ merge: { state: 'merged' } });
    expect(two).toMatchObject({ status: 'closed', merge: { state: 'merged' } });
    expect(
      repo
        .git('log', '--format=%s', 'claude/main')
        .split('\n')
        .filter((subject) => subject.startsWith(`Meeting ${id}:`)),
    ).toHaveLength(1);
    const third = await close(hall, id);
    expect(third).toMatchObject({ status: 'closed' });
  });

  test('closing in the middle of an answer ends the turn and keeps its words and those that waited', async () => {
    const { hall, integration } = await startHallWithProject({ prepares: true });
    const { id } = await openMeeting(hall, { message: 'Hello' });
    const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 50ms x 400]' })) as {
      cursor: string;
      turn: number;
    };
    await hall.client.call('meeting.say', { id, message: 'This one waits' });
    await firstWords(hall, id, slow.cursor);
    const closed = await close(hall, id);
    expect(closed.merge.state).toBe('merged');
    const notes = readFileSync(join(integration, closed.path), 'utf8');
    expect(notes).toContain('This one waits');
    expect(notes).toContain('(interrupted)');
  });

  test('work that lies uncommitted in the worktree comes along [MTG-27.2, SYS-GIT-SQUASH]', async () => {
    const { hall, repo } = await startHallWithProject({ prepares: true });
    const { id, worktree } = await openMeeting(hall, { message: 'Hello' });
    writeFileSync(join(worktree, 'src/extra.ts'), 'export const extra = 1;\n');
    writeFileSync(join(worktree, 'README.md'), '# Tally, changed\n');
    const closed = await close(hall, id);
    expect(repo.git('show', '--name-only', '--format=', 'claude/main').split('\n')).toEqual(
      expect.arrayContaining(['src/extra.ts', 'README.md']),
    );
    expect(closed.notes).toContain('src/extra.ts');
  });

  test('an interrupted answer keeps what was said, and the meeting goes on', async () => {
    const { hall } = await startHallWithProject({ prepares: true });
    const { id } = await openMeeting(hall, { message: 'Hello' });
    const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 50ms x 400]' })) as {
      cursor: string;
      turn: number;
    };
    await firstWords(hall, id, slow.cursor);
    expect(await hall.client.call('meeting.interrupt', { id })).toMatchObject({ interrupted: true });
    const turn = await readTurn(hall, id, slow.cursor, slow.turn);
    expect(turn.events.at(-1)).toEqual({ type: 'turn_end', interrupted: true });
    expect(turn.text).not.toBe('');
    const next = await say(hall, id, 'Where are words counted?');
    expect(next.events.at(-1)).toEqual({ type: 'turn_end', interrupted: false });
    expect(await hall.client.call('meeting.interrupt', { id })).toMatchObject({ interrupted: false });
    expect(
      (await show(hall, id)).turns.find((entry) => entry.turn === 2 && entry.speaker === 'assistant'),
    ).toMatchObject({ mark: 'interrupted', text: turn.text });
  });

  test('keepTranscripts keeps the transcript after a good close', async () => {
    const { hall } = await startHallWithProject({ prepares: true, config: 'keepTranscripts: true\n' });
    const { id } = await openMeeting(hall, { message: 'Hello' });
    expect(await close(hall, id)).toMatchObject({ transcriptKept: true });
    expect(readFileSync(join(hall.home, 'meetings', `${id}.md`), 'utf8')).toContain('Hello');
    expect(await listed(hall, 'open')).toEqual([]);
  });
});

async function firstWords(hall: Parameters<typeof say>[0], id: string, cursor: string): Promise<void> {
  const leaving = new AbortController();
  for await (const event of hall.client.events({ subject: `meeting:${id}`, after: cursor, signal: leaving.signal })) {
    if (event.type === 'meeting.turn' && (event.data as { event: { type: string } }).event.type === 'text_delta') break;
  }
  leaving.abort();
}
