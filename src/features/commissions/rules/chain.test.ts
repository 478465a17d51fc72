import { describe, expect, test } from 'vitest';
import { activityIdSchema } from '../../../kernel/pure/ids.ts';
import type { CommissionStatus, MergeState } from '../contract.ts';
import { chainOf, decideChain } from './chain.ts';

interface Given {
  readonly status?: CommissionStatus;
  readonly merge?: MergeState;
  readonly makes?: readonly string[];
}

function link(id: string, dependencies: string[], { status = 'pending', merge = 'none', makes = [] }: Given = {}) {
  const facts = { title: id, queuedAt: null, linkedArtifacts: [...makes], merge: { state: merge, files: [] } };
  return { id: activityIdSchema.parse(id), status, dependencies, ...facts };
}

const idsOf = (links: readonly { id: string }[]): string[] => links.map(({ id }) => id);
const always = (): boolean => true;

describe('the chain that a commission is the end of', () => {
  test('whoever is waited for comes first, each once, whatever the way to it', () => {
    const links = [link('d', ['c', 'b']), link('c', ['a', 'b']), link('b', ['a']), link('a', [])];
    expect(idsOf(chainOf(links[0]!, links, always).waiting)).toEqual(['a', 'b', 'c']);
  });

  test('what is there is not followed', () => {
    const links = [link('c', ['b']), link('b', ['a']), link('a', [])];
    expect(chainOf(links[0]!, links, (one) => one !== 'b').waiting).toEqual([]);
  });

  test('a path leads to whoever is known to make it; one that nobody makes is named', () => {
    const maker = link('b', ['a'], { makes: ['x.md'] });
    const links = [link('c', ['x.md', 'y.md']), maker, link('a', [], { status: 'in_progress' })];
    const chain = chainOf(links[0]!, links, always);
    expect([idsOf(chain.waiting), chain.unmade, chain.ended]).toEqual([['b'], ['y.md'], []]);
  });

  test('a circle that was written by hand ends', () => {
    const links = [link('c', ['b']), link('b', ['a']), link('a', ['b', 'c'])];
    expect(idsOf(chainOf(links[0]!, links, always).waiting)).toEqual(['a', 'b']);
  });

  test.each<[string, Given, RegExp]>([
    ['failed', { status: 'failed' }, /redispatch a/],
    ['cancelled', { status: 'cancelled' }, /redispatch a/],
    ['in conflict', { status: 'completed', merge: 'merge_conflict' }, /merge a/],
    ['given up', { status: 'completed', merge: 'dismissed' }, /show a/],
  ])('one that is %s and not there ends it, with the way out', (_, given, hint) => {
    const links = [link('c', ['b']), link('b', ['a']), link('a', [], given)];
    const decided = decideChain('c', chainOf(links[0]!, links, always));
    expect(decided.ok ? '' : decided.refusal.hint).toMatch(hint);
  });

  test('one that runs, or is about to be merged, is waited for', () => {
    const links = [
      link('c', ['b', 'a']),
      link('b', [], { status: 'dispatched' }),
      link('a', [], { status: 'completed' }),
    ];
    expect(decideChain('c', chainOf(links[0]!, links, always)).ok).toBe(true);
  });
});
