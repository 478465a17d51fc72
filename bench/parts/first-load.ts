/** What the first page costs a browser that has nothing of it yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';

export interface FirstLoad {
  /** As it went over the wire, compressed. */
  readonly scriptBytes: number;
  /** Until the Hall page was drawn with what it shows, its keys at work; the median of several. Milliseconds. */
  readonly interactiveMs: number;
}

const loads = 7;

/** Notes when the Hall's own heading and lists first stand there, at the end of that frame. */
const watchReady = `new MutationObserver((_, observer) => {
  if (!document.querySelector('main section[aria-label="Came out lately"] :is(ul, p)')) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => (globalThis.readyMs = performance.now());
    drawn.port2.postMessage(0);
  });
}).observe(document, { childList: true, subtree: true })`;

export async function measureFirstLoad(context: BrowserContext, url: string): Promise<FirstLoad> {
  const times: number[] = [];
  let scriptBytes = 0;
  for (let nth = 0; nth < loads; nth += 1) {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.addInitScript({ content: watchReady });
    await page.goto(`${url}/app/`);
    times.push(await readyMs(page));
    scriptBytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
    await page.close();
  }
  return { scriptBytes, interactiveMs: times.toSorted((a, b) => a - b)[Math.floor(loads / 2)]! };
}

async function readyMs(page: Page): Promise<number> {
  for (;;) {
    const ms = await page.evaluate<number | null>('globalThis.readyMs ?? null');
    if (ms !== null) return ms;
    await sleep(50);
  }
}
