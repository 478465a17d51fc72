/** docs/guide/gatherings.md shows only commands and flags that there are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatheringDescriptions } from '../../src/features/gatherings/descriptions/gatherings.ts';
import { wordsOfLine } from '../../src/interfaces/cli/line.ts';
import { houseRoot } from '../help/house-copies.ts';

const page = readFileSync(join(houseRoot, 'docs/guide/gatherings.md'), 'utf8');
const descriptions = new Map<string, (typeof gatheringDescriptions)[number]>(
  gatheringDescriptions.map((each) => [each.name, each]),
);

/** As the command line names them. */
function flagsOf(name: string): string[] {
  const { input, commandLine } = descriptions.get(name)!;
  const renamed: Readonly<Record<string, string>> = 'flags' in commandLine ? commandLine.flags : {};
  const kebab = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.keys(input.shape).map((field) => `--${renamed[field] ?? kebab(field)}`);
}

test('each example is a command with flags that it has', () => {
  const examples = [...page.matchAll(/^\$ guild-hall (.+)$/gm)].map(([, line]) => wordsOfLine(line!));
  expect(examples.length).toBeGreaterThan(8);
  for (const [first, verb, ...words] of examples) {
    const name = `${first}.${verb}`;
    expect([...descriptions.keys()]).toContain(name);
    for (const word of words.filter((each) => each.startsWith('--'))) expect(flagsOf(name)).toContain(word);
  }
});

test('each flag that the page explains is one of the start', () => {
  const named = [...page.matchAll(/^\| (`--.+?) \| /gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(--[a-z-]+)`/g)].map(([, flag]) => flag!),
  );
  expect(named.length).toBeGreaterThan(6);
  for (const flag of named) expect(flagsOf('gathering.start')).toContain(flag);
});
