/** One worker in a meeting and in a commission at once: nothing of the two is shared but its memory. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommissionView } from '../../src/features/commissions/contract.ts';
import { openMeeting, say, show, startHallWithProject } from '../help/halls.ts';
import { waitUntil } from '../help/programs.ts';

const decided = (where: string): string =>
  `{ tool: record_decision, input: { question: "Where am I?", decision: "In the ${where}", reasoning: "It says so" } }`;
const noted = (where: string): string =>
  `{ tool: write_artifact, input: { path: .lore/notes/here.md, content: "Of the ${where}.\\n" } }`;

const scenario = `
- match: keep this
  activity: meeting
  do:
    - call: { tool: write_memory, input: { scope: project, name: from-meeting.md, mode: append, content: "Said in the meeting." } }
    - call: ${decided('meeting')}
    - call: ${noted('meeting')}
    - say: Kept.
- match: look at your memory
  activity: meeting
  do:
    - call: { tool: read_memory, input: { scope: project, name: from-commission.md } }
    - say: Looked.
- match: work by yourself
  activity: commission
  do:
    - call: { tool: read_memory, input: { scope: project, name: from-meeting.md } }
    - call: { tool: write_memory, input: { scope: project, name: from-commission.md, mode: append, content: "Found in the commission." } }
    - call: ${decided('commission')}
    - call: ${noted('commission')}
    - call: { tool: link_artifact, input: { path: README.md } }
    - call: { tool: propose_followup, input: {} }
    - call: { tool: summarize_progress, input: { summary: Half of it } }
    - call: { tool: report_progress, input: { summary: All is tried } }
    - say: I go on.
    - call: { tool: list_artifacts, input: {} }
    - wait: 60 s
    - say: Done.
`;

test('each has its own process, branch, worktree, tools and record; memory is one; none has the tools of the other [MTG-16.2, MTG-30.1, MTG-30.2, MTG-30.3]', async () => {
  const { hall, repo } = await startHallWithProject({ scenario });
  const meeting = await openMeeting(hall, { worker: 'researcher', message: 'keep this' });
  const order = { worker: 'researcher', title: 'Alone', prompt: 'work by yourself', dispatch: true };
  const { id } = (await hall.client.call('commission.create', order)) as { id: string };
  const view = async (): Promise<CommissionView> =>
    (await hall.client.call('commission.show', { id })) as CommissionView;
  await waitUntil(async () => (await view()).commission.currentProgress === 'All is tried');
  const working = await view();
  const talking = await show(hall, meeting.id);
  expect([working.commission.status, talking.meeting.status]).toEqual(['in_progress', 'open']);

  expect(working.process?.pid).not.toBe(process.pid);
  expect(repo.git('branch', '--list', 'claude/*', '--format=%(refname:short)').split('\n').toSorted()).toEqual(
    [`claude/commission/${id}`, 'claude/main', `claude/meeting/${meeting.id}`].toSorted(),
  );
  expect(working.process?.worktree).not.toBe(talking.worktree);
  for (const folder of [`commissions/tally.${id}/1/agent`, `agents/tally.meeting-${meeting.id}/config`]) {
    expect(existsSync(join(hall.home, 'state', folder))).toBe(true);
  }

  const read = (worktree: string | null | undefined): string =>
    readFileSync(join(worktree!, '.lore/notes/here.md'), 'utf8');
  expect([read(working.process?.worktree), read(talking.worktree)]).toEqual([
    'Of the commission.\n',
    'Of the meeting.\n',
  ]);
  const decisions = working.commission.timeline.flatMap((entry) =>
    entry.event === 'decision' ? [entry.decision] : [],
  );
  expect(decisions).toEqual(['In the commission']);
  expect(talking.meeting.decisions.map(({ decision }) => decision)).toEqual(['In the meeting']);
  expect(talking.meeting.linkedArtifacts).toEqual(['.lore/notes/here.md']);

  const results = working.journal.flatMap((entry) => (entry.kind === 'tool_result' ? [entry] : []));
  const wellDone = results.flatMap(({ name, ok }) => (ok ? [name] : []));
  const own = ['read_memory', 'write_memory', 'record_decision', 'write_artifact', 'report_progress'];
  expect(wellDone.filter((name) => name !== 'list_artifacts')).toEqual(own);
  expect(results[0]?.summary).toContain('Said in the meeting.');
  const turn = await say(hall, meeting.id, 'look at your memory');
  expect(JSON.stringify(turn.events)).toContain('Found in the commission.');
  await hall.client.call('commission.cancel', { id });
});
