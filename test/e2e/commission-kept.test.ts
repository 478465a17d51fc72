/** What a worker's tools leave behind, whatever becomes of its commission: a real hall, real workers on the rehearsal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Briefing } from '../../src/features/briefing/contract.ts';
import type { CommissionAnswer, CommissionView } from '../../src/features/commissions/contract.ts';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { waitUntil } from '../help/programs.ts';

const remember = (words: string): string =>
  `    - call: { tool: write_memory, input: { scope: project, name: build, mode: append, content: "${words}" } }`;
const scenario = `
- match: say nothing of a result
  activity: commission
  do:
${remember('The build wants make.')}
    - call: { tool: report_progress, input: { summary: I know how it is built } }
    - call: { tool: log_question, input: { question: Which make is meant? } }
    - say: That is all.
- match: go on for ever
  activity: commission
  do:
${remember('The tests want a display.')}
    - call: { tool: write_artifact, input: { path: .lore/notes/begun.md, content: '# Begun' } }
    - call: { tool: report_progress, input: { summary: I have begun } }
    - wait: 600 s
    - say: Nobody reads this.
- match: do it
  activity: commission
  do:
    - call: { tool: write_artifact, input: { path: .lore/notes/done.md, content: '# Done' } }
    - call: { tool: submit_result, input: { summary: 'It is **done**: two lines.', artifacts: [.lore/notes/done.md] } }
${remember('It was done on a Sunday.')}
    - call: { tool: write_artifact, input: { path: .lore/notes/after.md, content: '# After' } }
    - say: Done.
`;

async function dispatch(hall: TestHall, prompt: string): Promise<string> {
  const input = { worker: 'researcher', title: prompt, prompt, dispatch: true };
  return ((await hall.client.call('commission.create', input)) as CommissionAnswer).id;
}

async function show(hall: TestHall, id: string): Promise<CommissionView> {
  return (await hall.client.call('commission.show', { id })) as CommissionView;
}

async function until(hall: TestHall, id: string, isSo: (view: CommissionView) => boolean): Promise<CommissionView> {
  let view = await show(hall, id);
  await waitUntil(async () => isSo((view = await show(hall, id))));
  return view;
}

const isOver = ({ commission, phase }: CommissionView): boolean =>
  ['completed', 'failed', 'cancelled'].includes(commission.status ?? '') && phase === null;

test('memory, progress, questions and results of workers stay and are shown, whatever their commission came to [COM-3a.2, COM-14a.3, COM-14a.4, COM-18.1, COM-18.2, COM-18.4, COM-19.3]', async () => {
  const { hall, repo, integration } = await startHallWithProject({ scenario });
  const [failing, cancelled, done] = [
    await dispatch(hall, 'Please say nothing of a result'),
    await dispatch(hall, 'Please go on for ever'),
    await dispatch(hall, 'Please do it'),
  ];
  const briefing = async () => ((await hall.client.call('briefing.show', { project: 'tally' })) as Briefing).text;
  await until(hall, cancelled, ({ commission }) => commission.currentProgress === 'I have begun');
  expect(await briefing()).toContain('I have begun');
  await hall.client.call('commission.cancel', { id: cancelled, reason: 'Enough' });
  expect((await until(hall, cancelled, isOver)).commission).toMatchObject({
    status: 'cancelled',
    currentProgress: 'I have begun',
  });
  const failed = await until(hall, failing, isOver);
  expect(failed.commission).toMatchObject({ status: 'failed', currentProgress: 'I know how it is built' });
  expect(failed.openQuestions).toMatchObject([{ text: 'Which make is meant?' }]);
  expect(await briefing()).toContain('Which make is meant?');

  const { commission } = await until(hall, done, isOver);
  const result = { summary: 'It is **done**: two lines.', artifacts: ['.lore/notes/done.md'] };
  expect(commission).toMatchObject({ status: 'completed', merge: { state: 'merged' }, result });
  expect(commission.linkedArtifacts.toSorted()).toEqual(['.lore/notes/after.md', '.lore/notes/done.md']);
  expect(commission.timeline.some(({ event }) => event === 'question')).toBe(false);
  const path = `.lore/commissions/${done}.md`;
  expect(parseArtifact(readFileSync(join(integration, path), 'utf8'), path).frontmatter).toMatchObject({ result });
  expect(repo.git('show', 'claude/main:.lore/notes/after.md')).toBe('# After');

  const memory = readFileSync(join(hall.home, 'memory/projects/tally/build.md'), 'utf8');
  for (const words of ['The build wants make.', 'The tests want a display.', 'It was done on a Sunday.'])
    expect(memory).toContain(words);
}, 90_000);
