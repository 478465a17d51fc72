/** A stranger's first minutes: from an empty hall to a merged meeting. Once with the mouse, once by keyboard alone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { MeetingList, MeetingView } from '../../src/features/meetings/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall({ hasSample: false, prepares: true });
const browser = useBrowser();

const answers = (page: Page) => page.locator('main .prose');

/** It is the person's turn again, and nothing grows any more. */
async function answered(page: Page): Promise<void> {
  await page.getByText('your turn').waitFor();
  await page.locator('.prose-growing').waitFor({ state: 'detached' });
}

const only = async (): Promise<MeetingView> => {
  const { meetings } = (await hall.client.call('meeting.list', {})) as MeetingList;
  return await hall.show(meetings[0]!.id);
};

test('an empty hall offers a sample; a meeting is opened, answers as it is said, goes on, and is closed; its notes stay [WEB-FLOW, WEB-ADDRESS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.getByRole('button', { name: 'Make the sample project' }).waitFor();
  const empty = await lookAt(page, 'hall-empty');
  expect(empty).toEqual(well(empty));
  await page.getByRole('button', { name: 'Make the sample project' }).click();
  await page.getByRole('heading', { name: 'sample' }).waitFor();
  expect(page.url()).toBe(`${hall.url}/app/projects/sample`);
  await page.getByRole('button', { name: 'Open a meeting' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open a meeting' });
  await dialog.getByRole('textbox', { name: 'First words' }).fill('How is a report made?');
  await dialog.getByRole('button', { name: 'Open the meeting' }).click();
  await page.waitForURL(/\/app\/projects\/sample\/meetings\//);
  await answered(page);
  const { turns } = await only();
  expect(turns.map(({ speaker }) => speaker)).toEqual(['user', 'assistant']);
  // What is on the page is what was said, word for word.
  const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const shown = plain((await answers(page).allTextContents()).join(' '));
  expect(turns[1]!.text.length).toBeGreaterThan(40);
  expect(shown.startsWith(plain(turns[1]!.text.split('\n')[0]!).slice(0, 60))).toBe(true);
  await page.getByRole('textbox', { name: /^Words for/ }).fill('[rehearse: slow 10ms x 60] And then?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('piece 60', { exact: false }).first().waitFor();
  await answered(page);
  // An address of its own: reload shows the same.
  const before = await page.locator('main').innerText();
  await page.reload();
  await answered(page);
  const pieces = (text: string): string[] => text.match(/piece \d+\b/g) ?? [];
  expect(pieces(await page.locator('main').innerText())).toEqual(pieces(before));
  const talk = await lookAt(page, 'meeting');
  await page.getByRole('button', { name: 'Close and merge' }).click();
  const closing = page.getByRole('dialog', { name: 'Close and merge' });
  await closing.getByRole('region', { name: 'Notes to read' }).waitFor();
  const notes = await lookAt(page, 'meeting-close');
  await closing.getByRole('button', { name: 'Close and merge' }).click();
  await page.getByRole('article', { name: 'Notes' }).waitFor();
  const closed = await lookAt(page, 'meeting-closed');
  expect([...talk, ...notes, ...closed]).toEqual(well([...talk, ...notes, ...closed]));
  const { meeting } = await only();
  expect(meeting).toMatchObject({ status: 'closed', merge: { state: 'merged' } });
  // The record is an artifact like any other, and back leads back.
  await page.goto(`${hall.url}/app/projects/sample/artifacts/${meeting.path}`);
  await page.getByRole('heading', { level: 1, name: meeting.title }).waitFor();
  await page.goBack();
  await page.getByRole('article', { name: 'Notes' }).waitFor();
});

test('the same by keyboard alone [WEB-KEYS, WEB-FLOW]', async () => {
  await hall.client.call('project.sample', {});
  const { page } = await browser.visit({ hall });
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();
  await press('n');
  const words = page.getByRole('textbox', { name: 'First words' });
  await words.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('What does the parser refuse?');
  await press('Control+Enter');
  await page.waitForURL(/\/meetings\//);
  // The address changes before the page is there.
  await page.getByRole('textbox', { name: /^Words for/ }).waitFor();
  await answered(page);
  await press('c');
  await page
    .getByRole('textbox', { name: /^Words for/ })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.type('And why?');
  await press('Enter');
  await page.getByText('And why?').first().waitFor();
  await answered(page);
  await press('Escape');
  await tabTo(page, 'Close and merge');
  await press('Enter');
  await page.getByRole('region', { name: 'Notes to read' }).waitFor();
  await tabTo(page, 'Close and merge');
  await press('Enter');
  await page.getByRole('article', { name: 'Notes' }).waitFor();
  // Focus is somewhere one can go on from, and Escape leads back.
  await press('Escape');
  await page.getByRole('heading', { name: 'Came out lately' }).waitFor();
  expect(page.url()).toBe(`${hall.url}/app/`);
});

/** Tabs until the button of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent)) === name) return;
  }
  throw new Error(`No tab leads to "${name}".`);
}
