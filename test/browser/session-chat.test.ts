/** A session in a real browser: words and images, an answer that grows, what waits, a stop, a question, an agent that is killed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SessionView } from '../../src/features/sessions/contract.ts';
import { findProcessesByMark } from '../../src/kernel/processes/marks.ts';
import type { ClientMessage, ServerMessage } from '../../src/kernel/pure/wire.ts';
import { absence, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const block = '```conclave:next\n{"label":"Write the requirements","command":"/req tabs","metaContext":"tabs"}\n```';
const slice = (name: string) =>
  `\`\`\`conclave:eventmodel\n${JSON.stringify({ slice: name, label: name, screen: 'Page', sideEffects: ['Drawn'] })}\n\`\`\``;
const half = block.indexOf('"command"');
const scenario = `- match: what comes next
  do:
    - say: ${JSON.stringify(`This is what comes next.\n\n${block.slice(0, half)}`)}
    - wait: 3s
    - say: ${JSON.stringify(`${block.slice(half)}\n\nThat is all.`)}
- match: draw the model
  do:
    - say: ${JSON.stringify(`First:\n\n${slice('Asking')}`)}
    - call: { tool: Glob, input: { pattern: 'src/*.ts' } }
    - say: ${JSON.stringify(`Second:\n\n${slice('Answering')}`)}
`;

const hall = useBrowserHall({ scenario });
const browser = useBrowser();

const field = (page: Page) => page.getByRole('textbox', { name: 'Words for Claude Code' });
const answers = (page: Page) => page.getByRole('article', { name: 'Claude Code' });
const mine = (page: Page) => page.getByRole('article', { name: 'You' });
const stopButton = (page: Page) => page.getByRole('button', { name: 'Stop', exact: true });
const show = async (id: string) => (await hall.client.call('session.show', { id })) as SessionView;

/** Begins a session without words. */
async function begin(): Promise<string> {
  return ((await hall.client.call('session.new', { project: 'sample' })) as SessionView).session.id;
}

async function visitSession(id: string) {
  const visit = await browser.visit({ hall, path: `/projects/sample/sessions/${id}` });
  await field(visit.page).waitFor();
  return visit;
}

async function say(page: Page, words: string): Promise<void> {
  await field(page).fill(words);
  await page.keyboard.press('Enter');
}

/** Nothing runs any more, and all of it is drawn. */
async function rested(page: Page, id: string): Promise<void> {
  await expect
    .poll(async () => (await show(id)).session.messages.every(({ state }) => !['running', 'queued'].includes(state)))
    .toBe(true);
  await stopButton(page).waitFor({ state: 'detached' });
  await page.locator('.prose-growing').waitFor({ state: 'detached' });
}

/** All that was said and done, without how long ago. */
async function shown(page: Page): Promise<string[]> {
  const texts = await page.locator('main article').allInnerTexts();
  return texts.map((text) => text.replaceAll(/\b(just now|\d+ (?:s|min|h)(?: ago)?)\b/g, 'then'));
}

/** What a page calls, in the test's hands. */
interface Tap {
  readonly calls: { readonly operation: string; readonly input: unknown }[];
  /** Operations that are refused instead of called. */
  readonly refused: Set<string>;
  /** Operations whose answers are held back. */
  readonly holding: Set<string>;
  /** Each lets one of those answers through. */
  readonly held: (() => void)[];
}

/** Begins with a reload: of a socket that is open nothing is seen. */
async function tapSocket(page: Page): Promise<Tap> {
  const tap: Tap = { calls: [], refused: new Set(), holding: new Set(), held: [] };
  const refusal = { code: 'unavailable', message: 'It cannot be done now.', hint: 'Try it later.' };
  await page.routeWebSocket(/\/api\/socket/, (near) => {
    const far = near.connectToServer();
    const waits = new Set<number>();
    near.onMessage((data) => {
      const message = JSON.parse(String(data)) as ClientMessage;
      if (message.kind === 'call') {
        const { id, operation } = message;
        tap.calls.push(message);
        if (tap.refused.has(operation)) return near.send(JSON.stringify({ kind: 'refusal', id, problem: refusal }));
        if (tap.holding.has(operation)) waits.add(id);
      }
      far.send(data);
    });
    far.onMessage((data) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.kind === 'answer' && waits.has(message.id)) tap.held.push(() => near.send(data));
      else near.send(data);
    });
  });
  await page.reload();
  return tap;
}

const callsOf = (tap: Tap, name: string) =>
  tap.calls.flatMap(({ operation, input }) => (operation === name ? [input] : []));

/** Keys of the images that the browser keeps. */
async function keptImages(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const answerOf = async <T>(request: IDBRequest<T>) =>
      await new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)));
    const db = await answerOf(indexedDB.open('guild-hall', 1));
    const keys = await answerOf(db.transaction('images').objectStore('images').getAllKeys());
    db.close();
    return keys.map(String);
  });
}

/** As the clipboard gives it: a picture of that size, or a file that is none. */
async function paste(page: Page, name: string, side: number, into: Locator = field(page)): Promise<void> {
  await into.evaluate(
    async (element, [called, size]) => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [size, size];
      const pen = canvas.getContext('2d')!;
      // Noise is as large as a photograph.
      const pixels = pen.createImageData(Math.max(1, size), Math.max(1, size));
      let seed = 7;
      for (let at = 0; at < pixels.data.length; at += 1) {
        seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
        pixels.data[at] = at % 4 === 3 ? 255 : (seed >> 16) & 255;
      }
      if (size > 0) pen.putImageData(pixels, 0, 0);
      const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
      const data = new DataTransfer();
      data.items.add(new File(size > 0 ? [picture!] : ['words'], called, { type: 'image/png' }));
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [name, side] as const,
  );
}

test('words and an image survive a reload, are said, answered as they come, and shown again just so; blocks in the person’s words stay words [UC-4.5, WEB-DRAFTS, WEB-REPLAY]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  await page.getByText('Nothing was said yet.').waitFor();
  await paste(page, 'shot.png', 40);
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  await paste(page, 'large.png', 760);
  await page.getByRole('img', { name: 'large.png' }).waitFor();
  await page.getByText(/MB → \d+ kB/).waitFor();
  await paste(page, 'notes.png', 0);
  await page.getByText('“notes.png” is left out: it is no PNG').waitFor();
  await page.getByRole('button', { name: 'Take out large.png' }).click();
  const words = `How is a report made?\n\n${block}`;
  await field(page).fill(words);
  await page.reload();
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  expect(await field(page).inputValue()).toBe(words);
  const drafted = await lookAt(page, 'session-draft');
  await field(page).press('Enter');
  await mine(page)
    .getByRole('button', { name: /^Image 1/ })
    .waitFor();
  // The page that sent it is gone at once: it is not kept here any longer for all that.
  await page.reload();
  await answers(page).first().waitFor();
  await expect.poll(() => keptImages(page)).toEqual([]);
  await rested(page, id);
  expect(await field(page).inputValue()).toBe('');
  expect(await page.getByRole('img', { name: 'shot.png' }).count()).toBe(0);
  expect(await mine(page).getByText('"label":"Write the requirements"').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Write the requirements' }).count()).toBe(0);
  const before = await shown(page);
  expect(before).toHaveLength(2);
  await page.reload();
  await mine(page)
    .getByRole('button', { name: /^Image 1/ })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('img', { name: /^Image 1/ })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await shown(page)).toEqual(before);
  // All steps open and close by a key, to what was asked and answered.
  await page.keyboard.press('e');
  await page.getByText('Asked').first().waitFor();
  const looks = [...drafted, ...(await lookAt(page, 'session-answered'))];
  expect(looks).toEqual(well(looks));
});

test('an answer grows, further words wait, are taken back, and are answered after a stop by Esc [WEB-STREAM, WEB-KEYS]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  await say(page, '[rehearse: slow 50ms x 400] Speak slowly.');
  await page.getByText('piece 5 ').waitFor();
  await say(page, 'What is in this project?');
  await mine(page).getByText('waits; it is answered next').waitFor();
  await say(page, 'And what is not?');
  await mine(page).getByText('waits behind one before it').waitFor();
  await mine(page).filter({ hasText: 'And what is not?' }).hover();
  await mine(page).filter({ hasText: 'And what is not?' }).getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => field(page).inputValue()).toBe('And what is not?');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.press('Escape');
  await answers(page).first().getByText('Stopped here.').waitFor();
  await rested(page, id);
  await answers(page).nth(1).getByText('daybook').first().waitFor();
  expect(await page.getByText('piece 400').count()).toBe(0);
  expect((await show(id)).session.messages.map(({ role, state }) => `${role} ${state}`)).toEqual([
    'person sent',
    'agent interrupted',
    'person sent',
    'agent done',
    'person withdrawn',
  ]);
  const before = await shown(page);
  await page.reload();
  await answers(page).nth(1).waitFor();
  expect(await shown(page)).toEqual(before);
});

test('a question is answered in the page by a key, and a mode is chosen [WEB-KEYS, WEB-ACCESS]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  await say(page, 'Please ask me for a permission.');
  const question = page.getByRole('region', { name: 'Claude Code asks whether it may go on' });
  await question.getByText('git status --short').first().waitFor();
  await page.getByRole('status').filter({ hasText: 'Claude Code asks whether it may go on' }).waitFor();
  const looks = await lookAt(page, 'session-question');
  expect(looks).toEqual(well(looks));
  // The digits of the field are the field's.
  await field(page).fill('2');
  expect(await question.count()).toBe(1);
  await field(page).fill('');
  await answers(page).first().focus();
  await page.keyboard.press('2');
  await question.waitFor({ state: 'detached' });
  await answers(page).getByText('you refused it').waitFor();
  await rested(page, id);

  await page.getByRole('button', { name: 'Mode: Ask first' }).click();
  await page.getByRole('menuitemradio', { name: /^On its own/ }).click();
  await page.getByRole('button', { name: 'Mode: On its own' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Mode: On its own' }).waitFor();
  await say(page, 'Please ask me for a permission again.');
  await answers(page).nth(1).getByText('You let me run').waitFor();
  await rested(page, id);
  expect(await question.count()).toBe(0);
});

test('an agent that is killed in the middle is told, with what to do, and is asked again', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  await say(page, '[rehearse: slow 50ms x 400] Speak slowly.');
  await page.getByText('piece 5 ').waitFor();
  const config = join(hall.home, 'state/agents', `sample.session-${id}`, 'config');
  const processes = await findProcessesByMark('CLAUDE_CONFIG_DIR', config);
  expect(processes.length).toBeGreaterThan(0);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  await answers(page).first().getByRole('alert').waitFor();
  await stopButton(page).waitFor({ state: 'detached' });
  expect(await answers(page).first().innerText()).toContain('piece 5 ');
  // Pressed twice, it is asked once.
  await page.getByRole('button', { name: 'Ask again' }).dblclick();
  await answers(page).nth(1).getByText('piece 5 ').waitFor();
  await field(page).press('Escape');
  await rested(page, id);
  await say(page, 'What is in this project?');
  await answers(page).nth(2).getByText('daybook').first().waitFor();
  await rested(page, id);
  expect(await mine(page).count()).toBe(3);
});

/** What is refused for what it looks like. */
const secretWords = `Use ${['AKIA', 'QWERTY', 'UIOPAS', 'DFGH'].join('')} for it`;

test('words that were refused stay over the close of their session, and come back once, with their image [WEB-DRAFTS]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  await paste(page, 'shot.png', 40);
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  await say(page, secretWords);
  const refused = page.getByRole('list', { name: 'Not sent' });
  const takeBack = page.getByRole('button', { name: 'Take the words back' });
  await takeBack.waitFor();
  await hall.client.call('session.close', { project: 'sample', id });
  await page.getByText('This session is closed').waitFor();
  await refused.getByText(secretWords).waitFor();
  await refused.getByRole('alert').waitFor();
  // There is no field that they could go into.
  expect(await takeBack.count()).toBe(0);
  await page.getByRole('button', { name: 'Open it again' }).click();
  await takeBack.dblclick();
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  await refused.waitFor({ state: 'detached' });
  expect(await field(page).inputValue()).toBe(secretWords);
  await expect.poll(() => keptImages(page)).toEqual([`session.${id}`]);
  await page.reload();
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
});

test('what is taken back joins what was written meanwhile, and what cannot be had of it is said, as is a mode that is refused [WEB-DRAFTS, WEB-ACCESS]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  const tap = await tapSocket(page);
  await say(page, '[rehearse: slow 50ms x 4000] Speak slowly.');
  await page.getByText('piece 5 ').waitFor();
  await paste(page, 'shot.png', 40);
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  await say(page, 'What is this?');
  await mine(page).getByText('waits; it is answered next').waitFor();
  await mine(page)
    .getByRole('button', { name: /^Image 1/ })
    .waitFor();
  tap.refused.add('session.image').add('session.choose');
  tap.holding.add('session.withdraw');
  await mine(page).nth(1).hover();
  await mine(page).nth(1).getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => tap.held).toHaveLength(1);
  await field(page).fill('Written meanwhile.');
  tap.held[0]!();
  await expect.poll(() => field(page).inputValue()).toBe('What is this?\n\nWritten meanwhile.');
  await page.getByRole('alert').getByText('“Image 1” is left out').waitFor();
  await page.getByRole('button', { name: 'Mode: Ask first' }).click();
  await page.getByRole('menuitemradio', { name: /^On its own/ }).click();
  await page.getByRole('alert').getByText('Mode: It cannot be done now.').waitFor();
  const looks = await lookAt(page, 'session-mode-refused');
  expect(looks).toEqual(well(looks));
  await stopButton(page).click();
  await rested(page, id);
});

test('a stop names the answer that it is for, and none is kept for a hall that is away [WEB-AWAY, WEB-KEYS]', async () => {
  const id = await begin();
  const visit = await visitSession(id);
  const { page } = visit;
  visit.expectTrouble(absence);
  const tap = await tapSocket(page);
  await say(page, '[rehearse: slow 50ms x 4000] Speak slowly.');
  await page.getByText('piece 5 ').waitFor();
  await field(page).press('Escape');
  await rested(page, id);
  const [asked] = (await show(id)).session.messages;
  expect(callsOf(tap, 'session.cancel')).toEqual([
    { project: 'sample', id, promptId: asked?.role === 'person' && asked.promptId },
  ]);
  await say(page, '[rehearse: slow 50ms x 4000] Speak slowly again.');
  await answers(page).nth(1).getByText('piece 5 ').waitFor();
  await hall.kill();
  await page.getByText('The hall has not answered').waitFor();
  await field(page).press('Escape');
  await answers(page).first().focus();
  await page.keyboard.press('i');
  await page.keyboard.press('Escape');
  await hall.start();
  await page.getByText('The hall has not answered').waitFor({ state: 'detached' });
  expect(callsOf(tap, 'session.cancel')).toHaveLength(1);
  await hall.client.call('session.cancel', { project: 'sample', id });
  await rested(page, id);
});

test('for a new session a command comes before what was written, other words are asked about anew, and what is written while it begins stays [WEB-DRAFTS]', async () => {
  const { page } = await browser.visit({ hall, path: '/projects/sample/sessions' });
  const first = page.getByRole('textbox', { name: 'What should it do?' });
  const allow = page.getByRole('button', { name: 'Send it all the same' });
  await first.waitFor();
  const tap = await tapSocket(page);
  await first.fill('mail-digest');
  for (const _twice of [1, 2]) {
    await page.getByRole('button', { name: 'Try /rsrc and a name' }).click();
    await expect.poll(() => first.inputValue()).toBe('/rsrc mail-digest');
  }
  await first.fill(secretWords);
  await first.press('Enter');
  await allow.waitFor();
  await first.fill(`${secretWords}, or not`);
  await allow.waitFor({ state: 'detached' });
  await paste(page, 'shot.png', 40, first);
  await page.getByRole('img', { name: 'shot.png' }).waitFor();
  await first.press('Enter');
  await allow.waitFor();
  tap.holding.add('session.new');
  await allow.click();
  await expect.poll(() => tap.held).toHaveLength(1);
  await first.fill('For the next one.');
  tap.held[0]!();
  await page.waitForURL(/\/sessions\/./);
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  await mine(page)
    .getByRole('button', { name: /^Image 1/ })
    .waitFor();
  await rested(page, id);
  await page.goto(`${hall.url}/app/projects/sample/sessions`);
  await first.waitFor();
  expect(await first.inputValue()).toBe('For the next one.');
  expect(await keptImages(page)).toEqual([]);
});

test('a block of a spec is prepared while it is streamed, and never shown as it is written; a message has one picture [UC-4.1, UC-4.3, UC-4.4, CTX-BLK-8]', async () => {
  const id = await begin();
  const { page } = await visitSession(id);
  // It is there for a moment only: the page itself looks out for it.
  await page.evaluate(() => {
    const look = () => {
      const isShown = [...document.querySelectorAll('[role=status]')].some((each) =>
        each.textContent.includes('Preparing'),
      );
      if (isShown) document.documentElement.dataset['prepared'] = 'yes';
      if (document.querySelector('main')?.textContent.includes('"label"') === true)
        document.documentElement.dataset['raw'] = 'yes';
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await say(page, 'Tell me what comes next.');
  await answers(page)
    .getByRole('button', { name: /^Write the requirements/ })
    .waitFor();
  await page.getByText('That is all.').waitFor();
  expect(await answers(page).innerText()).not.toContain('metaContext');
  expect(await page.locator('html').getAttribute('data-prepared')).toBe('yes');
  expect(await page.locator('html').getAttribute('data-raw')).toBeNull();
  await rested(page, id);
  await say(page, 'Please draw the model.');
  await page.getByRole('figure', { name: 'Event model of 2 slices' }).waitFor();
  await page.getByText('Answering: in the event model above').waitFor();
  expect(await page.getByRole('figure', { name: /^Event model/ }).count()).toBe(1);
});

/** A log of a session with so many questions, each answered in a line. */
function longLog(id: string, folder: string, questions: number): string {
  const born = { type: 'SessionCreated', sessionId: id, project: 'sample', agent: 'claude', folder, title: 'Long' };
  const talk = Array.from({ length: questions }, (_, nth) => {
    const promptId = `p-question${String(nth).padStart(4, '0')}`;
    return [
      { type: 'PromptSubmitted', promptId, text: `Question ${nth}.`, images: [] },
      { type: 'TurnStarted', promptId },
      { type: 'AgentText', text: `Answer ${nth}: ${'it is read line by line. '.repeat(12)}` },
      { type: 'TurnCompleted', promptId, stopReason: 'done', usage: null },
    ];
  }).flat();
  const at = '2026-02-14T09:30:00.000Z';
  const lines = [{ ...born, from: null }, ...talk].map((event, nth) => JSON.stringify({ seq: nth + 1, at, ...event }));
  return `${lines.join('\n')}\n`;
}

test('a long session is shown from its end, and earlier messages come as one goes up, without moving what is read [WEB-REPLAY]', async () => {
  const { path } = (await hall.client.call('project.show', { project: 'sample' })) as { path: string };
  const id = 'claude-20260214-093000-long';
  await hall.kill();
  mkdirSync(join(hall.home, 'state/sessions'), { recursive: true, mode: 0o700 });
  writeFileSync(join(hall.home, `state/sessions/${id}.jsonl`), longLog(id, path, 60), { mode: 0o600 });
  await hall.start();
  const { page } = await visitSession(id);
  await answers(page).last().getByText('Answer 59').waitFor();
  const shownAtFirst = await page.getByRole('article').count();
  expect(shownAtFirst).toBeLessThan(60);
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight - scrollY)).toBeLessThan(48);
  const first = await page.getByRole('article').first().elementHandle();
  const top = async () => (await first!.boundingBox())!.y;
  await page.mouse.move(500, 300);
  while ((await top()) < 100) await page.mouse.wheel(0, -150);
  // Nothing moves but by the wheel, though more comes before it.
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(shownAtFirst);
  // The browser takes the wheel when it comes to it.
  let before = Number.NaN;
  await expect
    .poll(async () => {
      const [last, now] = [before, await top()];
      before = now;
      return Math.abs(now - last);
    })
    .toBe(0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, -3000);
        return await mine(page).first().innerText();
      },
      { timeout: 30_000 },
    )
    .toContain('Question 0.');
  expect(await page.getByRole('article').count()).toBe(120);
  expect(await page.getByRole('button', { name: /^Show earlier/ }).count()).toBe(0);
});
