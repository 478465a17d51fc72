/** What one does every day: write in an artifact, also in two places at once; answer what waits. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ArtifactShown } from '../../src/features/artifacts/contract.ts';
import type { MeetingRecord } from '../../src/features/meetings/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const scenario = `
- match: ask for more
  do:
    - call: { tool: propose_followup, input: { agenda: Go on with the parser, reason: It is larger than thought, artifacts: [README.md] } }
    - say: Asked.
`;

const hall = useBrowserHall({ scenario, prepares: true });
const browser = useBrowser();

const artifactPath = '.lore/specs/daybook-report.md';
const address = `/projects/sample/artifacts/${artifactPath}`;

const read = async (): Promise<ArtifactShown> =>
  (await hall.client.call('artifact.show', { path: artifactPath })) as ArtifactShown;

const text = (page: Page) => page.getByRole('textbox', { name: /^Text of the file/ });

async function edit(page: Page, change: (raw: string) => string): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click();
  await text(page).fill(change(await text(page).inputValue()));
}

test('an artifact is edited as text, kept over a reload until it is saved, and then committed [WEB-DRAFTS, WEB-EDIT-CONFLICT]', async () => {
  const { page } = await browser.visit({ hall, path: address });
  await edit(page, (raw) => `${raw}\n5. A day without entries is left out.\n`);
  await page.reload();
  await text(page).waitFor();
  expect(await text(page).inputValue()).toContain('A day without entries');
  const looks = await lookAt(page, 'artifact-edit');
  expect(looks).toEqual(well(looks));
  expect((await read()).raw).not.toContain('A day without entries');
  await page.keyboard.press('Control+s');
  await page.getByRole('article').getByText('A day without entries is left out.').waitFor();
  const { raw, history } = await read();
  expect(raw).toContain('5. A day without entries is left out.');
  expect(history[0]?.by).toBe('artifact edit');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Edit');
});

test('words that are typed while the text is being saved stay in the field, and are saved the next time [WEB-DRAFTS]', async () => {
  const { page } = await browser.visit({ hall, path: address });
  await edit(page, (raw) => `${raw}\nSent at once.\n`);
  await text(page).evaluate((field) => {
    const isPlain = { key: 's', ctrlKey: true, bubbles: true, cancelable: true };
    // No answer can come between the two: they are one task of the page.
    field.dispatchEvent(new KeyboardEvent('keydown', isPlain));
    (field as HTMLTextAreaElement).setSelectionRange(0, 0);
    document.execCommand('insertText', false, '<!-- typed on -->');
    field.dispatchEvent(new KeyboardEvent('keydown', isPlain));
  });
  await expect.poll(async () => (await read()).raw).toContain('Sent at once.');
  expect((await read()).raw).not.toContain('typed on');
  expect(await text(page).inputValue()).toContain('<!-- typed on -->');
  await text(page).fill((await text(page).inputValue()).replace('<!-- typed on -->', '').concat('Typed on.\n'));
  await expect.poll(() => page.getByRole('button', { name: 'Save and commit' }).isEnabled()).toBe(true);
  await page.keyboard.press('Control+s');
  await page.getByRole('article').getByText('Typed on.').waitFor();
  expect((await read()).raw).toMatch(/Sent at once\.\nTyped on\.\n$/);
  await edit(page, (raw) => raw);
  await page.keyboard.press('Control+s');
  await page.getByRole('status').getByText('Nothing is changed').waitFor();
  await page.getByRole('button', { name: 'Leave the edit' }).click();
});

test('an artifact that is edited in two places shows both texts, and nothing is written over unseen [WEB-EDIT-CONFLICT]', async () => {
  const first = await browser.visit({ hall, path: address });
  const second = await browser.visit({ hall, path: address });
  await edit(first.page, (raw) => raw.replace('1. ', '1. First: '));
  await edit(second.page, (raw) => `${raw}\n6. The last line.\n`);
  await first.page.getByRole('button', { name: 'Save and commit' }).click();
  await first.page.getByRole('article').getByText('First: ').waitFor();
  await second.page.getByRole('button', { name: 'Save and commit' }).click();
  const notice = second.page.getByRole('alert', { name: 'Changed in two places' });
  await notice.waitFor();
  expect(await notice.getByLabel('Now in the file').textContent()).toContain('1. First: ');
  expect(await notice.getByLabel('Yours').textContent()).toContain('6. The last line.');
  const looks = await lookAt(second.page, 'artifact-conflict');
  expect(looks).toEqual(well(looks));
  await notice.getByRole('button', { name: 'Put both together' }).click();
  await second.page.getByRole('button', { name: 'Save and commit' }).click();
  await second.page.getByRole('article').getByText('The last line.').waitFor();
  const { raw } = await read();
  expect(raw).toContain('1. First: ');
  expect(raw).toContain('6. The last line.');
});

test('what waits is counted in the rail, read and answered by keyboard, and leads to where it goes on [WEB-INBOX, WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall, path: '/inbox' });
  await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor();
  await hall.meet('Please ask for more');
  await page.getByRole('link', { name: /^Inbox\s+1 waiting$/ }).waitFor();
  await page.getByText('Go on with the parser').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('It is larger than thought').waitFor();
  const looks = await lookAt(page, 'inbox-item');
  expect(looks).toEqual(well(looks));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Accept and meet' }).last().click();
  await page.waitForURL(/\/meetings\//);
  await page.getByText('your turn').waitFor();
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
  const id = page.url().split('/').at(-1)!;
  const { meeting } = (await hall.show(id)) as { readonly meeting: MeetingRecord };
  expect(meeting).toMatchObject({ status: 'open', title: 'Go on with the parser' });
});
