import { expect, test } from 'vitest';
import { boundSteps, within } from '../help/bounded.ts';

const never = new Promise<never>(() => {});

test('a step that Chromium never ends is named with what it was given; one that ends gives its value', async () => {
  expect(await within('a step', Promise.resolve(3))).toBe(3);
  await expect(within('a step', never, 5)).rejects.toThrow('a step did not end within 5 ms');
  const hangs = { press: () => never, type: () => never, down: () => never, up: () => never, insertText: () => never };
  const mouse = { move: () => never, click: () => never, down: () => never, up: () => never, wheel: () => never };
  const page = {
    evaluate: async (run: () => unknown) => run(),
    evaluateHandle: () => never,
    emulateMedia: () => never,
    setViewportSize: () => never,
    bringToFront: () => never,
    close: () => never,
    keyboard: hangs,
    mouse,
  } as unknown as Parameters<typeof boundSteps>[0];
  boundSteps(page, 5);
  expect(await page.evaluate(() => 'drawn')).toBe('drawn');
  await expect(page.keyboard.press('Escape')).rejects.toThrow('page.keyboard.press("Escape") did not end within 5 ms');
  await expect(page.setViewportSize({ width: 360, height: 740 })).rejects.toThrow('page.setViewportSize({"width":360,');
  await expect(page.close()).rejects.toThrow('page.close() did not end');
});
