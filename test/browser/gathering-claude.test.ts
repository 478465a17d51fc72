/** A whole 2-2-2 gathering watched in a real browser: the real Claude Code CLI, two small programs, a harvester, and the person. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { GatheringStatus, GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import { useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { holdersIn, type Part, saidIn } from '../help/gatherings.ts';
import { endTerminalsAfterwards, programAt } from '../help/live-terminals.ts';
import { lookAt, well } from './looks.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-circle-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parts: Readonly<Record<string, Part>> = { Ada: { says: 'I count' }, Ben: { says: 'I doubt' } };
writeFileSync(join(folder, 'script.json'), JSON.stringify(parts));
const command = [process.execPath, programAt('circle-agent.mjs'), join(folder, 'script.json'), folder];
const hall = useBrowserHall({
  config: `sandbox: { mode: off }
gatherings: { graceSeconds: 1, harvestSeconds: 120 }
terminals: { agents: { circle: { command: ${JSON.stringify(command)}, like: claude } } }
`,
});
const browser = useBrowser();
endTerminalsAfterwards(hall);

test('2-2-2 with three agents, one of them Claude Code, a harvester and the person goes to its trail on the open page [WEB-GATHERING, GTH-PHASE-3, GTH-HUMAN-7]', async () => {
  const { id } = (await hall.client.call('gathering.start', {
    project: 'sample',
    rhythm: 'weekly',
    openingQuestion: 'Where are wrong hours refused, and who tests it?',
    participants: ['Clio=claude', 'Ada=circle', 'Mo', 'Ben=circle'],
    harvester: 'Hal=claude',
    human: 'Mo',
    structure: '2-2-2',
    beatsPerTurn: 2,
    beatIntervalSeconds: 120,
  })) as GatheringStatus;
  const { page } = await browser.visit({ hall, path: `/gatherings/${id}` });
  const turn = page.getByRole('region', { name: 'Your turn' });
  for (const [at, phase] of ['Inhale', 'Inhale', 'Hold', 'Hold', 'Exhale', 'Exhale'].entries()) {
    await page
      .getByRole('heading', { name: `${phase}, round ${(at % 2) + 1} of 2` })
      .last()
      .waitFor();
    await turn.waitFor();
    await turn.getByLabel('Your words').fill(`I say this in round ${at + 1}.\n\nI pass`);
    await turn.getByRole('button', { name: 'Say', exact: true }).click();
    await page
      .getByRole('article', { name: 'You', exact: true })
      .getByText(`in round ${at + 1}.`)
      .waitFor();
  }
  const outcome = page.getByRole('region', { name: 'What came out' });
  await outcome.getByText('All rounds were held. Hal wrote the harvest.').waitFor();
  await outcome.getByRole('link', { name: /\.lore\/gatherings\/weekly\.md/ }).waitFor();

  const view = (await hall.client.call('gathering.show', { id })) as GatheringView;
  const holders = holdersIn(view);
  expect(holders).toHaveLength(24);
  // Everybody once in each round, whom Claude passed it to first or last.
  for (let round = 0; round < 6; round += 1)
    expect(holders.slice(round * 4, round * 4 + 4).toSorted()).toEqual(['Ada', 'Ben', 'Clio', 'Mo']);
  expect(saidIn(view).filter((words) => words.startsWith('1: '))).toHaveLength(6);
  expect(view.gathering.end).toMatchObject({ isWrittenByHall: false, trail: '.lore/gatherings/weekly.md' });
  const looks = await lookAt(page, 'gathering-claude');
  expect(looks).toEqual(well(looks));
}, 240_000);
