/**
 * Steps of a browser that have no limit of their own: Chromium is asked and may never answer, and the test would end
 * with its own limit and without a word of where it stood. Each gets one here, and says which it was.
 */
import type { Page } from 'playwright-core';

/** How long one such step may take. Milliseconds. */
const patienceMs = 30_000;

/** The value of `work`. @throws Error that names `what`, when it does not come in time */
export async function within<T>(what: string, work: Promise<T>, limitMs: number = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

type Step = (...given: unknown[]) => Promise<unknown>;

const pageSteps = ['evaluate', 'evaluateHandle', 'emulateMedia', 'setViewportSize', 'bringToFront', 'close'] as const;
const keyboardSteps = ['press', 'type', 'down', 'up', 'insertText'] as const;
const mouseSteps = ['move', 'click', 'down', 'up', 'wheel'] as const;

/** What of a page is bounded. */
export type SteppingPage = Pick<Page, (typeof pageSteps)[number]> & {
  readonly keyboard: Pick<Page['keyboard'], (typeof keyboardSteps)[number]>;
  readonly mouse: Pick<Page['mouse'], (typeof mouseSteps)[number]>;
};

/** Gives each step of this page a limit that Playwright gives none. */
export function boundSteps(page: SteppingPage, limitMs: number = patienceMs): void {
  bound(page, 'page', pageSteps, limitMs);
  bound(page.keyboard, 'page.keyboard', keyboardSteps, limitMs);
  bound(page.mouse, 'page.mouse', mouseSteps, limitMs);
}

function bound(part: object, name: string, steps: readonly string[], limitMs: number): void {
  for (const step of steps) {
    const unbounded = (part as Record<string, Step>)[step]!.bind(part);
    const bounded: Step = async (...given) =>
      await within(`${name}.${step}(${wordsOf(given[0])})`, unbounded(...given), limitMs);
    Object.assign(part, { [step]: bounded });
  }
}

const wordsOf = (given: unknown): string =>
  (typeof given === 'function' ? given.name : (JSON.stringify(given) ?? '')).slice(0, 80);
