/** Programs of which little is known: the person's shell, and any command. What they say is what stands there when they are quiet. */
import type { Manner, ScreenText } from '../../../terminals/contract.ts';
import type { TerminalEntry } from './shapes.ts';

const nothing = { args: [], env: {}, files: [] } as const;

/** A command runs as long as the cursor stands at the beginning of an empty row: a prompt goes before it else. */
function isCommandRunning({ lines, cursorLine, cursorColumn }: ScreenText): boolean {
  return cursorColumn === 0 && (lines[cursorLine] ?? '') === '' && lines.some((line) => line !== '');
}

export const shellEntry: TerminalEntry = {
  name: 'shell',
  title: 'Your shell',
  isAgent: false,
  takesGateway: false,
  manner: { name: 'shell', speech: 'quiet', hasReceipts: false, isBusy: isCommandRunning },
  program: () => process.env['SHELL'] ?? '/bin/sh',
  start: () => nothing,
};

const anyManner: Manner = { name: 'any', speech: 'quiet', hasReceipts: false };

export const anyEntry: TerminalEntry = {
  name: 'any',
  title: 'A command of yours',
  isAgent: false,
  takesGateway: false,
  manner: anyManner,
  program: () => undefined,
  start: () => nothing,
};
