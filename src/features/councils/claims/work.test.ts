/** How long the check of a turn takes grows with the turn, whatever is in it. */
import { describe, expect, test } from 'vitest';
import { checkStatements, type Evidence } from './check.ts';
import { findChallenges, findDecisions, findPinBlocks } from './markers.ts';
import { readStatements } from './statements.ts';

const signs = '> - * + # | ` ~ _ [ ] ( ) { } < > ! ? . , ; : " / \\ = & @ % $ 1. \u200b 。 — é'.split(' ');
const units = [
  ...signs,
  ...signs.map((sign) => `${sign} `),
  ...signs.map((sign) => `${sign}a`),
  '```',
  '``a`',
  '`a``b',
  '[a](',
  '[a](<',
  '![',
  '[a][',
  '[a]: b\n',
  '[^1]: ',
  '<a',
  '<!--',
  '<a href="',
  '**a',
  '_a_',
  '~~a',
  '- - ',
  '> > ',
  '> - ',
  '- a\n',
  '  - a\n',
  '> a\n',
  '1. a\n',
  '| a | b |\n| - | - |\n',
  '| a ',
  '|-',
  'a\n---\n',
  '# a\n',
  '    a\n',
  '\ta\n',
  '```\na\n',
  '~~~ x\n',
  'http://',
  'https://a.b/(',
  'www.',
  'a/',
  'a.b',
  'a/b.ts:1 ',
  '.gaia/memory/',
  '[inference] ',
  '[inference]',
  '(a/b.ts) ',
  '[round ',
  '[round 1 / turn 1 / ',
  '[Prelude] a (b) ',
  '[decision] ',
  '[challenge]',
  'a. ',
  'A. ',
  'e.g. ',
  'is ',
  'that ',
  'I think that ',
  'and it ',
  'because ',
  ', which ',
  'if a, ',
  'why is ',
  'a? ',
  'a\n',
  'The cache is lost. ',
  'We should go, and that ',
  '```pin\na\n```\n',
  '\r',
  '\r\n',
  '\n',
  '\n\n',
  '\n\na',
  ' ',
  'ab',
];

/** Milliseconds of the processor. */
async function workOf(text: string): Promise<number> {
  const before = process.cpuUsage();
  await readStatements(text);
  findDecisions(text);
  findChallenges(text);
  findPinBlocks(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function least(text: string, times: number): Promise<number> {
  let work = Infinity;
  for (let time = 0; time < times; time += 1) work = Math.min(work, await workOf(text));
  return work;
}
const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

/** Sixteen times the text costs sixteen times the work; where each beginning is read to the end, two hundred times. */
async function grows(unit: string): Promise<boolean> {
  const isTooMuch = async (times: number): Promise<boolean> =>
    (await least(repeated(unit, 4800), times)) > 48 * Math.max(0.5, await least(repeated(unit, 300), times));
  return (await isTooMuch(1)) && (await isTooMuch(5));
}

describe('no turn keeps the check busy [CNC-DIS-16]', () => {
  test('made of one beginning of Markdown or of a sentence, again and again', { timeout: 120_000 }, async () => {
    await workOf(repeated('The cache is lost. ', 20_000));
    const slow: string[] = [];
    for (const unit of units) if (await grows(unit)) slow.push(unit);
    expect(slow).toEqual([]);
  });

  test('thousands of sources are not asked for to the last one', async () => {
    const asked: string[] = [];
    const evidence: Evidence = {
      pathState: async (path) => (asked.push(path), 'there'),
      textOf: async (path) => (asked.push(path), 'cache lost'),
      isFetched: () => false,
      memoryExists: async () => false,
    };
    const lines = Array.from({ length: 6000 }, (_, at) => `The cache is lost (src/f${at}.ts:1).`);
    const claims = await checkStatements(lines.join('\n'), evidence);
    expect(claims).toHaveLength(6000);
    expect(asked.length).toBeLessThan(1200);
    expect(claims[0]!.verdict).toBe('cited');
    expect(claims.at(-1)!.verdict).toBe('unflagged');
  });
});
