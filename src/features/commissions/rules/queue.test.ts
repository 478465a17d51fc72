import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../kernel/projects/config.ts';
import { decideQueue, type QueuedCommission, type QueueInput } from './queue.ts';

const { perProject, global } = defaultConfig.commissions;
const queued = (key: string, project: string, second: number, isBlocked = false): QueuedCommission => {
  return { key, id: key, project, createdAt: `2026-02-14T09:30:0${second}.000Z`, isBlocked };
};
const runningIn = (...projects: string[]) => projects.map((project) => ({ project }));
const decide = (input: Partial<QueueInput>) =>
  decideQueue({
    queued: [],
    running: [],
    limits: { perProject: () => perProject, global },
    waitingForReview: 0,
    reviewLimit: 0,
    ...input,
  });

describe('which start', () => {
  test('[COM-22.3] first created first, whatever the order of the wishes; ids break ties', () => {
    const wishes = [queued('d', 'b', 2), queued('c', 'a', 1), queued('b', 'a', 1), queued('a', 'b', 3)];
    expect(decide({ queued: wishes }).start).toEqual(['b', 'c', 'd', 'a']);
    expect(decide({ queued: wishes.toReversed() }).start).toEqual(['b', 'c', 'd', 'a']);
  });

  test('[COM-21.1] without settings three of a project, and a full one lets the others pass', () => {
    const wishes = ['1', '2', '3', '4'].map((key) => queued(`a${key}`, 'a', Number(key)));
    const { start, holdUps } = decide({ queued: [...wishes, queued('b9', 'b', 9)] });
    expect(start).toEqual(['a1', 'a2', 'a3', 'b9']);
    expect(holdUps.get('a4')).toEqual({
      position: 4,
      because: 'project_limit',
      text: 'a has room for 3 at once, and 3 are under way',
    });
    expect(holdUps.get('b9')).toEqual({ position: 5, because: 'starting', text: 'It starts now' });
  });

  test('[COM-21.2] without settings ten over all projects', () => {
    const wishes = Array.from({ length: 12 }, (_, index) => queued(`k${index + 10}`, `p${index}`, 1));
    const { start, holdUps } = decide({ queued: wishes });
    expect(start).toHaveLength(10);
    expect(holdUps.get('k21')).toMatchObject({ position: 12, because: 'global_limit' });
    expect(decide({ queued: wishes, running: runningIn(...'abcdefghi') }).start).toEqual(['k10']);
  });

  test('what is set up counts as running', () => {
    const { start } = decide({ queued: [queued('x', 'a', 1)], running: runningIn('a', 'a', 'a') });
    expect(start).toEqual([]);
  });

  test('one that waits for something holds nobody up and starts not', () => {
    const { start, holdUps } = decide({ queued: [queued('x', 'a', 1, true), queued('y', 'a', 2)] });
    expect(start).toEqual(['y']);
    expect(holdUps.get('x')).toMatchObject({ position: 1, because: 'dependency' });
  });

  test('work that waits for the person stops the queue at the review limit, and only there', () => {
    const wishes = [queued('x', 'a', 1)];
    expect(decide({ queued: wishes, waitingForReview: 99 }).start).toEqual(['x']);
    expect(decide({ queued: wishes, waitingForReview: 1, reviewLimit: 2 }).start).toEqual(['x']);
    const stopped = decide({ queued: wishes, waitingForReview: 2, reviewLimit: 2 });
    expect(stopped.start).toEqual([]);
    expect(stopped.holdUps.get('x')).toEqual({
      position: 1,
      because: 'review_limit',
      text: '2 finished commissions wait for your review, and the limit is 2',
    });
  });

  test('[COM-23.3] [COM-23.4] a lowered limit starts nothing until fewer run; a raised one starts at once', () => {
    const wishes = [1, 2, 3].map((second) => queued(`k${second}`, 'a', second));
    const with3 = (limit: number) =>
      decide({ queued: wishes, running: runningIn('a', 'a', 'a'), limits: { perProject: () => limit, global: 10 } });
    expect(with3(2).start).toEqual([]);
    expect(with3(3).start).toEqual([]);
    expect(with3(5).start).toEqual(['k1', 'k2']);
  });
});

describe('whatever is queued', () => {
  const projects = ['a', 'b', 'c'];
  const input = fc.record({
    queued: fc.uniqueArray(
      fc.record({
        key: fc.stringMatching(/^[a-z]{1,3}$/),
        project: fc.constantFrom(...projects),
        second: fc.nat(5),
        isBlocked: fc.boolean(),
      }),
      { selector: ({ key }) => key, maxLength: 30 },
    ),
    running: fc.array(fc.constantFrom(...projects), { maxLength: 8 }),
    limit: fc.integer({ min: 1, max: 4 }),
    all: fc.integer({ min: 1, max: 12 }),
  });

  test('limits hold, nobody is passed who had room, and positions are 1, 2, 3 …', () => {
    fc.assert(
      fc.property(input, ({ queued: given, running, limit, all }) => {
        const wishes = given.map(({ key, project, second, isBlocked }) => queued(key, project, second, isBlocked));
        const limits = { perProject: () => limit, global: all };
        const { start, holdUps } = decide({ queued: wishes, running: runningIn(...running), limits });
        const started = start.map((key) => wishes.find((wish) => wish.key === key)!);
        const after = [...running, ...started.map(({ project }) => project)];
        const countOf = (list: readonly string[], name: string): number => list.filter((one) => one === name).length;
        if (start.length > 0) expect(after.length).toBeLessThanOrEqual(all);
        for (const { project, isBlocked } of started) {
          expect(isBlocked).toBe(false);
          expect(countOf(after, project)).toBeLessThanOrEqual(limit);
        }
        for (const left of wishes.filter(({ key, isBlocked }) => !isBlocked && !start.includes(key))) {
          // Earlier ones alone filled its project, or the hall.
          const earlier = started.filter((one) => `${one.createdAt} ${one.id}` < `${left.createdAt} ${left.id}`);
          const inProject = countOf([...running, ...earlier.map(({ project }) => project)], left.project);
          expect(inProject >= limit || running.length + earlier.length >= all).toBe(true);
        }
        expect([...holdUps.values()].map(({ position }) => position)).toEqual(wishes.map((_, index) => index + 1));
        expect([...holdUps].filter(([, { because }]) => because === 'starting').map(([key]) => key)).toEqual(start);
      }),
    );
  });
});
