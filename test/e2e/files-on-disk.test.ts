/** docs/files-on-disk.md against what a hall really leaves on the disk. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { CommissionAnswer, CommissionView } from '../../src/features/commissions/contract.ts';
import { close, openMeeting, say, startHallWithProject, type TestHall } from '../help/halls.ts';
import { waitUntil } from '../help/programs.ts';
import { tempFolder } from '../help/repositories.ts';
import { signIn } from '../help/sign-in.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/files-on-disk.md'), 'utf8');

/** The paths that the first column of a section's table names. */
function pathsNamed(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!));
}

/** `<word>` is any name, `…/` any folder, and a `/` at the end all that lies in it. */
function patternOf(path: string): RegExp {
  const words = path.split(/(<[^>]+>|…\/|\/$)/).map((part) => {
    if (part === '…/') return '(?:.*/)?';
    if (part === '/') return '(?:/.*)?';
    return part.startsWith('<') ? '[^/]+' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${words.join('')}$`);
}

/** True for a folder that only leads to what is named. */
function leadsTo(folder: string, path: string): boolean {
  const parts = path.split('/');
  const depth = folder.split('/').length;
  return depth < parts.length && patternOf(parts.slice(0, depth).join('/')).test(folder);
}

/** Every path below, relative; what is inside of a repository is its own. */
function listAll(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name === '.git') return [];
    return [relative(root, path), ...(entry.isDirectory() ? listAll(root, path) : [])];
  });
}

const named = pathsNamed('The home');

function unexplained(home: string): string[] {
  const patterns = named.map(patternOf);
  return listAll(home).filter(
    (path) => !patterns.some((each) => each.test(path)) && !named.some((each) => leadsTo(path, each)),
  );
}

/** Only where a hall runs in the background, a person put something there, or something crashed. */
const unseen = [
  'packages/<package>/',
  'memory/global/',
  'memory/projects/<name>/',
  'memory/workers/<name>/',
  'rhythms/<name>.md',
  'projects/.<name>.making.json',
  'projects/<name>.attach/',
  'worktrees/<project>/.<kind>-<id>.making.json',
  'state/hall.log',
  'state/hall.log.1',
  'state/open.html',
  'state/edits/<name>.json',
  // While a button is pressed.
  'state/clicks/<id>.json',
  // While finished work is merged, and the person's check of it runs.
  'state/commissions/<project>.<id>/merge.json',
  'state/commissions/<project>.<id>/check/',
  // Where there is a tmux, and a terminal was started; where two talk, or a circle, or did.
  'state/terminals/<id>.json',
  'state/terminals/<id>/',
  'state/tmux/',
  'state/conversations/<id>/',
  'state/gatherings/<id>/',
  // While an agent speaks in a council.
  'state/agents/<project>.council-<id>/',
  // When a session that a button has made is removed; where an agent speaks ACP.
  'state/sessions/removed.ndjson',
  'state/acp/<agent>/<project>/',
  // In the words of a model, where there is one.
  'state/briefings/<project>.json',
  // Not there where the machine has no sandbox.
  'state/sandbox/',
  'state/secrets/<name>',
];

const scenario = `
- match: until it is cancelled
  activity: commission
  do:
    - call: { tool: report_progress, input: { summary: On it } }
    - wait: 600 s
    - say: Nobody reads this.
`;

async function dispatch(hall: TestHall): Promise<string> {
  const prompt = 'Wait until it is cancelled.';
  const input = { worker: 'researcher', title: 'Waits', prompt, project: 'tally', dispatch: true };
  return ((await hall.client.call('commission.create', input)) as CommissionAnswer).id;
}

async function viewOf(hall: TestHall, id: string): Promise<CommissionView> {
  return (await hall.client.call('commission.show', { id })) as CommissionView;
}

test('every file of a home has a row in docs/files-on-disk.md, and every row a file', async () => {
  const script = join(await tempFolder(), 'scenario.yaml');
  writeFileSync(script, scenario);
  const config = `rehearsal:\n  scenario: ${script}\ncommissions: { perProject: 1 }\n`;
  const { hall, repo } = await startHallWithProject({ config });
  const seen = new Set<string>();
  const look = (): void => {
    expect(unexplained(hall.home)).toEqual([]);
    for (const path of listAll(hall.home)) seen.add(path);
  };
  look();
  const { id } = await openMeeting(hall, { message: 'Write a note to .lore/notes/count.md about counting.' });
  await say(hall, id, 'Remember that words are counted by blanks.');
  look();
  expect(readdirSync(join(repo.path, '.git/worktrees')).length).toBe(2);
  for (const name of readdirSync(join(repo.path, '.git/worktrees'))) {
    const marker = join('.git/worktrees', name, 'guild-hall.json');
    expect(pathsNamed('In your repository').some((path) => patternOf(path).test(marker))).toBe(true);
    expect(statSync(join(repo.path, marker)).isFile()).toBe(true);
  }
  const [runs, waits] = [await dispatch(hall), await dispatch(hall)];
  await waitUntil(async () => (await viewOf(hall, runs)).commission.currentProgress === 'On it');
  look();
  for (const one of [waits, runs]) await hall.client.call('commission.cancel', { id: one });
  await waitUntil(async () => (await viewOf(hall, runs)).phase === null);
  look();
  await hall.client.call('council.run', {
    charter: 'Shall we count?',
    invitees: ['Researcher,Reviewer'],
    project: 'tally',
  });
  look();
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await hall.client.call('session.new', { project: 'tally', prompt: 'Look.', images: [{ data: png }] });
  look();
  await signIn(hall);
  await hall.client.call('project.sync', {});
  await hall.client.call('search', { words: 'count' });
  await hall.client.call('project.sample', {});
  look();
  await close(hall, id);
  await hall.restart();
  look();
  await hall.stop();
  look();
  const stale = named.filter((path) => !path.startsWith('…/') && ![...seen].some((each) => patternOf(path).test(each)));
  expect(stale.filter((path) => !unseen.includes(path))).toEqual([]);
});

test('the check finds what has no row', () => {
  expect(patternOf('state/events/').test('state/logs')).toBe(false);
  expect(patternOf('meetings/<meeting-id>.md').test('meetings/a/b.md')).toBe(false);
  expect(patternOf('…/<file>.v<version>').test('state/meetings/x.json.v1')).toBe(true);
  expect(leadsTo('state', 'state/events/')).toBe(true);
  expect(leadsTo('states', 'state/events/')).toBe(false);
});
