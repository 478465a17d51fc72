/** Screens that the real Claude Code 2.1.330 showed, recorded as the hall reads them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../../../test/help/programs.ts';
import type { ScreenText } from '../../../terminals/contract.ts';
import { claudeDialog, claudeInput, isClaudeBusy, isClaudeIdle, isClaudeNoise, plainClaude } from './claude-screen.ts';

const recorded = join(packageRoot, 'test/fixtures/screens/claude-code-2.1.330.json');
const screens = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, ScreenText>;

/** Which it is, what stands in its input, what it asks. */
function readingOf(name: string): unknown {
  const screen = screens[name]!;
  const is = [isClaudeIdle(screen) && 'idle', isClaudeBusy(screen) && 'busy'].filter(Boolean).join(' ');
  return [is, claudeInput(screen), claudeDialog(screen)?.split('\n').at(-1)];
}

test.each([
  ['idle', ['idle', '', undefined]],
  ['typed', ['idle', 'Mira (1):\n\nWhat is in the oven?', undefined]],
  ['busy', ['busy', '', undefined]],
  ['queued', ['busy', '', undefined]],
  ['running', ['busy', '', undefined]],
  ['answered', ['busy', '', undefined]],
  ['refused', ['idle', '', undefined]],
  ['question', ['', undefined, 'Which colour?']],
  ['may-run', ['', undefined, 'Do you want to proceed?']],
  ['may-write', ['', undefined, 'Do you want to create notes.txt?']],
  ['trust', ['', undefined, 'Security guide']],
])('on the screen "%s"', (name, expected) => {
  expect(readingOf(name)).toEqual(expected);
});

test('every recorded screen is read', () => {
  expect(Object.keys(screens)).toHaveLength(11);
});

test('a question is told with what it is about, without frames and advertising', () => {
  expect(claudeDialog(screens['may-run']!)).toBe('Bash command\nmake a file\ntouch made\nDo you want to proceed?');
  expect(claudeDialog(screens['trust']!)).toMatch(/^Accessing workspace:\n\/home\/mo\/code\/bakery\n/);
});

test('of an answer only its words are left', () => {
  const { lines } = screens['answered']!;
  const from = lines.findIndex((line) => line.startsWith('❯ slow'));
  const words = lines
    .slice(from)
    .filter((line) => line !== '' && !isClaudeNoise(line))
    .map(plainClaude);
  expect(words).toEqual(['Slow answer.', '---', '- one', '- two', 'Bash(sleep 3)', 'Done.']);
});

test('an empty screen and one of another program are neither idle nor busy nor a question', () => {
  const rest = { cursorColumn: 0, cursorLine: 0, firstVisible: 0, isAlternate: false, takesPaste: false };
  for (const lines of [[], [''], ['$ ls', 'a b', '$ '], ['─'.repeat(80)], ['❯ 1. Yes', '─'.repeat(80)]]) {
    const screen = { lines, ...rest };
    expect([isClaudeIdle(screen), isClaudeBusy(screen), claudeDialog(screen), claudeInput(screen)]).toEqual([
      false,
      false,
      undefined,
      undefined,
    ]);
  }
});
