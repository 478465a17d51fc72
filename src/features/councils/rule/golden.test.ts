/**
 * The protected helpers: people's scripts read their output. `golden/<helper>.txt` holds calls of each, one after the
 * other in one folder, with all that they print. To change one on purpose, change its file by hand in the same commit.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ruleWorld } from '../../../../test/help/rules.ts';

const folder = join(import.meta.dirname, 'golden');
const helpers = readdirSync(folder)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => name.slice(0, -'.txt'.length));

/** Words as a shell would split them; `\n` in single quotes is a line break. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'/g, (_, quoted: string) => quoted.replaceAll(String.raw`\n`, '\n')),
  );
}

/** The calls of a file as they come out now: each `$` line, what it printed (standard error behind `! `), its exit code. */
async function playAgain(text: string): Promise<string> {
  const { run, cwd } = await ruleWorld({ RAISE_HAND_STATE: 'hands' });
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) lines.push(line);
    // A file that a call reads.
    if (line.startsWith('> ')) {
      const [name = '', content = ''] = wordsOf(line.slice(2));
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), content);
      lines.push(line);
    }
    if (!line.startsWith('$ ')) continue;
    const { exitCode, out, err } = await run(...wordsOf(line.slice(2)));
    lines.push(line, ...out, ...err.map((said) => `! ${said}`), `exit ${exitCode}`);
  }
  return `${lines.join('\n')}\n`.replaceAll(cwd, '<folder>');
}

test('the protected helpers have their golden outputs [CNC-PLG-10]', () => {
  expect(helpers).toEqual(['cite-or-flag-check', 'cost-cadence', 'raise-hand-arbiter', 'turn-header']);
});

test.each(helpers)('%s says what it always said [CNC-PLG-10]', async (helper) => {
  const golden = readFileSync(join(folder, `${helper}.txt`), 'utf8');
  expect(golden.split('\n').filter((line) => line.startsWith('$ ')).length).toBeGreaterThan(5);
  expect(await playAgain(golden)).toBe(golden);
});
