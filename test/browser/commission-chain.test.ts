/** Five commissions that wait for each other, started with one word and watched on the graph until all are merged. */
import { expect, test } from 'vitest';
import type { CommissionAnswer, CommissionGraph, CommissionView } from '../../src/features/commissions/contract.ts';
import { shoot, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { lookAt, well } from './looks.ts';

const names = ['Format', 'Errors', 'Reader', 'Writer', 'Guide'] as const;

const scenario = names
  .map(
    (name) => `
- match: /The part ${name}/
  activity: commission
  do:
    - call: { tool: write_artifact, input: { path: .lore/parts/${name.toLowerCase()}.md, content: '# ${name}' } }
    - call: { tool: submit_result, input: { summary: The part is there., artifacts: [.lore/parts/${name.toLowerCase()}.md] } }
    - say: The result is handed over.
`,
  )
  .join('');

const hall = useBrowserHall({ scenario });
const browser = useBrowser();

test('a chain of five starts with one word and is watched on the graph until all are merged', async () => {
  const ids: string[] = [];
  for (const name of names) {
    const before = ids.at(-1);
    const first = `.lore/parts/${names[0].toLowerCase()}.md`;
    // By ids, and one also by a path that the first one makes.
    const depends = [...(before === undefined ? [] : [before]), ...(name === 'Writer' ? [first] : [])];
    const input = {
      project: 'sample',
      worker: 'researcher',
      title: name,
      prompt: `The part ${name} is there.`,
      depends,
    };
    ids.push(((await hall.client.call('commission.create', input)) as CommissionAnswer).id);
  }
  const last = ids.at(-1)!;
  const { page } = await browser.visit({ hall, path: `/projects/sample/commissions/${last}` });
  await page.getByText('Nobody has dispatched Format, Errors, Reader, Writer').waitFor();
  await page.getByRole('button', { name: 'Dispatch the chain…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Dispatch it with what it waits for' });
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual([...names.slice(0, 4), 'Guide (this one)']);
  const asking = await lookAt(page, 'commission-chain-dialog');
  await dialog.getByRole('button', { name: 'Dispatch all 5' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${hall.url}/app/projects/sample/commissions?view=graph`);
  const graph = page.getByRole('complementary', { name: 'The graph in words' });
  for (const name of names) await graph.getByText(name, { exact: true }).first().waitFor();
  const running = await lookAt(page, 'commission-chain-running');
  await expect.poll(() => graph.getByText('merged', { exact: true }).count(), { timeout: 90_000 }).toBe(5);
  await shoot(page, 'commission-chain-merged');
  const { nodes, edges } = (await hall.client.call('commission.graph', { project: 'sample' })) as CommissionGraph;
  expect([nodes.length, edges.every(({ isMet }) => isMet)]).toEqual([5, true]);
  const views = await Promise.all(
    ids.map(async (id) => (await hall.client.call('commission.show', { id })) as CommissionView),
  );
  for (const { commission } of views) {
    expect(commission).toMatchObject({ status: 'completed', merge: { state: 'merged' }, attempt: 1 });
  }
  const looks = [...asking, ...running];
  expect(looks).toEqual(well(looks));
});

test('one that waits for a path is asked for on its page before that is there', async () => {
  const depends = ['.lore/nobody/makes.md'];
  const input = { project: 'sample', worker: 'researcher', title: 'Waits', prompt: 'It waits.', depends };
  const { id } = (await hall.client.call('commission.create', input)) as CommissionAnswer;
  const { page } = await browser.visit({ hall, path: `/projects/sample/commissions/${id}` });
  await page.getByText('when that is there and it is dispatched.').waitFor();
  await page.getByRole('button', { name: 'Dispatch', exact: true }).click();
  await page.getByText('when that is there.').waitFor();
  await page.getByRole('button', { name: 'Dispatch', exact: true }).waitFor({ state: 'detached' });
  expect((await hall.client.call('commission.show', { id })) as CommissionView).toMatchObject({
    commission: { status: 'blocked', queuedAt: expect.any(String) },
  });
});
