/** Two real Claude Code CLIs talk before the rehearsal, and the person watches, in a real browser. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ConversationView } from '../../src/features/gatherings/contract.ts';
import type { TerminalView } from '../../src/features/terminals/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { endTerminalsAfterwards, untilShown } from '../help/live-terminals.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall({ config: 'conversations: { turns: 3 }\n' });
const browser = useBrowser();
endTerminalsAfterwards(hall);

const startClaude = async (name: string): Promise<TerminalView> =>
  (await hall.client.call('terminal.start', { project: 'sample', name, command: ['claude'] })) as TerminalView;

const speeches = (page: Page, name: string) => page.getByRole('article', { name });
const paused = (page: Page) => page.getByRole('region', { name: 'Paused' });

test('two Claude Code CLIs talk for six turns and six more: all comes to the open page by itself [WEB-CONVERSATION, GTH-CONV-3]', async () => {
  const [ada, mira] = await Promise.all([startClaude('Ada'), startClaude('Mira')]);
  const { page } = await browser.visit({ hall, path: '/terminals' });
  await page.getByRole('button', { name: 'Let two talk' }).click();
  await page.getByLabel('Begins').selectOption(ada.id);
  await page.getByLabel('With', { exact: true }).selectOption(mira.id);
  await page
    .getByLabel(/^Your words to the first/)
    .fill('Where are the entries of a day parsed? Agree on what to test first.');
  await page.getByRole('button', { name: 'Let them talk' }).click();

  await speeches(page, 'You').getByText('reached Ada').waitFor();
  await page.evaluate(countArrivals);
  await paused(page).waitFor();
  await page.getByText('Each has had its 3 turns.').waitFor();
  // They came one by one, onto the page that was open.
  expect(await page.evaluate(() => (globalThis as unknown as Arrivals).arrivals)).toBeGreaterThanOrEqual(5);
  await expect.poll(() => said(page, 'Ada', 'reached Mira')).toBeGreaterThanOrEqual(3);
  await expect.poll(() => said(page, 'Mira', 'reached Ada')).toBeGreaterThanOrEqual(2);
  const looks = await lookAt(page, 'conversation-claude-paused');

  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Terminals', exact: true }).click();
  await untilShown(page, 'Ada', 'Mira (2):');
  // The thread is not taken to its beginning.
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await untilShown(page, 'Mira', 'Ada (1):');
  // In a narrow window the terminals stand above it.
  await page.mouse.wheel(0, -100_000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  looks.push(...(await lookAt(page, 'conversation-claude-live')));

  await page.getByRole('button', { name: 'Go on (3 more)' }).click();
  await paused(page).waitFor({ state: 'detached' });
  await paused(page).waitFor();
  await expect.poll(() => said(page, 'Ada', 'reached Mira')).toBeGreaterThanOrEqual(6);
  await expect.poll(() => said(page, 'Mira', 'reached Ada')).toBeGreaterThanOrEqual(5);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await page.getByText('You ended it.').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  const { conversation } = (await hall.client.call('conversation.show', { id })) as ConversationView;
  expect(conversation.state).toBe('ended');
  expect(looks).toEqual(well(looks));
});

interface Arrivals {
  arrivals: number;
}

/** Runs in the page: how often a message came to the thread since. */
function countArrivals(): void {
  const counted = globalThis as unknown as Arrivals;
  counted.arrivals = 0;
  let before = document.querySelectorAll('article').length;
  new MutationObserver(() => {
    const now = document.querySelectorAll('article').length;
    if (now > before) counted.arrivals += 1;
    before = now;
  }).observe(document.querySelector('main')!, { childList: true, subtree: true });
}

const said = async (page: Page, name: string, receipt: string): Promise<number> =>
  await speeches(page, name).filter({ hasText: receipt }).count();
