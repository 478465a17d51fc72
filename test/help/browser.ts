/**
 * Real Chromium, started once a test file. Whatever goes wrong in a page (console, content policy, faults, requests
 * that fail or go elsewhere) is collected, and fails the test in which it happened unless the test expects it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { boundSteps, within } from './bounded.ts';
import type { BrowserHall } from './browser-hall.ts';
import { launch } from './chromium.ts';
import { packageRoot } from './programs.ts';

export type Theme = 'light' | 'dark';

export interface Visit {
  readonly page: Page;
  /** Everything that went wrong so far, a line each. */
  readonly troubles: string[];
  /** Address of every request, in order. */
  readonly requests: string[];
  /** Troubles that look like this are part of the test. */
  readonly expectTrouble: (like: RegExp) => void;
  /** Another window of the same browser: same sign-in, same drafts. */
  readonly another: (path?: string) => Promise<Visit>;
}

export interface VisitRequest {
  readonly hall: BrowserHall;
  /** Address below `/app`, to be on when signed in: `/settings`. */
  readonly path?: string;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
}

export interface TestBrowser {
  /** A browser of its own, signed in by a fresh link. */
  visit(request: VisitRequest): Promise<Visit>;
  /** A browser of its own that nobody signed in. */
  stranger(hall: Pick<BrowserHall, 'url'>): Promise<Visit>;
  /** Chromium's own way to do things with pages. */
  readonly chromium: Browser;
}

/** How long a page may take for anything. Milliseconds. */
const patienceMs = 30_000;

/** Chromium for the file's tests. Call it at the top of the file. @param args further ones for Chromium */
export function useBrowser(args: readonly string[] = []): TestBrowser {
  let browser: Browser | undefined;
  const open = new Set<{ readonly context: BrowserContext; readonly visits: Set<Visit> }>();
  const begin = async (hall: Pick<BrowserHall, 'url'>, look: Omit<VisitRequest, 'hall'> = {}): Promise<Visit> => {
    const { theme = 'light', width = 1280, height = 800 } = look;
    const asked = browser!.newContext({
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      permissions: ['clipboard-write'],
    });
    const context = await within('browser.newContext', asked);
    context.setDefaultTimeout(patienceMs);
    const visits = new Set<Visit>();
    open.add({ context, visits });
    return await watch(context, hall.url, visits);
  };
  const end = async (): Promise<void> => {
    const ended = browser;
    browser = undefined;
    if (ended !== undefined) await within('browser.close', ended.close());
  };
  // One that crashed or hangs does not take the next tests, or this one's second try, along.
  beforeEach(async () => {
    if (browser?.isConnected() !== true) browser = await launch(args);
  });
  afterEach(async () => {
    const troubles = [...open].flatMap(({ visits }) => [...visits].flatMap((visit) => visit.troubles));
    const contexts = [...open].map(({ context }) => context);
    open.clear();
    try {
      for (const context of contexts) await within('context.close', context.close());
    } catch (error) {
      await end();
      throw error;
    }
    expect(troubles).toEqual([]);
  });
  afterAll(end);
  return {
    get chromium() {
      return browser!;
    },
    stranger: async (hall) => await begin(hall),
    visit: async ({ hall, path = '/', ...look }) => {
      const visit = await begin(hall, look);
      await visit.page.goto(await hall.link());
      await visit.page.getByRole('navigation', { name: 'Guild Hall' }).waitFor();
      if (path !== '/') await visit.page.goto(`${hall.url}/app${path}`);
      return visit;
    },
  };
}

async function watch(context: BrowserContext, url: string, visits: Set<Visit>): Promise<Visit> {
  const page = await within('context.newPage', context.newPage());
  boundSteps(page);
  const expected: RegExp[] = [];
  const troubles: string[] = [];
  const requests: string[] = [];
  const note = (trouble: string): void => {
    if (!expected.some((like) => like.test(trouble))) troubles.push(trouble);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => note(`fault: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    requests.push(request.url());
    if (isElsewhere(request.url(), url)) note(`elsewhere: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A page that is left ends what it has under way.
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') note(`failed: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) note(`answer: ${response.status()} ${response.url()}`);
  });
  const binding = page.exposeBinding('tellViolation', (_source, what: string) => note(`policy: ${what}`));
  await within('page.exposeBinding', binding);
  await within('page.addInitScript', page.addInitScript({ content: tellViolations }));
  const visit: Visit = {
    page,
    troubles,
    requests,
    expectTrouble: (like) => {
      expected.push(like);
      troubles.splice(0, troubles.length, ...troubles.filter((trouble) => !like.test(trouble)));
    },
    another: async (path = '/') => {
      const other = await watch(context, url, visits);
      await other.page.goto(`${url}/app${path}`);
      return other;
    },
  };
  visits.add(visit);
  return visit;
}

/** What a browser says of a hall that is not there, or that goes away at this moment. */
export const absence =
  /ERR_CONNECTION_(?:REFUSED|RESET|CLOSED|ABORTED)|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_INVALID_HTTP|WebSocket/;

/** Runs in the page, before anything else. */
const tellViolations = `addEventListener('securitypolicyviolation', (event) => {
  tellViolation([event.effectiveDirective, event.blockedURI, event.sample, event.sourceFile].join(' '));
});`;

const isElsewhere = (address: string, url: string): boolean =>
  /^(https?|wss?):/.test(address) && new URL(address).host !== new URL(url).host;

/** Where screenshots go; git does not look there. */
export const shots = join(packageRoot, 'shots');

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
