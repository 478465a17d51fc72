/** A conversation of two terminals in a real browser: begun, followed, paused, let go on, seen live beside it, ended. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { ConversationView } from '../../src/features/gatherings/contract.ts';
import { absence, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { endTerminalsAfterwards, programAt, startIn, untilShown } from '../help/live-terminals.ts';
import { packageRoot } from '../help/programs.ts';
import { lookAt, well } from './looks.ts';

const asker = `{ command: [${process.execPath}, ${programAt('asks-first.mjs')}], like: claude }`;
const hall = useBrowserHall({
  config: `conversations: { turns: 2 }\nterminals: { agents: { asker: ${asker} } }\n`,
});
const browser = useBrowser();
endTerminalsAfterwards(hall);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-talk-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const agent = join(packageRoot, 'test/fixtures/terminal-agent.mjs');

async function startTalker(name: string, says: readonly string[]) {
  const told = ['RAW=1', `KEEP=${join(folder, name)}`, `SAYS=${JSON.stringify(says)}`];
  return await startIn(hall, name, ['env', ...told, process.execPath, agent]);
}

const speeches = (page: Page, name: string) => page.getByRole('article', { name });

test('two terminals talk: each word with what it reached, a pause that asks, on, the terminals beside it, an end [WEB-CONVERSATION, WEB-ACCESS]', async () => {
  const ada = await startTalker('Ada', [
    'I would call it `parseOrder`: it takes text and gives an order.',
    'Then `readOrder` is the one that touches the disk, and the two stay apart.',
    'Agreed.',
  ]);
  const grace = await startTalker('Grace', [
    'What does it do when the text is **no order**? I want it to say so, with the line.',
    'Yes. And neither of them writes.',
    'Agreed, too.',
  ]);
  const visit = await browser.visit({ hall, path: '/terminals' });
  const { page } = visit;
  await page.getByRole('button', { name: 'Let two talk' }).click();
  await page.getByLabel('Begins').selectOption(ada.id);
  await page.getByLabel('With', { exact: true }).selectOption(grace.id);
  await page.getByLabel(/^Your words to the first/).fill('Agree on a name for the parser, please.');
  await page.getByRole('button', { name: 'Let them talk' }).click();

  await page.getByRole('region', { name: 'Paused' }).waitFor();
  await page.getByText('Each has had its 2 turns.').waitFor();
  await speeches(page, 'You').getByText('reached Ada').waitFor();
  await speeches(page, 'Ada').first().getByText('reached Grace').waitFor();
  await speeches(page, 'Grace').first().getByText('no order').waitFor();
  await page.getByText('2 of 2 turns').waitFor();
  const looks = await lookAt(page, 'conversation-paused');

  await page.getByRole('button', { name: 'Terminals', exact: true }).click();
  await untilShown(page, 'Ada', 'parseOrder');
  await untilShown(page, 'Grace', 'neither of them');
  await page.getByText('Shown here to watch').first().waitFor();
  looks.push(...(await lookAt(page, 'conversation-live')));
  await page.getByRole('group', { name: 'Screen of Ada' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.getByText('Your keys go to').count()).toBe(0);
  await page.reload();
  await untilShown(page, 'Ada', 'parseOrder');
  await page.keyboard.press('l');
  await page.getByRole('region', { name: 'Terminal Ada' }).waitFor({ state: 'detached' });

  const said = await page.getByRole('article').count();
  await page.getByRole('button', { name: 'Go on (2 more)' }).click();
  await page.getByRole('region', { name: 'Paused' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(said);
  await expect.poll(() => page.getByText('Agreed, too.').count()).toBeGreaterThan(0);

  visit.expectTrouble(absence);
  await hall.kill();
  await page.getByText('Agreed, too.').first().waitFor();
  await hall.start();
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('dialog', { name: 'End the conversation' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await page.getByText('You ended it.').waitFor();
  const id = page.url().split('/').at(-1)!;
  expect(((await hall.client.call('conversation.show', { id })) as ConversationView).conversation.state).toBe('ended');
  await page.goto(`${hall.url}/app/terminals`);
  await page.getByRole('link', { name: /Ada and Grace.*You ended it/ }).waitFor();
  await page.getByRole('link', { name: /Ada and Grace/ }).click();
  await page.getByText('You ended it.').waitFor();
  await page.goto(`${hall.url}/app/terminals/${ada.id}`);
  await untilShown(page, 'Ada', 'parseOrder');
  expect(looks).toEqual(well(looks));
});

test('words that do not reach a member say why, and the end of a terminal is told as the end of the talk [WEB-CONVERSATION]', async () => {
  const kim = await startTalker('Kim', ['First.']);
  const lou = await startTalker('Lou', []);
  const started = (await hall.client.call('conversation.start', { first: kim.id, second: lou.id })) as {
    conversation: { id: string };
  };
  const { page } = await browser.visit({ hall, path: `/conversations/${started.conversation.id}` });
  await page.getByText('Nothing was said yet').waitFor();
  await hall.client.call('terminal.end', { id: lou.id });
  await page.getByText('The terminal of Lou ended.').waitFor();
  await page.keyboard.press('l');
  const links = page.getByRole('link', { name: /^Open it/ });
  await links.nth(1).waitFor();
  expect(await links.allTextContents()).toEqual(['Open it to type', 'Open it']);
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0);
});

test('what a member asks the person is said under the talk, with the way to its terminal [WEB-CONVERSATION]', async () => {
  const asks = await startIn(hall, 'Pat', ['asker']);
  const other = await startTalker('Ray', ['First.']);
  const started = (await hall.client.call('conversation.start', { first: asks.id, second: other.id })) as {
    conversation: { id: string };
  };
  const { page } = await browser.visit({ hall, path: `/conversations/${started.conversation.id}` });
  await page.getByText('Pat asks you').waitFor();
  await page.getByText('Do you want to create notes.md?').waitFor();
  const looks = await lookAt(page, 'conversation-asks');
  await page.getByRole('link', { name: 'Answer in its terminal' }).click();
  await page.getByRole('button', { name: '1 Yes', exact: true }).click();
  await untilShown(page, 'Pat', 'Answer 1 it is.');
  await page.goBack();
  await page.getByText('Pat asks you').waitFor({ state: 'detached' });
  expect(looks).toEqual(well(looks));
});
