/** The briefing on the pages: small, folded away where it only repeats the records, and there when it is asked for. */
import { expect, test } from 'vitest';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall();
const browser = useBrowser();

test('the Hall and a project tell how the work stands in a few lines, and a proposed pull request waits in the inbox', async () => {
  const order = { project: 'sample', worker: 'writer', title: 'Guide to the daybook', prompt: 'A guide is there.' };
  await hall.client.call('commission.create', order);
  await hall.client.call('delivery.propose', { project: 'sample', title: 'What was written', text: 'All **notes**.' });
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
