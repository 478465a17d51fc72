/** What a person wrote in the integration checkout and nobody committed: it meets a restart, and a meeting's merge. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revisionOf } from '../../src/features/artifacts/paths.ts';
import { close, openMeeting, startHallWithProject } from '../help/halls.ts';

const path = '.lore/notes/plan.md';
const lines = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);
const first = lines.join('');
const begin = async () => {
  const { hall, repo, integration: checkout } = await startHallWithProject({ files: { [path]: first } });
  const committed = (): string => `${repo.git('show', `claude/main:${path}`)}\n`;
  return { hall, repo, checkout, committed };
};

test('an edit that a killed hall had written is committed by the next one [SYS-CRASH]', async () => {
  const { hall, repo, checkout, committed } = await begin();
  const text = `${first}my words\n`;
  mkdirSync(join(hall.home, 'state/edits'), { recursive: true });
  const note = join(hall.home, 'state/edits/tally.json');
  const revision = revisionOf(Buffer.from(text));
  writeFileSync(note, JSON.stringify({ version: 1, path, stored: path, revision }));
  writeFileSync(join(checkout, path), text);
  await hall.restart();
  expect(committed()).toBe(text);
  expect(repo.git('log', '-1', '--format=%s', 'claude/main')).toBe(`Edit ${path}`);
  expect(existsSync(note)).toBe(false);
});

test.each([
  ['in other lines: both are there', first.replace('line 1\n', 'mine\n'), 'merged'],
  ['in the same lines: the merge is told to be in conflict', first.replace('line 9\n', 'mine\n'), 'merge_conflict'],
  ['that is a beginning of what the worker wrote', lines.slice(0, 9).join(''), 'merge_conflict'],
])('what was written by hand, not committed, and changed by a meeting too, is not lost: %s', async (...given) => {
  const [, mine, state] = given;
  const { hall, repo, checkout, committed } = await begin();
  const { id, worktree } = await openMeeting(hall, { message: 'hello' });
  const theirs = first.replace('line 9\n', 'theirs\n');
  writeFileSync(join(worktree, path), theirs);
  writeFileSync(join(checkout, path), mine);
  const closed = await close(hall, id);
  expect(closed.merge.state).toBe(state);
  const both = mine.replace('line 9\n', 'theirs\n');
  expect([committed(), readFileSync(join(checkout, path), 'utf8')]).toEqual(
    state === 'merged' ? [both, both] : [mine, mine],
  );
  const kept = ['log', '--format=%s|%(trailers:key=Guild-Hall,valueonly,separator=%x2C)', 'claude/main', '--', path];
  expect(repo.git(...kept)).toContain('Keep artifacts edited by hand|artifact edit');
});

test('a file that was only deleted in the checkout comes back with what the meeting wrote', async () => {
  const { hall, checkout, committed } = await begin();
  const { id, worktree } = await openMeeting(hall, { message: 'hello' });
  writeFileSync(join(worktree, path), 'theirs\n');
  rmSync(join(checkout, path));
  expect((await close(hall, id)).merge.state).toBe('merged');
  expect([committed(), readFileSync(join(checkout, path), 'utf8')]).toEqual(['theirs\n', 'theirs\n']);
});
