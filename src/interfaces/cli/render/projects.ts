/** Projects for a person. */
import type {
  ProjectAdded,
  ProjectList,
  ProjectRemoved,
  ProjectShown,
  ProjectSynced,
} from '../../../features/projects/contract.ts';
import { plainText, type Terminal } from '../terminal.ts';
import { renderTable } from './table.ts';

export function renderProjectAdded(added: ProjectAdded, term: Terminal): string {
  const head = added.added ? 'Registered' : 'Already registered:';
  return `${term.style('green', '●')} ${head} ${term.style('bold', added.name)}, ${plainText(added.path)}\n${notes(added.notes, term)}`;
}

export function renderProjectList({ projects, problems }: ProjectList, term: Terminal): string {
  const broken = problems.map(
    ({ file, line, column, message }) =>
      `${term.style('red', '▲')} ${plainText(`${file}:${line}:${column}: ${message}`)}\n`,
  );
  if (projects.length === 0)
    return `${term.style('dim', term.hint('No project yet: guild-hall project add <path>'))}\n${broken.join('')}`;
  const rows = projects.map(({ name, path, integrationBranch }) => [name, plainText(path), integrationBranch]);
  const troubles = projects.flatMap((project) =>
    project.problems.map((problem) => `${term.style('red', '▲')} ${project.name}: ${plainText(problem)}\n`),
  );
  return [renderTable(['name', 'repository', 'integration branch'], rows, term), ...troubles, ...broken].join('');
}

export function renderProjectShown(shown: ProjectShown, term: Terminal): string {
  const { personBranch, behind, ahead, lastSync } = shown;
  const rows: (readonly [string, string])[] = [
    ['repository', shown.path],
    ['checkout', shown.worktree],
    ['branch', shown.integrationBranch],
    ['yours', personBranch === null ? 'none is checked out' : `${personBranch}${distance(behind, ahead)}`],
    ['last sync', lastSync === null ? 'never' : `${lastSync.slice(0, 16).replace('T', ' ')} UTC`],
    ['artifacts', String(shown.artifacts)],
    ...linesOf('open', shown.open),
  ];
  const lines = rows.map(([name, value]) => `${term.style('dim', name.padEnd(10))}  ${plainText(value)}\n`);
  const troubles = shown.problems.map((problem) => `${term.style('red', '▲')} ${plainText(problem)}\n`);
  const toDo =
    (behind ?? 0) > 0
      ? `\n${term.style('dim', term.hint(`Bring yours in: guild-hall project sync ${shown.name}`))}\n`
      : '';
  return `${term.style('bold', shown.name)}\n${lines.join('')}${troubles.join('')}${toDo}`;
}

/** One below the other: a terminal would break a long line within an id. */
function linesOf(name: string, values: readonly string[]): [string, string][] {
  return (values.length === 0 ? ['nothing'] : values).map((value, index) => [index === 0 ? name : '', value]);
}

function distance(behind: number | null, ahead: number | null): string {
  const counts = [
    (behind ?? 0) > 0 ? `${behind} to bring in` : '',
    (ahead ?? 0) > 0 ? `${ahead} that it has not` : '',
  ].filter((part) => part !== '');
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

export function renderProjectRemoved(removed: ProjectRemoved, term: Terminal): string {
  const branches = removed.branches.map((branch) => `  ${plainText(branch)}\n`).join('');
  const kept = branches === '' ? '' : `${term.style('dim', 'Branches that stay in the repository:')}\n${branches}`;
  return `✓ ${term.style('bold', removed.name)} is no longer registered; ${plainText(removed.path)} is left as it was.\n${notes(removed.notes, term)}${kept}`;
}

export function renderProjectSynced(synced: ProjectSynced, term: Terminal): string {
  const words = {
    up_to_date: '✓ up to date',
    synced: '✓ brought up to date',
    conflict: `${term.style('red', '▲')} conflict`,
  };
  const files = synced.files.map((file) => `  ${plainText(file)}\n`).join('');
  return `${words[synced.outcome]}: ${synced.name}\n${files}${notes(synced.notes, term)}`;
}

function notes(lines: readonly string[], term: Terminal): string {
  return lines.map((line) => `${term.style('blue', '◆')} ${plainText(term.hint(line))}\n`).join('');
}
