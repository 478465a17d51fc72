/** What the workers made, on its way out: with a real bare remote, and a small real program in the place of gh. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Delivered, Delivery, DeliveryOpened } from '../../src/features/deliveries/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import { openMeeting, startHallWithProject, type TestHall } from '../help/halls.ts';
import { repositoryAt, tempFolder, type TestRepository } from '../help/repositories.ts';

const scenario = `
- match: deliver it
  worker: manager
  do:
    - call: { tool: propose_pull_request, input: { title: "Notes on counting", text: "What was found, with *lines*." } }
    - say: Proposed.
`;

interface Place {
  readonly hall: TestHall;
  readonly repo: TestRepository;
  readonly remote: TestRepository;
}

/** A project with a bare remote, and one file on the integration branch that the person's has not. */
async function place(): Promise<Place> {
  const { hall, repo, integration } = await startHallWithProject({ scenario });
  const bare = join(await tempFolder(), 'remote.git');
  repo.git('clone', '--quiet', '--bare', repo.path, bare);
  repo.git('remote', 'add', 'origin', bare);
  repositoryAt(integration).commit('A note', { '.lore/notes/count.md': '# Counting\n\nOn white space.\n' });
  return { hall, repo, remote: repositoryAt(bare) };
}

/** Puts a program `gh` before all others, which writes down what it is asked, and answers. */
async function standIn(isSignedIn: boolean, said = 'echo https://example.invalid/pull/7'): Promise<() => string[][]> {
  const folder = await tempFolder();
  const log = join(folder, 'calls');
  const words = [
    '#!/bin/sh',
    `for word in "$@"; do printf '%s\\037' "$word" >> '${log}'; done`,
    `printf '\\036' >> '${log}'`,
    `if [ "$1" = auth ]; then exit ${isSignedIn ? 0 : 1}; fi`,
    said,
  ];
  writeFileSync(join(folder, 'gh'), `${words.join('\n')}\n`);
  chmodSync(join(folder, 'gh'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}${delimiter}${before}`;
  onTestFinished(() => {
    process.env['PATH'] = before;
  });
  const read = (): string[][] =>
    readFileSync(log, 'utf8')
      .split('\u001e')
      .filter((call) => call !== '')
      .map((call) => call.split('\u001f').slice(0, -1));
  return read;
}

test('the manager proposes, the person approves in the inbox: one commit is pushed and gh asked; branches of the person stay', async () => {
  const { hall, repo, remote } = await place();
  const calls = await standIn(true);
  const before = repo.git('rev-parse', 'main');
  await openMeeting(hall, { worker: 'manager', message: 'deliver it' });
  const inbox = (await hall.client.call('inbox.list', { kind: 'approval' })) as InboxList;
  expect(inbox.items).toMatchObject([{ subject: { title: 'Notes on counting' }, title: 'A pull request is proposed' }]);
  const [proposed] = ((await hall.client.call('delivery.list', {})) as { deliveries: Delivery[] }).deliveries;
  expect(proposed).toMatchObject({ status: 'proposed', target: 'main', text: 'What was found, with *lines*.' });
  const { branch } = proposed!;
  expect(branch).toMatch(/^guild-hall\/notes-on-counting-[a-z0-9]{4}$/);
  expect(repo.git('rev-list', '--count', `main..${branch}`)).toBe('1');
  expect(repo.git('show', `${branch}:.lore/notes/count.md`)).toContain('On white space.');
  // The hall's own notes on deliveries are none of it.
  expect(repo.git('ls-tree', '-r', '--name-only', branch)).not.toContain('.lore/deliveries/');
  expect(remote.git('branch', '--list', branch)).toBe('');

  const acted = (await hall.client.call('inbox.act', { id: inbox.items[0]!.id, verb: 'approve' })) as {
    output: DeliveryOpened;
  };
  expect(acted.output).toMatchObject({ status: 'opened', pullRequest: 'https://example.invalid/pull/7', commands: [] });
  expect(remote.git('rev-parse', branch)).toBe(proposed!.commit);
  expect(calls()).toEqual([
    ['auth', 'status'],
    [
      'pr',
      'create',
      '--head',
      branch,
      '--base',
      'main',
      '--title',
      'Notes on counting',
      '--body',
      'What was found, with *lines*.',
    ],
  ]);
  expect(repo.git('rev-parse', 'main')).toBe(before);
  expect(((await hall.client.call('inbox.list', { kind: 'approval' })) as InboxList).items).toEqual([]);
  await expect(hall.client.call('delivery.open', { id: proposed!.id })).rejects.toMatchObject({ code: 'conflict' });
  await hall.restart();
  expect(await hall.client.call('delivery.show', { id: proposed!.id })).toMatchObject({ status: 'opened' });
});

test('without gh, or where it refuses, the person is told what to type; what is given up leaves nothing', async () => {
  const { hall, repo, remote } = await place();
  const proposed = (await hall.client.call('delivery.propose', { title: "It's a note" })) as Delivery;
  await standIn(false);
  const unsigned = (await hall.client.call('delivery.open', { id: proposed.id })) as DeliveryOpened;
  expect(unsigned).toMatchObject({
    status: 'proposed',
    pullRequest: null,
    reason: 'gh is not signed in; see: gh auth login',
  });
  expect(unsigned.commands).toEqual([
    `git push origin ${proposed.branch}`,
    `gh pr create --head ${proposed.branch} --base main --title 'It'\\''s a note' --fill`,
  ]);
  expect(remote.git('branch', '--list', proposed.branch)).toBe('');

  await standIn(true, 'echo no rights >&2; exit 1');
  await expect(hall.client.call('delivery.open', { id: proposed.id })).rejects.toMatchObject({
    code: 'unavailable',
    message: `The branch ${proposed.branch} is pushed, but gh opened no pull request: no rights.`,
  });
  // As after a hall that was killed between the two: gh knows the pull request already.
  await standIn(true, 'echo "a pull request already exists: https://example.invalid/pull/8" >&2; exit 1');
  expect(await hall.client.call('delivery.open', { id: proposed.id })).toMatchObject({
    pullRequest: 'https://example.invalid/pull/8',
  });

  const second = (await hall.client.call('delivery.propose', { title: 'Once more' })) as Delivery;
  await hall.client.call('delivery.dismiss', { id: second.id });
  expect(repo.git('branch', '--list', second.branch)).toBe('');
  expect(await hall.client.call('delivery.show', { id: second.id })).toMatchObject({ status: 'dismissed' });
});

test('deliver shows what the branch has not, and merges only into a clean checkout when it is asked to', async () => {
  const { hall, repo } = await place();
  const before = repo.git('rev-parse', 'main');
  const shown = (await hall.client.call('deliver', {})) as Delivered;
  expect(shown).toMatchObject({ branch: 'main', behind: 0, commit: null, conflicts: [] });
  expect(shown.ahead).toBeGreaterThan(0);
  expect(shown.files).toEqual([{ path: '.lore/notes/count.md', status: 'A', added: 3, removed: 0 }]);
  expect(repo.git('rev-parse', 'main')).toBe(before);

  repo.write({ 'README.md': '# In the middle of something\n' });
  await expect(hall.client.call('deliver', { merge: true })).rejects.toMatchObject({ code: 'conflict' });
  repo.git('checkout', '--quiet', '--', 'README.md');
  // A file that git does not know yet is not written over.
  mkdirSync(join(repo.path, '.lore/notes'), { recursive: true });
  writeFileSync(join(repo.path, '.lore/notes/count.md'), 'mine\n');
  await expect(hall.client.call('deliver', { merge: true })).rejects.toThrow('untracked');
  expect(readFileSync(join(repo.path, '.lore/notes/count.md'), 'utf8')).toBe('mine\n');
  expect(repo.git('rev-parse', 'main')).toBe(before);
  rmSync(join(repo.path, '.lore'), { recursive: true });

  repo.git('switch', '--quiet', '-c', 'other');
  await expect(hall.client.call('deliver', { merge: true })).rejects.toMatchObject({ code: 'conflict' });
  repo.git('switch', '--quiet', 'main');
  const { commit } = (await hall.client.call('deliver', { merge: true })) as Delivered;
  expect(repo.git('rev-parse', 'main')).toBe(commit);
  expect(repo.git('rev-list', '--count', `${before}..main`)).toBe('1');
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(existsSync(join(repo.path, '.lore/notes/count.md'))).toBe(true);
  expect(await hall.client.call('deliver', {})).toMatchObject({ files: [] });
  await expect(hall.client.call('deliver', { merge: true })).rejects.toMatchObject({ code: 'conflict' });
  await expect(hall.client.call('deliver', { branch: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });

  repo.commit('Another note', { '.lore/notes/count.md': '# Mine\n' });
  repositoryAt(join(hall.home, 'projects/tally')).commit('Theirs', { '.lore/notes/count.md': '# Theirs\n' });
  expect(await hall.client.call('deliver', {})).toMatchObject({ conflicts: ['.lore/notes/count.md'], files: [] });
  await expect(hall.client.call('delivery.propose', { title: 'Both' })).rejects.toMatchObject({ code: 'conflict' });
});
