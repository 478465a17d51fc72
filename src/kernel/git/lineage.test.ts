import { describe, expect, test } from 'vitest';
import { makeRepository, type TestRepository } from '../../../test/help/repositories.ts';
import { sinceParting } from './lineage.ts';

/** What git says of the same two commits. */
function asGitSays(repo: TestRepository, head: string, tip: string): { base: string; names: string[] } {
  const names = repo.git('rev-list', head, `^${tip}`).split('\n').filter(Boolean);
  return { base: repo.git('merge-base', head, tip), names };
}

async function asRead(repo: TestRepository, head: string, tip: string) {
  const since = await sinceParting(repo.path, head, tip);
  return since && { base: since.base, names: [...since.messages.keys()] };
}

function commits(repo: TestRepository, names: readonly string[]): string {
  return names.map((name) => repo.commit(name, { [`${name}.md`]: name })).at(-1)!;
}

describe('what came since two commits parted', () => {
  test('is as git says: from each other, from one before the other, from itself', async () => {
    const repo = await makeRepository();
    const base = commits(repo, ['a', 'b']);
    const head = commits(repo, ['c', 'd', 'e']);
    repo.git('checkout', '--quiet', '-b', 'side', base);
    const tip = commits(repo, ['x', 'y']);
    for (const [one, other] of [
      [head, tip],
      [tip, head],
      [head, base],
      [base, head],
      [head, head],
    ] as const) {
      expect(await asRead(repo, one, other)).toEqual(asGitSays(repo, one, other));
    }
    expect((await sinceParting(repo.path, head, tip))?.messages.get(head)).toBe('e\n');
  });

  test('is left to git behind a merge, after very many commits, and where nothing is shared', async () => {
    const repo = await makeRepository();
    const base = repo.git('rev-parse', 'HEAD');
    repo.git('checkout', '--quiet', '-b', 'side');
    const tip = commits(repo, ['x']);
    repo.git('checkout', '--quiet', 'main');
    commits(repo, ['c']);
    repo.git('merge', '--quiet', '--no-edit', 'side');
    const merged = repo.git('rev-parse', 'HEAD');
    repo.git('checkout', '--quiet', '-b', 'third', base);
    const third = commits(repo, ['t']);
    expect(await asRead(repo, merged, third)).toBeUndefined();
    // What is before a merge does not concern those that part behind it.
    repo.git('checkout', '--quiet', '-b', 'fourth', merged);
    const fourth = commits(repo, ['f']);
    repo.git('checkout', '--quiet', '-b', 'fifth', merged);
    const fifth = commits(repo, ['g', 'h']);
    expect(await asRead(repo, fourth, fifth)).toEqual(asGitSays(repo, fourth, fifth));
    let far = tip;
    for (let count = 0; count < 45; count += 1) far = repo.git('commit-tree', '-p', far, '-m', 'far', `${tip}^{tree}`);
    expect(await asRead(repo, far, third)).toBeUndefined();
    const alone = repo.git('commit-tree', '-m', 'alone', `${tip}^{tree}`);
    expect(await asRead(repo, alone, third)).toBeUndefined();
  });

  test('is left to git where commits are packed, or the history is cut short', async () => {
    const repo = await makeRepository();
    const base = commits(repo, ['a']);
    const head = commits(repo, ['c']);
    repo.git('checkout', '--quiet', '-b', 'side', base);
    const tip = commits(repo, ['x']);
    expect(await asRead(repo, head, tip)).toBeDefined();
    repo.git('replace', '--graft', head);
    expect(await asRead(repo, head, tip)).toBeUndefined();
    repo.git('replace', '--delete', head);
    repo.git('gc', '--quiet', '--prune=now');
    expect(await asRead(repo, head, tip)).toBeUndefined();
  });
});
