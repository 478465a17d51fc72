/** The use cases of the contexts, each clicked in a real browser on a real hall; the rehearsal is the model. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, WebSocket } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { shoot, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { answered, beginSession, listOf, pressNext, project, showSession } from '../help/browser-contexts.ts';
import { packageRoot } from '../help/programs.ts';
import { lookAt, well } from './looks.ts';

const fenced = (value: unknown, fence = '```'): string => `${fence}conclave:next\n${JSON.stringify(value)}\n${fence}`;
const way = (label: string, command: string, metaContext: unknown) => fenced({ label, command, metaContext });
const inList = way('In a list', 'in a list', 'places').replaceAll('\n', '\n  ');
const answers: Readonly<Record<string, string>> = {
  'two ways': `Two ways.\n\n${way('First way', 'take the first', 'ways')}\n\n${way('Second way', 'take the second', 'ways')}`,
  'one way': `One.\n\n${way('Go on there', 'take it there', 'lonely')}`,
  'epic way': `One.\n\n${way('Begin the epic', 'take the epic', 'an-epic')}`,
  'frail way': `One.\n\n${way('Try it', 'take the frail', 'frail-spec')}`,
  'take the': 'I took it.',
  'no name': [
    fenced({ label: 'Nameless', command: '/req it' }),
    way('Blank', '/req it', '  '),
    way('Number', '/req it', 7),
    way('Named', '/req it', 'it'),
  ].join('\n\n'),
  'all places': `- in a list:\n\n  ${inList}\n\n${fenced({ label: 'Long fence', command: 'long', metaContext: 'places' }, '`````')}\n\n~~~~md\n${way('Quoted', 'quoted', 'places')}\n~~~~\n\n\`\`\`conclave:next\n{"label": "Broken"\n\`\`\``,
};
const scenario = Object.entries(answers)
  .map(([match, say]) => `- match: ${match}\n  do:\n    - say: ${JSON.stringify(say)}\n`)
  .join('');

/** An agent that does not start while this file is there. */
const frailFolder = mkdtempSync(join(tmpdir(), 'gh-frail-'));
const frailFile = join(frailFolder, 'frail');
const frailGuard = join(frailFolder, 'guard.mjs');
const agentFile = join(packageRoot, 'test/fixtures/acp-agent/agent.mjs');
writeFileSync(
  frailGuard,
  `import { existsSync } from 'node:fs';\nif (existsSync(${JSON.stringify(frailFile)})) process.exit(3);\n`,
);
afterAll(() => rmSync(frailFolder, { recursive: true, force: true }));
/** What an agent is called with it may read; this one needs its packages. */
const packages = join(packageRoot, 'node_modules/@agentclientprotocol/sdk/package.json');
const frailArgs = JSON.stringify(['--import', frailGuard, agentFile, packages]);
/** Another one can be walked through the phases: claude-acp or opencode, where its program is in the PATH. */
const walking = process.env['GUILD_HALL_TEST_AGENT'] ?? 'claude';
const hall = useBrowserHall({
  scenario,
  config: `sessions:\n  default: ${walking}\n  agents:\n    frail:\n      command: ${process.execPath}\n      args: ${frailArgs}\n`,
});
const browser = useBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const isOff = async (page: Page, name: string) => (await button(page, name).getAttribute('aria-disabled')) === 'true';
const at = (id: string): string => `/projects/${project}/sessions/${id}`;
const shownId = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1)!;
const picker = (page: Page) => page.getByRole('combobox', { name: 'Session' });
const picked = (page: Page) => page.locator('.picker__single-value');
const option = (page: Page, name: string) => page.getByRole('option', { name });
const above = (page: Page, title: string) => page.getByRole('region', { name: `Earlier: ${title}` });

interface Sent {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the page calls over its socket from now on. */
async function listen(page: Page): Promise<Sent[]> {
  const sent: Sent[] = [];
  page.on('websocket', (socket: WebSocket) => {
    socket.on('framesent', ({ payload }) => {
      const { kind, operation, input } = JSON.parse(String(payload)) as Sent & { kind: string };
      if (kind === 'call') sent.push({ operation, input });
    });
  });
  await page.reload();
  return sent;
}

const clicks = (sent: readonly Sent[]) => sent.filter(({ operation }) => operation === 'next.click');

/** Presses a button, and is then in the session that came of it. */
async function follow(page: Page, press: () => Promise<void>): Promise<string> {
  const before = shownId(page);
  await press();
  await page.waitForURL((url) => !url.pathname.endsWith(before) && /\/sessions\/./.test(url.pathname));
  return shownId(page);
}

/** Allows in the page what is asked first. */
async function allow(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Allow\b(?! Write)/ })
    .first()
    .click();
}

const phases = [
  ['Write the use cases', '/req voice-notes'],
  ['Draw the event model', '/arq voice-notes'],
  ['Break it into tasks', '/plan voice-notes'],
  ['Order it into waves', '/org voice-notes'],
  ['Carry it out', '/orc voice-notes'],
] as const;

test('six phases are clicked to the end by mouse and keyboard, over a reload and a killed hall; what was said stays above [UC-1.1, UC-1.2, UC-1.3, UC-1.4, UC-1.5, UC-2.1, UC-2.2, UC-2.3, UC-2.4, UC-3.1, UC-3.2, UC-3.3, UC-3.5, UC-3.6, UC-4.1, UC-4.2, UC-4.3, UC-6.3, CTX-DEC-14, CTX-EVT-1, CTX-EVT-2]', async () => {
  const visit = await browser.visit({ hall, path: `/projects/${project}/sessions` });
  const { page } = visit;
  const sent = await listen(page);
  await page.getByText('No session yet.').waitFor();
  await shoot(page, 'sessions-empty');
  await button(page, 'Try /rsrc and a name').click();
  expect(await page.getByRole('textbox', { name: 'What should it do?' }).inputValue()).toBe('/rsrc ');
  await page.getByRole('textbox', { name: 'What should it do?' }).fill('/rsrc voice-notes');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sessions\/./);
  const ids = [shownId(page)];
  await allow(page);
  for (const [nth, [label, command]] of phases.entries()) {
    await button(page, label).waitFor();
    expect(await page.getByText('"metaContext"').count()).toBe(0);
    // Before the answer is over nothing can be pressed, and a hall that is killed then cuts it off.
    await expect.poll(() => isOff(page, label)).toBe(false);
    if (nth === 1) await page.reload();
    if (nth === 2) {
      await page.locator('.react-flow').first().waitFor();
      visit.expectTrouble(/ERR_CONNECTION|WebSocket/);
      await hall.kill();
      await hall.start();
      await page.reload();
    }
    await expect.poll(() => isOff(page, label)).toBe(false);
    await page.getByText(command, { exact: true }).last().waitFor();
    if (nth === 0) await shoot(page, 'session-button');
    const press = [
      () => button(page, label).click(),
      () => button(page, label).press('Enter'),
      () => button(page, label).press('Space'),
      () => button(page, label).dblclick(),
      () => button(page, label).click(),
    ][nth]!;
    ids.push(await follow(page, press));
    await expect.poll(() => picked(page).textContent()).toBe('voice-notes');
    // The words of before, and the button that was pressed: dead, and it says why.
    await above(page, '/rsrc voice-notes').getByText('The smallest thing that helps comes first.').waitFor();
    await expect.poll(() => isOff(page, label)).toBe(true);
    await page.getByText(`It is used: it began “${label}”.`).waitFor();
    await button(page, label).press('Enter');
    if (nth < phases.length - 1) await allow(page);
  }
  await page.getByText('This is where the work would be done').waitFor();
  await answered(hall, ids.at(-1)!);

  const { sessions, metaContexts } = await listOf(hall);
  expect(metaContexts).toMatchObject([{ name: 'voice-notes', sessionIds: ids.slice(1) }]);
  expect(sessions.map(({ id }) => id).toReversed()).toEqual(ids);
  for (const [nth, [label, command]] of phases.entries()) {
    const { messages, from } = await showSession(hall, ids[nth + 1]!);
    expect(messages[0]).toMatchObject({ role: 'person', text: command });
    expect(from).toMatchObject({ label, block: { sessionId: ids[nth] } });
  }
  expect(clicks(sent).map(({ input }) => [input['label'], input['command'], input['metaContext']])).toEqual(
    phases.map(([label, command]) => [label, command, 'voice-notes']),
  );
  // All of it is one page to scroll.
  expect(await page.getByRole('region', { name: /^Earlier: / }).count()).toBe(5);
  const looks = await lookAt(page, 'session-phases');
  const workspace = page.getByRole('complementary', { name: 'Workspace' });
  await workspace.getByText('2 use cases').waitFor();
  await workspace.getByRole('button', { name: /research\.md/ }).click();
  const changes = page.getByRole('dialog', { name: 'Changed since the last commit' });
  await changes.getByText('# Voice notes').first().waitFor();
  await shoot(page, 'session-changes');
  expect(looks).toEqual(well(looks));
}, 240_000);

test('two browsers press at once: one block gives one session, two blocks two of one context; each sees what the other did [UC-2.5, UC-3.4, UC-3.5, UC-4.7, CTX-DEC-11, CTX-DEC-13]', async () => {
  const id = await beginSession(hall, 'two ways');
  const [one, other] = [await browser.visit({ hall, path: at(id) }), await browser.visit({ hall, path: at(id) })];
  for (const { page } of [one, other]) await expect.poll(() => isOff(page, 'First way')).toBe(false);
  const landed = await Promise.all([
    follow(one.page, () => button(one.page, 'First way').click()),
    follow(other.page, () => button(other.page, 'Second way').click()),
  ]);
  const { metaContexts } = await listOf(hall);
  expect(metaContexts.find(({ name }) => name === 'ways')?.sessionIds.toSorted()).toEqual(landed.toSorted());
  for (const [nth, command] of ['take the first', 'take the second'].entries()) {
    await answered(hall, landed[nth]!);
    expect((await showSession(hall, landed[nth]!)).messages[0]).toMatchObject({ text: command });
  }

  // The same block from both: one of them gets the session, the other is told whose it is.
  const alone = await beginSession(hall, 'one way');
  await one.page.goto(`${hall.url}/app${at(alone)}`);
  await other.page.goto(`${hall.url}/app${at(alone)}`);
  const third = await one.another(at(alone));
  for (const { page } of [one, other, third]) await expect.poll(() => isOff(page, 'Go on there')).toBe(false);
  const before = (await listOf(hall)).sessions.length;
  // One of them may be dead before it is reached.
  const press = (page: Page) => button(page, 'Go on there').click({ force: true });
  await Promise.all([press(one.page), press(other.page)]);
  await expect.poll(async () => (await listOf(hall)).sessions.length).toBe(before + 1);
  // Who only looks sees it die.
  await third.page.getByText('It is used: it began “Go on there”.').waitFor();
  expect(await isOff(third.page, 'Go on there')).toBe(true);
  await third.page.reload();
  await third.page.getByText('It is used: it began “Go on there”.').waitFor();
  await press(third.page);
  await button(third.page, 'Go on there').press('Enter');
  expect((await listOf(hall)).sessions).toHaveLength(before + 1);
});

test('what cannot be made is told beside the button, which works again; nothing half-made stays [UC-1.6, CTX-DEC-10]', async () => {
  const { path } = await hall.json<{ path: string }>('project', 'show', project);
  const folder = join(path, '.conclave', 'specs', 'an-epic');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'spec.json'), '{"type": "epic"}');
  const epic = await beginSession(hall, 'epic way');
  const { page } = await browser.visit({ hall, path: at(epic) });
  await expect.poll(() => isOff(page, 'Begin the epic')).toBe(false);
  const before = await listOf(hall);
  await button(page, 'Begin the epic').click();
  await page.getByRole('alert').getByText(/epic/).waitFor();
  await shoot(page, 'session-refused');
  expect(await listOf(hall)).toEqual(before);
  writeFileSync(join(folder, 'spec.json'), '{"type": "spec"}');
  await follow(page, () => button(page, 'Begin the epic').click());

  // An agent that does not start.
  const frail = await beginSession(hall, 'frail way', 'frail');
  await page.goto(`${hall.url}/app${at(frail)}`);
  await expect.poll(() => isOff(page, 'Try it')).toBe(false);
  writeFileSync(frailFile, '');
  await hall.client.call('session.close', { project, id: frail });
  const known = await listOf(hall);
  await button(page, 'Try it').click();
  await page.getByRole('alert').waitFor();
  const now = await listOf(hall);
  expect(now.metaContexts).toEqual(known.metaContexts);
  expect(now.sessions.map(({ id }) => id)).toEqual(known.sessions.map(({ id }) => id));
  rmSync(frailFile);
  const made = await follow(page, () => button(page, 'Try it').click());
  await answered(hall, made);
  expect((await listOf(hall)).metaContexts.find(({ name }) => name === 'frail-spec')?.sessionIds).toEqual([made]);
});

test('a block without a name warns and cannot be pressed; blocks are found by the tree, and drawing them does nothing [UC-4.6, UC-4.7, UC-9.1, UC-9.2, UC-9.3, CTX-BLK-2, CTX-DEC-2, CTX-EVT-17, CTX-EVT-18]', async () => {
  const nameless = await beginSession(hall, 'no name');
  const places = await beginSession(hall, 'all places');
  const before = await listOf(hall);
  const { page } = await browser.visit({ hall, path: at(nameless) });
  const sent = await listen(page);
  await expect.poll(() => isOff(page, 'Named')).toBe(false);
  for (const label of ['Nameless', 'Blank', 'Number']) {
    const warning = page.getByRole('note').filter({ hasText: label });
    expect(await warning.textContent()).toContain('metaContext');
    expect(await button(page, label).count()).toBe(0);
  }
  const looks = await lookAt(page, 'session-nameless');
  await page.goto(`${hall.url}/app${at(places)}`);
  await expect.poll(() => isOff(page, 'In a list')).toBe(false);
  expect(await isOff(page, 'Long fence')).toBe(false);
  expect(await page.getByRole('listitem').getByRole('button', { name: 'In a list' }).count()).toBe(1);
  expect(await button(page, 'Quoted').count()).toBe(0);
  await page.getByText('"label":"Quoted"').waitFor();
  await page.getByText('Shown as code.').waitFor();
  expect(await listOf(hall)).toEqual(before);
  expect(clicks(sent)).toEqual([]);
  expect(looks).toEqual(well(looks));
});

test('the picker has two groups, is worked by the keyboard, and leads to the newest session that is left [UC-5.1, UC-5.2, UC-5.3, UC-5.4, UC-5.5, UC-5.6, UC-6.1, UC-6.2, UC-6.3, UC-8.4, CTX-DEC-5, CTX-DEC-6, CTX-DEC-9, CTX-DEC-12, CTX-EVT-14, CTX-EVT-15, CTX-EVT-16]', async () => {
  const first = await beginSession(hall, '/rsrc mail-digest');
  const second = await pressNext(hall, first);
  const third = await pressNext(hall, second);
  const alone = await beginSession(hall, 'How is mail sorted?');
  const { page } = await browser.visit({ hall, path: at(alone) });
  const sent = await listen(page);
  await expect.poll(() => picked(page).textContent()).toBe('How is mail sorted?');
  await page.keyboard.press('s');
  const group = (name: string) => page.getByRole('group', { name, exact: true });
  await group('Specs')
    .getByRole('option', { name: /^mail-digest/ })
    .waitFor();
  await group('Sessions')
    .getByRole('option', { name: /^\/rsrc mail-digest/ })
    .waitFor();
  // Its sessions are no entries of their own, and nothing here makes a context or opens one up.
  expect(await option(page, 'Write the use cases').count()).toBe(0);
  expect(await page.getByRole('button', { name: /(new|create|add|move).*(context|spec)/i }).count()).toBe(0);
  const looks = await lookAt(page, 'picker');
  await picker(page).fill('mail-d');
  expect(await page.getByRole('option').count()).toBe(2);
  expect(await group('Specs').isVisible()).toBe(true);
  expect(await group('Sessions').isVisible()).toBe(true);
  await picker(page).fill('sorted?');
  await group('Specs').waitFor({ state: 'detached' });
  expect(await group('Sessions').isVisible()).toBe(true);
  await picker(page).fill('no such');
  await page.getByText('Nothing is called so').waitFor();
  await picker(page).fill('mail-digest');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith(third));
  await expect.poll(() => picked(page).textContent()).toBe('mail-digest');
  await page.getByRole('article').getByText('One slice for what is asked for').waitFor();
  const switched = sent.filter(({ operation }) => operation === 'session.switch');
  expect(switched.map(({ input }) => input)).toEqual([{ sessionId: third }]);
  // Only its own messages, until more are asked for.
  const read = () => sent.filter(({ operation }) => operation === 'session.show').map(({ input }) => input['id']);
  expect(read()).not.toContain(second);
  await button(page, 'Show earlier phases').click();
  await above(page, 'Write the use cases').getByText('Two use cases').waitFor();
  expect(read()).toContain(second);
  expect(read()).not.toContain(first);
  await button(page, 'Show the phase before').click();
  await above(page, '/rsrc mail-digest').waitFor();

  await page.keyboard.press('f');
  const found = page.getByRole('dialog', { name: 'Find in 3 sessions' });
  await found.getByRole('searchbox', { name: 'Words' }).fill('smallest thing that helps');
  await found.getByRole('link', { name: /smallest thing that helps/ }).waitFor();
  await shoot(page, 'session-find');
  await page.keyboard.press('Escape');

  // The newest goes: the entry leads to the one before it, in this page at once.
  await page.goto(`${hall.url}/app${at(alone)}`);
  await picked(page).waitFor();
  await hall.client.call('session.remove', { project, id: third });
  await picker(page).fill('mail-digest');
  await option(page, 'mail-digest').first().click();
  await page.waitForURL((url) => url.pathname.endsWith(second));
  // And when none is left, it says so and offers a new one.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  await button(page, 'Remove the session').click();
  await page.getByRole('heading', { name: 'Begin a session' }).waitFor();
  await picker(page).fill('mail-digest');
  await option(page, 'mail-digest').filter({ hasText: 'no session of it is left' }).click();
  await page.getByText('No session of “mail-digest” is left.').waitFor();
  await shoot(page, 'sessions-lost');
  expect(looks).toEqual(well(looks));
});

test('a session is renamed, hidden from the picker, saved, closed and opened again; it is found by its name from anywhere', async () => {
  const id = await beginSession(hall, 'How is the mail kept?');
  const { page } = await browser.visit({ hall, path: at(id) });
  const more = async (name: string) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await more('Rename…');
  await page.getByRole('textbox', { name: 'Title' }).fill('Keeping mail');
  await button(page, 'Rename').click();
  await expect.poll(() => picked(page).textContent()).toBe('Keeping mail');
  const download = page.waitForEvent('download');
  await more('Save as Markdown');
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toContain('How is the mail kept?');
  await more('Close');
  await page.getByText('closed').first().waitFor();
  await more('Open it again');
  await page.getByText('resting').first().waitFor();
  await more('Hide from the picker');
  await page.goto(`${hall.url}/app/projects/${project}/sessions`);
  const row = page.getByRole('listitem').filter({ hasText: 'Keeping mail' });
  await row.getByText('hidden from the picker').waitFor();
  await picker(page).fill('Keeping');
  await page.getByText('Nothing is called so').waitFor();
  await page.keyboard.press('Escape');
  const looks = await lookAt(page, 'sessions');
  await row.getByRole('button', { name: 'Show in the picker' }).click();
  await picker(page).fill('Keeping');
  await option(page, 'Keeping mail').waitFor();
  await page.goto(`${hall.url}/app/projects/${project}`);
  await page
    .getByRole('list', { name: 'Sessions' })
    .getByRole('link', { name: /Keeping mail/ })
    .waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Keeping mail');
  await page
    .getByRole('option', { name: /Keeping mail/ })
    .first()
    .click();
  await page.waitForURL((url) => url.pathname.endsWith(id));
  expect(looks).toEqual(well(looks));
});
