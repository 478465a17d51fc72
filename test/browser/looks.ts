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

/** Looks at the page as it is in both themes and sizes. The window has its first size afterwards. */
export async function lookAt(page: Page, name: string): Promise<Look[]> {
  const looks: Look[] = [];
  // What is being read keeps its place by lines without words.
  await page.locator('[role=status][aria-label]').first().waitFor({ state: 'detached' });
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.evaluate(drawn);
      await page.evaluate(drawn);
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
  const { violations } = (await page.evaluate(runAxe)) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`));
}

function runAxe(): Promise<unknown> {
  const { axe } = globalThis as unknown as { axe: { run: (where: unknown, options: object) => Promise<unknown> } };
  return axe.run(document, { resultTypes: ['violations'], elementRef: false });
}

/** What moves has arrived, and two frames have been drawn since. */
async function drawn(): Promise<void> {
  const isFinite = (animation: Animation) => animation.effect?.getComputedTiming().endTime !== Infinity;
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(isFinite)
      .map((animation) => animation.finished),
  );
  await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

function findTooWide(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const isOut = (element: Element): boolean => element.getBoundingClientRect().right > innerWidth + 1;
  return [...document.querySelectorAll('body *')]
    .filter((element) => isOut(element) && ![...element.children].some(isOut))
    .slice(0, 5)
    .map((element) => element.outerHTML.slice(0, 160));
}
