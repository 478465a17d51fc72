/** What a council left, in a form that does not depend on when it was held; and what may not be left. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CouncilSession } from '../../../src/features/councils/contract.ts';
import { sessionsFolder } from '../../../src/features/councils/store/place.ts';
import { gitIn, processesOf } from '../parts/hall-process.ts';
import { homeOf, type Place } from './place.ts';

/** By path: text with times taken out. */
export type Left = Readonly<Record<string, string>>;

export function leftBy(place: Place, session: CouncilSession): Left {
  const found: Record<string, string> = {};
  for (const path of filesBelow(join(place.root, '.gaia'))) {
    const name = relative(place.root, path);
    if (!name.startsWith(sessionsFolder)) found[name] = withoutTimes(readFileSync(path, 'utf8'));
  }
  found['(session)'] = JSON.stringify(withoutChance(session), undefined, 1).replaceAll(place.folder, '<place>');
  found['(commits)'] = gitIn(place.worktree, 'log', '--format=%s', 'claude/main');
  found['(committed)'] = gitIn(place.worktree, 'ls-tree', '-r', '--name-only', 'claude/main');
  return found;
}

function withoutTimes(text: string): string {
  return (
    text
      .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '<time>')
      .replaceAll(/\$\d+\.\d+/g, '<cost>')
      // What an agent was told of itself by its own program is not ours.
      .replaceAll(/(input_tokens|cache_read_tokens|cache_write_tokens|cost_usd): [\d.]+/g, '$1: <of the moment>')
  );
}

/** Input tokens, costs and seals are of the moment; everything else has to be the same. */
function withoutChance(value: unknown): unknown {
  if (typeof value === 'string') return withoutTimes(value);
  if (Array.isArray(value)) return value.map(withoutChance);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !['usage', 'seal', 'commit'].includes(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, withoutChance(held)]));
}

/** Each difference in a line. */
export function differences(expected: Left, found: Left): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].flatMap((name) => {
    const [a, b] = [expected[name], found[name]];
    if (a === b) return [];
    if (a === undefined || b === undefined) return [`${name} is ${a === undefined ? 'too much' : 'missing'}`];
    const [left, right] = [a.split('\n'), b.split('\n')];
    const at = left.findIndex((line, index) => line !== right[index]);
    return [
      `${name}:${at + 1} is ${JSON.stringify(right[at])?.slice(0, 200)}, expected ${JSON.stringify(left[at])?.slice(0, 200)}`,
    ];
  });
}

/** What may not be there when the council is saved and no hall runs. */
export function leaksIn(place: Place): string[] {
  const leaks = processesOf(homeOf(place)).map((pid) => `process ${pid}`);
  const worktrees = gitIn(place.repo, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '));
  if (worktrees.length !== 2) leaks.push(`${worktrees.length} worktrees are registered, expected 2`);
  const branches = gitIn(place.repo, 'branch', '--format=%(refname:short)').split('\n').toSorted().join(' ');
  if (branches !== 'claude/main main') leaks.push(`branches: ${branches}`);
  for (const folder of ['state/agents', 'state/processes', 'state/sandbox'])
    for (const name of namesIn(join(place.home, folder))) leaks.push(`${folder}/${name}`);
  for (const root of [place.home, place.repo])
    for (const path of filesBelow(root))
      if (/\.guild-hall-\d+-\d+\.tmp$|(?:index|HEAD)\.lock$/.test(path)) leaks.push(relative(place.folder, path));
  const dirty = gitIn(place.worktree, 'status', '--porcelain').split('\n').filter(Boolean);
  if (dirty.length > 0) leaks.push(`the integration checkout has changes: ${dirty.slice(0, 4).join('; ')}`);
  const own = gitIn(place.repo, 'status', '--porcelain');
  if (own !== (place.isInPlace ? '?? .gaia/' : '')) leaks.push(`the person's checkout was changed: ${own}`);
  return leaks;
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
