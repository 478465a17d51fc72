import { describe, expect, test } from 'vitest';
import { claimParts, measureClaims, readLabelled } from '../../../../test/help/labelled-claims.ts';

describe('on the labelled statements [CNC-DIS-18]', () => {
  const parts = claimParts.map((part) => readLabelled(part));

  test('there are at least 300, each once, and a third of them is held out', () => {
    const texts = parts.flat().map(({ text }) => text);
    expect(texts.length).toBeGreaterThanOrEqual(300);
    expect(new Set(texts).size).toBe(texts.length);
    expect(parts[1]!.length).toBeGreaterThanOrEqual(texts.length / 3);
  });

  test('at least 95 % of claims without a source are found, and at most 5 % of opinions are taken for one', async () => {
    const [claims, opinions, cited, marked] = await measureClaims(parts.flat());
    expect(claims!.right.length / claims!.count).toBeGreaterThanOrEqual(0.95);
    expect(opinions!.wrong.length / opinions!.count).toBeLessThanOrEqual(0.05);
    expect([...cited!.wrong, ...marked!.wrong]).toEqual([]);
  });

  /** A little lower than it is: talk that the rules were not made for may vary, but not fall apart. */
  test('on those that were never looked at while the rules were made, it does nearly as well', async () => {
    const [claims, opinions] = await measureClaims(parts[1]!);
    expect(claims!.right.length / claims!.count).toBeGreaterThanOrEqual(0.93);
    expect(opinions!.wrong.length / opinions!.count).toBeLessThanOrEqual(0.05);
  });
});
