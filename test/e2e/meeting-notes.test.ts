/** Notes before the close: drafted, looked at, changed by the person, and then written as they are. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MeetingClosed, MeetingOpened, MeetingView, NotesDraft } from '../../src/features/meetings/contract.ts';
import { conversationOf } from '../../src/features/meetings/fold/conversation.ts';
import { connectHall, findHall } from '../../src/interfaces/cli/client.ts';
import { say as answer } from '../../src/kernel/agents/conformance-bench.ts';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { startScriptedModel } from '../fixtures/scripted-model.ts';
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
import { freshHome, runProgram, spawnProgram, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

const draft = async (hall: TestHall, id: string, again = false): Promise<NotesDraft> =>
  (await hall.client.call('meeting.notes', { id, again })) as NotesDraft;
const recordOf = (integration: string, id: string) =>
  parseArtifact(readFileSync(join(integration, '.lore/meetings', `${id}.md`), 'utf8'), id);

test('drafted while the meeting goes on, kept over a restart, made anew when more was said, written at the close', async () => {
  const { hall, integration } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Where are words counted?' });
  const { cursor } = await show(hall, id);
  const first = await draft(hall, id);
  expect(first).toMatchObject({ by: 'record', problem: null, turn: 1 });
  for (const heading of ['## Summary', '## Decisions', '## Artifacts', '## Open questions'])
    expect(first.text).toContain(heading);
  const { meeting, draft: kept, drafting } = await show(hall, id);
  expect([meeting.status, kept?.text, drafting]).toEqual(['open', first.text, null]);
  await hall.restart();
  expect(conversationOf(await show(hall, id)).draft).toMatchObject({ text: first.text, turn: 1 });
  await say(hall, id, 'Write what you found to .lore/notes/counting.md');
  await untilStill(hall, id);
  const second = await draft(hall, id);
  expect(second.turn).toBe(2);
  expect(second.text).toContain('counting.md');
  const told: string[] = [];
  const leaving = new AbortController();
  for await (const event of hall.client.events({ subject: `meeting:${id}`, after: cursor, signal: leaving.signal })) {
    if (event.type.startsWith('meeting.notes_')) told.push(event.type);
    if (told.length === 4) break;
  }
  leaving.abort();
  expect(told).toEqual(Array(2).fill(['meeting.notes_drafting', 'meeting.notes_drafted']).flat());
  const closed = await close(hall, id);
  expect(closed.notes).toBe(second.text);
  expect(recordOf(integration, id).frontmatter['linked_artifacts']).toEqual(['.lore/notes/counting.md']);
  await expect(draft(hall, id)).rejects.toMatchObject({
    code: 'conflict',
    message: `Meeting ${id} is closed; notes are drafted of an open meeting.`,
  });
});

test("the person's own notes are written as they are; links, log and clean-up are as ever, twice is safe", async () => {
  const { hall, repo, integration } = await startHallWithProject();
  const opened = await openMeeting(hall, { message: 'Hello' });
  const { id } = opened;
  writeFileSync(join(opened.worktree, 'src/extra.ts'), 'export const extra = 1;\n');
  await draft(hall, id);
  const notes =
    '# Mine\r\n\n---\nstatus: open\n---\n\n\ttabbed, "quoted", \'single\', 100 % – \u{1f989}\n- [a](<../x y.md>)  \n\nEnd  \n';
  const wanted = notes.replaceAll('\r\n', '\n').trim();
  const closed = (await hall.client.call('meeting.close', { id, notes })) as MeetingClosed;
  expect(closed).toMatchObject({ merge: { state: 'merged' }, notes: wanted, transcriptKept: false });
  const record = recordOf(integration, id);
  expect(record.frontmatter).toMatchObject({
    status: 'closed',
    notes_summary: wanted,
    linked_artifacts: ['src/extra.ts'],
  });
  expect(record.body.trimEnd().endsWith(wanted)).toBe(true);
  expect(repo.git('show', `claude/main:.lore/meetings/${id}.md`)).toContain('tabbed, "quoted"');
  const again = (await hall.client.call('meeting.close', { id, notes })) as MeetingClosed;
  expect(again).toMatchObject({ notes: wanted, merge: { state: 'merged' } });
  expect(await close(hall, id)).toMatchObject({ notes: wanted });
  await expect(hall.client.call('meeting.close', { id, notes: 'Others' })).rejects.toMatchObject({
    code: 'conflict',
    message: `Meeting ${id} was closed before with other notes; yours were not written.`,
  });
  for (const bad of ['', ' \n ', 'x'.repeat(100_001)])
    await expect(hall.client.call('meeting.close', { id, notes: bad })).rejects.toMatchObject({ code: 'invalid' });
});

test('what looks like a secret in the notes is asked about by its line, never changed [SEC-SECRETS]', async () => {
  const { hall, integration } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const notes = 'We use\n\nthe key AKIAIOSFODNN7EXAMPLE here.';
  const refused = hall.client.call('meeting.close', { id, notes });
  await expect(refused).rejects.toMatchObject({
    code: 'conflict',
    message: 'It looks as if there is a secret in the notes, at line 3 (AWS key); the meeting is still open.',
    details: { kind: 'secrets', secrets: [{ line: 3, kind: 'AWS key' }] },
  });
  expect((await show(hall, id)).meeting.status).toBe('open');
  await say(hall, id, 'It goes on');
  await hall.client.call('meeting.close', { id, notes, allowSecrets: true });
  expect(recordOf(integration, id).frontmatter['notes_summary']).toBe(notes);
});

test('while an answer runs, after it was interrupted, and when the hall was killed over it', async () => {
  const { hall } = await startHallWithProject();
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 50ms x 400]' })) as {
    cursor: string;
    turn: number;
  };
  const during = await draft(hall, id);
  expect(during.turn).toBe(1);
  await hall.client.call('meeting.interrupt', { id });
  await readTurn(hall, id, slow.cursor, slow.turn);
  await untilStill(hall, id);
  const after = await draft(hall, id);
  expect(after.turn).toBe(2);
  expect(after.text).toContain('(interrupted)');
  await hall.stop();
  const file = join(hall.home, `state/meetings/tally.${id}.json`);
  const state = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...state, drafting: '2026-02-14T09:30:00.000Z' }));
  await hall.restart();
  const view = await show(hall, id);
  expect([view.drafting, view.draft?.text]).toEqual([null, after.text]);
  expect((await close(hall, id)).notes).toBe(after.text);
});

test('the model writes the draft once; its words are used with the facts of the close; a failure is told', async () => {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const models = `model: scripted\nmodels:\n  - { name: scripted, modelId: scripted-1, baseUrl: "${model.baseUrl}", auth: { kind: api-key, key: k-1 } }\n`;
  const { hall } = await startHallWithProject({ config: `${models}agents: { maxRetries: 0, maxPrepared: 0 }\n` });
  const { id, worktree } = await openMeeting(hall, { message: 'Hello' });
  const asked = model.requests('k-1').length;
  model.answer('k-1', { status: 529 });
  const failed = await draft(hall, id);
  expect(failed).toMatchObject({ by: 'record', problem: expect.stringContaining('529') as string });
  model.answer('k-1', answer('## Summary\n\nThe model wrote this.\n\n## Open questions\n\n- None of note'));
  const written = await draft(hall, id);
  expect(written).toMatchObject({ by: 'model', problem: null });
  expect(await draft(hall, id)).toMatchObject({ text: written.text });
  model.answer('k-1', answer('## Summary\n\nOther words.\n\n## Open questions\n\n- None of note'));
  expect((await draft(hall, id, true)).text).toContain('Other words.');
  writeFileSync(join(worktree, 'later.md'), '# Later\n');
  const closed = await close(hall, id);
  expect(closed.notes).toContain('Other words.');
  expect(closed.notes).toContain('later.md');
  expect(model.requests('k-1').length - asked).toBe(3);
});

test('drafted and given back on the command line, and kept when the hall is killed during the close [SYS-CRASH]', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'a\n' } });
  const home = await freshHome();
  await home.json('up', '--detach', '--port', '0');
  await home.json('project', 'add', repository.path, '--name', 'tally');
  const { id } = await home.json<MeetingOpened>('meeting', 'open', '--worker', 'researcher', 'Hello');
  const drafted = await home.run('meeting', 'notes', id);
  expect(drafted).toMatchObject({ exitCode: 0, err: '' });
  expect(drafted.out.startsWith('## Summary\n')).toBe(true);
  await home.json('down');
  Object.assign(home.env, { GUILD_HALL_FAULT_AT: '1', GUILD_HALL_FAULT_MATCH: 'git:before:commit-tree' });
  const hall = spawnProgram(home, 'up', '--port', '0');
  for (const name of ['GUILD_HALL_FAULT_AT', 'GUILD_HALL_FAULT_MATCH']) delete home.env[name];
  const exited = once(hall, 'exit');
  onTestFinished(() => void hall.kill('SIGKILL'));
  await waitUntil(async () => (await findHall(home.path))?.identity.pid === hall.pid);
  const edited = drafted.out.replace('## Summary', '## Summary, by hand');
  const closing = await runProgram(home.env, home.folder, ['meeting', 'close', id, '--notes', '-'], edited);
  expect(closing.exitCode).not.toBe(0);
  await exited;
  expect(hall.signalCode).toBe('SIGKILL');
  await home.json('up', '--detach', '--port', '0');
  const client = await connectHall(home.path);
  await waitUntil(async () => {
    const { meeting } = (await client.call('meeting.show', { id })) as MeetingView;
    return meeting.merge.state === 'merged';
  });
  const shown = await runProgram(home.env, home.folder, ['meeting', 'show', id, '--json']);
  expect((JSON.parse(shown.out) as MeetingView).meeting.notesSummary).toBe(edited.trim());
});
