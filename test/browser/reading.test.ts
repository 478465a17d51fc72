/** Reading while an answer comes: the page goes along with a reader who is at its end, and leaves any other where they are. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';

const hall = useBrowserHall();
const browser = useBrowser();

const field = (page: Page) => page.getByRole('textbox', { name: 'Words for researcher' });
const newest = (page: Page) => page.getByRole('button', { name: 'To the newest' });

/** Pixels below what is in sight. */
const below = (page: Page): Promise<number> =>
  page.evaluate(() => Math.round(document.documentElement.scrollHeight - innerHeight - scrollY));

/** Waits until the piece of the newest answer is on the page, and has been drawn. */
async function drawn(page: Page, piece: number): Promise<void> {
  await page.getByRole('article').last().getByText(`piece ${piece} `).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** A talk that is longer than the window, with an answer on its way. */
async function visitTalk() {
  const { id } = await hall.meet('[rehearse: slow 1ms x 700]');
  const visit = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  await field(visit.page).fill('[rehearse: slow 25ms x 300]');
  await visit.page.keyboard.press('Enter');
  await visit.page.getByText('answering for').waitFor();
  return visit.page;
}

test('who is at the end stays there, who reads elsewhere is not moved, and a mark leads back [WEB-STREAM]', async () => {
  const page = await visitTalk();
  await drawn(page, 40);
  expect(await below(page)).toBeLessThanOrEqual(48);
  await page.mouse.move(500, 300);
  await page.mouse.wheel(0, -400);
  await newest(page).waitFor();
  const place = await page.evaluate(() => scrollY);
  const grown = await below(page);
  await drawn(page, 160);
  expect(await below(page)).toBeGreaterThan(grown);
  expect(await page.evaluate(() => scrollY)).toBe(place);
  await newest(page).click();
  await newest(page).waitFor({ state: 'detached' });
  await drawn(page, 220);
  expect(await below(page)).toBeLessThanOrEqual(48);
});

test('what was drawn of an answer is the same piece of the page when the answer is over [WEB-STREAM]', async () => {
  const page = await visitTalk();
  await drawn(page, 30);
  const first = await page.getByRole('article').last().locator('.prose > *').first().elementHandle();
  await page.getByText('your turn').waitFor();
  expect(await first!.evaluate((element) => element.isConnected)).toBe(true);
  expect(
    await page
      .getByRole('article')
      .last()
      .locator('.prose > *')
      .first()
      .evaluate((now, then) => now === then, first),
  ).toBe(true);
});
