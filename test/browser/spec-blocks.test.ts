/** The blocks of a spec as they are drawn: in an artifact, and in an answer that grows. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shoot, useBrowser } from '../help/browser.ts';
import { useBrowserHall } from '../help/browser-hall.ts';
import { runTestGit } from '../help/repositories.ts';
import { lookAt, well } from './looks.ts';

const fenced = (kind: string, value: unknown): string =>
  `\`\`\`conclave:${kind}\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const click = {
  slice: 'next-block-click',
  label: 'Next Block Click',
  screen: 'Chat pane',
  command: { name: 'NextBlockClick', new: true, fields: { label: 'string', command: 'string' } },
  events: [
    { name: 'MetaContextCreated', new: true, fields: { name: 'string' }, feeds: ['MetaContextRegistry'] },
    { name: 'SessionCreated', new: false, feeds: ['SessionRegistry'] },
  ],
  projections: [
    { name: 'MetaContextRegistry', new: true, feeds: ['SessionListProjection'] },
    { name: 'SessionRegistry', new: false },
  ],
  sideEffects: ['The agent session is made', 'The list of sessions goes to everybody who looks'],
};
const projection = {
  slice: 'projection',
  label: 'The projection',
  projections: [{ name: 'SessionListProjection', new: false, fields: { metaContexts: 'MetaContextInfo[]' } }],
};
const render = { slice: 'render', label: 'Drawing a block', screen: 'Chat pane', sideEffects: ['A button is drawn'] };
const useCase = {
  id: 'UC-2',
  name: 'Stop the dictation',
  actor: 'Person who types',
  summary: 'A second press ends the dictation; the words stay in the field.',
  given: ['The dictation runs'],
  when: ['The person presses the microphone'],
  then: ['The microphone shows that it is off', 'Everything that was understood stands in the field'],
  priority: 'high',
  dependencies: ['UC-1'],
};
const task = (id: string, wave: number, depends: string[], modify: string[]): object => ({
  id,
  name: `Do ${id}`,
  ucs: ['UC-2'],
  depends,
  wave,
  kind: 'code',
  files: { create: [], modify },
  description: `What ${id} is about, in words that stand alone.`,
});
const tasks = [task('T-0', 0, [], ['src/a.ts']), task('T-1', 0, [], ['src/a.ts']), task('T-2', 1, ['T-0'], [])];

const spec = [
  '# Dictation',
  'What it is about, in a sentence.',
  '## Event model',
  fenced('eventmodel', click),
  'Then what is read:',
  fenced('eventmodel', projection),
  `- and what is drawn:\n\n  ${fenced('eventmodel', render).replaceAll('\n', '\n  ')}`,
  '## Use cases',
  fenced('usecase', useCase),
  '## Tasks',
  fenced('tasks', tasks),
  fenced('next', { label: 'Break it into tasks', command: '/plan dictation', metaContext: 'dictation' }),
  fenced('next', { label: 'Leads nowhere', command: '/plan dictation' }),
  fenced('usecase', { id: 'UC-3' }),
].join('\n\n');

const answer = `Here it is.\n\n${fenced('usecase', useCase)}\n\nThat is all.`;
const middle = answer.indexOf('"summary"');
const scenario = `- match: write the use case
  do:
    - say: ${JSON.stringify(answer.slice(0, middle))}
    - wait: 5s
    - say: ${JSON.stringify(answer.slice(middle))}
`;

const hall = useBrowserHall({ scenario });
const browser = useBrowser();

async function visitSpec(name = 'dictation', text = spec) {
  const { path } = await hall.json<{ path: string }>('project', 'show', 'sample');
  mkdirSync(join(path, '.lore', 'specs'), { recursive: true });
  writeFileSync(join(path, '.lore', 'specs', `${name}.md`), text);
  runTestGit(path, ['add', '.lore']);
  runTestGit(path, ['commit', '-q', '-m', `A spec of ${name}`]);
  await hall.json('project', 'sync', 'sample');
  return await browser.visit({ hall, path: `/projects/sample/artifacts/.lore/specs/${name}.md` });
}

test('an artifact shows its slices as one picture, use cases as cards, tasks in waves [CTX-BLK-8, CTX-BLK-9, CTX-BLK-10, CTX-BLK-2]', async () => {
  const { page } = await visitSpec();
  const picture = page.getByRole('figure', { name: 'Event model of 3 slices' });
  const drawn = picture.locator('.react-flow');
  await drawn.getByText('MetaContextRegistry').first().waitFor();
  expect(await page.getByRole('figure', { name: /^Event model/ }).count()).toBe(1);
  expect(await page.getByText('in the event model above').count()).toBe(2);
  const pictured = await lookAt(page, 'event-model');
  expect(pictured).toEqual(well(pictured));
  // Screen → command → two events, three feeds.
  expect(await drawn.locator('.react-flow__edge').count()).toBe(6);
  expect(await drawn.getByText('projection, new').count()).toBe(1);
  const fields = drawn.getByRole('button', { name: '2 fields of NextBlockClick' });
  expect(await drawn.getByText('label: string').count()).toBe(0);
  await fields.click();
  await drawn.getByText('label: string').waitFor();
  await fields.click();

  const card = page.getByRole('region', { name: 'UC-2: Stop the dictation' });
  expect(await card.textContent()).toContain('Everything that was understood stands in the field');
  expect(await card.textContent()).toContain('after UC-1');
  const waves = page.getByRole('region', { name: 'Tasks in waves' });
  expect(await waves.getByText('It touches src/a.ts at the same time as T-1.').isVisible()).toBe(true);
  await waves.getByText('Do T-2').click();
  await waves.getByText('What T-2 is about').waitFor();

  expect(await page.getByText('/plan dictation').count()).toBe(1);
  expect(await page.getByRole('note').textContent()).toContain('metaContext');
  await page.getByText('Shown as code.').waitFor();
  const looks = await lookAt(page, 'spec-blocks');
  expect(looks).toEqual(well(looks));
});

test('the document of the contexts themselves shows its five slices as one picture [CTX-BLK-8, CTX-BLK-4, CTX-BLK-7]', async () => {
  const seed = readFileSync(join(import.meta.dirname, '../fixtures/specs/meta-contexts.md'), 'utf8');
  const { page } = await visitSpec('meta-contexts', seed);
  const picture = page.getByRole('figure', { name: 'Event model of 5 slices' });
  const drawn = picture.locator('.react-flow');
  await drawn.getByText('NextBlockClick').first().waitFor();
  expect(await page.getByRole('figure', { name: /^Event model/ }).count()).toBe(1);
  for (const label of ['Next Block Click', 'Meta-Context Projection', 'Session Picker Groups', 'Next Block Render'])
    expect(await drawn.getByText(label, { exact: true }).count()).toBeGreaterThan(0);
  // Each that follows says where it is drawn; none is shown as JSON.
  for (const label of ['Meta-Context Projection', 'Session Picker Groups', 'Next Block Render', 'Next Block Disable'])
    await page.getByText(`${label}: in the event model above`).waitFor();
  expect(await page.getByText('"slice":').count()).toBe(0);
  await picture.scrollIntoViewIfNeeded();
  const looks = await lookAt(page, 'event-model-seed');
  await picture.getByRole('button', { name: 'Larger', exact: true }).first().click();
  const large = page.getByRole('dialog', { name: 'Event model of 5 slices' });
  await large.getByText('ClientSessionListSlice').first().waitFor();
  expect(await large.locator('.react-flow__edge').count()).toBe(8 + 3 + 4);
  await shoot(page, 'event-model-seed-large');
  expect(looks).toEqual(well(looks));
});

test('a block that is still being written shows as being prepared, and never as JSON', async () => {
  const { id } = await hall.meet('How is a report made?');
  const { page } = await browser.visit({ hall, path: `/projects/sample/meetings/${id}` });
  await page.getByRole('textbox', { name: 'Words for researcher' }).fill('write the use case');
  // Everything that is shown from now on, however shortly.
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => seen.add(document.body.innerText)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await page.keyboard.press('Enter');
  const card = page.getByRole('region', { name: 'UC-2: Stop the dictation' });
  await card.waitFor();
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen.filter((text) => text.includes('Preparing')).length).toBeGreaterThan(0);
  expect(seen.filter((text) => text.includes('"id"') || text.includes('conclave:usecase'))).toEqual([]);
});
