/** Gatherings in a real browser, with small real programs in real terminals: begun, followed, spoken in, passed on, timed out, ended, harvested. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { GatheringStatus, GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import type { TerminalView } from '../../src/features/terminals/contract.ts';
import { absence, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { harvestWords, holdersIn, type Part, saidIn } from '../help/gatherings.ts';
import { endTerminalsAfterwards, programAt, untilShown } from '../help/live-terminals.ts';
import { lookAt, well } from './looks.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-circle-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parts: Readonly<Record<string, Part>> = {
  Ada: {
    turns: [
      null,
      'The suite is **trusted but slow**. Two runs in five wait for `test/browser`, and nobody runs the torture by hand any more.\n\nI pass',
      'I disagree on one point: who starts the hall less often does not see the faults of its start.\n\nI pass',
      'Then this is what I would keep:\n\n- one file that starts it anew\n- its name says why\n\nI pass',
    ],
  },
  Grace: {
    turns: [
      'Numbers: eight minutes for all of it, five of them in the browser. A third of that is the start of the hall.\n\nI pass',
      'Both can be true. Who looks at the report when it is red at night?\n\nI pass',
      'Agreed. I write it down.\n\nI pass',
    ],
  },
  Hana: { harvest: [harvestWords] },
  Kim: { turns: ['I am here.\n\nI pass', 'Still here.\n\nI pass', null] },
  Lou: { turns: ['I see no harm.\n\nI pass', { exit: 1 }] },
  Hugo: { harvest: [null] },
};
writeFileSync(join(folder, 'script.json'), JSON.stringify(parts));

const command = [process.execPath, programAt('circle-agent.mjs'), join(folder, 'script.json'), folder];
const hall = useBrowserHall({
  config: `sandbox: { mode: off }
gatherings: { graceSeconds: 1, harvestSeconds: 30 }
terminals: { agents: { circle: { command: ${JSON.stringify(command)}, like: claude } } }
`,
});
const browser = useBrowser();
endTerminalsAfterwards(hall);

const start = async (name: string): Promise<TerminalView> =>
  (await hall.client.call('terminal.start', { project: 'sample', name, command: ['circle'] })) as TerminalView;

/** What that member took, in order. */
function taken(name: string): string[] {
  const path = join(folder, `${name}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as string);
}

const show = async (id: string): Promise<GatheringView> =>
  (await hall.client.call('gathering.show', { id })) as GatheringView;

const said = (page: Page, name: string) => page.getByRole('article', { name, exact: true });
const turn = (page: Page) => page.getByRole('region', { name: 'Your turn' });
const seat = (page: Page, name: string) =>
  page.getByRole('region', { name: 'The circle' }).getByRole('listitem').filter({ hasText: name });

/** By the keyboard, as the person has it. */
async function beginByForm(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Begin a gathering' }).first().waitFor();
  await page.keyboard.press('b');
  const form = page.getByRole('dialog', { name: 'Begin a gathering' });
  await form.getByRole('button', { name: 'Begin', exact: true }).click();
  await form.getByText('Say what it is about').waitFor();
  await form.getByText('At least two have to speak').waitFor();
  await form.getByText('Choose who listens and harvests').waitFor();
  const wrong = await page.evaluate(() => document.activeElement?.tagName);
  expect(wrong).toBe('TEXTAREA');
  await page.keyboard.type('What wants to change in how we test?');
  await form.getByRole('button', { name: 'Ada', exact: true }).click();
  await form.getByRole('button', { name: 'Grace', exact: true }).click();
  await form.getByRole('button', { name: 'Yourself' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Your name in it');
  await page.keyboard.type('Grace');
  await form.getByText('Two are called Grace').waitFor();
  await form.getByLabel('Your name in it').fill('Mo');
  await form.getByRole('button', { name: 'Mo speaks earlier' }).click();
  await form.getByLabel('Who harvests').selectOption('entry circle');
  await form.getByLabel('Name of the harvester').fill('Hana');
  await form.getByLabel('Rounds: inhale-hold-exhale').fill('1-1');
  await form.getByText('Three counts from 1 to 9').waitFor();
  await form.getByLabel('Rounds: inhale-hold-exhale').fill('1-1-1');
  await form.getByLabel('Beats of a turn').fill('3');
  await form.getByLabel('Seconds between beats').fill('120');
  const looks = await lookAt(page, 'gathering-begin');
  // What only the hall knows stands at its field as well.
  await form.getByLabel('Name of the harvester').fill('Ha na');
  await form.getByRole('button', { name: 'Begin', exact: true }).click();
  await form.getByText('"Ha na" is no name of a terminal').waitFor();
  expect(await form.getByLabel('Who harvests').getAttribute('aria-invalid')).toBe('true');
  await form.getByLabel('Name of the harvester').fill('Hana');
  await form.getByText('"Ha na" is no name').waitFor({ state: 'detached' });
  await form.getByRole('button', { name: 'Begin', exact: true }).click();
  await page.waitForURL(/\/gatherings\//);
  return looks.flatMap(({ name, axe, tooWide }) => [...axe, ...tooWide].map((what) => `${name}: ${what}`));
}

test('the person begins one, hears all, keeps words, tells all as the host, speaks and passes in turn, sees what came out [GTH-HUMAN-1, GTH-HUMAN-2, GTH-HUMAN-3, GTH-HUMAN-4, GTH-HUMAN-5, GTH-HUMAN-7, GTH-HUMAN-9, WEB-GATHERING, WEB-ACCESS, WEB-AWAY]', async () => {
  // Of a first try.
  for (const name of ['Ada', 'Grace', 'Hana']) rmSync(join(folder, `${name}.jsonl`), { force: true });
  await start('Ada');
  await start('Grace');
  const visit = await browser.visit({ hall, path: '/projects/sample' });
  const { page } = visit;
  expect(await beginByForm(page)).toEqual([]);
  const id = page.url().split('/').at(-1)!;

  // Ada has the piece, and is silent.
  await seat(page, 'Ada').getByText('has the piece').waitFor();
  await seat(page, 'Mo').getByText('waits').waitFor();
  await page.getByRole('group', { name: 'Harvester' }).getByText('Hana').waitFor();
  await page.getByText('What you were told at the beginning').click();
  await page.getByText('You are Mo (2) in this gathering.').waitFor();
  const { messages } = await show(id);
  const seedOf = (number: number) => messages.find(({ kind, to }) => kind === 'seed' && to.includes(number))!.text;
  const mapOf = (seed: string) => /## Who is here[^]*?(?=\n## )/.exec(seed)![0];
  expect(mapOf(seedOf(2))).toBe(mapOf(seedOf(1)));
  expect(mapOf(seedOf(2))).toContain('- Mo (2): speaker, the person');
  expect(taken('Ada')[0]).toContain(mapOf(seedOf(2)));
  await page.getByText('What you were told at the beginning').click();

  // Words out of turn are kept, and only those of the host go out.
  await page.getByLabel('Your words, kept for your turn').fill('I would rather have the slow run at night.');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Kept for your turn' }).getByText('the slow run at night').waitFor();
  expect(await said(page, 'You').count()).toBe(0);
  await page.getByRole('button', { name: 'As the host' }).click();
  await page.getByLabel('Your words as the host').fill('We have twenty minutes, then I have to go.');
  await page.getByRole('button', { name: 'Tell all' }).click();
  await said(page, 'You').getByText('as the host, to all').waitFor();
  await expect.poll(() => taken('Grace').join('\n')).toContain('[guild-hall] Announcement of Mo (2) as the host');
  expect(taken('Grace').join('\n')).not.toContain('the slow run at night');
  // The next words are the member's again.
  await page.getByRole('button', { name: 'As the host', pressed: false }).waitFor();

  // Beside the words her terminal is watched.
  await page.keyboard.press('l');
  await untilShown(page, 'Ada', 'for shortcuts');
  const looks = await lookAt(page, 'gathering-live');
  await seat(page, 'Grace').getByRole('button').click();
  await untilShown(page, 'Grace', 'for shortcuts');
  await seat(page, 'Grace').getByRole('button').click();
  await page.getByRole('region', { name: 'Terminal Grace' }).waitFor({ state: 'detached' });

  await page.getByLabel('Your words, kept for your turn').fill('Speed matters less to me');
  await page.reload();
  await page.getByRole('region', { name: 'Kept for your turn' }).getByText('the slow run at night').waitFor();
  expect(await page.getByLabel('Your words, kept for your turn').inputValue()).toBe('Speed matters less to me');

  // The hall is killed: what is on the screen stays, and her turn begins again when it is back.
  visit.expectTrouble(absence);
  await hall.kill();
  await page.getByText('The hall has not answered').waitFor();
  expect(await page.getByLabel('Your words, kept for your turn').inputValue()).toBe('Speed matters less to me');
  await page.getByRole('region', { name: 'Kept for your turn' }).getByText('the slow run at night').waitFor();
  await hall.start();
  await page.getByText('the turn of Ada (1) begins again').waitFor();

  // She speaks and passes: it is the person's turn, and what was kept goes out as theirs.
  await said(page, 'Ada').getByText('trusted but slow').waitFor();
  await turn(page).waitFor();
  await said(page, 'You').getByText('the slow run at night').waitFor();
  await expect.poll(() => taken('Grace')).toContain('Mo (2):\n\nI would rather have the slow run at night.');
  expect(await page.title()).toMatch(/^Your turn: /);
  looks.push(...(await lookAt(page, 'gathering-turn')));
  const other = await visit.another('/inbox');
  await other.page.getByRole('button', { name: /It is your turn/ }).click();
  await other.page.getByRole('link', { name: 'Look at it' }).click();
  await turn(other.page).waitFor();
  await other.page.goto(`${hall.url}/app/`);
  await other.page
    .getByRole('list', { name: 'Under way' })
    .getByRole('link', { name: /how we test/ })
    .waitFor();
  await other.page.close();

  // The draft is where it was. A word does not end the turn; a pass by name does.
  const field = turn(page).getByLabel('Your words');
  expect(await field.inputValue()).toBe('Speed matters less to me');
  await field.press('End');
  await page.keyboard.type(' than that I can *trust* it.');
  await page.keyboard.press('Enter');
  await said(page, 'You').getByText('than that I can *trust* it.').waitFor();
  // It is heard before the call is answered, which empties the field.
  await expect.poll(() => field.inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Grace (3)' }).click();
  await said(page, 'Grace').getByText('eight minutes').waitFor();
  await page.getByRole('heading', { name: 'Hold, round 1 of 1' }).waitFor();

  // In the next round it passes by the words alone, in the one after that by the button.
  await said(page, 'Ada').getByText('I disagree on one point').waitFor();
  await turn(page).waitFor();
  await turn(page).getByLabel('Your words').fill('I see no third way yet.\n\nI pass');
  await turn(page).getByRole('button', { name: 'Say', exact: true }).click();
  await said(page, 'Grace').getByText('red at night').waitFor();
  await page.getByRole('heading', { name: 'Exhale, round 1 of 1' }).waitFor();
  await turn(page).waitFor();
  // Who reads the newest words goes on doing so when a terminal comes beside them.
  await page.locator('main').focus();
  await page.keyboard.press('l');
  await untilShown(page, 'Ada', 'for shortcuts');
  expect(await page.getByRole('button', { name: 'To the newest' }).count()).toBe(0);
  await page.keyboard.press('l');
  await turn(page).getByRole('button', { name: 'Pass', exact: true }).click();
  await said(page, 'Grace').getByText('I write it down').waitFor();

  // What came out, with its links.
  const outcome = page.getByRole('region', { name: 'What came out' });
  await outcome.getByText('All rounds were held. Hana wrote the harvest.').waitFor();
  await said(page, 'Hana').getByText('Counting is not understanding.').waitFor();
  looks.push(...(await lookAt(page, 'gathering-closed')));
  const view = await show(id);
  // Her first turn began twice.
  expect(holdersIn(view)).toEqual(['Ada', 'Ada', 'Mo', 'Grace', 'Ada', 'Mo', 'Grace', 'Ada', 'Mo', 'Grace']);
  expect(saidIn(view)).toHaveLength(9);
  for (const message of view.messages) {
    if (message.kind === 'words' && message.from === 1) expect(taken('Grace')).toContain(`Ada (1):\n\n${message.text}`);
    if (message.kind === 'piece' && message.to.includes(3)) expect(taken('Grace')).toContain(message.text);
  }
  await outcome.getByRole('link', { name: /write down what a word is/ }).click();
  await page.waitForURL(/\/artifacts\/\.lore\/todos\//);
  await page.goBack();
  await outcome.getByRole('link', { name: /\.lore\/gatherings\/daily\.md/ }).click();
  await page.getByText('Counting is not understanding.').first().waitFor();
  await page.goto(`${hall.url}/app/projects/sample`);
  await page
    .getByRole('list', { name: 'Gatherings' })
    .getByRole('link', { name: /how we test.*closed/ })
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('how we test');
  await page.getByRole('option', { name: /What wants to change in how we test/ }).click();
  await outcome.waitFor();
  expect(looks).toEqual(well(looks));
}, 240_000);

test('the beats of the person, a time-out after which they are still there, a member that is gone, an end before its time [GTH-HUMAN-6, GTH-HUMAN-8, GTH-HUMAN-10, WEB-GATHERING]', async () => {
  const { id } = (await hall.client.call('gathering.start', {
    project: 'sample',
    rhythm: 'daily',
    openingQuestion: 'What is alive?',
    participants: ['Mo', 'Kim=circle', 'Lou=circle'],
    harvester: 'Hugo=circle',
    human: 'Mo',
    structure: '3-1-1',
    beatsPerTurn: 2,
    beatIntervalSeconds: 4,
  })) as GatheringStatus;
  const visit = await browser.visit({ hall, path: `/gatherings/${id}?beats=true` });
  const { page } = visit;
  const log = page.getByRole('log', { name: 'What was said' });
  await turn(page).waitFor();
  const placeOf = async () => turn(page).getByRole('button', { name: 'Pass', exact: true }).boundingBox();
  const [before, clock] = [await placeOf(), await turn(page).getByRole('timer').innerText()];
  const later = async () => (await turn(page).getByRole('timer').innerText()).replace(clock, '');
  await expect.poll(later).toMatch(/^\d:\d\d\sleft$/);
  expect((await placeOf())?.x).toBe(before?.x);
  // The same prompts as for agents.
  await log
    .getByText(/^\[Beat 1\/2\] Signals refresh: .+ Continue, pivot, or pass\.$/)
    .first()
    .waitFor();
  await log
    .getByText(/^\[Beat 2\/2\] .+ Your turn is up\. What would you like to say last\?$/)
    .first()
    .waitFor();
  // Its time is over, the piece is elsewhere, and the person has the next turn in its order.
  await said(page, 'Kim').getByText('I am here.').waitFor();
  await log.getByText('The time of Mo (1) is up.').first().waitFor();
  await said(page, 'Lou').getByText('I see no harm.').waitFor();
  await page.getByRole('heading', { name: 'Inhale, round 2 of 3' }).waitFor();
  // It goes out of its order to whom the person names; who is gone then is passed over.
  await turn(page).getByRole('button', { name: 'Pass to…' }).click();
  await page.getByRole('menuitem', { name: 'Lou (3)' }).click();
  await seat(page, 'Lou').getByText('gone').waitFor();
  await log.getByText(/Lou \(3\) is gone/).waitFor();
  await said(page, 'Kim').getByText('Still here.').waitFor();
  expect(holdersIn(await show(id)).slice(0, 6)).toEqual(['Mo', 'Kim', 'Lou', 'Mo', 'Lou', 'Kim']);
  expect(await seat(page, 'Mo').getByText('gone').count()).toBe(0);

  // A killed hall is no end; the person's word is.
  await page.getByRole('heading', { name: 'Inhale, round 3 of 3' }).waitFor();
  await page.keyboard.press('e');
  const dialog = page.getByRole('dialog', { name: 'End the gathering' });
  await dialog.getByText('Hugo is asked for the harvest of what was said so far.').waitFor();
  await dialog.getByText('.lore/gatherings/daily.md').waitFor();
  const looks = await lookAt(page, 'gathering-end');
  await dialog.getByRole('button', { name: 'End and harvest' }).click();
  await page.getByText('Hugo writes the harvest').first().waitFor();
  expect((await show(id)).gathering.close?.why).toEqual({ kind: 'ended', by: 'person' });
  expect(await page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0);
  const { terminals } = (await hall.client.call('terminal.list', {})) as { terminals: TerminalView[] };
  await hall.client.call('terminal.end', { id: terminals.find(({ name }) => name === 'Hugo')!.id });
  await page.getByText('The harvester gave no harvest; the hall wrote it from the record.').waitFor();
  await page.getByText('You ended it.').first().waitFor();
  expect(looks).toEqual(well(looks));
});
