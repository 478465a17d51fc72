/** Terminals in a real browser: started, watched, typed into, answered, ended; over reloads, restarts and revoked sign-ins. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TerminalList, TerminalShown } from '../../src/features/terminals/contract.ts';
import { absence, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import {
  endTerminalsAfterwards,
  programAt,
  screenText,
  startIn,
  typeInto,
  untilShown,
} from '../help/live-terminals.ts';
import { lookAt, well } from './looks.ts';

const hall = useBrowserHall({
  config: `terminals: { agents: { asker: { command: [${process.execPath}, ${programAt('asks-first.mjs')}], like: claude } } }\n`,
});
const browser = useBrowser();
endTerminalsAfterwards(hall);

const lineAgent = ['sh', programAt('line-agent.sh')];
const show = async (id: string) => (await hall.client.call('terminal.show', { id })) as TerminalShown;

test('from an empty page by the form to a program that hears what is typed, and still shows it after a reload [WEB-TERMINALS, WEB-ACCESS, WEB-KEYS]', async () => {
  const { page } = await browser.visit({ hall });
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByText('No terminal runs').waitFor();
  const looks = await lookAt(page, 'terminals-empty');
  await page.keyboard.press('s');
  await page.getByRole('radio', { name: 'Any command' }).click();
  await page.getByLabel('Command', { exact: true }).fill(lineAgent.join(' '));
  await page.getByLabel(/^Name/).fill('Mo');
  looks.push(...(await lookAt(page, 'terminals-start')));
  await page.getByRole('button', { name: 'Start it' }).click();
  await untilShown(page, 'Mo', '>');
  await typeInto(page, 'Mo', 'hello ä\n');
  await untilShown(page, 'Mo', 'I heard: hello ä');
  // All keys are the program's, but those that lead out.
  await page.keyboard.press('Shift+Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Screen of Mo');
  await page.getByText('Press into it to type').waitFor();
  await page.reload();
  await untilShown(page, 'Mo', 'I heard: hello ä');
  expect((await screenText(page, 'Mo')).match(/I heard/g)).toHaveLength(1);
  looks.push(...(await lookAt(page, 'terminal')));
  expect(looks).toEqual(well(looks));
  await page.getByRole('button', { name: 'As text' }).click();
  await page.getByLabel('What Mo shows, as text').getByText('I heard: hello ä').waitFor();
  await page.getByRole('button', { name: 'As text' }).click();
  // What is sent to it waits until it is free, and says what became of it.
  await page.getByRole('textbox', { name: 'A message for Mo' }).fill('words of the hall');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('delivered', { exact: true }).waitFor();
  await untilShown(page, 'Mo', 'I heard: words of the hall');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /^Mo/ }).waitFor();
});

test('a dialog is told with what it asks, and answered by a button; two are seen side by side [WEB-TERMINALS, WEB-ACCESS]', async () => {
  const { terminals } = (await hall.client.call('terminal.list', {})) as TerminalList;
  if (!terminals.some(({ name }) => name === 'Mo')) await startIn(hall, 'Mo', lineAgent);
  const asker = await startIn(hall, 'Ada', ['asker']);
  const { page } = await browser.visit({ hall, path: '/terminals' });
  await page.getByRole('link', { name: /Ada.*asks: .*notes\.md/ }).waitFor();
  await page.keyboard.press('v');
  await page.getByRole('button', { name: '1 Yes', exact: true }).waitFor();
  await untilShown(page, 'Mo', '>');
  await untilShown(page, 'Ada', 'Do you want to create notes.md?');
  const looks = await lookAt(page, 'terminals-live');
  await page.getByRole('button', { name: '1 Yes', exact: true }).click();
  await untilShown(page, 'Ada', 'Answer 1 it is.');
  await page.getByRole('button', { name: '1 Yes', exact: true }).waitFor({ state: 'detached' });
  expect((await show(asker.id)).status).not.toBe('dialog');
  // Keys go to the one that is typed into, and nowhere else.
  await typeInto(page, 'Mo', 'only for Mo\n');
  await untilShown(page, 'Mo', 'I heard: only for Mo');
  expect(await screenText(page, 'Ada')).not.toContain('only');
  expect(looks).toEqual(well(looks));
  await page.getByRole('group', { name: 'Which are shown' }).getByRole('button', { name: 'Ada' }).click();
  await page.getByRole('region', { name: 'Terminal Ada' }).waitFor({ state: 'detached' });
  await page.reload();
  await untilShown(page, 'Mo', 'I heard: only for Mo');
  expect(await page.getByRole('region', { name: /^Terminal / }).count()).toBe(1);
});

test('colours are shown under the page’s policy, what a program asks its terminal is not answered by the page, and a program can be given the room that there is [WEB-TERMINALS, SEC-CSP]', async () => {
  const source = `process.stdin.setRawMode(true);
    let count = 0;
    const say = (text) => process.stdout.write(text);
    say('\\u001b[38;2;200;30;30mcoloured\\u001b[0m \\u001b]8;;http://elsewhere.example/\\u0007a link\\u001b]8;;\\u0007 \\u001b]0;a title\\u0007');
    process.stdout.on('resize', () => say('now ' + process.stdout.columns + ' wide\\r\\n'));
    process.stdin.on('data', (data) => {
      for (const sign of String(data)) {
        if (sign === 'q') say('\\u001b[6n\\u001b[c\\u001b[?2026$p\\u001b]11;?\\u0007\\u001b[>q');
        if (sign === 'R') count += 1;
        if (sign === 'R' || sign === 'Z') say('answers: ' + count + (sign === 'Z' ? ' in all' : '') + '\\r\\n');
      }
    });`;
  const { id } = await startIn(hall, 'Hue', [process.execPath, '-e', source]);
  const { page } = await browser.visit({ hall, path: `/terminals/${id}` });
  await untilShown(page, 'Hue', 'coloured');
  const colour = await page
    .locator('.xterm-rows span', { hasText: 'coloured' })
    .evaluate((span) => getComputedStyle(span).color);
  expect(colour).toMatch(/rgb\((1[5-9]\d|2\d\d), \d{1,2}, \d{1,2}\)/);
  expect(await page.title()).toBe('Hue · Guild Hall');
  await typeInto(page, 'Hue', 'q');
  await untilShown(page, 'Hue', 'answers: 1');
  // A sign that stands in no answer.
  await page.keyboard.type('Z');
  await untilShown(page, 'Hue', 'in all');
  expect(await screenText(page, 'Hue')).toContain('answers: 1 in all');
  await page.keyboard.press('Shift+Escape');
  await page.getByRole('button', { name: 'Fit' }).click();
  await untilShown(page, 'Hue', /now \d+ wide/);
  const { screen } = await show(id);
  expect(await page.getByText(`${screen.cols} × ${screen.rows}`).count()).toBe(1);
  await hall.client.call('terminal.end', { id });
  await page.getByText('What it showed last stays here').waitFor();
});

test('a hall that is killed takes nothing of the screen away, and what came meanwhile is there once when it is back [WEB-TERMINALS, WEB-AWAY]', async () => {
  const sign = join(hall.home, 'go-on');
  const script = `echo before; while [ ! -e ${sign} ]; do sleep 0.05; done; echo after; touch ${sign}.done; cat`;
  const { id } = await startIn(hall, 'Kim', ['sh', '-c', script]);
  const visit = await browser.visit({ hall, path: `/terminals/${id}` });
  const { page } = visit;
  visit.expectTrouble(absence);
  await untilShown(page, 'Kim', 'before');
  await hall.kill();
  await page.getByText('The screen is as it was').waitFor();
  await page.getByRole('group', { name: 'Screen of Kim' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('lost');
  await page.keyboard.press('Shift+Escape');
  writeFileSync(sign, '');
  await expect.poll(() => existsSync(`${sign}.done`)).toBe(true);
  expect(await screenText(page, 'Kim')).not.toContain('after');
  await hall.start();
  await untilShown(page, 'Kim', 'after');
  await typeInto(page, 'Kim', 'and on\n');
  const lines = async (): Promise<string[]> => (await screenText(page, 'Kim')).split('\n').filter(Boolean);
  // Echoed by the system, then said by cat. Keys that nobody could take were not kept for later.
  await expect.poll(lines).toEqual(['before', 'after', 'and on', 'and on']);
});

test('one is ended with a word on what is lost, and its last words stay; a revoked browser sees nothing more [WEB-TERMINALS, WEB-ACCESS, SEC-SIGNIN-REVOKE]', async () => {
  const { id } = await startIn(hall, 'Lou', lineAgent);
  const visit = await browser.visit({ hall, path: `/terminals/${id}` });
  const { page } = visit;
  await typeInto(page, 'Lou', 'last words\n');
  await untilShown(page, 'Lou', 'I heard: last words');
  await page.keyboard.press('Shift+Escape');
  await page.keyboard.press('e');
  await page.getByRole('dialog', { name: 'End Lou' }).waitFor();
  await page.getByRole('button', { name: 'End Lou' }).click();
  await page.getByText('What it showed last stays here').waitFor();
  await page.reload();
  await page.getByLabel('What it showed last').getByText('I heard: last words').waitFor();
  const looks = await lookAt(page, 'terminal-ended');
  expect(looks).toEqual(well(looks));
  const { id: other } = await startIn(hall, 'Sol', lineAgent);
  await page.goto(`${hall.url}/app/terminals/${other}`);
  await untilShown(page, 'Sol', '>');
  visit.expectTrouble(/401|4401|WebSocket/);
  await hall.client.call('signin.revoke', { all: true });
  await page.getByText('was signed out').waitFor();
  expect(await page.locator('.xterm').count()).toBe(0);
});
