/** Starts the Chromium of this machine: the one on the path, without its sandbox only for root. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** How long it may take to start. Milliseconds. */
const patienceMs = 60_000;

/** @param args further ones for Chromium */
export async function launch(args: readonly string[] = []): Promise<Browser> {
  return await chromium.launch({
    executablePath: pathOf('chromium'),
    // Chromium refuses its sandbox to root.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: patienceMs,
    args: ['--disable-gpu', '--font-render-hinting=none', ...args],
  });
}

function pathOf(command: string): string {
  const folder = (process.env['PATH'] ?? '').split(delimiter).find((each) => existsSync(join(each, command)));
  if (folder === undefined)
    throw new Error(`${command} is not installed. On Debian or Ubuntu: sudo apt-get install ${command}`);
  return join(folder, command);
}
