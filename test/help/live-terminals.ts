/** Terminals in a real browser: started in a hall, read off the page's own screen, ended with the file. */
import type { Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import type { TerminalList, TerminalView } from '../../src/features/terminals/contract.ts';
import type { BrowserHall } from './browser-hall.ts';
import { join } from 'node:path';
import { packageRoot } from './programs.ts';

export const programAt = (name: string): string => join(packageRoot, 'test/fixtures/terminals', name);

/** tmux outlives the hall where programs run in it. Call it after the hall's own hook. */
export function endTerminalsAfterwards(hall: BrowserHall): void {
  afterAll(async () => {
    const { terminals } = (await hall.client.call('terminal.list', {})) as TerminalList;
    for (const { id } of terminals) await hall.client.call('terminal.end', { id });
  });
}

/** Ended with the test, so that a second try finds the name free. */
export async function startIn(hall: BrowserHall, name: string, command: readonly string[]): Promise<TerminalView> {
  const input = { name, command, project: 'sample', sandbox: false };
  const view = (await hall.client.call('terminal.start', input)) as TerminalView;
  onTestFinished(async () => void (await hall.client.call('terminal.end', { id: view.id })));
  return view;
}

/** What the page's screen of that terminal shows, as text; empty before there is one. */
export async function screenText(page: Page, name: string): Promise<string> {
  const rows = page.getByRole('region', { name: `Terminal ${name}` }).locator('.xterm-rows > div');
  const lines = await rows.allInnerTexts();
  return lines.map((line) => line.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
}

/** Resolves when it shows it. */
export async function untilShown(page: Page, name: string, text: string | RegExp): Promise<void> {
  const region = page.getByRole('region', { name: `Terminal ${name}` });
  await region.locator('.xterm-rows > div', { hasText: text }).first().waitFor();
}

/** By the keyboard into the screen. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByRole('region', { name: `Terminal ${name}` })
    .getByText('Press into it to type')
    .waitFor();
  await page.getByRole('group', { name: `Screen of ${name}` }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`Your keys go to ${name}`).waitFor();
  await page.keyboard.type(text);
}
