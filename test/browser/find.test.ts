/** Ctrl-K, the keys, the places: getting about without a mouse. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deferred } from '../../src/kernel/pure/deferred.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall();
const browser = useBrowser();

async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
  await page.getByRole('option').first().waitFor();
}

const places = (page: Page): Promise<string[]> => page.getByRole('option').allTextContents();

test('pages, artifacts and workers are found by some of their letters, and Enter goes there [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await find(page, 'settngs'.slice(0, 3));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await find(page, 'reprt say');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What a report must say' }).first().waitFor();
  expect(page.url()).toBe(`${hall.url}/app/projects/sample/artifacts/.lore/specs/daybook-report.md`);
  await find(page, 'sample');
  await page.getByRole('option', { name: 'sample', exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'sample' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'What a report must say' }).first().waitFor();
});

test('what was chosen lately stands first the next time, also after a reload [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await find(page, 'daybook-report');
  await page.keyboard.press('Enter');
  await find(page, 'inbox');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  const lately = page.getByRole('group', { name: 'Lately' });
  await lately.getByRole('option').nth(1).waitFor();
  const [first, second] = await lately.getByRole('option').allTextContents();
  expect(first).toMatch(/^Inbox/);
  expect(second).toMatch(/^What a report must say/);
});

test('what was written down and said is found by its words, and Enter goes there; nothing is said to be nothing [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Bring in my branch sample' }).waitFor();
  await page.getByRole('combobox').fill('twenty-one minutes');
  const texts = page.getByRole('group', { name: 'In texts' });
  await texts.getByRole('option', { name: /What a report must say.*twenty-one/ }).waitFor();
  const looks = await lookAt(page, 'search-texts');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What a report must say' }).first().waitFor();
  expect(page.url()).toBe(`${hall.url}/app/projects/sample/artifacts/.lore/specs/daybook-report.md`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('qqzzxx');
  await page.getByText('Nothing is called “qqzzxx”, and no text has it.').waitFor();
  expect(await places(page)).toEqual([]);
  expect(looks).toEqual(well(looks));
});

test('commands are done from the search: a theme for this browser, a sync that says what came of it [WEB-KEYS, WEB-ACCESS]', async () => {
  const visit = await browser.visit({ hall });
  const { page } = visit;
  const other = await visit.another('/settings');
  await other.page.getByRole('radio', { name: 'As the system' }).waitFor();
  await find(page, 'dark theme');
  await page.keyboard.press('Enter');
  const scheme = (from: Page): Promise<string> =>
    from.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await scheme(page)).toBe('dark');
  // The other window follows, and shows the choice.
  await other.page.locator('html[data-theme=dark]').waitFor();
  expect(await other.page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
  await page.reload();
  await page.getByRole('navigation', { name: 'Guild Hall' }).waitFor();
  expect(await scheme(page)).toBe('dark');
  await find(page, 'sync sample');
  // Just after the reload the projects are not known yet.
  await page.getByRole('option', { name: 'Bring in my branch sample' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('sample has nothing new').waitFor();
});

test('`?` shows the keys of the moment, and they do what it says [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  await page.keyboard.press('?');
  const map = page.getByRole('dialog', { name: 'Keyboard' });
  await map.waitFor();
  const said = await map.locator('dt').allTextContents();
  expect(said).toEqual(expect.arrayContaining(['To the hall', 'To the inbox', 'Open a meeting', 'Search', 'Next row']));
  await page.keyboard.press('Escape');
  await map.waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const focused = await page.evaluate(() => document.activeElement?.hasAttribute('data-row'));
  expect(focused).toBe(true);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor({ state: 'detached' });
  // The row that had the focus is gone; the page that came has it.
  await page.locator('#main:focus').waitFor();
});

test('keys that are typed into a field are the field’s, and Escape on the first page leads nowhere [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(page.url()).toBe(`${hall.url}/app/`);
  await page.goto(`${hall.url}/app/projects/sample/artifacts/.lore/specs/daybook-report.md`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const field = page.getByRole('textbox', { name: /^Text of the file/ });
  await field.fill('');
  await field.pressSequentially('n?gh/');
  expect(await field.inputValue()).toBe('n?gh/');
  expect(await page.getByRole('dialog').count()).toBe(0);
  // With Ctrl they are the page's all the same.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').pressSequentially('n?');
  expect(await page.getByRole('combobox').inputValue()).toBe('n?');
  expect(await page.getByRole('dialog').count()).toBe(1);
});

test('what is typed before the search is there is found in it, and begins nothing else [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  const held = deferred();
  await page.route(/search-dialog/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nb');
  await page.keyboard.press('Escape');
  // n would open a meeting, b begin a gathering.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('begixx');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  held.resolve();
  const field = page.getByRole('combobox');
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe('begi');
  await page.keyboard.type('n a');
  expect(await field.inputValue()).toBe('begin a');
  await page.getByRole('option', { name: /^Begin a gathering/ }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  // What has come is there with the key.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nb');
  expect(await field.inputValue()).toBe('nb');
});

test('on a phone every place is reached from the bar below: the projects too [WEB-ACCESS]', async () => {
  const { page } = await browser.visit({ hall, width: 360, height: 740 });
  const bar = page.getByRole('navigation', { name: 'Guild Hall' });
  await bar.getByRole('button', { name: 'Projects' }).click();
  await page.getByRole('menuitem', { name: 'sample' }).click();
  await page.getByRole('heading', { name: 'sample' }).waitFor();
  await bar.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  await bar.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
  expect(await bar.getByRole('link', { name: /^Inbox/ }).getAttribute('aria-current')).toBe('page');
});

test('each page has an address of its own: reload shows it again, back and forward go through all [WEB-ADDRESS]', async () => {
  const { id } = await hall.meet('Where are hours refused?');
  const { page } = await browser.visit({ hall });
  const stops: readonly (readonly [path: string, heading: string])[] = [
    ['/', 'Hall'],
    ['/inbox', 'Inbox'],
    ['/projects/sample', 'sample'],
    [`/projects/sample/meetings/${id}`, 'Where are hours refused?'],
    ['/projects/sample/artifacts/.lore/specs/daybook-report.md', 'What a report must say'],
    ['/settings', 'Settings'],
    ['/nowhere/at/all', 'Nothing lives at this address'],
  ];
  const isAt = async ([path, heading]: readonly [string, string]): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: heading }).first().waitFor();
    expect(page.url()).toBe(`${hall.url}/app${path}`);
  };
  for (const stop of stops) {
    await page.goto(`${hall.url}/app${stop[0]}`);
    await isAt(stop);
    await page.reload();
    await isAt(stop);
  }
  for (const stop of stops.slice(0, -1).toReversed()) {
    await page.goBack();
    await isAt(stop);
  }
  await page.goForward();
  await isAt(stops[1]!);
});
