/** Commissions in real Chromium: written, watched, answered, looked at; cancelled, tried again, in conflict; drawn as a graph. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CommissionAnswer, CommissionView } from '../../src/features/commissions/contract.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { absence, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

/** A worker that waits goes on when the file `go` is in its folder. */
const waits = 'until [ -e go ]; do sleep 0.1; done; rm go';

const scenario = `
- match: /Name each error/
  activity: commission
  do:
    - call: { tool: report_progress, input: { summary: 'Read the order; I begin with \`src/parse.ts\`.' } }
    - say: "I begin **where errors are made**, and go from there to where they are reported."
    - call: { tool: Read, input: { file_path: src/parse.ts } }
    - call: { tool: log_question, input: { question: 'Two of them say the same. **Should the note name both**, or only the first? I name both meanwhile.' } }
    - call: { tool: Write, input: { file_path: .lore/research/errors.md, content: "# Errors of the parser\\n\\n1. No date line.\\n2. No time of day.\\n" } }
    - call: { tool: Bash, input: { command: '${waits}' } }
    - call: { tool: report_progress, input: { summary: All four are named; each line is checked. } }
    - call: { tool: submit_result, input: { summary: 'The note names **four errors**, each with its line.', artifacts: [.lore/research/errors.md] } }
    - say: The result is handed over.
- match: /Change the first line/
  activity: commission
  do:
    - call: { tool: Bash, input: { command: "sed -i '1s/.*/# Daybook, said anew/' README.md" } }
    - call: { tool: report_progress, input: { summary: The line is changed. } }
    - call: { tool: Bash, input: { command: '${waits}' } }
    - call: { tool: submit_result, input: { summary: The first line says it anew., artifacts: [README.md] } }
    - say: The result is handed over.
- match: /Say whose hours/
  activity: commission
  do:
    - call: { tool: Bash, input: { command: "sed -i '1s/.*/# Hours of the week/' README.md" } }
    - call: { tool: report_progress, input: { summary: The line is changed. } }
    - call: { tool: Bash, input: { command: '${waits}' } }
    - call: { tool: submit_result, input: { summary: The first line says whose hours., artifacts: [README.md] } }
    - say: The result is handed over.
- match: /Another first line/
  activity: commission
  do:
    - call: { tool: Bash, input: { command: "sed -i '1s/.*/# Another daybook/' README.md" } }
    - call: { tool: submit_result, input: { summary: It is another one., artifacts: [README.md] } }
    - say: The result is handed over.
- match: /Hand in nothing/
  activity: commission
  do:
    - say: I looked around, and hand in nothing.
`;

// The queue is to be seen with few workers.
const hall = useBrowserHall({ scenario, config: 'commissions:\n  perProject: 2\n' });
const browser = useBrowser();

interface Order {
  readonly title: string;
  readonly prompt: string;
  readonly worker?: string;
  readonly depends?: readonly string[];
  readonly dispatch?: boolean;
}

async function order({ worker = 'developer', depends = [], dispatch = true, ...words }: Order): Promise<string> {
  const input = { project: 'sample', worker, depends, dispatch, ...words };
  return ((await hall.client.call('commission.create', input)) as CommissionAnswer).id;
}

const show = async (id: string) => (await hall.client.call('commission.show', { id })) as CommissionView;

const addressOf = (id: string, rest = ''): string => `/projects/sample/commissions/${id}${rest}`;

/** Looks now and then: a look takes git a while. */
async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(100);
}

/** Lets a worker that waits go on. */
async function go(id: string): Promise<void> {
  writeFileSync(join((await show(id)).process!.worktree, 'go'), '');
}

async function reaches(id: string, status: string): Promise<CommissionView> {
  let view = await show(id);
  await waitUntil(async () => {
    view = await show(id);
    return view.commission.status === status && view.phase !== 'ending' && view.phase !== 'merging';
  });
  return view;
}

const log = (page: Page) => page.getByRole('region', { name: 'Log' });
const track = (page: Page) => page.getByRole('list', { name: 'Its life' });

test('a commission is written, starts, is watched live, asks, is answered in place, hands in its result, and is looked at [WEB-COMMISSION, COM-3]', async () => {
  const { page } = await browser.visit({ hall, path: '/projects/sample/commissions' });
  await page.getByText('No commission yet').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: 'Write a commission' });
  await dialog.getByText('Say the outcome, not the steps, and how the worker can check that it is there.').waitFor();
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Errors of the parser');
  await dialog
    .getByRole('textbox', { name: 'What is to be there in the end' })
    .fill('Name each error that the parser can report, with its line.\n\nCheck: each line named is there.');
  await dialog.getByRole('radio', { name: /^Developer/ }).click();
  // What is written is kept, also when it is left.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Write a commission' }).click();
  expect(await dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Errors of the parser');
  const writing = await lookAt(page, 'commission-new');
  await dialog.getByRole('button', { name: 'Create and dispatch' }).click();
  await page.waitForURL(/\/commissions\/errors-of-the-parser/);
  await log(page).getByText('where errors are made').waitFor();
  const question = page.getByRole('article', { name: 'Question of developer' });
  await question.getByText('Should the note name both').waitFor();
  await page
    .getByRole('link', { name: /parser|errors\.md/ })
    .first()
    .waitFor();
  const running = await lookAt(page, 'commission-running');
  const id = page.url().split('/').at(-1)!;
  await question.getByRole('textbox', { name: 'Your answer' }).fill('Both, with a word on why.');
  await question.getByRole('button', { name: 'Answer' }).click();
  await question.waitFor({ state: 'detached' });
  await log(page).getByText('Both, with a word on why.').waitFor();
  await go(id);
  await page.getByRole('region', { name: 'Result' }).getByText('four errors').waitFor();
  await page.getByText('to review').waitFor();
  await track(page).getByText('merged').waitFor();
  expect((await show(id)).commission.merge.state).toBe('merged');
  // Live, and read anew, are the same.
  const live = await page.getByRole('region', { name: 'Log' }).innerText();
  await page.reload();
  await log(page).getByText('Came to its end').waitFor();
  const plain = (text: string): string => text.replaceAll(/\d+ (?:s|min)( ago)?|just now/g, '').replaceAll(/\s+/g, ' ');
  expect(plain(await page.getByRole('region', { name: 'Log' }).innerText())).toBe(plain(live));
  const done = await lookAt(page, 'commission-done');
  await page.getByRole('link', { name: /^Timeline/ }).click();
  await page.getByText('You answered q1.1').waitFor();
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Progress' });
  await page.getByText('You answered q1.1').waitFor({ state: 'detached' });
  await page.getByText('All four are named').waitFor();
  await page.getByRole('button', { name: 'Mark reviewed' }).click();
  await page.getByRole('button', { name: 'Mark reviewed' }).waitFor({ state: 'detached' });
  expect((await show(id)).commission.reviewedAt).not.toBeNull();
  const looks = [...writing, ...running, ...done];
  expect(looks).toEqual(well(looks));
});

test('a running commission is cancelled with what is lost and kept said before, its changes are remarked on, and it is tried again [WEB-COMMISSION]', async () => {
  const id = await order({ title: 'A new first line', prompt: 'Change the first line of README.md' });
  const { page } = await browser.visit({ hall, path: addressOf(id) });
  await log(page).getByText('The line is changed').waitFor();
  await page.getByRole('link', { name: /^Changes/ }).click();
  const changes = page.getByRole('region', { name: 'Changes of README.md' });
  await changes.getByText('# Daybook, said anew').waitFor();
  await changes.getByRole('button', { name: 'Remark on line 1', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Your remark on line 1' }).fill('Say what it is for.');
  await page.keyboard.press('Control+Enter');
  await changes.getByText('Say what it is for.').waitFor();
  const remarked = await lookAt(page, 'commission-changes');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel the commission' });
  await dialog.getByText(/^Lost:/).waitFor();
  await dialog.getByText(/^Kept:/).waitFor();
  const asking = await lookAt(page, 'commission-cancel');
  await dialog.getByRole('textbox').fill('The line has to say what it is for');
  await dialog.getByRole('button', { name: 'Cancel the commission' }).click();
  await page.getByRole('button', { name: 'Dispatch again' }).waitFor();
  const cancelled = await reaches(id, 'cancelled');
  expect(cancelled.process).toBeNull();
  await page.getByRole('button', { name: 'Dispatch again' }).click();
  const again = page.getByRole('dialog', { name: 'Dispatch it again' });
  await again.getByText('attempt 2').waitFor();
  await again.getByRole('button', { name: 'Dispatch again' }).click();
  await page.getByRole('link', { name: 'Work' }).click();
  await track(page).getByText('attempt 2').waitFor();
  await log(page).getByText('The line is changed').waitFor();
  await page.getByRole('combobox', { name: 'Attempt' }).selectOption({ label: 'Attempt 1' });
  await log(page).getByText('Stopped:').waitFor();
  await go(id);
  await page.getByText('to review').waitFor();
  const { commission, branches } = await reaches(id, 'completed');
  expect(commission).toMatchObject({ attempt: 2, merge: { state: 'merged' } });
  expect(branches).toContain(`claude/commission/${id}`);
  await page.getByRole('link', { name: /^Timeline/ }).click();
  await page.getByText('Attempt 2, on').waitFor();
  const told = await lookAt(page, 'commission-timeline');
  const looks = [...remarked, ...asking, ...told];
  expect(looks).toEqual(well(looks));
});

test('work that is in conflict says so with its files, can be tried again, and given up [WEB-COMMISSION]', async () => {
  const id = await order({ title: 'The first line once more', prompt: 'Say whose hours these are' });
  const { page } = await browser.visit({ hall, path: addressOf(id) });
  await log(page).getByText('The line is changed').waitFor();
  const other = await order({ title: 'Another first line', prompt: 'Another first line, please' });
  await reaches(other, 'completed');
  await go(id);
  const trouble = page.getByRole('region', { name: 'The work could not be merged' });
  await trouble.getByText('README.md').waitFor();
  const looks = await lookAt(page, 'commission-conflict');
  await trouble.getByRole('button', { name: 'Try the merge again' }).click();
  await waitUntil(async () => {
    const { timeline } = (await show(id)).commission;
    return timeline.filter(({ event }) => event === 'merge').length === 2;
  });
  await trouble.getByText('README.md').waitFor();
  await trouble.getByRole('button', { name: 'Give the merge up' }).click();
  const dialog = page.getByRole('dialog', { name: 'Give the merge up' });
  await dialog.getByText(/^Kept:/).waitFor();
  await dialog.getByRole('button', { name: 'Give the merge up' }).click();
  await dialog.waitFor({ state: 'detached' });
  await trouble.waitFor({ state: 'detached' });
  expect((await show(id)).commission.merge.state).toBe('dismissed');
  expect(looks).toEqual(well(looks));
});

/** Two run, one of which asks; one is queued, two wait for others, one for the person. */
async function fillQueue(): Promise<{ readonly after: string }> {
  const running = await order({ title: 'Names of the errors', prompt: 'Name each error once more' });
  const second = await order({ title: 'A line that waits', prompt: 'Change the first line of README.md' });
  await order({ title: 'The third in line', prompt: 'Hand in nothing at all' });
  await order({ title: 'Guide to the errors', prompt: 'Hand in nothing', depends: [running, 'docs/errors.md'] });
  const after = await order({ title: 'A page for newcomers', prompt: 'Hand in nothing', depends: [second] });
  await order({ title: 'Plan of the export', prompt: 'Hand in nothing', dispatch: false });
  await waitUntil(async () => (await show(running)).openQuestions.length === 1);
  return { after };
}

test('lists say what runs, waits and why; the graph is drawn, said in words, and gone through by keys [WEB-GRAPH, WEB-KEYS]', async () => {
  const { after } = await hall.once(fillQueue);
  const { page } = await browser.visit({ hall, path: '/projects/sample/commissions' });
  const listed = (name: string) => page.getByRole('list', { name, exact: true });
  await listed('Running').getByText('running, asks you').waitFor();
  await listed('Queued').getByText('queued, next').waitFor();
  await listed('Blocked').getByText('Waits for Names of the errors, docs/errors.md').waitFor();
  await listed('Not dispatched').getByText('Plan of the export').waitFor();
  const lists = await lookAt(page, 'commissions');
  await page.keyboard.press('f');
  await page.keyboard.type('newcomers');
  await listed('Running').waitFor({ state: 'detached' });
  await listed('Blocked').getByText('A page for newcomers').waitFor();
  expect(page.url()).toContain('words=newcomers');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('searchbox').inputValue()).toBe('newcomers');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith(after));
  await page.getByText('Not there yet: A line that waits').waitFor();
  const blocked = await lookAt(page, 'commission-blocked');
  await page.goBack();
  await page.getByRole('button', { name: 'As a graph' }).click();
  await page.locator('.react-flow__node').first().waitFor();
  const words = page.getByRole('complementary', { name: 'The graph in words' });
  await words.getByText('waits for Names of the errors').waitFor();
  const graph = await lookAt(page, 'commissions-graph');
  const node = page.getByRole('link', { name: 'Guide to the errors, blocked' });
  await node.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Guide to the errors' }).waitFor();
  // What is asked for can be changed while it waits.
  await page.getByRole('button', { name: 'Change it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the commission' });
  await dialog.getByRole('button', { name: 'Leave out docs/errors.md' }).click();
  await dialog.getByRole('textbox', { name: 'What is to be there in the end' }).fill('Hand in nothing, but well');
  await dialog.getByRole('button', { name: 'Save the changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Hand in nothing, but well').waitFor();
  await page.getByText('docs/errors.md').waitFor({ state: 'detached' });
  const looks = [...lists, ...blocked, ...graph];
  expect(looks).toEqual(well(looks));
});

test('the hall, the project, the inbox and the search know commissions, and a hall that is away leaves them readable [WEB-COMMISSION, WEB-AWAY]', async () => {
  await hall.once(fillQueue);
  const visit = await browser.visit({ hall });
  const { page } = visit;
  await page.getByRole('list', { name: 'Under way' }).getByText('Names of the errors').waitFor();
  await page.getByRole('list', { name: 'Queued' }).getByText('The third in line').waitFor();
  const hallLook = await lookAt(page, 'hall-commissions');
  await page.goto(`${hall.url}/app/inbox`);
  await page.getByRole('button', { name: /Names of the errors/ }).click();
  await page.getByRole('textbox', { name: 'Your words' }).fill('Both.');
  const inbox = await lookAt(page, 'inbox-question');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByRole('button', { name: /developer asks/ }).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('names of the err');
  await page.getByRole('option', { name: /^Names of the errors developer/ }).click();
  await page.getByRole('heading', { name: 'Names of the errors' }).waitFor();
  await log(page).getByText('Both.').waitFor();
  visit.expectTrouble(absence);
  const id = page.url().split('/').at(-1)!;
  const { worktree } = (await show(id)).process!;
  await hall.kill();
  await page.getByText('The hall has not answered').waitFor();
  await log(page).getByText('where errors are made').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel', exact: true }).getAttribute('title')).toMatch(
    /does not answer/,
  );
  // The worker needs nothing of the hall.
  writeFileSync(join(worktree, 'go'), '');
  await hall.start();
  await page.getByRole('region', { name: 'Result' }).getByText('four errors').waitFor();
  await page.getByText('to review').waitFor();
  const looks = [...hallLook, ...inbox];
  expect(looks).toEqual(well(looks));
});
