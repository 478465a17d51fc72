/** The Hall's page: what waits, counted in one way; and the briefing on the pages: small, folded away where it only repeats the records, and there when it is asked for. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall();
const browser = useBrowser();

/** A commission to be dispatched, and a pull request that waits for the person. */
async function waitForPerson(): Promise<void> {
  const order = { project: 'sample', worker: 'writer', title: 'Guide to the daybook', prompt: 'A guide is there.' };
  await hall.client.call('commission.create', order);
  await hall.client.call('delivery.propose', { project: 'sample', title: 'What was written', text: 'All **notes**.' });
}

test('the Hall and a project tell how the work stands in a few lines, and a proposed pull request waits in the inbox', async () => {
  await hall.once(waitForPerson);
  const { page } = await browser.visit({ hall, path: '/' });
  const briefing = page.getByRole('group').filter({ hasText: 'Briefing' });
  await briefing.getByText('from the records').waitFor();
  expect(await briefing.getByText('waits to be dispatched').isVisible()).toBe(false);
  await briefing.getByText('Briefing').click();
  await briefing.getByText('waits to be dispatched').waitFor();
  const onHall = await lookAt(page, 'briefing-hall');
  expect(onHall).toEqual(well(onHall));
  await page.goto(`${hall.url}/app/projects/sample`);
  await briefing.getByText('Briefing').click();
  await briefing.getByText('A pull request is proposed').waitFor();
  const onProject = await lookAt(page, 'briefing-project');
  expect(onProject).toEqual(well(onProject));
  await page.goto(`${hall.url}/app/inbox`);
  await page.getByRole('button', { name: /What was written/ }).click();
  await page.getByRole('button', { name: 'Push and open it' }).waitFor();
  const inbox = await lookAt(page, 'inbox-delivery');
  expect(inbox).toEqual(well(inbox));
});

test('the Hall counts what waits as the inbox does: a problem waits to be mended, and is named apart [WEB-INBOX]', async () => {
  await hall.once(waitForPerson);
  const records = join(hall.home, 'projects/sample/.lore/commissions/odd.md');
  mkdirSync(dirname(records), { recursive: true });
  writeFileSync(records, '---\ntitle: Odd\nstatus: maybe\n---\n');
  const { waiting, problems } = (await hall.client.call('inbox.list', {})) as InboxList;
  expect(waiting).toBe(1);
  expect(problems).toBeGreaterThan(0);
  const { page } = await browser.visit({ hall, path: '/' });
  await page.getByText('1 waits for you').waitFor();
  for (const [name, count] of Object.entries({ 'Waits for you': waiting, Problems: problems })) {
    await page.getByRole('region', { name }).getByText(String(count), { exact: true }).waitFor();
    expect(await page.getByRole('list', { name }).getByRole('listitem').count()).toBe(Math.min(count, 5));
  }
  rmSync(records);
});
