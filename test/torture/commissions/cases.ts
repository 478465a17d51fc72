/** Single cases, each with its cause made and taken away again: what the hall says of it, and that it goes on. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommissionRecord, CommissionView } from '../../../src/features/commissions/contract.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { delay, gitIn, startHall } from '../parts/hall-process.ts';
import type { Findings } from './findings.ts';
import { endsOf, leaksIn, words } from './invariants.ts';
import { callUntilAnswered, type Keeper, makeKeeper, requireUp, takeDown } from './keeper.ts';
import type { Place } from './place.ts';
import { attemptsOf, readRecord, stateOf, textOf, worktreeOf } from './reading.ts';

interface Said {
  readonly ok: boolean;
  readonly said: string;
}

const cases: readonly (readonly [string, (keeper: Keeper) => Promise<Said>])[] = [
  ['agent process killed', agentKilled],
  ['stale index.lock in the integration worktree', staleLock],
  ['full disk under the repository', fullRepository],
  ['full disk under the home', fullHome],
  ['home that cannot be written', unwritableHome],
];

/** @param only those whose name contains this */
export async function runCases(place: Place, findings: Findings, only: string): Promise<void> {
  const keeper = makeKeeper(place, findings);
  for (const [name, run] of cases.filter(([each]) => each.includes(only))) {
    try {
      if (keeper.hall === undefined) await requireUp(keeper);
      findings.cases.push({ name, ...(await run(keeper)) });
    } catch (error) {
      findings.cases.push({ name, ok: false, said: error instanceof Error ? (error.stack ?? '') : String(error) });
    }
    process.stderr.write(`${name}: ${findings.cases.at(-1)!.ok ? 'ok' : findings.cases.at(-1)!.said}\n`);
  }
  await takeDown(keeper);
  const leaks = leaksIn(place);
  findings.cases.push({
    name: 'nothing is left of the cases',
    ok: leaks.length === 0,
    said: leaks.join('; ') || 'nothing',
  });
}

const project = 'birch';

async function create(keeper: Keeper, title: string, prompt: string): Promise<string> {
  const input = { project, worker: 'researcher', title, prompt, dispatch: true };
  return (await callUntilAnswered<{ id: string }>(keeper, 'commission.create', input)).id;
}

async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = 60_000,
): Promise<T> {
  const patience = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > patience) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(10);
  }
}

async function ended(keeper: Keeper, id: string): Promise<CommissionRecord> {
  return await until(
    `the end of ${id}`,
    () => {
      const record = readRecord(keeper.place, project, id);
      const isOver = record !== undefined && endsOf(record).length > 0;
      return isOver && !existsSync(join(stateOf(keeper.place, project, id), 'run.json')) ? record : undefined;
    },
    90_000,
  );
}

/** How the record says that it ended, and what of its words a person needs. */
function told(record: CommissionRecord): string {
  return [...endsOf(record).map(words), `merge ${record.merge.state}`].join('; ');
}

/** The SDK's own process is killed; its worker and the hall live. */
async function agentKilled(keeper: Keeper): Promise<Said> {
  const entry =
    '- match: torture-kills-the-agent\n  activity: commission\n  do:\n    - wait: 60000\n    - say: Never.\n';
  writeFileSync(keeper.place.scenario, entry);
  const id = await create(keeper, 'Its agent is killed', 'Wait as torture-kills-the-agent says.');
  const token = await until('its token', () => attemptsOf(keeper.place, project, id)[0]?.token);
  await until('its session', () =>
    attemptsOf(keeper.place, project, id)[0]?.journal.find(({ kind }) => kind === 'started'),
  );
  await delay(3000);
  const killedAt = await until('its agent', () => killAgent(token));
  const seen = await until('a word of it', () => {
    const { journal } = attemptsOf(keeper.place, project, id)[0]!;
    return journal.find(({ kind, at }) => Date.parse(at) >= killedAt && (kind === 'retry' || kind === 'ended'));
  });
  const ms = Date.parse(seen.at) - killedAt;
  const record = await ended(keeper, id);
  return { ok: ms <= 2000, said: `${seen.kind} after ${ms} ms; ${told(record)}` };
}

/** Kills the SDK's own process: of a sandbox, the innermost. @returns when, milliseconds since 1970 */
function killAgent(token: string): number | undefined {
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => textOf(`/proc/${name}/environ`).includes(`GUILD_HALL_ATTEMPT=${token}`))
    .filter((name) => /^claude|claude-agent-sdk/.test(textOf(`/proc/${name}/comm`) + textOf(`/proc/${name}/cmdline`)))
    .map(Number)
    .at(-1);
  if (pid === undefined) return undefined;
  try {
    process.kill(pid, 'SIGKILL');
    return Date.now();
  } catch {
    // One of its helpers, gone again: the next look finds the agent.
    return undefined;
  }
}

/** A small worker that waits for a word of ours before it hands over. */
async function waiting(keeper: Keeper, title: string): Promise<{ readonly id: string; readonly go: () => void }> {
  const path = `.lore/notes/${title.toLowerCase().replaceAll(/\W+/g, '-')}.md`;
  const steps = [
    ['write', path, `${title}\n`.repeat(200)],
    ['result', title, [path]],
    ['wait', 'on'],
  ];
  const id = await create(keeper, title, JSON.stringify(steps));
  await until(`${title} runs`, () => {
    const [attempt] = attemptsOf(keeper.place, project, id);
    return attempt?.result !== undefined && readRecord(keeper.place, project, id)?.status === 'in_progress'
      ? true
      : undefined;
  });
  return { id, go: () => writeFileSync(join(stateOf(keeper.place, project, id), '1/go-on'), '') };
}

/** The cause is taken away; then it ends as if there had been none. */
async function goesOn(keeper: Keeper, id: string, trouble: string): Promise<Said> {
  const record = await ended(keeper, id);
  const isMerged = record.merge.state === 'merged' && record.problems.length === 0;
  const commits = gitIn(keeper.place.repos[project], 'log', '--format=%s', 'claude/main').split('\n');
  const merges = commits.filter((subject) => subject === `Commission ${id}: ${record.title}`).length;
  const isNamed = trouble !== '';
  return {
    ok: isMerged && isNamed && merges === 1,
    said: `${isNamed ? `said "${trouble}"` : 'not named'}; then ${told(record)}`,
  };
}

/** What the inbox says of an end that cannot be finished. */
async function troubleOf(keeper: Keeper, id: string): Promise<string> {
  const patience = Date.now() + 20_000;
  while (Date.now() < patience) {
    const { items } = await callUntilAnswered<{ items: readonly InboxWord[] }>(keeper, 'inbox.list', {});
    const found = items.find(({ subject, title }) => subject.id === id && title.includes('cannot be finished'));
    if (found !== undefined) return `${found.title}: ${found.detail.replaceAll(/\s+/g, ' ')}`.slice(0, 400);
    await delay(50);
  }
  return '';
}

interface InboxWord {
  readonly title: string;
  readonly detail: string;
  readonly subject: { readonly id: string };
}

async function staleLock(keeper: Keeper): Promise<Said> {
  const { id, go } = await waiting(keeper, 'Stale lock');
  const gitDir = gitIn(worktreeOf(keeper.place, project), 'rev-parse', '--absolute-git-dir');
  const lock = join(gitDir, 'index.lock');
  writeFileSync(lock, '');
  go();
  try {
    const trouble = await troubleOf(keeper, id);
    rmSync(lock);
    return await goesOn(keeper, id, trouble);
  } finally {
    rmSync(lock, { force: true });
  }
}

const isMountable = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/** A small file system in place of a folder, filled to the last byte. */
function fill(folder: string): () => void {
  const ballast = join(folder, 'ballast');
  for (let size = 1024 * 1024; size >= 512; size /= 2) fillWith(ballast, Buffer.alloc(size));
  return () => rmSync(ballast, { force: true });
}

function fillWith(path: string, block: Buffer): void {
  try {
    for (;;) writeFileSync(path, block, { flag: 'a' });
  } catch {
    // Full, which is what was wanted.
  }
}

function mountSmall(folder: string, megabytes: number): () => void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
  return () => execFileSync('umount', ['--lazy', folder]);
}

/** Git's objects of the project are on a small tmpfs, which is filled before the work is saved and merged. */
async function fullRepository(keeper: Keeper): Promise<Said> {
  if (!isMountable()) return { ok: true, said: 'left out: nothing can be mounted here' };
  await takeDown(keeper);
  const objects = join(keeper.place.repos[project], '.git/objects');
  const copy = `${objects}-kept`;
  execFileSync('cp', ['-a', objects, copy]);
  const unmount = mountSmall(objects, 8);
  execFileSync('cp', ['-a', `${copy}/.`, objects]);
  let isThere = true;
  try {
    await requireUp(keeper);
    const { id, go } = await waiting(keeper, 'Full repository');
    const empty = fill(objects);
    go();
    const trouble = await troubleOf(keeper, id);
    gitIn(keeper.place.repos[project], 'fsck', '--connectivity-only');
    empty();
    const said = await goesOn(keeper, id, trouble);
    await takeDown(keeper);
    execFileSync('cp', ['-a', `${objects}/.`, copy]);
    unmount();
    isThere = false;
    execFileSync('cp', ['-a', `${copy}/.`, objects]);
    return { ...said, said: `tmpfs of 8 MB; ${said.said}` };
  } finally {
    if (isThere) unmount();
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A home of its own on a small tmpfs: creating is refused while it is full, and what was there is whole. */
async function fullHome(keeper: Keeper): Promise<Said> {
  if (!isMountable()) return { ok: true, said: 'left out: nothing can be mounted here' };
  const root = join(keeper.place.root, 'small');
  const unmount = mountSmall(root, 24);
  const home = join(root, 'home');
  const hall = await startHall({ ...keeper.place, root, home }, {}, { program: keeper.place.program });
  try {
    if (hall === 'died') throw new Error('the hall died');
    const repo = join(keeper.place.root, 'repository-3');
    gitIn(keeper.place.root, 'clone', '--quiet', keeper.place.repos.alder, repo);
    gitIn(repo, 'config', 'user.name', 'Torture');
    gitIn(repo, 'config', 'user.email', 'torture@example.invalid');
    await hall.client.call('project.add', { path: repo, name: 'cedar' });
    const input = { project: 'cedar', worker: 'researcher', title: 'Created when full', prompt: '[["result","done"]]' };
    const empty = fill(root);
    const refusal = await refusalOf(() => hall.client.call('commission.create', input));
    const folder = join(home, 'projects/cedar/.lore/commissions');
    const left = existsSync(folder) ? readdirSync(folder) : [];
    empty();
    const made = (await hall.client.call('commission.create', { ...input, dispatch: true })) as { id: string };
    const status = await until('its end', async () => {
      const view = (await hall.client.call('commission.show', { project: 'cedar', id: made.id })) as CommissionView;
      return view.commission.merge.state === 'merged' ? view.commission.status : undefined;
    });
    const ok = refusal.hint !== '' && left.length === 0 && status === 'completed';
    return {
      ok,
      said: `tmpfs of 24 MB; said "${refusal.message} ${refusal.hint}"; left ${left.join(' ') || 'nothing'}; then ${status}`,
    };
  } finally {
    if (hall !== 'died') hall.process.kill('SIGTERM');
    await delay(1500);
    unmount();
  }
}

async function refusalOf(work: () => Promise<unknown>): Promise<{ readonly message: string; readonly hint: string }> {
  try {
    await work();
    return { message: 'it was not refused', hint: '' };
  } catch (error) {
    if (error instanceof HallError) return error;
    return { message: String(error), hint: '' };
  }
}

/** Folders of the home take no new names: by the immutable flag, as root may write everywhere; else by permissions. */
async function unwritableHome(keeper: Keeper): Promise<Said> {
  const { id, go } = await waiting(keeper, 'Unwritable home');
  const records = join(worktreeOf(keeper.place, project), '.lore/commissions');
  const closed = [records, stateOf(keeper.place, project, id)];
  const flag = (sign: '+' | '-'): void => {
    const isRoot = process.getuid?.() === 0;
    const [file, word] = isRoot ? ['chattr', `${sign}i`] : ['chmod', sign === '+' ? 'a-w' : 'u+w'];
    for (const folder of closed) execFileSync(file, [word, folder]);
  };
  const before = readFileSync(join(records, `${id}.md`), 'utf8');
  go();
  flag('+');
  try {
    const input = { project, worker: 'researcher', title: 'Created when closed', prompt: '[["result","done"]]' };
    const refusal = await refusalOf(() => keeper.hall!.client.call('commission.create', input));
    const trouble = await troubleOf(keeper, id);
    const after = readFileSync(join(records, `${id}.md`), 'utf8');
    flag('-');
    const said = await goesOn(keeper, id, trouble);
    const isWhole = after === before;
    return {
      ok: said.ok && refusal.hint !== '' && isWhole,
      said: `create said "${refusal.message} ${refusal.hint}"; ${said.said}`,
    };
  } finally {
    flag('-');
  }
}
