import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editArtifact } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import { commissionIdSchema, type CommissionRecord, maxPromptLength, type TimelineEntry } from '../contract.ts';
import { decideMove } from '../rules.ts';
import { fullText } from '../rules/growth.ts';
import { promptOfBody, withResult } from './body.ts';
import {
  appendTimeline,
  changeCommission,
  createCommissionFile,
  editCommission,
  readCommission,
  readCommissions,
  requireCommission,
} from './files.ts';
import { type KnownCommissions, readKnownCommissions } from './known.ts';
import { commissionPath } from './place.ts';
import type { NewCommission } from './record.ts';

const id = commissionIdSchema.parse('writer-20260214-093000-k3f9');
const now = '2026-02-14T09:30:00.000Z';
const fresh: NewCommission = {
  title: 'Write the plan',
  status: 'pending',
  worker: 'writer',
  workerDisplayTitle: 'Writer',
  prompt: 'Write .lore/plan.md.\n\nDone when it names every step.',
  dependencies: ['.lore/idea.md'],
  maxTurns: null,
  maxBudgetUsd: 1.5,
  createdBy: 'person',
  now,
  queuedAt: null,
  reason: 'Created',
};

let root: string;
let project: Project;
let file: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gh-commission-'));
  project = { name: projectNameSchema.parse('shop'), integrationWorktree: root } as Project;
  file = join(root, commissionPath(id));
});
afterEach(async () => rm(root, { recursive: true, force: true }));

const put = async (source: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, source);
};
const textNow = async (): Promise<string> => readFile(file, 'utf8');

describe('a new one', () => {
  test('[COM-1.2] [COM-2.1] [COM-2.3] [COM-2.4] [COM-2.5] stands in one file with the standard fields and its own', async () => {
    const record = await createCommissionFile(project, id, fresh);
    expect(await textNow()).toBe(`---
title: Write the plan
date: 2026-02-14
status: pending
tags:
  - commission
modules: []
related: []
worker: writer
workerDisplayTitle: Writer
prompt: |-
  Write .lore/plan.md.

  Done when it names every step.
dependencies:
  - .lore/idea.md
linked_artifacts: []
resource_overrides:
  maxBudgetUsd: 1.5
created_by: person
created_at: 2026-02-14T09:30:00.000Z
queued_at: ""
attempt: 0
branch: ""
current_progress: ""
result: ""
completed_at: ""
merge:
  state: none
  files: []
merged_from: ""
reviewed_at: ""
usage: ""
activity_timeline:
  - timestamp: 2026-02-14T09:30:00.000Z
    attempt: 0
    event: status
    from: null
    to: pending
    reason: Created
---
# Write the plan

<!-- prompt -->
Write .lore/plan.md.

Done when it names every step.
<!-- end of the prompt -->
`);
    expect(record).toMatchObject({
      status: 'pending',
      maxBudgetUsd: 1.5,
      maxTurns: null,
      createdAt: now,
      problems: [],
    });
    expect(await readCommission(project, id)).toEqual(record);
  });

  test('does not take the place of another', async () => {
    await createCommissionFile(project, id, fresh);
    const before = await textNow();
    await expect(createCommissionFile(project, id, { ...fresh, title: 'Other' })).rejects.toMatchObject({
      code: 'conflict',
      message: `There is a commission ${id} in project shop already.`,
    });
    expect(await textNow()).toBe(before);
  });
});

describe('[COM-2.2] prompts', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n',
      '\r\n',
      '---\n',
      '\n---\n',
      '$&',
      '<!-- end of the prompt -->\n',
      '<!-- prompt -->\n',
      '  ',
      '\t',
      '# x\n',
      '"',
      "'",
      ': ',
      '\u2028',
      '\ufeff',
      '🙂',
    ),
  );
  const well = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd');

  test('come back unchanged, whatever they hold, short in the frontmatter and long in the body', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(1, 20_000),
        async (pieces, times) => {
          await rm(file, { force: true });
          const prompt = `x${well(pieces.join('').repeat(times).slice(0, 150_000))}`;
          expect((await createCommissionFile(project, id, { ...fresh, prompt })).prompt).toBe(prompt);
          const { record } = await changeCommission(project, id, {
            result: { summary: 'Done.\n<!-- end of the prompt -->\n<!-- prompt -->', artifacts: [] },
            currentProgress: prompt.slice(0, 100),
          });
          expect(record).toMatchObject({ prompt, problems: [], currentProgress: well(prompt.slice(0, 100)) });
          const other = `${prompt}\nand more`;
          expect((await changeCommission(project, id, { prompt: other })).record).toMatchObject({
            prompt: other,
            problems: [],
          });
        },
      ),
      { numRuns: 15 },
    );
  });

  test.each([
    ['letters', 'x'],
    ['lines', 'line\n'],
    ['what YAML escapes', '\u0001'],
    ['pairs', '🙂'],
  ])('of the greatest length: %s', async (_name, unit) => {
    const prompt = `${unit.repeat(Math.ceil(maxPromptLength / unit.length)).slice(0, maxPromptLength - 2)}.`;
    await createCommissionFile(project, id, { ...fresh, prompt });
    const { record } = await appendTimeline(project, id, [
      { timestamp: now, attempt: 1, event: 'progress', text: 'Half' },
    ]);
    expect(record.prompt === prompt).toBe(true);
    expect(record.problems).toEqual([]);
  });

  test('a short one in place of a long one, and the other way round', async () => {
    await createCommissionFile(project, id, fresh);
    const long = 'long\n'.repeat(50_000);
    expect((await changeCommission(project, id, { prompt: long })).record.prompt).toBe(long);
    expect(await textNow()).toContain('prompt_in_body: true');
    const { record } = await changeCommission(project, id, { prompt: 'Short', title: 'Other' });
    expect(record).toMatchObject({ prompt: 'Short', title: 'Other', problems: [] });
    const text = await textNow();
    expect(text).not.toContain('prompt_in_body');
    expect(text.slice(text.indexOf('\n---\n') + 5)).toBe(
      '# Other\n\n<!-- prompt -->\nShort\n<!-- end of the prompt -->\n',
    );
  });
});

describe('changes', () => {
  test('keep what a person made of the file: order, comments, own fields, words below', async () => {
    await createCommissionFile(project, id, fresh);
    const mine = (await textNow())
      .replace('worker: writer', '# the best one\nworker: "writer" # really\nmine: {a: 1}')
      .replace('# Write the plan\n', '# Write the plan\n\nMy own words.\n');
    await put(`${mine}\nAnd more.\n`);
    await changeCommission(project, id, {
      currentProgress: 'Half',
      result: { summary: 'All there.', artifacts: ['.lore/plan.md'] },
    });
    const text = await textNow();
    expect(text).toContain('# the best one\nworker: "writer" # really\nmine: {a: 1}\n');
    expect(text).toContain('\n\nMy own words.\n\n<!-- prompt -->\n');
    expect(text).toContain('And more.\n\n<!-- result -->\n## Result\n\nAll there.\n<!-- end of the result -->\n');
    const { record } = await changeCommission(project, id, { result: null });
    expect([record.result, (await textNow()).includes('Result')]).toEqual([null, false]);
    expect(await textNow()).toContain('And more.');
  });

  test('all that there are come back', async () => {
    await createCommissionFile(project, id, fresh);
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, costUsd: null };
    const changes = {
      title: 'T',
      dependencies: ['a-1'],
      linkedArtifacts: ['.lore/a.md'],
      queuedAt: now,
      attempt: 2,
      branch: 'claude/commission/x-2',
      completedAt: now,
      merge: { state: 'merge_conflict' as const, files: ['a'] },
      mergedFrom: 'abc',
      reviewedAt: now,
      usage,
    };
    const { record } = await changeCommission(project, id, {
      ...changes,
      worker: { name: 'other', displayTitle: 'Other' },
      limits: { maxTurns: 7, maxBudgetUsd: null },
    });
    expect(record).toMatchObject({ ...changes, worker: 'other', maxTurns: 7, maxBudgetUsd: null, problems: [] });
    const none = { queuedAt: null, branch: null, completedAt: null, mergedFrom: null, reviewedAt: null, usage: null };
    expect((await changeCommission(project, id, none)).record).toMatchObject(none);
  });

  test('[COM-S2] a refused move leaves the file as it is', async () => {
    const record = await createCommissionFile(project, id, fresh);
    const before = await textNow();
    expect(decideMove(record, 'completed', '', now, 1).ok).toBe(false);
    await changeCommission(project, id, {});
    await editCommission(project, id, {});
    expect(await textNow()).toBe(before);
  });

  test('of a commission that is not there are refused', async () => {
    const changes = [requireCommission, changeCommission, editCommission];
    for (const change of changes) {
      await expect(change(project, id, {})).rejects.toMatchObject({
        code: 'not_found',
        message: `There is no commission ${id} in project shop.`,
      });
    }
    expect(await readCommission(project, id)).toBeUndefined();
  });
});

describe('the timeline', () => {
  const progress = (n: number, timestamp = now, attempt = 1): TimelineEntry => {
    return { timestamp, attempt, n, event: 'progress', text: `Step ${n}` };
  };

  test('[COM-20.1] takes each line of a journal once, whatever is offered again', async () => {
    await createCommissionFile(project, id, fresh);
    const offers = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { maxLength: 5 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(offers, async (batches) => {
        await rm(file);
        await createCommissionFile(project, id, fresh);
        const added: number[] = [];
        for (const batch of batches) {
          const changed = await appendTimeline(
            project,
            id,
            batch.map((n) => progress(n)),
          );
          added.push(...changed.added.map(({ n }) => n!));
        }
        expect(new Set(added).size).toBe(added.length);
        expect(new Set(added)).toEqual(new Set(batches.flat()));
        const { timeline } = await requireCommission(project, id);
        expect(timeline.slice(1).map(({ n }) => n)).toEqual(added);
      }),
      { numRuns: 10 },
    );
    await appendTimeline(project, id, [progress(1, now, 2)]);
    expect((await requireCommission(project, id)).timeline.at(-1)).toEqual(progress(1, now, 2));
  });

  test('[COM-24.1] is in the order of time, although a clock was set back', async () => {
    await createCommissionFile(project, id, fresh);
    const times = ['10:00', '09:59', '10:05', '08:00'].map((time) => `2026-02-14T${time}:00.000Z`);
    for (const [index, time] of times.entries()) await appendTimeline(project, id, [progress(index + 1, time)]);
    const { timeline } = await requireCommission(project, id);
    expect(timeline.slice(1).map(({ timestamp }) => timestamp.slice(11, 16))).toEqual([
      '10:00',
      '10:00',
      '10:05',
      '10:05',
    ]);
  });

  test('[COM-25.1] only grows: what stood there stands there, byte for byte', async () => {
    await createCommissionFile(project, id, fresh);
    for (const n of [1, 2, 3]) {
      const before = (await textNow()).split('\n---\n')[0]!;
      await appendTimeline(project, id, [progress(n)]);
      expect((await textNow()).startsWith(`${before}\n`)).toBe(true);
    }
  });

  test('that reports fill is cut short and still takes what the hall has to say', async () => {
    await createCommissionFile(project, id, fresh);
    const long = (n: number): TimelineEntry => ({ ...progress(n), event: 'progress', text: 'z'.repeat(9000) });
    let last: CommissionRecord | undefined;
    for (let n = 1; n <= 3; n += 1) {
      const batch = Array.from({ length: 40 }, (_, index) => long(n * 100 + index));
      last = (await appendTimeline(project, id, batch)).record;
    }
    const texts = last!.timeline.flatMap((entry) => (entry.event === 'progress' ? [entry.text.length] : []));
    expect([Math.max(...texts), Math.min(...texts)]).toEqual([8000, 300]);
    await put(editArtifact(await textNow(), { set: { padding: 'p'.repeat(800_000) } }));
    for (const n of [9001, 9002]) last = (await appendTimeline(project, id, [long(n)])).record;
    const told = last!.timeline.filter((entry) => entry.event === 'anomaly');
    expect(told).toMatchObject([{ text: fullText, attempt: 1 }]);
    const { added } = await appendTimeline(project, id, [
      { timestamp: now, attempt: 1, event: 'anomaly', text: 'Own' },
    ]);
    expect(added).toHaveLength(1);
  });
});

describe('a file that somebody wrote by hand', () => {
  const read = async (frontmatter: string, body = ''): Promise<CommissionRecord> => {
    await put(`---\n${frontmatter}\n---\n${body}`);
    return requireCommission(project, id);
  };

  test('with the least that there must be', async () => {
    expect(await read('title: X\nstatus: pending\nworker: writer\nprompt: Do it')).toMatchObject({
      status: 'pending',
      createdBy: 'person',
      attempt: 0,
      merge: { state: 'none', files: [] },
      dependencies: [],
      problems: [],
    });
  });

  const least = 'worker: w\nprompt: p\n';
  test.each([
    [
      'another word',
      `${least}status: done`,
      '4:9 The field `status` says "done"; expected pending, blocked, dispatched, in_progress, completed, failed, cancelled.',
    ],
    [
      'no status',
      least.trimEnd(),
      '1:1 The field `status` says nothing; expected pending, blocked, dispatched, in_progress, completed, failed, cancelled.',
    ],
    [
      'a state that it never came to',
      `${least}status: completed`,
      '4:9 The field `status` says completed, but the timeline tells of no change at all; the hall changes it, not the file.',
    ],
    ['no worker', 'status: pending\nprompt: p', '1:1 The field `worker` is missing; expected the name of a worker.'],
    ['no prompt', 'status: pending\nworker: w', '1:1 The field `prompt` is missing; expected what is to be done.'],
    [
      'a path out of the project',
      `${least}status: pending\ndependencies: [.lore/a.md, ../b]`,
      '5:28 The dependency "../b" is no path inside the project and no id.',
    ],
    ['itself', `${least}status: pending\ndependencies:\n  - ${id}`, '6:5 A commission cannot wait for itself.'],
    [
      'turns of zero',
      `${least}status: pending\nresource_overrides: {maxTurns: 0}`,
      '5:32 `resource_overrides.maxTurns` holds 0; expected a whole number of turns from 1.',
    ],
    [
      'a budget of words',
      `${least}status: pending\nresource_overrides:\n  maxBudgetUsd: much`,
      '6:17 `resource_overrides.maxBudgetUsd` holds "much"; expected an amount of US dollars above 0.',
    ],
    [
      'a time that is none',
      `${least}status: pending\nqueued_at: soon`,
      '5:12 The field `queued_at` holds "soon"; expected a time like 2026-02-14T09:30:00.000Z.',
    ],
    [
      'fields in place of text',
      `${least}status: pending\ntitle: {a: 1}`,
      '5:8 The field `title` holds {"a":1}; expected text.',
    ],
    [
      'a number among texts',
      `${least}status: pending\nlinked_artifacts: [a, 3]`,
      '5:23 `linked_artifacts` holds 3; expected text.',
    ],
    [
      'a list that is none',
      `${least}status: pending\ntags: {a: 1}`,
      '5:7 The field `tags` holds {"a":1}; expected a list of texts.',
    ],
    [
      'a merge that is none',
      `${least}status: pending\nmerge: {state: maybe}`,
      '5:8 `merge` holds {"state":"maybe"}; expected state and files.',
    ],
    [
      'an entry without its words',
      `${least}status: pending\nactivity_timeline:\n  - {timestamp: x, attempt: 1, event: progress}`,
      '6:5 Entry 1 of `activity_timeline` cannot be read (`text`); expected timestamp, attempt, event and what belongs to that event.',
    ],
    [
      'a timeline that is none',
      `${least}status: pending\nactivity_timeline: 3`,
      '5:20 The field `activity_timeline` holds 3; expected a list.',
    ],
  ])('%s is a problem with its place', async (_name, frontmatter, expected) => {
    const { problems } = await read(frontmatter);
    expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([expected]);
    expect(problems[0]!.file).toBe(`.lore/commissions/${id}.md`);
  });

  test('[COM-5.1] a word that is none of ours is no state; one that differs from the timeline does not count', async () => {
    expect((await read(`${least}status: done`)).status).toBeNull();
    await rm(file);
    await createCommissionFile(project, id, fresh);
    await put((await textNow()).replace('status: pending', 'status: completed'));
    const record = await requireCommission(project, id);
    expect(record.status).toBe('pending');
    expect(record.problems).toMatchObject([
      { line: 4, column: 9, message: expect.stringContaining('the timeline says that it is pending') },
    ]);
  });

  test('a change that there is not is a problem at its entry', async () => {
    await createCommissionFile(project, id, fresh);
    const jump = { timestamp: now, attempt: 1, event: 'status', from: 'pending', to: 'completed', reason: 'x' };
    await put(editArtifact(await textNow(), { set: { status: 'completed' }, append: { activity_timeline: [jump] } }));
    const { problems } = await requireCommission(project, id);
    expect(problems).toMatchObject([
      { line: 41, column: 5, message: expect.stringContaining('pending cannot become completed') },
    ]);
  });

  test('whatever it holds, reading never throws', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('pending', 'completed', now, '../x', id));
    const names = [
      'title',
      'status',
      'tags',
      'prompt',
      'prompt_in_body',
      'dependencies',
      'attempt',
      'result',
      'merge',
      'resource_overrides',
      'created_at',
      'activity_timeline',
      'usage',
    ];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value), fc.string(), async (fields, rest) => {
        await put(`---\n${JSON.stringify(fields)}\n---\n${rest}`);
        const record = await requireCommission(project, id);
        expect(record.id).toBe(id);
        await put(`---\n${rest}\n---\n${JSON.stringify(fields)}`);
        expect((await requireCommission(project, id)).id).toBe(id);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the words below', () => {
  test('a prompt that talks of results is not taken for one', () => {
    const body = '# T\n\n<!-- prompt -->\n<!-- result -->\nx\n<!-- end of the result -->\n<!-- end of the prompt -->\n';
    const after = withResult(body, 'Done');
    expect(after).toBe(`${body}\n<!-- result -->\n## Result\n\nDone\n<!-- end of the result -->\n`);
    expect(promptOfBody(after)).toBe('<!-- result -->\nx\n<!-- end of the result -->');
    expect(withResult(withResult(body, null), null)).toBe(body);
  });

  test('without the comments there is no prompt', () => {
    expect([promptOfBody('# T\n'), promptOfBody('<!-- prompt -->\nx')]).toEqual([undefined, undefined]);
  });
});

describe('lists', () => {
  test('the newest first; what is no commission is named, the others are listed', async () => {
    const ids = ['a-1', 'b-2', 'c-3'].map((name) => commissionIdSchema.parse(name));
    for (const [index, one] of ids.entries()) {
      await createCommissionFile(project, one, { ...fresh, now: `2026-02-1${index}T09:30:00.000Z` });
    }
    await writeFile(join(root, '.lore/commissions/no id.md'), 'x');
    const known: KnownCommissions = new Map();
    for (const read of [await readCommissions(project), await readKnownCommissions(known, project)]) {
      expect(read.commissions.map((one) => one.id)).toEqual(['c-3', 'b-2', 'a-1']);
      expect(read.problems).toMatchObject([{ file: '.lore/commissions/no id.md' }]);
    }
    const again = await readKnownCommissions(known, project);
    await changeCommission(project, ids[0]!, { title: 'New' });
    await rm(join(root, '.lore/commissions/b-2.md'));
    const after = await readKnownCommissions(known, project);
    expect(after.commissions.map(({ title }) => title)).toEqual(['Write the plan', 'New']);
    // Only what changed is read anew.
    expect(after.commissions[0]).toBe(again.commissions[0]);
    expect(known.size).toBe(3);
  });

  test('of a project without any, and without its checkout, are empty', async () => {
    const none = { commissions: [], problems: [] };
    expect(await readCommissions(project)).toEqual(none);
    const gone = { ...project, integrationWorktree: join(root, 'gone') };
    expect(await readKnownCommissions(new Map(), gone)).toEqual(none);
  });

  test('of a folder that leads elsewhere name it', async () => {
    await writeFile(join(root, 'elsewhere'), '');
    const { symlink } = await import('node:fs/promises');
    await symlink('/tmp', join(root, '.lore'));
    expect((await readCommissions(project)).problems).toMatchObject([{ file: '.lore/commissions', line: 1 }]);
  });
});

test('an artifact of a commission is one like any other', async () => {
  await createCommissionFile(project, id, fresh);
  expect(parseArtifact(await textNow(), 'x')).toMatchObject({
    frontmatter: { title: 'Write the plan', date: '2026-02-14', status: 'pending', tags: ['commission'] },
    problems: [],
  });
});
