/** How a browser is let in, and how that ends. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';

const hall = useBrowserHall();
const browser = useBrowser();

/** The Hall page has been read over its socket: from now on it hears of its end at once. */
const isLive = async (page: Page): Promise<void> =>
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();

interface ListedSignIns {
  readonly signIns: readonly { readonly id: string }[];
}

test('a link lets one browser in, once; to the next it says that it was used [SEC-SIGNIN-LINK]', async () => {
  const link = await hall.link();
  const first = await browser.stranger(hall);
  await first.page.goto(link);
  await first.page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  const second = await browser.stranger(hall);
  second.expectTrouble(/401/);
  await second.page.goto(link);
  const said = await second.page.getByRole('alert').textContent();
  expect(said).toMatch(/link/i);
  expect(said).toContain('guild-hall open');
  expect(await second.page.evaluate(() => localStorage.length)).toBe(0);
});

test('neither the address nor the history keeps the secret, and only the sign-in sends it [SEC-SIGNIN-LINK]', async () => {
  const link = await hall.link();
  const secret = link.split('#')[1]!;
  const { page, requests } = await browser.stranger(hall);
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const { entries } = await devtools.send('Page.getNavigationHistory');
  const addresses = entries.map((entry) => entry.url);
  expect(page.url()).toBe(`${hall.url}/app/`);
  expect(addresses).toEqual(['about:blank', `${hall.url}/app/`]);
  // Chromium counts the fragment as part of the first address, and sends it to nobody.
  expect(requests.slice(1).join(' ')).not.toContain(secret);
});

test('the token lies in the storage of this origin alone: no cookie, nowhere else [SEC-SIGNIN-ORIGIN]', async () => {
  const { page } = await browser.visit({ hall });
  const kept = await page.evaluate(async () => ({
    local: Object.keys(localStorage).toSorted(),
    session: Object.values(sessionStorage).join(' '),
    cookie: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    token: localStorage.getItem('guild-hall.token') ?? '',
    html: document.documentElement.outerHTML,
  }));
  expect(kept.local).toEqual(['guild-hall.sign-in', 'guild-hall.token']);
  expect(kept.token.length).toBeGreaterThan(40);
  expect(kept).toMatchObject({ cookie: '', databases: 0, caches: 0 });
  expect(kept.session + kept.html).not.toContain(kept.token);
  expect(await page.context().cookies()).toEqual([]);
});

test('a revoked sign-in ends at once in every window, and says why [SEC-SIGNIN-REVOKE]', async () => {
  const visit = await browser.visit({ hall, path: '/settings' });
  await visit.page.getByRole('list', { name: 'Signed-in browsers' }).getByRole('listitem').first().waitFor();
  const other = await visit.another('/');
  await isLive(other.page);
  const id = await visit.page.evaluate(() => localStorage.getItem('guild-hall.sign-in'));
  await hall.client.call('signin.revoke', { id });
  for (const { page } of [visit, other]) {
    await page.getByRole('alert').filter({ hasText: 'This browser was signed out' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('guild-hall.token'))).toBeNull();
    expect(await page.getByRole('navigation').count()).toBe(0);
  }
  await visit.page.reload();
  await visit.page.getByText('is not signed in').waitFor();
  // A new link in one window lets the other one in too.
  await visit.page.goto(await hall.link());
  await other.page.getByRole('navigation', { name: 'Guild Hall' }).waitFor();
});

test('the settings list the browsers, this one first, and sign either out [SEC-SIGNIN-REVOKE]', async () => {
  const visit = await browser.visit({ hall, path: '/settings' });
  const other = await browser.visit({ hall });
  await isLive(other.page);
  const list = visit.page.getByRole('list', { name: 'Signed-in browsers' });
  await list.getByRole('listitem').first().getByText('This browser').waitFor();
  const otherId = await other.page.evaluate(() => localStorage.getItem('guild-hall.sign-in'));
  const before = (await hall.client.call('signin.list', {})) as ListedSignIns;
  const place = before.signIns.findIndex(({ id }) => id === otherId);
  // This browser stands first; the others as the hall lists them.
  const own = await visit.page.evaluate(() => localStorage.getItem('guild-hall.sign-in'));
  const ownPlace = before.signIns.findIndex(({ id }) => id === own);
  await list
    .getByRole('listitem')
    .nth(place < ownPlace ? place + 1 : place)
    .getByRole('button')
    .click();
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await other.page.getByRole('alert').filter({ hasText: 'This browser was signed out' }).waitFor();
  await visit.page.getByRole('dialog').waitFor({ state: 'detached' });
  await visit.page.getByRole('button', { name: 'this browser' }).click();
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await visit.page.getByRole('alert').filter({ hasText: 'This browser was signed out' }).waitFor();
  const after = (await hall.client.call('signin.list', {})) as ListedSignIns;
  expect(after.signIns.map(({ id }) => id)).not.toContain(otherId);
  expect(after.signIns.map(({ id }) => id)).not.toContain(own);
});

test('the settings make a link for another browser, which works there [SEC-SIGNIN-LINK]', async () => {
  const visit = await browser.visit({ hall, path: '/settings' });
  await visit.page.getByRole('button', { name: 'Let in another' }).click();
  const link = await visit.page.getByRole('dialog').locator('code').textContent();
  const other = await browser.stranger(hall);
  await other.page.goto(link ?? '');
  await other.page.getByRole('heading', { name: 'Hall', exact: true }).waitFor();
  expect(other.page.url()).toBe(`${hall.url}/app/`);
});
