/** A session full of secrets, on every way that words go; then every file of the home is looked through for them. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { createFileLog } from '../../src/main/log-file.ts';
import { HallError } from '../../src/kernel/pure/errors.ts';
import type { MeetingOpened } from '../../src/features/meetings/contract.ts';
import { tempFolder } from '../help/repositories.ts';
import {
  close,
  openMeeting,
  readTurn,
  say,
  show,
  startHallWithProject,
  type TestHall,
  untilStill,
} from '../help/halls.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const keyLine = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
/** What must be nowhere. */
const cores = [
  made('IOSFODNN7', 'ABCDEFG'),
  made('aB3dE6gH9j', 'K2mN5pQ8sT1v'),
  made('0c9f2e7ab1', '4d5566ef77'),
  keyLine,
  made('hunt', 'er2'),
];
const allOfThem = [
  made('AKIA', cores[0]!),
  made('sk-ant-api03-', cores[1]!),
  made('Authorization: Bearer ', cores[2]!),
  made('-----BEGIN ', 'PRIVATE KEY-----\n', keyLine, '\n', keyLine, '\n-----END ', 'PRIVATE KEY-----'),
  made('password: ', cores[4]!),
].join('\n');

const callsOf = (calls: readonly (readonly [string, object])[]) =>
  calls.map(([tool, input]) => ({ call: { tool, input } }));
const scenario = JSON.stringify([
  {
    match: 'mend it',
    do: [...callsOf([['Write', { file_path: 'src/config.ts', content: 'export {};\n' }]]), { say: 'Done.' }],
  },
  {
    match: 'use them',
    do: [
      { say: `Here they are:\n\n${allOfThem}\n\nThat was all.` },
      ...callsOf([
        ['Bash', { command: `printf '%s' '${allOfThem}'`, description: 'says them' }],
        ['Write', { file_path: '.lore/notes/own.md', content: `# Own\n\n${allOfThem}\n` }],
        ['Write', { file_path: 'src/config.ts', content: `export const all = \`${allOfThem}\`;\n` }],
        ['Read', { file_path: 'src/config.ts' }],
        ['write_artifact', { path: '.lore/notes/tool.md', content: `# By tool\n\n${allOfThem}\n` }],
        ['write_memory', { scope: 'project', name: 'keys', mode: 'append', content: allOfThem }],
        ['record_decision', { question: 'Which?', decision: allOfThem, reasoning: allOfThem }],
        ['summarize_progress', { summary: allOfThem }],
        ['propose_followup', { agenda: allOfThem, reason: allOfThem }],
      ]),
      { say: `And again: ${allOfThem}` },
    ],
  },
]);

/** The files that hold any of them, relative to the home. */
function filesWithSecrets(hall: TestHall, folder = hall.home): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesWithSecrets(hall, path);
    if (!entry.isFile() || path === join(hall.home, 'scenario.yaml')) return [];
    const text = readFileSync(path, 'latin1');
    return cores.some((core) => text.includes(core)) ? [relative(hall.home, path)] : [];
  });
}

const refusalOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('no file of the home holds one, but the agent’s own files and its worktree while the meeting is open [SEC-SECRETS]', async () => {
  const home = join(await tempFolder(), 'home');
  mkdirSync(join(home, 'state'), { recursive: true, mode: 0o700 });
  const log = createFileLog(join(home, 'state/hall.log'), 'trace');
  const { hall, repo } = await startHallWithProject({ home, scenario, log, config: 'sandbox: { mode: off }' });
  const words = { worker: 'developer', project: 'tally', message: `use them:\n${allOfThem}` };
  expect(await refusalOf(hall.client.call('meeting.open', words))).toBeInstanceOf(HallError);
  expect(filesWithSecrets(hall)).toEqual([]);

  const { id, cursor } = (await hall.client.call('meeting.open', { ...words, allowSecrets: true })) as MeetingOpened;
  const turn = await readTurn(hall, id, cursor, 1);
  expect(turn.events.at(-1)).toEqual({ type: 'turn_end', interrupted: false });
  const outcomes = turn.events.flatMap((event) => (event.type === 'tool_result' ? [[event.name, event.ok]] : []));
  expect(outcomes).toHaveLength(9);
  // Without a sandbox there is no shell; what it was given is shown all the same.
  expect(outcomes.filter(([, ok]) => ok !== true)).toEqual([['Bash', false]]);
  expect(JSON.stringify(turn.all)).not.toMatch(new RegExp(cores.join('|').replaceAll('+', String.raw`\+`)));
  await untilStill(hall, id);
  const own = new RegExp(
    `^(?:worktrees/tally/meeting-${id}/(?:src/config\\.ts|\\.lore/notes/own\\.md)|state/agents/tally\\.meeting-${id}/.*)$`,
  );
  const during = filesWithSecrets(hall);
  expect(during.filter((path) => !own.test(path))).toEqual([]);
  expect(during.length).toBeGreaterThan(2);
  for (const path of during.filter((each) => each.startsWith('state/'))) {
    expect([path, statSync(join(hall.home, path)).mode & 0o077]).toEqual([path, 0]);
  }

  expect(await refusalOf(close(hall, id))).toMatchObject({ code: 'conflict', details: { kind: 'secrets' } });
  await say(hall, id, 'mend it');
  expect((await close(hall, id)).merge.state).toBe('merged');
  expect(filesWithSecrets(hall)).toEqual([]);
  const history = repo.git('log', '--all', '--patch', '--format=%B');
  expect(cores.filter((core) => history.includes(core))).toEqual([]);
  expect(history).toContain('[secret removed: private key]');
  expect(readFileSync(join(hall.home, 'state/hall.log'), 'utf8')).toContain('model call');
});

test('a failing turn, and a hall that stops in the middle, leave none either [SEC-SECRETS]', async () => {
  const failing = JSON.stringify([
    {
      match: 'fail',
      do: [
        { say: `It is ${allOfThem} and` },
        { call: { tool: 'Read', input: { file_path: `/tmp/password: ${cores[4]}` } } },
        { fail: 'invalid' },
      ],
    },
    {
      match: 'wait',
      do: [
        { say: `So ${allOfThem}` },
        { call: { tool: 'Read', input: { file_path: 'README.md' } } },
        { fail: 'stalled' },
      ],
    },
  ]);
  const { hall } = await startHallWithProject({ scenario: failing });
  const { id } = await openMeeting(hall, { message: 'Hello' });
  const failed = await say(hall, id, 'fail');
  expect(failed.events.at(-1)?.type).toBe('error');
  const said = (await hall.client.call('meeting.say', { id, message: 'wait' })) as { cursor: string };
  while ((await show(hall, id)).running?.view.tools.length !== 1);
  await hall.restart();
  await readTurn(hall, id, said.cursor, 3);
  const kept = filesWithSecrets(hall).filter((path) => !path.startsWith(`state/agents/tally.meeting-${id}/`));
  expect(kept).toEqual([]);
  expect((await show(hall, id)).turns.at(-1)?.text).toContain('[secret removed: AWS key]');
});
