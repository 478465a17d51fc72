/** Lists that are long, lists that grow shorter, and what no event tells: everything is reached, and the focus stays. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ProjectShown } from '../../src/features/projects/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { repositoryAt } from '../help/repositories.ts';

const scenario = `
- match: ask for more
  do:
    - call: { tool: propose_followup, input: { agenda: Go on with the parser, reason: It is larger than thought, artifacts: [README.md] } }
    - say: Asked.
`;

const hall = useBrowserHall({ scenario });
const browser = useBrowser();

const notes = 300;
const longStatus = 'waiting for the word of somebody else';

/** The person's own commit, in their checkout. */
async function commitByHand(files: Readonly<Record<string, string>>): Promise<void> {
  const { path } = (await hall.client.call('project.show', {})) as ProjectShown;
  repositoryAt(path).commit('By hand', files);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.closest('[data-row]')?.textContent ?? `no row: ${document.activeElement?.tagName}`,
  );

test('every artifact is reached, some more at each press, and the focus goes to the first of them [WEB-ACCESS]', async () => {
  await commitByHand(
    Object.fromEntries(
      Array.from({ length: notes }, (_, nth) => [
        `.lore/notes/${String(nth).padStart(3, '0')}.md`,
        `---\ntitle: Note ${nth}\nstatus: ${longStatus}\n---\n\nText.\n`,
      ]),
    ),
  );
  const { page } = await browser.visit({ hall, path: '/projects/sample' });
  await page.getByText('1 new on').waitFor();
  await commitByHand({ 'more.txt': 'more\n' });
  // No event tells of it; the person comes back to the window.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByText('2 new on').waitFor();
  await hall.client.call('project.sync', {});
  const rows = page.getByRole('list', { name: 'Artifacts' }).getByRole('link');
  const more = page.getByRole('button', { name: /^\d+ more$/ });
  await more.waitFor();
  const all = (await rows.count()) + Number.parseInt((await more.textContent())!, 10);
  expect(all).toBeGreaterThan(notes);
  while ((await more.count()) > 0) {
    const before = await rows.count();
    await more.focus();
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe(await rows.nth(before).textContent());
  }
  expect(await rows.count()).toBe(all);
  await page.getByRole('searchbox', { name: 'Filter the artifacts' }).fill('note');
  await more.click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(notes);
  expect(
    await page
      .getByTitle(longStatus)
      .first()
      .evaluate((status) => status.clientWidth),
  ).toBeLessThan(180);
});

/** Both ask for another meeting. */
async function meetTwice(): Promise<void> {
  await hall.meet('Please ask for more');
  await hall.meet('Please ask for more');
}

test('what is answered in the inbox gives the focus to the next row, and “Back” to its own [WEB-INBOX, WEB-KEYS]', async () => {
  await hall.once(meetTwice);
  const { page } = await browser.visit({ hall, path: '/inbox' });
  const rows = page.locator('[data-item] > [data-row]');
  await rows.nth(1).waitFor();
  const before = await rows.count();
  await rows.first().click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.keyboard.type('Not now');
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await rows.first().evaluate((row) => row === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => rows.count()).toBe(before - 1);
  await expect.poll(() => rows.first().evaluate((row) => row === document.activeElement)).toBe(true);
});

test('an open meeting says on the project’s page whose turn it is, and the hall counts it [WEB-ACCESS]', async () => {
  await hall.once(meetTwice);
  const { page } = await browser.visit({ hall, path: '/projects/sample' });
  await page.getByRole('list', { name: 'Meetings' }).getByText('your turn').first().waitFor();
  await page.goto(`${hall.url}/app/`);
  const counted = await page.getByText(/^\d+ talks are yours to go on/).textContent();
  const listed = await page.getByRole('list', { name: 'Under way' }).getByText('your turn').count();
  expect(listed).toBeGreaterThan(1);
  expect(counted).toContain(`${listed} talks`);
});

test('a torn draft is no reason for the page to fail [WEB-DRAFTS]', async () => {
  const path = '.lore/specs/daybook-report.md';
  const { page } = await browser.visit({ hall });
  await page.evaluate((key) => localStorage.setItem(key, '{"raw":"half'), `guild-hall.draft.artifact.sample.${path}`);
  await page.goto(`${hall.url}/app/projects/sample/artifacts/${path}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByRole('textbox', { name: /^Text of the file/ }).inputValue()).toContain('title:');
});

test('a worker that is made is there in the search at once [WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('historian');
  await page.getByText('Nothing is called “historian”').waitFor();
  await hall.client.call('worker.new', { name: 'historian' });
  const found = page.getByRole('option', { name: 'Historian' });
  await found.waitFor();
  expect(await found.count()).toBe(1);
});
