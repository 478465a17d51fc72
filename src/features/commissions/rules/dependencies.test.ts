import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockedReason,
  decideDependencies,
  decideWaiting,
  findCycle,
  missingDependencies,
  normaliseDependency,
} from './dependencies.ts';

describe('what can be waited for', () => {
  test.each([
    ['.lore/plan.md', '.lore/plan.md'],
    [' ./.lore//plan.md ', '.lore/plan.md'],
    ['src/a b/ü.ts', 'src/a b/ü.ts'],
    ['writer-20260214-093000-k3f9', 'writer-20260214-093000-k3f9'],
    ['../secret', undefined],
    ['.lore/../../x', undefined],
    ['/etc/passwd', undefined],
    ['a\\b', undefined],
    ['a\0b', undefined],
    ['.git/config', undefined],
    ['', undefined],
    ['./', undefined],
  ])('%j → %j', (given, expected) => {
    expect(normaliseDependency(given)).toBe(expected);
  });

  test('normalised twice is normalised once, and never leads out', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', 'a', '.lore', '', 'b.md', '~')), (parts) => {
        const once = normaliseDependency(parts.join('/'));
        if (once === undefined) return;
        expect(normaliseDependency(once)).toBe(once);
        expect(once.split('/')).not.toContain('..');
      }),
    );
  });
});

describe('refusals', () => {
  const all = new Map([
    ['b', ['c']],
    ['c', ['a']],
    ['d', ['.lore/made-by-a.md']],
  ]);
  const refused = (given: string[], producers?: ReadonlyMap<string, readonly string[]>) => {
    const decided = decideDependencies('a', given, { all, ...(producers ? { producers } : {}) });
    return decided.ok ? decided.next : decided.refusal.message;
  };

  test('a path out of the project', () => {
    expect(refused(['.lore/x.md', '../x'])).toBe(
      'The dependency "../x" is no path inside the project and no id of a commission.',
    );
  });

  test('itself, by id and by its own file', () => {
    for (const own of ['a', './.lore/commissions/a.md'])
      expect(refused([own])).toBe('Commission a cannot wait for itself.');
  });

  test('in a circle, over ids and over what commissions are known to make', () => {
    expect(refused(['b'])).toBe('These commissions would wait for each other for ever: a → b → c → a.');
    expect(refused(['.lore/x.md', 'd'])).toEqual(['.lore/x.md', 'd']);
    expect(refused(['d'], new Map([['.lore/made-by-a.md', ['a']]]))).toBe(
      'These commissions would wait for each other for ever: a → d → a.',
    );
  });

  test('more than can be looked after', () => {
    expect(refused(Array.from({ length: 201 }, (_, index) => `f/${index}`))).toContain('at most 200 things');
  });

  test('what may be, each once', () => {
    expect(refused(['d', './d', '.lore/a.md', '.lore//a.md'])).toEqual(['d', '.lore/a.md']);
  });

  test('a chain of 20,000 and a thick net are looked through', () => {
    const chain = new Map(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, [`n${index + 1}`]]));
    expect(findCycle('x', ['n0'], chain)).toBeUndefined();
    expect(findCycle('n20000', ['n0'], chain)).toHaveLength(20_002);
    const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
    const net = new Map(names.map((name, index) => [name, names.slice(index + 1)]));
    expect(findCycle('x', ['m0'], net)).toBeUndefined();
  });

  test('a circle is found exactly where there is a way back', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const edges = fc.array(fc.tuple(name, name), { maxLength: 12 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const net = new Map<string, string[]>();
        for (const [from, to] of pairs) net.set(from, [...(net.get(from) ?? []), to]);
        const own = net.get('a') ?? [];
        const reached = new Set<string>();
        const go = (at: string): void => {
          for (const next of net.get(at) ?? []) if (!reached.has(next)) go((reached.add(next), next));
        };
        go('a');
        const cycle = findCycle('a', own, net);
        expect(cycle !== undefined).toBe(reached.has('a'));
        for (const [index, at] of (cycle ?? []).slice(0, -1).entries())
          expect(net.get(at)).toContain(cycle![index + 1]);
        if (cycle) expect([cycle[0], cycle.at(-1)]).toEqual(['a', 'a']);
      }),
    );
  });
});

describe('what is missing', () => {
  const paths = new Set(['.lore/there.md', 'Makefile']);
  const done = new Map([
    ['done-1', true],
    ['open-1', false],
  ]);
  const facts = { pathExists: (path: string) => paths.has(path), commissionDone: (id: string) => done.get(id) };

  test('paths that are not there, commissions that are not done; a file whose name could be an id', () => {
    const all = ['.lore/there.md', '.lore/no.md', 'done-1', 'open-1', 'Makefile', 'gone-1'];
    expect(missingDependencies(all, facts)).toEqual(['.lore/no.md', 'open-1', 'gone-1']);
  });

  test('a path that leads out is asked for nowhere', () => {
    const asked: string[] = [];
    const spy = { ...facts, pathExists: (path: string) => asked.push(path) > 0 };
    expect(missingDependencies(['../x', '/etc/passwd'], spy)).toEqual(['../x', '/etc/passwd']);
    expect(asked).toEqual([]);
  });

  test('[COM-7.2] [COM-7.4] what follows for the state', () => {
    expect(decideWaiting('pending', ['x'])).toEqual({ to: 'blocked', reason: 'Waits for x' });
    expect(decideWaiting('pending', [])).toBeUndefined();
    expect(decideWaiting('blocked', ['x'])).toBeUndefined();
    expect(decideWaiting('blocked', [])).toEqual({ to: 'pending', reason: 'Everything it waits for is there' });
    for (const status of ['dispatched', 'in_progress', 'completed', 'failed', 'cancelled', null] as const) {
      expect([decideWaiting(status, ['x']), decideWaiting(status, [])]).toEqual([undefined, undefined]);
    }
    expect(blockedReason(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('Waits for a, b, c, d, e and 2 more');
  });
});
