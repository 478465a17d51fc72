/** The hall goes away and comes back: nothing that was said or written is lost or doubled, and the page needs no help. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { absence, useBrowser } from '../help/browser.ts';
import { type BrowserHall, useBrowserHall } from '../help/browser-hall.ts';
import { waitUntil } from '../help/programs.ts';
import { lookAt, well } from './looks.ts';
import type { MeetingView } from '../../src/features/meetings/contract.ts';

const hall = useBrowserHall();
const browser = useBrowser();

const field = (page: Page) => page.getByRole('textbox', { name: 'Words for researcher' });

/** The numbered pieces of answers, in the order in which they stand on the page. */
const piecesOn = async (page: Page): Promise<string[]> =>
  (await page.locator('main').innerText()).match(/piece \d+\b/g) ?? [];

/** The same as the hall's record has them. */
const piecesOf = ({ turns }: MeetingView): string[] =>
  turns.flatMap(({ speaker, text }) => (speaker === 'assistant' ? (text.match(/piece \d+\b/g) ?? []) : []));

const showOf = (from: BrowserHall, id: string): Promise<MeetingView> => from.json<MeetingView>('meeting', 'show', id);

const count = (texts: readonly string[], text: string): number => texts.filter((each) => each === text).length;

const askedOf = ({ turns }: MeetingView): string[] =>
  turns.flatMap(({ speaker, text }) => (speaker === 'user' ? [text] : []));

test('a hall that is killed in the middle of an answer and started again: the page says so, recovers by itself, and shows what the record has [WEB-AWAY, WEB-REPLAY]', async () => {
  const { id } = await hall.meet('Hello');
  const visit = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  const { page } = visit;
  visit.expectTrouble(absence);
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
  await field(page).fill('[rehearse: slow 40ms x 120] Go on');
  await page.keyboard.press('Enter');
  await page.getByText('piece 20', { exact: false }).first().waitFor();
  await hall.kill();
  const seen = await piecesOn(page);
  expect(seen.length).toBeGreaterThanOrEqual(20);
  await page.getByText('The hall has not answered').waitFor();
  // What was on the screen stays, and what cannot be done says why.
  expect((await piecesOn(page)).length).toBeGreaterThanOrEqual(seen.length);
  expect(await page.getByRole('button', { name: 'Send' }).getAttribute('title')).toMatch(/does not answer/);
  await field(page).fill('Written while it was away');
  await hall.start();
  await page.getByText('The hall has not answered').waitFor({ state: 'detached' });
  await page.getByText('your turn').waitFor();
  const record = await showOf(hall, id);
  const kept = piecesOf(record);
  expect(kept).toEqual(Array.from(kept, (_, nth) => `piece ${nth + 1}`));
  expect(kept.slice(0, seen.length)).toEqual(seen);
  expect(await piecesOn(page)).toEqual(piecesOf(record));
  expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
  expect(await field(page).inputValue()).toBe('Written while it was away');
  // It goes on as if nothing had been.
  await page.keyboard.press('Enter');
  await page.getByText('your turn').waitFor();
  await field(page).fill('[rehearse: slow 5ms x 30] Once more');
  await page.keyboard.press('Enter');
  await page.getByText('answering', { exact: true }).waitFor({ state: 'detached' });
  await page.getByText('piece 30', { exact: false }).last().waitFor();
  await page.getByText('your turn').waitFor();
  const after = await showOf(hall, id);
  expect(await piecesOn(page)).toEqual(piecesOf(after));
  expect(count(askedOf(after), 'Written while it was away')).toBe(1);
});

test('words that were sent as the hall went away arrive once [WEB-AWAY]', async () => {
  const { id } = await hall.meet('Hello');
  const visit = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  const { page } = visit;
  visit.expectTrouble(absence);
  for (const words of ['The first of three', 'The second of three', 'The third of three']) {
    await field(page).fill(words);
    await page.keyboard.press('Enter');
    await hall.kill();
    await hall.start();
    await page.getByRole('button', { name: 'Send' }).and(page.locator(':not([title*="does not answer"])')).waitFor();
  }
  await page.getByRole('region', { name: 'Waiting' }).waitFor({ state: 'detached' });
  await page.getByText('your turn').waitFor();
  const asked = askedOf(await showOf(hall, id));
  expect(asked.toSorted()).toEqual(['Hello', 'The first of three', 'The second of three', 'The third of three']);
});

test('a draft outlives a reload, a closed window and a hall that is away [WEB-DRAFTS]', async () => {
  const { id } = await hall.meet('Hello');
  const visit = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  visit.expectTrouble(absence);
  await field(visit.page).fill('Half a thou');
  await visit.page.reload();
  await field(visit.page).waitFor();
  expect(await field(visit.page).inputValue()).toBe('Half a thou');
  await hall.kill();
  await visit.page.getByText('The hall has not answered').waitFor();
  const looks = await lookAt(visit.page, 'away');
  expect(looks).toEqual(well(looks));
  await field(visit.page).fill('Half a thought, finished while the hall was away');
  await visit.page.close();
  await hall.start();
  const again = await visit.another(`/projects/sample/meetings/${id}`);
  await field(again.page).waitFor();
  expect(await field(again.page).inputValue()).toBe('Half a thought, finished while the hall was away');
});

test('two windows on one meeting show the same, and a third that comes in the middle too [WEB-REPLAY]', async () => {
  const { id } = await hall.meet('Hello');
  const path = `/projects/sample/meetings/${id}`;
  const first = await browser.visit({ hall, path });
  const second = await first.another(path);
  await field(second.page).waitFor();
  await field(first.page).fill('[rehearse: slow 20ms x 100] Tell both');
  await first.page.keyboard.press('Enter');
  await second.page.getByText('piece 30', { exact: false }).first().waitFor();
  const third = await first.another(path);
  const windows = [first, second, third];
  for (const { page } of windows) {
    await page.getByText('piece 100', { exact: false }).first().waitFor();
    await page.getByText('your turn').waitFor();
  }
  const record = await showOf(hall, id);
  const shown = await Promise.all(windows.map(({ page }) => piecesOn(page)));
  expect(piecesOf(record)).toHaveLength(100);
  expect(shown).toEqual(windows.map(() => piecesOf(record)));
});

const isLoaded = (name: string): boolean =>
  performance.getEntriesByType('resource').some((entry) => entry.name.includes(name));

test('a part that was never loaded says so while the hall is away, and comes when it is back [WEB-AWAY]', async () => {
  const visit = await browser.visit({ hall });
  const { page } = visit;
  visit.expectTrouble(absence);
  // As if the hall went away before there was time to load the rest.
  await page.route(/search-dialog/, (route) => route.abort('connectionrefused'));
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Not there yet' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();
  await page.unroute(/search-dialog/);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find and do' }).waitFor();
  expect(page.url()).toBe(`${hall.url}/app/`);
});

test('while the hall is away every page still opens, without a reload, and is filled when it is back [WEB-AWAY]', async () => {
  const visit = await browser.visit({ hall });
  const { page } = visit;
  visit.expectTrouble(absence);
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
  // What the first page does not need is loaded a little later, the new meeting's dialog at the end.
  await waitUntil(() => page.evaluate(isLoaded, 'open-dialog'));
  await hall.kill();
  await page.getByText('The hall has not answered').waitFor();
  for (const [keys, heading] of [
    ['gs', 'Settings'],
    ['gi', 'Inbox'],
    ['gh', 'Hall'],
    ['gs', 'Settings'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Find and do' }).waitFor();
  await page.keyboard.press('Escape');
  await hall.start();
  await page.getByText(/^●This browser$/).waitFor();
  await page.getByText('The hall has not answered').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
});
