/** Search through the doors of a real hall: the person, agents, texts of every feature. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/features/commissions/contract/journal.ts';
import { printSession } from '../../src/features/councils/store/session-file.ts';
import { notesFolder } from '../../src/features/councils/store/boundary.ts';
import { sessionPath } from '../../src/features/councils/store/place.ts';
import { type Conversation, conversationSchema } from '../../src/features/gatherings/contract.ts';
import type { SearchAnswer } from '../../src/features/search/contract.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { sampleSession } from '../help/council-values.ts';
import { atClose } from '../help/gathering-values.ts';
import { close, openMeeting, startHallWithProject, type TestHall } from '../help/halls.ts';
import { connectMcp } from '../help/mcp.ts';
import { waitUntil } from '../help/programs.ts';
import { makeRepository, tempFolder } from '../help/repositories.ts';
import { endTmuxOf } from '../help/tmux.ts';

async function searchFor(hall: TestHall, input: object): Promise<SearchAnswer> {
  return (await hall.client.call('search', input)) as SearchAnswer;
}

/** What was found, the best first: `<kind> <id or path>`. */
function found({ hits }: SearchAnswer): string[] {
  return hits.map(({ kind, id, path }) => `${kind} ${id ?? path}`);
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Looks like a key and opens nothing. */
const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

const repository = {
  'README.md': '# Tally\n',
  'src/count.ts': 'export {};\n',
  '.lore/specs/rounding.md':
    '---\ntitle: Rounding of hours\ndate: 2026-01-02\n---\n\nMinutes are rounded half up, also those of the walrus.\n',
  '.lore/specs/keys.md': `# Keys\n\nThe walrus uses token ${secret} for everything.\n`,
  '.lore/gatherings/weekly.md': '# Weekly\n\nWe spoke of the walrus.\n',
};

const conversation: Conversation = conversationSchema.parse({
  id: 'ada-and-ben-20260201-100000-k3f9',
  project: 'tally',
  members: [
    { terminal: 'ada-20260201-100000-k3f9', name: 'Ada', number: 1 },
    { terminal: 'ben-20260201-100000-k3f9', name: 'Ben', number: 2 },
  ],
  state: 'ended',
  startedBy: 'person',
  startedAt: '2026-02-01T10:00:00.000Z',
  turns: 8,
  countedFrom: 1,
  pauses: 0,
  pause: null,
  end: { reason: { kind: 'closed', by: 'person' }, at: '2099-02-01T11:00:00.000Z' },
});

const gathering = atClose({
  project: projectNameSchema.parse('tally'),
  stage: 'closed',
  end: { at: '2099-02-01T11:00:00.000Z', trail: 'x', harvested: [], isWrittenByHall: false, commit: null },
});

function journalLine(entry: Partial<JournalEntry>): string {
  return `${JSON.stringify({ n: 1, at: '2026-02-02T10:00:00.000Z', ...entry })}\n`;
}

/** Texts as each feature leaves them; what a meeting leaves is made by one. */
async function halls() {
  const home = join(await tempFolder(), 'home');
  const talk = join(home, 'state/conversations', conversation.id);
  put(join(talk, 'conversation.json'), JSON.stringify({ version: 1, ...conversation }));
  const said = {
    id: 'm1',
    number: 1,
    kind: 'words',
    from: 1,
    text: 'I saw the walrus.',
    at: '2026-02-01T10:00:05.000Z',
  };
  put(
    join(talk, 'messages.jsonl'),
    `${JSON.stringify({ did: 'said', message: { ...said, to: [2], fate: 'sent', own: '' } })}\n`,
  );
  const circle = join(home, 'state/gatherings', gathering.id);
  put(join(circle, 'gathering.json'), JSON.stringify({ version: 1, ...gathering }));
  const spoken = { ...said, to: [2], fate: 'sent', own: '', at: '2026-02-05T10:00:05.000Z' };
  const lines = [
    { ...spoken, id: 'g1', kind: 'seed', from: 'hall', text: 'Found before: the walrus and the whelk.' },
    { ...spoken, id: 'g2', number: 2, text: 'The walrus is alive. The whelk is not.' },
    { ...spoken, id: 'g3', number: 3, kind: 'announcement', from: 'person', text: 'A break for narwhals.' },
  ];
  put(join(circle, 'messages.jsonl'), lines.map((message) => `${JSON.stringify({ did: 'said', message })}\n`).join(''));
  const { hall, integration, repo } = await startHallWithProject({ home, files: repository });
  const session = { ...sampleSession(), charter: 'Of walrus and seal', sessionId: '2026-02-03-walrus' as never };
  put(join(integration, sessionPath('2026-02-03-walrus')), printSession(session));
  put(
    join(integration, notesFolder, 'meeting-2026-02-04-seal.md'),
    '---\ncharter: "Seals"\n---\n\nThe walrus was agreed on.\n',
  );
  put(
    join(home, 'state/commissions/tally.counter-1/1/journal.jsonl'),
    journalLine({ kind: 'text', text: 'Counting the wal' }) + journalLine({ kind: 'text', text: 'rus now.' }),
  );
  const other = await makeRepository({ files: { '.lore/private.md': '# Private\n\nA walrus of somebody else.\n' } });
  await hall.client.call('project.add', { path: other.path, name: 'other' });
  return { hall, integration, repo };
}

test('one search finds the texts of every feature, and opens them; what goes is not found any more [GTH-HISTORY-3]', async () => {
  const { hall, integration } = await halls();
  const { id } = await openMeeting(hall, { message: 'Write a note to .lore/notes/count.md about the walrus census.' });
  const all = await searchFor(hall, { words: 'walrus', project: 'tally' });
  expect(found(all).toSorted()).toEqual(
    [
      'artifact .lore/specs/keys.md',
      'artifact .lore/specs/rounding.md',
      'commission counter-1',
      `conversation ${conversation.id}`,
      'council 2026-02-03-walrus',
      'council 2026-02-04-seal',
      `gathering ${gathering.id}`,
      'gathering weekly',
      `meeting ${id}`,
    ].toSorted(),
  );
  expect(all).toMatchObject({ total: 9, terms: ['walrus'], touched: [], searched: { projects: ['tally'], unread: 0 } });
  const hit = (kind: string) => all.hits.find((each) => each.kind === kind)!;
  expect(hit('conversation')).toMatchObject({
    title: 'Ada and Ben',
    at: '2026-02-01T10:00:05.000Z',
    snippet: { text: 'I saw the walrus.', marks: [[10, 16]] },
    command: `guild-hall conversation show ${conversation.id}`,
  });
  expect(hit('commission').snippet.text).toBe('Counting the walrus now.');
  const spoken = all.hits.find(({ id: own }) => own === gathering.id)!;
  expect(spoken).toMatchObject({
    title: gathering.question,
    more: 0,
    snippet: { text: 'The walrus is alive. The whelk is not.' },
    command: `guild-hall gathering show ${gathering.id}`,
  });
  expect(found(await searchFor(hall, { words: 'narwhals' }))).toEqual([`gathering ${gathering.id}`]);
  expect(all.hits.find(({ path }) => path === '.lore/gatherings/weekly.md')!.command).toBe(
    'guild-hall artifact show .lore/gatherings/weekly.md --project tally',
  );
  for (const { marks, text } of all.hits.map(({ snippet }) => snippet))
    for (const [from, to] of marks) expect(text.slice(from, to).toLowerCase()).toBe('walrus');
  expect(JSON.stringify(all)).not.toContain(secret.slice(4, 20));
  expect(all.hits.find(({ path }) => path?.endsWith('keys.md'))!.snippet.text).toContain('[secret removed: ');

  expect(found(await searchFor(hall, { words: 'walrus rounded hours' }))[0]).toBe('artifact .lore/specs/rounding.md');
  expect(found(await searchFor(hall, { words: '"walrus census"' }))[0]).toBe(`meeting ${id}`);
  expect((await searchFor(hall, { words: 'walrus' })).searched.projects).toEqual(['tally', 'other']);
  expect(found(await searchFor(hall, { words: 'walrus', kind: ['council', 'gathering'] })).toSorted()).toEqual([
    'council 2026-02-03-walrus',
    'council 2026-02-04-seal',
    'gathering weekly',
    `gathering ${gathering.id}`,
  ]);
  const none = await searchFor(hall, { words: 'xylophone', project: 'tally' });
  expect(none).toMatchObject({ hits: [], total: 0 });
  expect(none.searched.sources).toBeGreaterThan(8);
  await expect(hall.client.call('search', { words: '?!' })).rejects.toThrow('It is not said what to search for');

  // The meeting ends: its transcript goes, its notes and what it made stay.
  await close(hall, id);
  rmSync(join(integration, '.lore/gatherings'), { recursive: true });
  const after = found(await searchFor(hall, { words: 'walrus', project: 'tally' }));
  expect(after).toContain(`meeting ${id}`);
  expect(after).not.toContain('gathering weekly');

  const touched = await searchFor(hall, { file: '.lore/notes/count.md' });
  expect(touched.touched).toMatchObject([
    { project: 'tally', activity: { kind: 'meeting', id }, command: `guild-hall meeting show ${id} --project tally` },
  ]);
  expect((await searchFor(hall, { words: '.lore/notes/count.md' })).touched).toHaveLength(1);
  expect((await searchFor(hall, { words: 'src/nowhere.ts' })).touched).toEqual([]);
  expect((await searchFor(hall, { file: '../../etc/passwd' })).touched).toEqual([]);

  // What it keeps is private, may go at any time, and goes with the project.
  const folder = join(hall.home, 'state/search');
  expect(readdirSync(folder).toSorted()).toEqual(['other', 'tally']);
  expect(statSync(join(folder, 'tally')).mode & 0o777).toBe(0o700);
  await hall.client.call('project.remove', { name: 'other' });
  await waitUntil(() => !existsSync(join(folder, 'other')));
  await hall.stop();
  rmSync(folder, { recursive: true });
  appendFileSync(join(hall.home, 'state/conversations', conversation.id, 'messages.jsonl'), '{"did":"sai');
  await hall.restart();
  expect(existsSync(folder)).toBe(false);
  expect(found(await searchFor(hall, { words: 'walrus' }))).toContain(`conversation ${conversation.id}`);
});

/** Leaves its token in the project, and stays. */
const program = ['sh', '-c', 'printf "%s\\n" "$GUILD_HALL_MCP_TOKEN" > told; exec sleep 600'];

test('an agent searches by the tool search_history, in its own project alone [GTH-HISTORY-4]', async () => {
  const { hall, repo } = await halls();
  onTestFinished(() => endTmuxOf(hall.home));
  await hall.client.call('terminal.start', { project: 'tally', name: 'ada', command: program, cwd: repo.path });
  const told = join(repo.path, 'told');
  await waitUntil(() => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'));
  const { client, call } = await connectMcp({ url: hall.url, token: readFileSync(told, 'utf8').trim() });
  const tool = (await client.listTools()).tools.find(({ name }) => name === 'search_history')!;
  expect(Object.keys(tool.inputSchema.properties!)).toEqual(['words', 'project', 'kind', 'file', 'limit']);
  expect(tool.annotations).toMatchObject({ readOnlyHint: true });

  const { isError, value, text } = await call('search_history', { words: 'the walrus is half up' });
  expect(isError).toBe(false);
  const answer = value as unknown as SearchAnswer;
  expect(found(answer)[0]).toBe('artifact .lore/specs/rounding.md');
  expect(answer.hits.map(({ project }) => project)).not.toContain('other');
  expect(answer.searched.projects).toEqual(['tally']);
  expect(text).not.toContain('somebody else');
  expect((await call('search_history', { words: 'walrus', project: 'other' })).value).toMatchObject({
    code: 'forbidden',
  });
  expect((await call('search_history', { file: '.lore/private.md' })).value).toMatchObject({ touched: [] });
});
