/** What waits for the person, what runs, and edits by hand of records: on a real hall. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ArtifactShown } from '../../src/features/artifacts/contract.ts';
import type { InboxActed, InboxItem, InboxList } from '../../src/features/inbox/contract.ts';
import type { Overview } from '../../src/features/overview/contract.ts';
import type { ProjectShown } from '../../src/features/projects/contract.ts';
import { localDayOf } from '../../src/kernel/clock/local-day.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { HallError } from '../../src/kernel/pure/errors.ts';
import { close, listed, openMeeting, readTurn, show, startHallWithProject, type TestHall } from '../help/halls.ts';
import { makeRepository, repositoryAt } from '../help/repositories.ts';

const scenario = `
- match: please ask for a follow-up
  do:
    - call: { tool: propose_followup, input: { agenda: "Go on with the parser. It is long.", reason: It is larger than thought, artifacts: [README.md] } }
    - say: Asked.
- match: please write it down
  do:
    - call: { tool: write_artifact, input: { path: .lore/notes/found.md, content: "---\\ntitle: Found\\nrelated: [.lore/spec.md]\\n---\\nSee [the spec](../spec.md) and [nothing](gone.md).\\n" } }
    - say: Written.
- match: please change the spec
  do:
    - call: { tool: read_artifact, input: { path: .lore/spec.md } }
    - call: { tool: write_artifact, input: { path: .lore/spec.md, content: "---\\ntitle: Spec\\n---\\nThe meeting says so.\\n" } }
    - say: Changed.
- match: ".*"
  do:
    - say: Yes.
`;
const files = { 'README.md': '# Tally\n', '.lore/spec.md': '---\ntitle: Spec\n---\nAs it was.\n' };

const start = async () => await startHallWithProject({ scenario, files });
const inbox = async (hall: TestHall, input: object = {}): Promise<InboxList> =>
  (await hall.client.call('inbox.list', input)) as InboxList;
const act = async (hall: TestHall, id: string, verb: string, text = ''): Promise<InboxActed> =>
  (await hall.client.call('inbox.act', { id, verb, text })) as InboxActed;
const overview = async (hall: TestHall): Promise<Overview> => (await hall.client.call('overview', {})) as Overview;
const artifact = async (hall: TestHall, path: string): Promise<ArtifactShown> =>
  (await hall.client.call('artifact.show', { path })) as ArtifactShown;

async function refusal(work: Promise<unknown>): Promise<HallError> {
  const outcome = await work.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(HallError);
  return outcome as HallError;
}

/** A hall on which a worker has asked for a meeting. */
async function startWithRequest(): Promise<{ hall: TestHall; integration: string; item: InboxItem; meeting: string }> {
  const { hall, integration } = await start();
  const { id: meeting } = await openMeeting(hall, { message: 'please ask for a follow-up' });
  const { items } = await inbox(hall);
  expect(items).toHaveLength(1);
  return { hall, integration, item: items[0]!, meeting };
}

describe('a request waits in the inbox, with what answers it [WEB-INBOX]', () => {
  test('words that look like a secret are asked about, and sent on the person’s word [SEC-ASK-SECRETS]', async () => {
    const { hall, item } = await startWithRequest();
    const text = `use ${['AKIA', 'QWERTY', 'UIOPAS', 'DFGH'].join('')}`;
    const asked = await refusal(act(hall, item.id, 'approve', text));
    expect(asked).toMatchObject({ code: 'conflict', details: { kind: 'secrets' } });
    expect((await inbox(hall)).items).toHaveLength(1);
    await hall.client.call('inbox.act', { id: item.id, verb: 'approve', text, allowSecrets: true });
    expect((await inbox(hall)).items).toEqual([]);
  });

  test('and says who asks, for what and why', async () => {
    const { hall, item } = await startWithRequest();
    const [record] = await listed(hall, 'requested');
    expect(item).toMatchObject({
      kind: 'request',
      project: 'tally',
      subject: { kind: 'meeting', id: record!.id, title: 'Go on with the parser.' },
      title: 'researcher asks for a meeting',
      since: record!.log[0]!.timestamp,
    });
    for (const words of ['It is long.', 'It is larger than thought', 'README.md']) expect(item.detail).toContain(words);
    expect(item.actions.map(({ verb, operation }) => `${verb} ${operation}`)).toEqual([
      'approve meeting.accept',
      'deny meeting.decline',
      'defer meeting.defer',
    ]);
    expect(await inbox(hall)).toMatchObject({ waiting: 1, problems: 0 });
    expect((await overview(hall)).waiting).toEqual({ request: 1 });
  });

  test('is accepted with words: the meeting opens, and the inbox is empty', async () => {
    const { hall, item } = await startWithRequest();
    const acted = await act(hall, item.id.split('-').at(-1)!, 'approve', 'Begin with the tests');
    const opened = acted.output as { id: string; cursor: string };
    await readTurn(hall, opened.id, opened.cursor, 1);
    expect((await show(hall, opened.id)).turns[0]!.text).toContain('Begin with the tests');
    expect((await inbox(hall)).items).toEqual([]);
  });

  test('is declined with a reason', async () => {
    const { hall, item } = await startWithRequest();
    await hall.client.call('inbox.deny', { id: item.id, text: 'Not this week' });
    const [record] = await listed(hall, 'declined');
    expect(record!.log.at(-1)).toMatchObject({ event: 'declined', reason: 'Not this week' });
    expect((await inbox(hall)).items).toEqual([]);
  });

  test('is left for later: gone until that day, and there again on it', async () => {
    const { hall, item } = await startWithRequest();
    const day = (ms: number): string => localDayOf(systemClock.nowMs() + ms);
    expect(await refusal(act(hall, item.id, 'defer', day(-3 * 86_400_000)))).toMatchObject({ code: 'invalid' });
    await act(hall, item.id, 'defer', day(3 * 86_400_000));
    expect((await inbox(hall)).items).toEqual([]);
    await hall.client.call('meeting.defer', { project: 'tally', id: item.subject.id, until: day(0) });
    expect((await inbox(hall)).items.map(({ id }) => id)).toEqual([item.id]);
  });

  test('the operation that an action names answers it as well, from any door', async () => {
    const { hall, item } = await startWithRequest();
    const deny = item.actions.find(({ verb }) => verb === 'deny')!;
    await hall.client.call(deny.operation, { ...deny.input, [deny.field!]: 'No' });
    expect((await inbox(hall)).items).toEqual([]);
    expect((await refusal(act(hall, item.id, 'deny'))).code).toBe('not_found');
  });
});

/** A meeting whose work does not merge. */
async function startWithConflict() {
  const { hall, integration } = await start();
  const { id } = await openMeeting(hall, { message: 'please change the spec' });
  const shown = await artifact(hall, '.lore/spec.md');
  await hall.client.call('artifact.edit', {
    path: '.lore/spec.md',
    raw: shown.raw.replace('As it was.', 'The person says so.'),
    baseRevision: shown.revision,
  });
  expect((await close(hall, id)).merge.state).toBe('merge_conflict');
  const [item] = (await inbox(hall)).items;
  return { hall, integration, id, item: item! };
}

describe('a merge conflict waits in the inbox [WEB-INBOX]', () => {
  test('with its files and its branch; it is tried again, and given up', async () => {
    const { hall, id, item } = await startWithConflict();
    expect(item).toMatchObject({ kind: 'conflict', subject: { kind: 'meeting', id } });
    expect(item.detail).toContain('.lore/spec.md');
    expect(item.detail).toContain(`claude/meeting/${id}`);
    expect(item.since > '2026').toBe(true);
    expect((await overview(hall)).running).toEqual([]);
    const again = await act(hall, item.id, 'retry');
    expect(again.output).toMatchObject({ merge: { state: 'merge_conflict' } });
    const dismiss = item.actions.find(({ verb }) => verb === 'dismiss')!;
    expect(dismiss).toMatchObject({ asks: 'confirm', warning: expect.stringContaining('stays on') });
    await act(hall, item.id, 'dismiss');
    expect((await inbox(hall)).items).toEqual([]);
  });

  test('its record is not edited by hand until it is settled', async () => {
    const { hall, id } = await startWithConflict();
    const shown = await artifact(hall, `.lore/meetings/${id}.md`);
    expect(shown.locked?.message).toContain('the hall is writing itself');
    await hall.client.call('meeting.dismiss', { id });
    expect((await artifact(hall, shown.path)).locked).toBeNull();
  });
});

test('what is wrong is in the inbox too, after what is asked, and goes when it is mended [WEB-INBOX]', async () => {
  const { hall, integration, item } = await startWithRequest();
  writeFileSync(join(integration, '.lore/meetings/odd.md'), '---\nstatus: maybe\nworker: researcher\n---\n');
  const leaving = new AbortController();
  const told = hall.client.events({ after: await cursorOf(hall), signal: leaving.signal });
  writeFileSync(
    join(hall.home, 'config.yaml'),
    `${readFileSync(join(hall.home, 'config.yaml'), 'utf8')}\nport: many\n`,
  );
  for await (const event of told) if (event.type === 'inbox.changed') break;
  leaving.abort();
  const { items, waiting, problems } = await inbox(hall);
  expect([waiting, problems]).toEqual([1, 2]);
  expect(items[0]!.id).toBe(item.id);
  expect(
    items
      .slice(1)
      .map(({ kind, subject }) => `${kind} ${subject.kind} ${subject.id}`)
      .toSorted(),
  ).toEqual(['problem artifact .lore/meetings/odd.md', 'problem check config']);
  const config = items.find(({ subject }) => subject.id === 'config')!;
  expect(config.title).toContain('config.yaml');
  const text = readFileSync(join(hall.home, 'config.yaml'), 'utf8');
  writeFileSync(join(hall.home, 'config.yaml'), text.replace('port: many\n', ''));
  writeFileSync(join(integration, '.lore/meetings/odd.md'), '---\nstatus: declined\nworker: researcher\n---\n');
  while ((await inbox(hall)).problems > 0) await act(hall, config.id, 'check').catch(() => 'mended');
  expect((await inbox(hall)).items.map(({ id }) => id)).toEqual([item.id]);
});

async function cursorOf(hall: TestHall): Promise<string> {
  const [meeting] = await listed(hall, 'open');
  return (await show(hall, meeting!.id)).cursor;
}

describe('records of meetings, edited by hand [WEB-RECORDS]', () => {
  const edit = (hall: TestHall, shown: ArtifactShown, raw: string): Promise<unknown> =>
    hall.client.call('artifact.edit', { path: shown.path, raw, baseRevision: shown.revision });

  test('that of an open meeting is the hall’s, and says what to do', async () => {
    const { hall } = await start();
    const { id } = await openMeeting(hall, { message: 'Hello' });
    const shown = await artifact(hall, `.lore/meetings/${id}.md`);
    const { code, message, hint } = await refusal(edit(hall, shown, `${shown.raw}\nmine\n`));
    expect({ code, message, hint }).toEqual({ code: 'conflict', ...shown.locked });
    expect(hint).toContain(`guild-hall meeting close ${id}`);
  });

  test('of a request: its words are the person’s, what the hall did is not', async () => {
    const { hall, item } = await startWithRequest();
    const path = `.lore/meetings/${item.subject.id}.md`;
    const shown = await artifact(hall, path);
    expect(shown.locked).toBeNull();
    for (const [from, to] of [
      ['status: requested', 'status: open'],
      ['branch: ""', 'branch: main'],
      ['event: requested', 'event: opened'],
    ] as const) {
      const text = shown.raw.replace(from, to);
      expect(text).not.toBe(shown.raw);
      expect((await refusal(edit(hall, shown, text))).message).toContain('tells what the hall did');
    }
    const broken = await refusal(edit(hall, shown, shown.raw.replace('title:', 'title: [')));
    expect([broken.code, broken.message]).toEqual(['invalid', expect.stringContaining('could not be read any more')]);
    await edit(hall, shown, shown.raw.replaceAll('Go on with the parser.', 'Leave the parser.'));
    expect((await inbox(hall)).items[0]!.subject.title).toBe('Leave the parser.');
  });

  test('of a closed meeting: the notes are free, and a broken record may be mended', async () => {
    const { hall, integration } = await start();
    const { id } = await openMeeting(hall, { message: 'Hello' });
    await close(hall, id);
    const shown = await artifact(hall, `.lore/meetings/${id}.md`);
    await edit(hall, shown, `${shown.raw}\nAnd what I think of it.\n`);
    writeFileSync(join(integration, shown.path), shown.raw.replace('status: closed', 'status: clsed'));
    const odd = await artifact(hall, shown.path);
    await edit(hall, odd, shown.raw);
    expect((await show(hall, id)).meeting.status).toBe('closed');
  });
});

test('an artifact that only stands on the branch of an open meeting names that meeting, and then who made it [WEB-PROVENANCE]', async () => {
  const { hall } = await start();
  const { id } = await openMeeting(hall, { message: 'please write it down' });
  const facts = await refusal(artifact(hall, '.lore/notes/found.md'));
  expect([facts.code, facts.hint]).toEqual(['not_found', `See: guild-hall meeting show ${id}`]);
  await close(hall, id);
  const shown = await artifact(hall, '.lore/notes/found.md');
  expect(shown.produced_by).toEqual([{ kind: 'meeting', id, title: 'please write it down' }]);
  expect(shown.history[0]).toMatchObject({ activity: { kind: 'meeting', id } });
  expect(shown.linksTo).toEqual([
    { path: '.lore/spec.md', title: 'Spec', exists: true, where: ['related', 'text'] },
    { path: '.lore/notes/gone.md', title: null, exists: false, where: ['text'] },
  ]);
  const spec = await artifact(hall, '.lore/spec.md');
  expect(spec.linkedFrom.map(({ path, where }) => [path, where])).toEqual([
    ['.lore/notes/found.md', ['related', 'text']],
  ]);
});

test('the overview: what runs, what came out, what it used; the same after a restart [WEB-OVERVIEW]', async () => {
  const { hall } = await start();
  const { id } = await openMeeting(hall, { message: 'please write it down' });
  const open = await overview(hall);
  expect(open.running).toMatchObject([
    { kind: 'meeting', id, title: 'please write it down', project: 'tally', worker: 'researcher', state: 'waiting' },
  ]);
  expect(open.running[0]!.usage.turns).toBe(1);
  expect(open.projects).toEqual([{ name: 'tally', open: 1, problems: [] }]);
  expect(open.recentArtifacts.map(({ path }) => path)).toEqual(['.lore/spec.md']);
  await close(hall, id);
  const closed = await overview(hall);
  expect(closed.recentArtifacts.map(({ path, producer }) => [path, producer?.id])).toEqual([
    ['.lore/notes/found.md', id],
    [`.lore/meetings/${id}.md`, id],
    ['.lore/spec.md', undefined],
  ]);
  expect(closed.today.turns).toBeGreaterThan(0);
  await hall.restart();
  expect(await overview(hall)).toEqual(closed);
});

test('a project whose checkout is gone is named, and takes nothing else with it', async () => {
  const { hall, integration } = await start();
  const repo = await makeRepository({ files });
  await hall.client.call('project.add', { path: repo.path, name: 'other' });
  await openMeeting(hall, { message: 'Hello' });
  const { id } = await openMeeting(hall, { message: 'Hello', project: 'other' });
  rmSync(integration, { recursive: true });
  // Whatever changes a project has it looked at anew.
  await hall.client.call('project.sync', { project: 'other' });
  while ((await inbox(hall)).problems === 0);
  const { items } = await inbox(hall);
  expect(items.map(({ kind, project }) => [kind, project])).toEqual([['problem', 'tally']]);
  expect(items[0]!.title).toContain('is missing');
  const seen = await overview(hall);
  expect(seen.running.map((activity) => activity.id)).toEqual([id]);
  expect(seen.recentArtifacts.map(({ project }) => project)).toEqual(['other']);
  expect(seen.projects.map(({ name, problems }) => [name, problems.length])).toEqual([
    ['tally', 1],
    ['other', 0],
  ]);
});

test('a project says how far its branches are apart, what is open, and when it was brought up to date', async () => {
  const { hall, repo } = await start();
  const shown = async (): Promise<ProjectShown> => (await hall.client.call('project.show', {})) as ProjectShown;
  expect(await shown()).toMatchObject({
    personBranch: 'main',
    behind: 0,
    ahead: 0,
    lastSync: null,
    artifacts: 1,
    open: [],
  });
  repo.commit('Mine', { 'a.txt': 'a\n' });
  const { id } = await openMeeting(hall, { message: 'please write it down' });
  expect(await shown()).toMatchObject({ behind: 1, open: [`meeting ${id}`] });
  await close(hall, id);
  await hall.client.call('project.sync', { project: 'tally' });
  const synced = await shown();
  expect(synced).toMatchObject({ behind: 0, open: [], artifacts: 3, lastSync: expect.stringMatching(/^\d{4}-/) });
  expect(synced.ahead).toBeGreaterThan(0);
  // Taken over squashed, the work of the hall is no longer ahead of anything but by its own commits.
  repositoryAt(repo.path).git('merge', '--squash', 'claude/main');
  repo.commit('Taken over');
  await hall.client.call('project.sync', { project: 'tally' });
  expect((await shown()).behind).toBe(0);
  expect(existsSync(join(repo.path, '.lore/notes/found.md'))).toBe(true);
});
