/** Secrets: what an agent says, does and writes, and what the person says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MeetingClosed, MeetingOpened } from '../../src/features/meetings/contract.ts';
import { HallError } from '../../src/kernel/pure/errors.ts';
import { close, listed, openMeeting, readTurn, say, show, startHallWithProject } from '../help/halls.ts';
import { repositoryAt } from '../help/repositories.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const awsKey = made('AKIA', 'IOSFODNN7ABCDEFG');

async function refused(call: Promise<unknown>): Promise<HallError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof HallError)) throw new Error(`not refused: ${JSON.stringify(error)}`);
  return error;
}

test('an answer is streamed without the secret in it, cut anywhere, and kept as it was streamed [SEC-SECRETS]', async () => {
  const say = `The key is ${awsKey}, and password: hunter2 opens it. So much for that.`;
  const { hall } = await startHallWithProject({
    scenario: JSON.stringify([
      { match: 'tell', do: [{ say }, { call: { tool: 'Read', input: { file_path: 'README.md' } } }, { say: 'Done' }] },
    ]),
  });
  const { id, first } = await openMeeting(hall, { message: 'tell me' });
  const kept =
    'The key is [secret removed: AWS key], and password: [secret removed: password] opens it. So much for that.\n\nDone';
  const [, label = ''] = /^(> \*\*Rehearsal\.\*\*.*\n\n)/.exec(first.text) ?? [];
  expect(first.text).toBe(label + kept);
  expect(first.events.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(5);
  const { turns } = await show(hall, id);
  expect(turns.at(-1)).toMatchObject({
    text: label + kept,
    mark: 'done',
    tools: [{ name: 'Read', after: (label + kept).length - '\n\nDone'.length }],
  });
});

test('what was said of a secret once is masked in what the agent says next, also without the name that told of it [SEC-SECRETS]', async () => {
  const { hall } = await startHallWithProject({
    scenario: JSON.stringify([
      {
        match: 'try',
        do: [{ call: { tool: 'Grep', input: { pattern: 'hunter2' } } }, { say: 'I tried hunter2 and HUNTER2.' }],
      },
      { match: 'again', say: 'It was `hunter2`; swordfish9 is new.' },
    ]),
  });
  const { id, first } = await openMeeting(hall, { message: made('try this password: ', 'hunter2') });
  expect(first.events.find(({ type }) => type === 'tool_use')).toMatchObject({
    input: { pattern: '[secret removed: password]' },
  });
  expect(first.text).toContain('I tried [secret removed: password] and HUNTER2.');
  const second = await say(hall, id, 'again');
  expect(second.text).toContain('It was `[secret removed: password]`; swordfish9 is new.');
});

describe('files that a worker wrote itself', () => {
  const note = `# Found\n\nThe key ${awsKey} was in the log.\npassword: hunter2\n`;

  test('an artifact is masked as it is merged; the close goes through [SEC-SECRETS]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    const { id, worktree } = await openMeeting(hall, { message: 'Hello' });
    mkdirSync(join(worktree, '.lore/notes'), { recursive: true });
    writeFileSync(join(worktree, '.lore/notes/found.md'), note);
    expect((await close(hall, id)).merge.state).toBe('merged');
    const masked = note.replace(awsKey, '[secret removed: AWS key]').replace('hunter2', '[secret removed: password]');
    expect(readFileSync(join(integration, '.lore/notes/found.md'), 'utf8')).toBe(masked);
    expect(repo.git('log', '--all', '-p', '--reflog')).not.toContain(awsKey);
  });

  test('a secret in code stops the close; the meeting goes on, and is closed when it was taken out [SEC-ASK-SECRETS]', async () => {
    const { hall, repo } = await startHallWithProject();
    const { id, worktree } = await openMeeting(hall, { worker: 'developer', message: 'Hello' });
    writeFileSync(join(worktree, 'src/config.ts'), `// one\nexport const key = '${awsKey}';\n`);
    const before = repo.git('rev-parse', 'claude/main');
    const refusal = await refused(close(hall, id));
    expect(refusal.message).toBe(
      `Meeting ${id} was not merged: it looks as if there is a secret in src/config.ts:2 (AWS key).`,
    );
    expect(refusal.details).toEqual({
      kind: 'secrets',
      secrets: [{ path: 'src/config.ts', line: 2, kind: 'AWS key' }],
    });
    expect(JSON.stringify(refusal.facts)).not.toContain(awsKey);
    expect(repo.git('rev-parse', 'claude/main')).toBe(before);
    expect(await show(hall, id)).toMatchObject({ phase: 'open', meeting: { status: 'open' } });

    const again = await say(hall, id, 'Where are words counted?');
    expect(again.events.at(-1)).toEqual({ type: 'turn_end', interrupted: false });
    await hall.restart();
    expect((await refused(close(hall, id))).code).toBe('conflict');
    writeFileSync(join(worktree, 'src/config.ts'), 'export const key = process.env.KEY;\n');
    expect((await close(hall, id)).merge.state).toBe('merged');
    expect(repo.git('show', 'claude/main:src/config.ts')).toBe('export const key = process.env.KEY;');
  });

  test('or it is kept, because the person says so [SEC-ASK-SECRETS]', async () => {
    const { hall, repo } = await startHallWithProject();
    const { id, worktree } = await openMeeting(hall, { worker: 'developer', message: 'Hello' });
    writeFileSync(join(worktree, 'src/config.ts'), `export const key = '${awsKey}';\n`);
    expect((await refused(close(hall, id))).code).toBe('conflict');
    const closed = (await hall.client.call('meeting.close', { id, allowSecrets: true })) as MeetingClosed;
    expect(closed.merge.state).toBe('merged');
    expect(repo.git('show', 'claude/main:src/config.ts')).toContain(awsKey);
  });

  test('a hall that was killed while it closed asks all the same, and closes what was said to be meant [SEC-ASK-SECRETS, SYS-CRASH]', async () => {
    const { hall, repo } = await startHallWithProject();
    const { id, worktree } = await openMeeting(hall, { worker: 'developer', message: 'Hello' });
    writeFileSync(join(worktree, 'src/config.ts'), `export const key = '${awsKey}';\n`);
    const file = join(hall.home, `state/meetings/tally.${id}.json`);
    const closingWith = async (allowSecrets: boolean): Promise<void> => {
      await hall.stop();
      const closing = { notes: null, notesFailed: false, final: null, merged: null, allowSecrets };
      const state = { ...(JSON.parse(readFileSync(file, 'utf8')) as object), phase: 'closing', closing };
      writeFileSync(file, JSON.stringify(state));
      await hall.restart();
    };
    await closingWith(false);
    while ((await show(hall, id)).phase === 'closing');
    expect(await show(hall, id)).toMatchObject({ phase: 'open', meeting: { status: 'open' } });
    expect(repo.git('ls-tree', '--name-only', 'claude/main', 'src/')).not.toContain('config.ts');
    await closingWith(true);
    while ((await show(hall, id)).phase === 'closing');
    expect((await show(hall, id)).meeting).toMatchObject({ status: 'closed', merge: { state: 'merged' } });
    expect(repo.git('show', 'claude/main:src/config.ts')).toContain(awsKey);
  });

  test('tried again after a conflict it stays in conflict until the secret is out or meant [SEC-ASK-SECRETS]', async () => {
    const { hall, repo, integration } = await startHallWithProject();
    const { id, worktree, branch } = await openMeeting(hall, { worker: 'developer', message: 'Hello' });
    writeFileSync(join(worktree, 'src/count.ts'), 'mine\n');
    repositoryAt(integration).commit('Meanwhile', { 'src/count.ts': 'theirs\n' });
    expect((await close(hall, id)).merge.state).toBe('merge_conflict');
    repo.git('switch', '--quiet', branch);
    repo.git('merge', '--quiet', '-X', 'ours', '--no-edit', 'claude/main');
    repo.commit('Mended', { 'src/config.ts': `export const key = '${awsKey}';\n` });
    repo.git('switch', '--quiet', 'main');
    const refusal = await refused(close(hall, id));
    expect(refusal.hint).toContain(`Take it out on the branch ${branch}.`);
    expect(await show(hall, id)).toMatchObject({ phase: 'conflict', meeting: { merge: { state: 'merge_conflict' } } });
    await hall.restart();
    const meant = (await hall.client.call('meeting.close', { id, allowSecrets: true })) as MeetingClosed;
    expect(meant.merge.state).toBe('merged');
  });

  test('what was in the project before is not asked about, nor what a test is full of', async () => {
    const config = `export const key = '${awsKey}';\n`;
    const { hall } = await startHallWithProject({ files: { 'src/config.ts': config } });
    const { id, worktree } = await openMeeting(hall, { worker: 'developer', message: 'Hello' });
    writeFileSync(join(worktree, 'src/config.ts'), `${config}export const more = 1;\n`);
    mkdirSync(join(worktree, 'test'));
    writeFileSync(join(worktree, 'test/login.test.ts'), "login({ password: 'swordfish9' });\n");
    expect((await close(hall, id)).merge.state).toBe('merged');
  });
});

describe("the person's own words", () => {
  test('are asked about before anything is done, and passed on as they are when they are meant [SEC-ASK-SECRETS]', async () => {
    const { hall, integration } = await startHallWithProject();
    const message = `Try ${awsKey} there.`;
    const opening = { worker: 'researcher', project: 'tally', message };
    const refusal = await refused(hall.client.call('meeting.open', opening));
    expect(refusal.facts).toMatchObject({
      code: 'conflict',
      details: { kind: 'secrets', secrets: [{ in: 'the message', line: 1, kind: 'AWS key' }] },
    });
    expect(await listed(hall)).toEqual([]);
    const messageId = 'm-abcdefgh';
    const sent = { ...opening, messageId, allowSecrets: true };
    const { id, cursor } = (await hall.client.call('meeting.open', sent)) as MeetingOpened;
    const turn = await readTurn(hall, id, cursor, 1);
    expect(JSON.stringify(turn.all)).not.toContain(awsKey);
    // Sent again it is known, although what is kept of it is masked.
    expect(await hall.client.call('meeting.open', sent)).toMatchObject({ id });
    const { turns, meeting } = await show(hall, id);
    expect(turns[0]?.text).toBe('Try [secret removed: AWS key] there.');
    expect(meeting.agenda).toBe('Try [secret removed: AWS key] there.');
    expect(readFileSync(join(integration, meeting.path), 'utf8')).not.toContain(awsKey);

    const later = { id, message: `And ${awsKey}?`, messageId: 'm-abcdefgj' };
    expect((await refused(hall.client.call('meeting.say', later))).details).toMatchObject({ kind: 'secrets' });
    const said = (await hall.client.call('meeting.say', { ...later, allowSecrets: true })) as { cursor: string };
    await readTurn(hall, id, said.cursor, 2);
    expect(await hall.client.call('meeting.say', { ...later, allowSecrets: true })).toMatchObject({ turn: 2 });
    const title = made('password: ', 'hunter2');
    expect((await refused(hall.client.call('meeting.rename', { id, title }))).message).toContain('the title, line 1');
    expect(await hall.client.call('meeting.rename', { id, title, allowSecrets: true })).toMatchObject({ title });
  });

  test('an agenda is kept as the person meant it; ordinary words are never asked about', async () => {
    const { hall } = await startHallWithProject();
    const agenda = made('password: ', 'hunter2');
    const opening = { worker: 'researcher', project: 'tally', agenda, message: `Why is ${agenda} refused?` };
    expect((await refused(hall.client.call('meeting.open', opening))).message).toContain('the agenda, line 1');
    const meant = { ...opening, allowSecrets: true };
    const { id } = (await hall.client.call('meeting.open', meant)) as MeetingOpened;
    expect((await show(hall, id)).meeting.agenda).toBe(agenda);
    await say(hall, id, `The ${agenda} is only said. The token: it is read from the file.`);
    expect((await show(hall, id)).turns.at(-2)?.text).toContain('[secret removed: password] is only said');
  });
});
