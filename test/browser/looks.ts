/** What every page must stand: both themes, a narrow window, and axe. Leaves a screenshot of each. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { shoot, type Theme } from '../help/browser.ts';

/** What was found in one look at a page; all of it is to be empty. */
export interface Look {
  readonly name: string;
  /** Findings of axe that are serious or critical, a line each. */
  readonly axe: readonly string[];
  /** What sticks out sideways. */
  readonly tooWide: readonly string[];
}

const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
] as const;
const themes: readonly Theme[] = ['light', 'dark'];

/** How long a page may take to come to rest, and axe to read it: a step in a page has no limit of its own. Milliseconds. */
const patienceMs = 20_000;

/** Looks at the page as it is in both themes and sizes. The window has its first size afterwards. */
export async function lookAt(page: Page, name: string): Promise<Look[]> {
  const looks: Look[] = [];
  // What is being read keeps its place by lines without words.
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.evaluate(drawn, patienceMs);
      await page.evaluate(drawn, patienceMs);
      const full = `${name}-${theme}-${size.width}`;
      await shoot(page, full);
      looks.push({ name: full, axe: await findByAxe(page), tooWide: await page.evaluate(findTooWide) });
    }
  }
  await page.setViewportSize(sizes[0]);
  return looks;
}

/** What a look without findings is. */
export const well = (looks: readonly Look[]): Look[] => looks.map(({ name }) => ({ name, axe: [], tooWide: [] }));

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe is put in by the debugger and not by the page, whose policy would refuse it. */
async function findByAxe(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(runAxe, patienceMs)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`));
}

function runAxe(limitMs: number): Promise<unknown> {
  const { axe } = globalThis as unknown as { axe: { run: (where: unknown, options: object) => Promise<unknown> } };
  const tooLong = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`Axe did not end within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([axe.run(document, { resultTypes: ['violations'], elementRef: false }), tooLong]);
}

/** What moves has arrived, and two frames have been drawn since. Says what it waited for when that does not come. */
async function drawn(limitMs: number): Promise<void> {
  const endless = (animation: Animation) => animation.effect?.getComputedTiming().endTime === Infinity;
  const moving = () =>
    document.getAnimations().filter((animation) => animation.playState === 'running' && !endless(animation));
  let doing = 'frames';
  const rest = async (): Promise<void> => {
    doing = moving()
      .map((animation) => (animation.effect as KeyframeEffect).target?.outerHTML.slice(0, 200))
      .join('\n');
    await Promise.allSettled(moving().map((animation) => animation.finished));
    doing = `frames, while the page is ${document.visibilityState}`;
    await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
  };
  const tooLong = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`The page did not come to rest within ${limitMs} ms: ${doing}`)), limitMs);
  });
  await Promise.race([rest(), tooLong]);
}

function findTooWide(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const isOut = (element: Element): boolean => element.getBoundingClientRect().right > innerWidth + 1;
  return [...document.querySelectorAll('body *')]
    .filter((element) => isOut(element) && ![...element.children].some(isOut))
    .slice(0, 5)
    .map((element) => element.outerHTML.slice(0, 160));
}
