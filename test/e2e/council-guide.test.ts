/** The examples of docs/guide/councils.md, in order, on the rehearsal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wordsOfLine } from '../../src/interfaces/cli/line.ts';
import type { CouncilList } from '../../src/features/councils/contract.ts';
import { councilHome } from '../help/councils.ts';
import { packageRoot, runProgram, useBuiltProgram } from '../help/programs.ts';

useBuiltProgram();

const page = readFileSync(join(packageRoot, 'docs/guide/councils.md'), 'utf8');
const examples = [...page.matchAll(/^\$ guild-hall (.+)$/gm)].map(([, line]) => line!);

/** Short, so that the page is read and not the rehearsal. */
const scenario = `
- { match: 'in RESEARCH: your', activity: council, say: "Sources consulted:\\nWhat I know:\\n  - What do the callers want?" }
- { match: 'in DISCUSS:', activity: council, say: "I would ask the callers first." }
`;

test('every example of the page on councils does what the page says', async () => {
  const home = await councilHome(scenario);
  expect(examples.length).toBeGreaterThan(10);
  for (const example of examples) {
    const [newest] = (await home.json<CouncilList>('council', 'list')).councils;
    const words = wordsOfLine(example.replace('<id>', newest?.id ?? ''));
    const { exitCode, err } = await runProgram(home.env, home.repository.path, words, '');
    expect([example, exitCode, err.includes('▲')]).toEqual([example, 0, false]);
  }
  const { councils } = await home.json<CouncilList>('council', 'list');
  expect(councils.map(({ status, asks }) => [status, asks])).toEqual([
    ['saved', null],
    ['asking', 'review of memory of Theo'],
  ]);
}, 240_000);
