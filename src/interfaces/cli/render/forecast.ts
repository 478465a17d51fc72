/** How foreseen conflicts are shown on a terminal. */
import type { ConflictPair, Conflicts, Foreseen } from '../../../features/forecast/contract.ts';
import type { Renderer } from '../parts.ts';
import { marked, oneLine, plainText, type Terminal } from '../terminal.ts';

/** So many files are named. */
const maxNamed = 5;

/** `will not merge with meeting m-x: a.md, b.md`, or `meeting m-x works on a.md too`, one after the other. */
export function foreseenInBrief(
  conflicts: readonly (Omit<Foreseen, 'isConflict'> & { isConflict?: boolean | undefined })[],
): string {
  const told = conflicts.map(({ kind, id, files, isConflict }) => {
    const other = `${kind} ${plainText(id)}`;
    return isConflict === true
      ? `▲ will not merge with ${other}: ${filesInBrief(files)}`
      : `${other} works on ${filesInBrief(files)} too`;
  });
  return told.join('; ');
}

function filesInBrief(files: readonly string[]): string {
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  return `${files.slice(0, maxNamed).map(plainText).join(', ')}${more}`;
}

function renderConflicts({ pairs, problems }: Conflicts, term: Terminal): string {
  const told = problems.map((problem) => `${term.style('yellow', '▲')} ${plainText(problem)}\n`).join('');
  if (pairs.length === 0) return `${term.style('green', '✓')} No two open activities change the same files.\n${told}`;
  return `${pairs.map((pair) => renderPair(pair, term)).join('\n')}${told}`;
}

function renderPair({ project, a, b, files, isConflict }: ConflictPair, term: Terminal): string {
  const mark = marked(term, isConflict ? ['▲ will not merge', 'red'] : ['◐ same files', 'yellow']);
  const line = (one: ConflictPair['a']): string => `  ${one.kind} ${plainText(one.id)}  ${oneLine(one.title, 60)}\n`;
  const other = b === null ? '  the integration branch, which moved on since it began\n' : line(b);
  const named = files.slice(0, 20).map((file) => `    ${term.style('dim', plainText(file))}\n`);
  const more = files.length > 20 ? `    ${term.style('dim', `and ${files.length - 20} more`)}\n` : '';
  return `${mark}  ${project}\n${line(a)}${other}${named.join('')}${more}`;
}

export const forecastRenderers: Readonly<Record<string, Renderer>> = { 'project.conflicts': renderConflicts };
