/** Commissions as a person types them: one hall in a process of its own, real workers' processes on the rehearsal. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type {
  CommissionAnswer,
  CommissionGraph,
  CommissionList,
  CommissionsAwaited,
  CommissionView,
  JournalEntry,
} from '../../src/features/commissions/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import { connectHall } from '../../src/interfaces/cli/client.ts';
import { waitExits } from '../../src/interfaces/cli/commission-wait.ts';
import { errorTable } from '../../src/kernel/pure/errors.ts';
import {
  freshHome,
  type Home,
  programFile,
  runProgram,
  spawnProgram,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { startOnTerminal } from '../help/pty.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

const scenario = `
- match: "the slow job"
  activity: commission
  do:
    - call: { tool: report_progress, input: { summary: "reading on" } }
    - call: { tool: log_question, input: { question: "Which half?" } }
    - wait: 60 s
      say: late
- match: "the empty job"
  activity: commission
  say: I leave it at that.
`;

async function homeWithProject(): Promise<Home> {
  const home = await freshHome();
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, 'scenario.yaml'), scenario);
  writeFileSync(join(home.path, 'config.yaml'), `rehearsal:\n  scenario: ${home.path}/scenario.yaml\n`);
  await home.json<Up>('up', '--detach', '--port', '0');
  const parser = 'export function parse(text: string): string[] {\n  return text.split(",");\n}\n';
  const repository = await makeRepository({ files: { 'src/parser.ts': parser, 'README.md': '# Shop\n' } });
  await home.json('project', 'add', repository.path, '--name', 'shop');
  return home;
}

const create = (title: string, prompt: string, ...more: string[]): string[] => [
  'commission',
  'create',
  '--worker',
  'researcher',
  '--title',
  title,
  '--prompt',
  prompt,
  ...more,
];

test('commissions are created, followed, answered, cancelled, tried again and looked at from the command line [COM-3, COM-18.4]', async () => {
  const home = await homeWithProject();
  await helpAsksForTheOutcome(home);
  const chain = await aChainRunsByItself(home);
  await itIsShown(home, chain);
  await whatIsWrongIsRefused(home);
  await oneThatRunsIsFollowed(home);
  await failuresAreTold(home);
}, 180_000);

/** What the help of the verb says, and nothing needs a hall for it. */
async function helpAsksForTheOutcome(home: Home): Promise<void> {
  const { out } = await home.run('commission', 'create', '--help');
  const words = out.replaceAll(/\s+/g, ' ');
  expect(words).toContain('not the steps to it, and how the worker can check that it is');
  expect(words).toContain('--max-turns <number>');
  expect(words).toContain('--max-budget-usd <number>');
  const { out: wait } = await home.run('commission', 'wait', '--help');
  expect(wait).toContain(`Ends with exit code ${waitExits.failed} when one failed`);
}

/** Created with the prompt from standard input, and one after it that waits for its file and starts by itself. */
async function aChainRunsByItself(home: Home): Promise<readonly [CommissionAnswer, CommissionAnswer]> {
  const prompt = 'Write to .lore/notes/parser.md how src/parser.ts parses. Check: it names parse.\n';
  const words = create('How it parses', '-', '--max-turns', '40', '--max-budget-usd', '2', '--json');
  const made = JSON.parse((await runProgram(home.env, home.folder, words, prompt)).out) as CommissionAnswer;
  expect(made).toMatchObject({ status: 'pending', queuedAt: null, project: 'shop' });
  const after = await home.json<CommissionAnswer>(
    ...create(
      'A guide to it',
      'Write to .lore/notes/guide.md what .lore/notes/parser.md says about parse.',
      '--dispatch',
    ),
    '--depends',
    '.lore/notes/parser.md',
    '--depends',
    made.id.slice(-4),
  );
  expect(after).toMatchObject({ status: 'blocked', missing: ['.lore/notes/parser.md', made.id] });
  const idle = await home.run('commission', 'wait', made.id);
  expect([idle.exitCode, idle.err]).toEqual([
    errorTable.conflict.exit,
    expect.stringContaining('Nobody has dispatched'),
  ]);
  const graph = await home.run('commission', 'graph');
  expect(graph.out).toContain(`○ pending  researcher ${made.id.slice(-4)}  How it parses\n└─ ◐ blocked  researcher`);

  await home.json('commission', 'dispatch', made.id.slice(-4));
  const follow = spawnProgram(home, 'commission', 'logs', made.id, '--follow', '--json');
  let entries = '';
  follow.stdout!.on('data', (part: Buffer) => (entries += String(part)));
  const [both, [followed]] = await Promise.all([
    home.run('commission', 'wait', made.id, after.id, '--json'),
    once(follow, 'exit') as Promise<[number]>,
  ]);
  expect([both.exitCode, followed]).toEqual([0, 0]);
  const { commissions, isOver } = JSON.parse(both.out) as CommissionsAwaited;
  expect([isOver, commissions.map(({ status, merge }) => [status, merge.state])]).toEqual([
    true,
    [
      ['completed', 'merged'],
      ['completed', 'merged'],
    ],
  ]);
  // Each line once and in order, from the first to the last.
  const told = entries
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalEntry);
  expect(told.map(({ n }) => n)).toEqual(told.map((_, index) => index + 1));
  expect(told.at(-1)).toMatchObject({ kind: 'ended', how: 'done' });
  return [made, after];
}

async function itIsShown(home: Home, [made, after]: readonly [CommissionAnswer, CommissionAnswer]): Promise<void> {
  const { commission } = await home.json<CommissionView>('commission', 'show', after.id.slice(-4));
  expect(commission).toMatchObject({ linkedArtifacts: ['.lore/notes/guide.md'], maxTurns: null });
  const shown = await home.run('commission', 'show', made.id);
  expect(shown.out).toContain('✓ completed, merged');
  expect(shown.out).toContain('limits      40 turns, $2\n');
  expect((await home.run('commission', 'diff', made.id)).out).toContain('A .lore/notes/parser.md');
  expect((await home.run('commission', 'logs', made.id)).out).toContain('✓ ');
  const graph = await home.json<CommissionGraph>('commission', 'graph');
  expect(graph.edges.map(({ from, to, isMet }) => [from, to, isMet])).toContainEqual([made.id, after.id, true]);
  const { items } = await home.json<InboxList>('inbox');
  expect(items.flatMap(({ kind, id }) => (kind === 'review' ? [id] : []))).toEqual([
    `review.shop.${made.id}`,
    `review.shop.${after.id}`,
  ]);
  expect((await home.run('inbox', 'approve', `review.shop.${made.id}`, 'Good')).exitCode).toBe(0);
  expect((await home.run('commission', 'review', after.id)).out).toContain('no longer waits for you');
  const list = await home.json<CommissionList>('commission', 'list', '--status', 'completed');
  expect(list.commissions.map(({ id }) => id)).toEqual([after.id, made.id]);
}

async function whatIsWrongIsRefused(home: Home): Promise<void> {
  const wrong: readonly (readonly [readonly string[], number, string])[] = [
    [
      ['commission', 'create', '--worker', 'reseacher', '--title', 'x', '--prompt', 'y'],
      4,
      'Did you mean "researcher"?',
    ],
    [create('x', ' '), 2, '--prompt'],
    [create('x', 'y', '--depends', '../secret.md'), 2, 'no path inside the project'],
    [create('x', 'y', '--max-turns', '0'), 2, '--max-turns'],
    [create('x', 'y', '--max-budget-usd', 'lots'), 2, '--max-budget-usd'],
    [['commission', 'list', '--status', 'complete'], 2, 'Did you mean completed?'],
    [['commission', 'show', 'nothing-like-it'], 4, 'guild-hall commission list'],
    [['commission', 'redispatch', 'how-it-parses'], 5, 'is completed'],
    [['commission', 'cancel', 'how-it-parses'], 5, 'is completed'],
    [['commission', 'dipatch', 'x'], 2, 'dispatch'],
  ];
  for (const [words, exitCode, text] of wrong) {
    const refused = await home.run(...words);
    expect([words, refused.exitCode, refused.err.replaceAll(/\s+/g, ' ')]).toEqual([
      words,
      exitCode,
      expect.stringContaining(text),
    ]);
  }
}

/** On a real terminal; Ctrl-C leaves, and the commission goes on; then it is answered, changed, cancelled. */
async function oneThatRunsIsFollowed(home: Home): Promise<void> {
  const made = await home.json<CommissionAnswer>(...create('Slowly', 'Do the slow job.', '--dispatch'));
  // Asked again and again: not by a process each time.
  const hall = await connectHall(home.path);
  const view = async () => (await hall.call('commission.show', { id: made.id })) as CommissionView;
  await waitUntil(async () => (await view()).openQuestions.length === 1);
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...env } = home.env;
  const type = (...words: string[]) =>
    startOnTerminal([process.execPath, programFile(), 'commission', ...words], { env, cwd: home.folder, width: 100 });
  const waiting = type('wait', made.id);
  await waiting.until(/in progress/);
  await waiting.until(/healthy · 1 open question · reading on/);
  waiting.type('\u0003');
  const following = type('logs', made.id, '--follow');
  await following.until('▸');
  await following.until('Which half?');
  following.type('\u0003');
  expect([await waiting.ended, await following.ended]).toEqual([130, 130]);
  expect((await view()).commission.status).toBe('in_progress');

  const answered = await home.run('commission', 'answer', made.id, 'The first');
  expect(answered.out).toContain('Your answer to q1.1 reaches the worker');
  const refused = await home.run('commission', 'edit', made.id, '--title', 'Other');
  expect(refused.exitCode).toBe(errorTable.conflict.exit);
  const ended = type('wait', made.id);
  await ended.until(/in progress/);
  const cancelled = await home.run('commission', 'cancel', made.id, '--reason', 'Too slow');
  expect(cancelled.out).toContain(`What it wrote is kept on claude/commission/${made.id}.`);
  expect(await ended.ended).toBe(waitExits.cancelled);
  await ended.until('Too slow');
  expect(
    (await home.run('commission', 'comment', made.id, '--path', 'src/parser.ts', '--line', '2', 'Here')).exitCode,
  ).toBe(0);
}

async function failuresAreTold(home: Home): Promise<void> {
  const made = await home.json<CommissionAnswer>(...create('Nothing', 'Do the empty job.'));
  const edited = await home.json<{ fields: string[] }>(
    'commission',
    'edit',
    made.id,
    '--title',
    'Nothing at all',
    '--max-turns',
    '5',
  );
  expect(edited.fields).toEqual(['title', 'maxTurns']);
  await home.run('commission', 'dispatch', made.id);
  const failed = await home.run('commission', 'wait', made.id);
  expect([failed.exitCode, failed.out]).toEqual([
    waitExits.failed,
    expect.stringContaining('completed without submitting result'),
  ]);
  await home.json('commission', 'redispatch', made.id, '--reason', 'Once more');
  expect((await home.run('commission', 'wait', made.id)).exitCode).toBe(waitExits.failed);
  const { commission, branches } = await home.json<CommissionView>('commission', 'show', made.id);
  expect([commission.attempt, branches.length]).toEqual([2, 2]);
  expect((await home.run('inbox', 'dismiss', `problem.shop.${made.id}`)).exitCode).toBe(0);
  const { items } = await home.json<InboxList>('inbox');
  expect(items.filter(({ subject }) => subject.id === made.id)).toEqual([]);
}
