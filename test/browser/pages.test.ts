/** Every page: in both themes, at 1280 and 360 pixels, for axe. Screenshots of all are left in shots/. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall();
const browser = useBrowser();

const question = 'How is a report made, and where are wrong hours refused?';

/** Address, what stands on it when it is all there, name of its screenshots. */
const pages: readonly (readonly [name: string, path: () => Promise<string>, isThere: (page: Page) => Promise<void>])[] =
  [
    ['hall', async () => '/', async (page) => await page.getByRole('heading', { name: 'Came out lately' }).waitFor()],
    ['inbox', async () => '/inbox', async (page) => await page.getByRole('heading', { name: 'Inbox' }).waitFor()],
    [
      'project',
      async () => '/projects/sample',
      async (page) => await page.getByRole('heading', { name: 'sample' }).waitFor(),
    ],
    [
      'meeting',
      async () => `/projects/sample/meetings/${(await hall.meet(question)).id}`,
      async (page) => await page.getByText(question).first().waitFor(),
    ],
    [
      'commissions-empty',
      async () => '/commissions',
      async (page) => await page.getByText('No commission yet').waitFor(),
    ],
    [
      'artifact',
      async () => '/projects/sample/artifacts/.lore/specs/daybook-report.md',
      async (page) => await page.getByRole('heading', { name: 'What a report must say' }).first().waitFor(),
    ],
    [
      'settings',
      async () => '/settings',
      async (page) => await page.getByRole('region', { name: 'Health' }).getByRole('list').waitFor(),
    ],
    ['lost', async () => '/nowhere', async (page) => await page.getByText('Nothing lives').waitFor()],
  ];

test.each(pages)('the page %s holds in both themes and at 360 px [WEB-ACCESS]', async (name, path, isThere) => {
  const { page } = await browser.visit({ hall, path: await path() });
  await isThere(page);
  const looks = await lookAt(page, name);
  expect(looks).toEqual(well(looks));
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
});

test('what lies over a page: the search, the map of keys, a new meeting [WEB-ACCESS, WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Settings' }).waitFor();
  const atFirst = await lookAt(page, 'search');
  await page.keyboard.type('report');
  await page
    .getByRole('option', { name: /report/i })
    .first()
    .waitFor();
  const found = await lookAt(page, 'search-found');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  const keys = await lookAt(page, 'keys');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'Open a meeting' }).waitFor();
  const opening = await lookAt(page, 'open-meeting');
  const looks = [...atFirst, ...found, ...keys, ...opening];
  expect(looks).toEqual(well(looks));
});

test('where nobody is signed in, and where a link was spent [WEB-ACCESS]', async () => {
  const stranger = await browser.stranger(hall);
  await stranger.page.goto(`${hall.url}/app/`);
  await stranger.page.getByText('is not signed in').waitFor();
  const looks = await lookAt(stranger.page, 'sign-in');
  stranger.expectTrouble(/401/);
  await stranger.page.goto(`${hall.url}/app/sign-in#nothing-that-was-ever-given`);
  await stranger.page.getByRole('alert').waitFor();
  looks.push(...(await lookAt(stranger.page, 'sign-in-refused')));
  expect(looks).toEqual(well(looks));
});
