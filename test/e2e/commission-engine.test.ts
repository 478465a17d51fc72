/** The hall and its workers as processes of their own: each is killed, and nothing is lost. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommissionAnswer, CommissionList, CommissionView } from '../../src/features/commissions/contract.ts';
import { isSameProcess, readProcessIdentity } from '../../src/kernel/processes/identity.ts';
import { findProcessesByMark } from '../../src/kernel/processes/marks.ts';
import { readIdentity } from '../../src/features/commissions/store/attempt.ts';
import { freshHome, type Home, identityOf, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

const scenario = `
- match: finishes later
  do:
    - call: { tool: report_progress, input: { summary: I begin } }
    - wait: 6 s
    - call: { tool: write_artifact, input: { path: .lore/notes/later.md, content: 'It is there.' } }
    - call: { tool: report_progress, input: { summary: I am nearly done } }
    - call: { tool: submit_result, input: { summary: It is there, artifacts: [.lore/notes/later.md] } }
    - say: Done.
- match: never ends
  do:
    - call: { tool: write_artifact, input: { path: .lore/notes/kept.md, content: 'It is kept.' } }
    - call: { tool: report_progress, input: { summary: I begin } }
    - wait: 600 s
    - say: Nobody reads this.
`;

async function dispatch(home: Home, words: string): Promise<string> {
  const line = ['commission', 'create', '--project', 'tally', '--worker', 'researcher', '--title', words];
  return (await home.json<CommissionAnswer>(...line, '--prompt', words, '--dispatch')).id;
}

const show = async (home: Home, id: string): Promise<CommissionView> =>
  await home.json<CommissionView>('commission', 'show', id, '--project', 'tally');

async function reaches(home: Home, id: string, isSo: (view: CommissionView) => boolean): Promise<CommissionView> {
  let view = await show(home, id);
  await waitUntil(async () => isSo((view = await show(home, id))));
  return view;
}

const folderOf = (home: Home, id: string): string => join(home.path, 'state/commissions', `tally.${id}`, '1');
const reasonOf = ({ commission }: CommissionView): string => {
  const end = commission.timeline.findLast((entry) => entry.event === 'status');
  return end?.event === 'status' ? `${end.to}: ${end.reason}` : '';
};

test('a worker outlives a hall that is killed, a hall outlives its workers, and what was submitted or written is kept [COM-10.2, COM-9.7, COM-14.7, COM-14a.2, COM-27.2, COM-27.4, COM-27.5, COM-27.7, COM-C1]', async () => {
  const home = await freshHome();
  const repo = await makeRepository();
  await home.run('up', '--detach', '--port', '0');
  const file = join(home.folder, 'scenario.yaml');
  writeFileSync(file, scenario);
  writeFileSync(join(home.path, 'config.yaml'), `rehearsal:\n  scenario: ${file}\n`, { flag: 'a' });
  await home.run('project', 'add', repo.path, '--name', 'tally');
  const killed = await dispatch(home, 'This one never ends');
  const lost = await dispatch(home, 'This one never ends either');
  for (const id of [killed, lost]) await reaches(home, id, (view) => view.commission.currentProgress !== '');
  expect((await home.run('project', 'remove', 'tally')).err).toContain(`commission ${lost}`);
  const worker = (await show(home, killed)).process!;
  const { token } = (await readIdentity(folderOf(home, killed)))!;
  process.kill(worker.pid, 'SIGKILL');
  const crashed = await reaches(
    home,
    killed,
    ({ commission, phase }) => commission.status === 'failed' && phase === null,
  );
  expect(reasonOf(crashed)).toBe('failed: process crashed (SIGKILL)');
  expect(await findProcessesByMark('GUILD_HALL_ATTEMPT', token), 'its agent too').toEqual([]);
  expect(repo.git('show', `claude/commission/${killed}:.lore/notes/kept.md`)).toBe('It is kept.');
  const finishing = await dispatch(home, 'This one finishes later');
  await reaches(home, finishing, (view) => view.commission.currentProgress !== '');
  const going = (await readIdentity(folderOf(home, finishing)))!.process;
  const hall = identityOf(home);
  process.kill(hall.pid, 'SIGKILL');
  await waitUntil(async () => !(await isSameProcess(hall)));
  expect(await readProcessIdentity(going.pid)).toBeDefined();
  process.kill((await readIdentity(folderOf(home, lost)))!.process.pid, 'SIGKILL');
  await home.run('up', '--detach', '--port', '0');
  const done = await reaches(home, finishing, ({ commission }) => commission.merge.state !== 'none');
  expect(done.commission).toMatchObject({ status: 'completed', merge: { state: 'merged' }, attempt: 1 });
  const reports = done.commission.timeline.flatMap((entry) => (entry.event === 'progress' ? [entry.text] : []));
  expect(reports).toEqual(['I begin', 'I am nearly done']);
  expect(
    reasonOf(await reaches(home, lost, (view) => view.commission.status === 'failed' && view.phase === null)),
  ).toBe('failed: process lost on restart');
  expect(repo.git('show', `claude/commission/${lost}:.lore/notes/kept.md`)).toBe('It is kept.');
  expect(repo.git('show', 'claude/main:.lore/notes/later.md')).toBe('It is there.');
  const folder = join(home.path, 'worktrees/tally');
  await waitUntil(() => !existsSync(folder) || readdirSync(folder).length === 0);
  const list = await home.json<CommissionList>('commission', 'list');
  expect(list.limits.running).toBe(0);
}, 90_000);
