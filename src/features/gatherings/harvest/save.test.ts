import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import { type HarvestRig, harvestRig } from '../../../../test/help/gathering-harvest.ts';
import { atClose, wholeHarvest } from '../../../../test/help/gathering-values.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { gatheringIdSchema, gatheringSchema, type Gathering } from '../contract/gathering.ts';
import { planFile } from './plan.ts';
import { planHarvest, saveHarvest } from './save.ts';

const trail = '.lore/gatherings/daily.md';
const first = '.lore/todos/2026-11-22-ada-measures-the-build-by-friday-k3f9.md';
const all = [
  trail,
  '.lore/proposals/2026-11-22-docs-build-md-a-section-on-the-cache-k3f9.md',
  first,
  '.lore/todos/2026-11-22-bo-writes-the-numbers-down-k3f9.md',
  '.lore/visions/2026-11-22-a-build-that-nobody-waits-for-k3f9.md',
];

async function keep(rig: HarvestRig, gathering: Gathering = atClose(), text: string | undefined = wholeHarvest) {
  return await saveHarvest(rig.ctx, await planHarvest(rig.ctx, gathering, text, []));
}

const entriesIn = (text: string): string[] => text.match(/^<!-- gathering: .* -->\r?$/gm) ?? [];

test('each thing goes to its home: todos, proposals, visions, memory, all linked in the trail, one commit [GTH-HARVEST-5, GTH-HARVEST-7]', async () => {
  const rig = await harvestRig();
  const end = gatheringSchema.shape.end.unwrap().parse(await keep(rig));
  expect(rig.lore()).toEqual(all);
  expect(end.harvested.map(({ kind, path }) => [kind, path])).toEqual([
    ['todo', all[2]],
    ['todo', all[3]],
    ['proposal', all[1]],
    ['vision', all[4]],
    ['memory', 'memory:project/gatherings'],
  ]);
  expect([end.trail, end.isWrittenByHall, end.commit]).toEqual([trail, false, rig.checkout.git('rev-parse', 'HEAD')]);
  expect(rig.commits()).toEqual([
    'Gathering what-is-alive-20261122-140000-k3f9: harvest | gathering what-is-alive-20261122-140000-k3f9',
  ]);
  expect(rig.checkout.git('status', '--porcelain')).toBe('');
  const item = parseArtifact(rig.read(first), first);
  expect(item.problems).toEqual([]);
  expect(item.frontmatter).toEqual({
    title: 'Ada measures the build, by Friday.',
    date: '2026-11-22',
    status: 'open',
    tags: ['todo', 'gathering', 'daily'],
    gathering: 'what-is-alive-20261122-140000-k3f9',
    related: [trail],
  });
  expect(item.body).toContain('Ada measures the build, by Friday.\nWith the cache and without it.\n');
  expect(rig.memory()).toContain('- The cache was put in for a machine that is gone.');
  expect(rig.memory()).toContain('to be weighed, no instruction');
});

test('the trail has date, participants, what emerged, what is known now, the next thread and links [GTH-HARVEST-7]', async () => {
  const rig = await harvestRig();
  await keep(rig, atClose({ question: 'What is *alive*?\nAnd what not?' }));
  const { frontmatter, problems } = parseArtifact(rig.read(trail), trail);
  expect([problems, frontmatter['title'], frontmatter['tags']]).toEqual([
    [],
    'Gatherings: daily',
    ['gathering', 'daily'],
  ]);
  expect(rig.read(trail).split('# Gatherings: daily\n')[1]).toBe(`
<!-- gathering: what-is-alive-20261122-140000-k3f9 -->
## 2026-11-22 14:30 UTC: What is \\*alive\\*? And what not?

- Participants: Ada (1); Bo (2); Mo (3), the person; Hal (4), the harvester
- Question: What is \\*alive\\*? And what not?
- Rhythm: daily, 1-1-1
- Closed: all rounds were held

### What emerged

Nobody had said aloud that the build is too slow.

### What is known now

Half of the circle would drop the cache. **Bo** would not.

### Next thread

What would we do with an hour more a day?

### Links

- todo: [Ada measures the build, by Friday.](../todos/2026-11-22-ada-measures-the-build-by-friday-k3f9.md)
- todo: [Bo writes the numbers down](../todos/2026-11-22-bo-writes-the-numbers-down-k3f9.md)
- proposal: [docs/build.md: a section on the cache](../proposals/2026-11-22-docs-build-md-a-section-on-the-cache-k3f9.md)
- vision: [A build that nobody waits for](../visions/2026-11-22-a-build-that-nobody-waits-for-k3f9.md)
- memory: 1 in \`memory:project/gatherings\`
`);
});

describe('one entry a gathering, earlier ones byte for byte as they were [GTH-HARVEST-8]', () => {
  test.each<[string, Buffer]>([
    ['by hand, without frontmatter', Buffer.from('# Ours\n\nWords by hand, no line end at the end')],
    ['with the line ends of Windows', Buffer.from('---\r\ntitle: Ours\r\n---\r\n\r\n## An older entry\r\n')],
    ['with bytes that are no UTF-8', Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9, 0x0a, 0xff, 0x0a])])],
    ['that is empty', Buffer.alloc(0)],
  ])('a trail %s', async (_how, before) => {
    const rig = await harvestRig({ [trail]: before });
    await keep(rig);
    const path = join(rig.checkout.path, trail);
    const after = readFileSync(path);
    expect(after.subarray(0, before.length)).toEqual(before);
    const added = after.subarray(before.length).toString('utf8');
    expect(entriesIn(added)).toHaveLength(1);
    expect(/(?<!\r)\n/.test(added)).toBe(!before.includes('\r\n'));
    if (before.length > 0) expect(added).toMatch(before.at(-1) === 0x0a ? /^\r?\n<!--/ : /^\n\n<!--/);
    expect(readFileSync(path).equals(after)).toBe(true);
    await keep(rig);
    expect(readFileSync(path).equals(after)).toBe(true);
    expect(rig.commits()).toHaveLength(1);
  });

  test('two that close at once both come in, one after the other', async () => {
    const rig = await harvestRig();
    const ids = ['one-20261122-140000-aaaa', 'two-20261122-140000-bbbb', 'three-20261122-140000-cccc'];
    const ends = await Promise.all(
      ids.map(async (id) => await keep(rig, atClose({ id: gatheringIdSchema.parse(id) }))),
    );
    expect(entriesIn(rig.read(trail)).toSorted()).toEqual(ids.map((id) => `<!-- gathering: ${id} -->`).toSorted());
    expect(rig.read(trail).match(/^# Gatherings/gm)).toHaveLength(1);
    expect(new Set(ends.map(({ commit }) => commit)).size).toBe(3);
    expect(rig.commits()).toHaveLength(3);
    expect(rig.lore()).toHaveLength(1 + 3 * 4);
    expect(entriesIn(rig.memory())).toHaveLength(3);
  });

  test('done again, also when the person has changed it meanwhile, nothing comes twice and nothing is overwritten', async () => {
    const rig = await harvestRig();
    const before = await keep(rig);
    rig.checkout.write({ [first]: rig.read(first).replace('status: open', 'status: done') });
    rig.checkout.write({ [trail]: rig.read(trail).replace('Nobody had said', 'We had not said') });
    rig.checkout.git('commit', '-aqm', 'By hand');
    const again = await keep(rig);
    expect(again.harvested).toEqual(before.harvested);
    expect(again.commit).toBe(before.commit);
    expect(rig.read(first)).toContain('status: done');
    expect(rig.read(trail)).toContain('We had not said');
    expect(entriesIn(rig.read(trail))).toHaveLength(1);
    expect(entriesIn(rig.memory())).toHaveLength(1);
  });
});

// Each third point: all of them, begun at another one, pass too, and take three times as long.
test('killed at any step of it, the next try leaves all of it once, in one commit [GTH-HARVEST-8]', async () => {
  const program = await bundled('harvest-until-fault');
  const rig = await harvestRig();
  let deaths = 0;
  for (let at = 1; ; at += 3) {
    const id = gatheringIdSchema.parse(`killed-20261122-140000-${String(at).padStart(4, '0')}`);
    const end = await runUntil(program, [rig.folder, id], { at });
    if (end === 0) break;
    expect(end).toBe('SIGKILL');
    deaths += 1;
    // The text that comes after a restart may be another one: what was planned counts, once it is on disk.
    const kept = await keep(rig, atClose({ id }));
    expect(kept.harvested).toHaveLength(5);
    expect(rig.lore().filter((path) => path.endsWith(`-${id.slice(-4)}.md`))).toHaveLength(4);
    expect(entriesIn(rig.read(trail)).filter((line) => line.includes(id))).toHaveLength(1);
    expect(entriesIn(rig.memory()).filter((line) => line.includes(id))).toHaveLength(1);
    expect(rig.commits().filter((line) => line.endsWith(`| gathering ${id}`))).toHaveLength(1);
    expect(rig.checkout.git('status', '--porcelain')).toBe('');
    expect(kept.commit).toBe(rig.checkout.git('rev-parse', 'HEAD'));
  }
  expect(deaths).toBeGreaterThan(5);
}, 120_000);

describe('what a repository puts in the way', () => {
  test('a trail that is a link, a folder or bears the mark already: the entry has a file of its own [SEC-PATHS]', async () => {
    const gathering = atClose();
    const own = `.lore/gatherings/${gathering.id}.md`;
    for (const file of [{ link: '../../README.md' }, `x\n<!-- gathering: ${gathering.id} -->\n`]) {
      const rig = await harvestRig({ [trail]: file });
      const before = rig.read(trail);
      const end = await keep(rig, gathering);
      expect(end.trail).toBe(own);
      expect(entriesIn(rig.read(own))).toHaveLength(1);
      expect(rig.read(trail)).toBe(before);
      expect(rig.read(first)).toContain(`](../gatherings/${gathering.id}.md)`);
    }
    const rig = await harvestRig({ [`${trail}/x.md`]: 'x', [own]: 'somebody was here' });
    expect((await keep(rig, gathering)).trail).toBe(own.replace('.md', '-2.md'));
  });

  test('a home that is a link: what would go there stands in the trail, and nothing behind the link [SEC-PATHS]', async () => {
    const rig = await harvestRig({ '.lore/todos': { link: '../elsewhere' }, 'elsewhere/x': 'x' });
    const end = await keep(rig);
    expect(end.harvested.map(({ kind }) => kind)).toEqual(['proposal', 'vision', 'memory']);
    expect(rig.read(trail)).toMatch(
      /### Without a file of its own\n\n\*\*todo: Ada measures the build, by Friday\.\*\*\n\nAda measures/,
    );
    expect(existsSync(join(rig.checkout.path, 'elsewhere', first.split('/').at(-1)!))).toBe(false);
  });

  test('a folder of trails that is a link: refused with what to do, nothing is written, and tried again it goes [SEC-PATHS]', async () => {
    const outside = await harvestRig();
    const rig = await harvestRig({ '.lore/notes.md': 'x' });
    symlinkSync(outside.folder, join(rig.checkout.path, '.lore/gatherings'));
    await expect(keep(rig)).rejects.toMatchObject({
      code: 'conflict',
      message: `The harvest cannot be written to ${trail}: a part of that path is a link or a file, and no folder.`,
    });
    expect(existsSync(join(outside.folder, 'daily.md'))).toBe(false);
    expect(rig.lore()).toEqual(['.lore/gatherings', '.lore/notes.md']);
    rmSync(join(rig.checkout.path, '.lore/gatherings'));
    expect((await keep(rig)).trail).toBe(trail);
  });

  test('something that came to stand in the way after it was planned: refused by its path, and not overwritten', async () => {
    const rig = await harvestRig();
    const plan = await planHarvest(rig.ctx, atClose(), wholeHarvest, []);
    rig.checkout.write({ [first]: 'mine\n' });
    await expect(saveHarvest(rig.ctx, plan)).rejects.toThrow(`${first}: something else stands there.`);
    expect(rig.read(first)).toBe('mine\n');
    rmSync(join(rig.checkout.path, first));
    mkdirSync(join(rig.checkout.path, trail), { recursive: true });
    await expect(saveHarvest(rig.ctx, plan)).rejects.toThrow(`${trail}: something else stands there.`);
  });
});

test('a memory that takes no more is left; the next one is begun', async () => {
  const rig = await harvestRig();
  const folder = join(rig.ctx.home.memory, 'projects', 'sample');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'gatherings.md'), 'x'.repeat(999_990));
  const { harvested } = await keep(rig);
  expect(harvested.at(-1)!.path).toBe('memory:project/gatherings-000-k3f9');
  expect(rig.memory()).toHaveLength(999_990);
  expect(rig.memory('gatherings-000-k3f9')).toContain('a machine that is gone');
});

test('without words of the harvester the hall writes the entry from the record, and says so [GTH-HARVEST-9]', async () => {
  const said = (from: number, text: string) => ({ kind: 'words' as const, from, text });
  const messages = [said(1, 'First.'), said(2, 'No.'), said(1, '## Last words\n\nof Ada.\n\nI pass'), said(4, 'ready')];
  for (const text of [undefined, ' \n## What emerged\n\n<!-- -->'.slice(0, 2)]) {
    const rig = await harvestRig();
    const end = await saveHarvest(rig.ctx, await planHarvest(rig.ctx, atClose(), text, messages));
    expect([end.isWrittenByHall, end.harvested]).toEqual([true, []]);
    const entry = rig.read(trail);
    expect(entry).toContain('- The harvester gave no harvest: the hall wrote this from the record.');
    expect(entry).toContain('**Ada (1)** said last:\n\n#### Last words\n\nof Ada.\n\n**Bo (2)** said last:\n\nNo.\n');
    expect(entry).toContain('3 speeches were heard, in the structure 1-1-1; the gathering ended after all its rounds.');
    expect(entry).toContain('Nothing was heard of Mo (3).');
    expect(entry).not.toContain('ready');
    expect(rig.lore()).toEqual([trail]);
  }
});

test('the plan stands in the home before anything is written, and counts though the harvester said more since', async () => {
  const rig = await harvestRig();
  const plan = await planHarvest(rig.ctx, atClose(), wholeHarvest, []);
  expect(await planFile(rig.ctx, atClose().id).read()).toEqual(plan);
  expect(rig.lore()).toEqual([]);
  expect(await planHarvest(rig.ctx, atClose(), 'Something else', [])).toEqual(plan);
});

test('secrets are masked wherever words go [GTH-RELAY-19]', async () => {
  /** Put together here, so that no scanner takes this file for a leak. */
  const key = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
  const rig = await harvestRig();
  const text = wholeHarvest.replaceAll(/^- .*$/gm, (line) => `${line} ${key}`).replace('Nobody', key);
  await keep(rig, atClose(), text);
  const files = [...rig.lore().map((path) => rig.read(path)), rig.memory()].join('\n');
  const plan = readFileSync(join(rig.ctx.home.state, 'gatherings', atClose().id, 'harvest.json'), 'utf8');
  expect(files + plan).not.toContain(key);
  expect(files.match(/\[secret removed|secret removed/g)!.length).toBeGreaterThan(6);
  expect(rig.lore().join('\n')).not.toContain('a1b2c3');
});
