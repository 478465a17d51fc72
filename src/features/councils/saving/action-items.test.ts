import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderRig } from '../../../../test/help/council-saving.ts';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { runCommand } from '../../../kernel/processes/command.ts';
import { registryPath } from '../store/boundary.ts';
import { addActionItems, type ItemsRequest, type NewItem } from './action-items.ts';

const item = (change: Partial<NewItem> = {}): NewItem => ({
  type: 'feature',
  priority: 'normal',
  assignee: 'unassigned',
  contextForTarget: 'Do it.',
  acceptance: 'Done.',
  ...change,
});
const request = (items: readonly NewItem[], change: Partial<ItemsRequest> = {}): ItemsRequest => ({
  items,
  sourceMeeting: 'a-b',
  date: '2026-05-18',
  created: '2026-05-19T10:00:00.123Z',
  isOnce: false,
  ...change,
});
const itemsIn = (root: string): Record<string, string>[] =>
  (parse(readFileSync(join(root, registryPath), 'utf8')) as { items: Record<string, string>[] }).items;

test('ids count on from the highest of their day, wherever it stands [CNC-SAV-5]', async () => {
  const before =
    'items:\n  - id: AI-2026-05-17-9\n  - {id: AI-2026-05-18-41}\n  - id: AI-2026-05-18-7\n  - id: AI-2026-05-18-x\n  - plain\n';
  const { ctx, inPlace } = await folderRig({ [registryPath]: before });
  const add = async (date: string): Promise<string[]> =>
    await addActionItems(ctx, inPlace.root, request([item(), item()], { date }));
  expect(await add('2026-05-18')).toEqual(['AI-2026-05-18-42', 'AI-2026-05-18-43']);
  expect(await add('2026-05-19')).toEqual(['AI-2026-05-19-1', 'AI-2026-05-19-2']);
  expect(readFileSync(join(inPlace.root, registryPath), 'utf8')).toContain(before.slice('items:\n'.length));
});

test('one unknown type rejects them all, before anything is touched [CNC-SAV-9]', async () => {
  const { ctx, inPlace } = await folderRig();
  const items = [item(), item({ type: 'decision-followup' })];
  await expect(addActionItems(ctx, inPlace.root, request(items))).rejects.toThrow(/no type "decision-followup"/);
  expect(existsSync(join(inPlace.root, '.gaia'))).toBe(false);
});

test('without items nothing is touched', async () => {
  const { ctx, inPlace } = await folderRig({ [registryPath]: 'not: [a registry' });
  const path = join(inPlace.root, registryPath);
  utimesSync(path, 1, 1);
  expect(await addActionItems(ctx, inPlace.root, request([]))).toEqual([]);
  expect(statSync(path).mtimeMs).toBe(1000);
});

test('secrets of new items go, and those that stood there stay as they are [CNC-SEC-6, CNC-SAV-3]', async () => {
  /** Put together here, so that no scanner takes this file for a leak. */
  const key = `AKIA${'IOSFODNN7ABCDEFG'}`;
  const before = `schema_version: 2\nitems:\n- id: a\n  text: ${key}\n`;
  const { ctx, inPlace } = await folderRig({ [registryPath]: before });
  await addActionItems(ctx, inPlace.root, request([item({ contextForTarget: `use ${key}` })]));
  const text = readFileSync(join(inPlace.root, registryPath), 'utf8');
  expect(text.startsWith(before)).toBe(true);
  expect(itemsIn(inPlace.root)[1]!['context_for_target']).toBe('use REDACTED-AWS-KEY');
});

test('bytes that are no UTF-8 are refused', async () => {
  const { ctx, inPlace } = await folderRig({ [registryPath]: '' });
  writeFileSync(join(inPlace.root, registryPath), Buffer.from('items:\n- id: "\xe9"\n', 'latin1'));
  await expect(addActionItems(ctx, inPlace.root, request([item()]))).rejects.toThrow(/is not UTF-8/);
});

test('two processes at once both keep all their items, with ids of their own [CNC-SAV-11]', async () => {
  const { ctx, inPlace } = await folderRig({
    [registryPath]: '# ours\nschema_version: 1\nitems:\n  - id: AI-2026-05-18-3\n',
  });
  const program = new URL('../../../../test/fixtures/items-contender.ts', import.meta.url).pathname;
  const rounds = 8;
  const ends = await Promise.all(
    ['one', 'two'].map((name) =>
      runCommand(ctx, {
        file: process.execPath,
        args: ['--import', 'tsx', program, inPlace.root, ctx.home.root, name, String(rounds)],
        cwd: process.cwd(),
        timeoutMs: 60_000,
      }),
    ),
  );
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const items = itemsIn(inPlace.root);
  expect(items.map(({ id }) => id)).toEqual(
    Array.from({ length: 4 * rounds + 1 }, (_, at) => `AI-2026-05-18-${at + 3}`),
  );
  for (const name of ['one', 'two']) {
    const own = items.flatMap((each) => (each['source_meeting'] === name ? [each['context_for_target']] : []));
    expect(own).toEqual(
      Array.from({ length: rounds }, (_, at) => [`${name} ${at + 1}.1`, `${name} ${at + 1}.2`]).flat(),
    );
  }
  expect(readFileSync(join(inPlace.root, registryPath), 'utf8').match(/schema_version/g)).toHaveLength(1);
});

const drafts = `# drafts
- type: feature
  priority: high
  assignee: Ada
  context_for_target: Add a cache
  acceptance: |
    Given a session
    Then it is cached
- type: arch-edit
  context_for_target: fix: the "diagram"
  acceptance: 'It''s drawn'
`;

test('the helper appends drafts and prints nothing but their ids [CNC-HLP-35, CNC-HLP-36, CNC-SAV-7]', async () => {
  const { run, cwd } = await ruleWorld();
  const env = { home: join(cwd, 'home') };
  const world = await ruleWorld({ GUILD_HALL_HOME: env.home }, cwd);
  writeFileSync(join(cwd, 'drafts.yaml'), drafts);
  const words = [
    'action-items-writer',
    '--registry',
    registryPath,
    '--drafts=drafts.yaml',
    '--source-meeting',
    'a-b',
    '--date',
    '2026-05-18',
  ];
  expect(await world.run(...words)).toEqual({ exitCode: 0, out: ['AI-2026-05-18-1', 'AI-2026-05-18-2'], err: [] });
  expect(itemsIn(cwd)).toMatchObject([
    {
      created: '2026-05-18T10:00:00Z',
      priority: 'high',
      assignee: 'Ada',
      acceptance: expect.stringContaining('Given a session'),
    },
    { priority: 'normal', assignee: 'unassigned', status: 'open', context_for_target: 'fix: the "diagram"' },
  ]);
  expect((await world.run(...words)).out).toEqual(['AI-2026-05-18-3', 'AI-2026-05-18-4']);
  writeFileSync(join(cwd, 'drafts.yaml'), '');
  expect((await world.run(...words)).exitCode).toBe(0);
  writeFileSync(join(cwd, 'drafts.yaml'), '- type: feature\n- type: nonsense\n');
  const before = readFileSync(join(cwd, registryPath), 'utf8');
  expect((await world.run(...words)).exitCode).toBe(2);
  expect(readFileSync(join(cwd, registryPath), 'utf8')).toBe(before);
  expect((await world.run(...words.with(3, '--drafts=absent.yaml'))).exitCode).toBe(3);
  expect((await world.run(...words.slice(0, 4))).exitCode).toBe(2);
  expect((await world.run(...words.with(-1, '2026-13-45'))).exitCode).toBe(2);
  const elsewhere = await run(...words.with(2, 'other.yaml'));
  expect(elsewhere).toMatchObject({
    exitCode: 2,
    out: [expect.stringMatching(/^HALT condition=WRITE-BOUNDARY-VIOLATION /)],
  });
  expect(existsSync(join(cwd, 'other.yaml'))).toBe(false);
});
