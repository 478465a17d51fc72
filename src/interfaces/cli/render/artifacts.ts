/** Artifacts for a person. */
import type { ArtifactList, ArtifactShown } from '../../../features/artifacts/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { renderTable } from './anything.ts';

export function renderArtifactList({ artifacts, project }: ArtifactList, term: Terminal): string {
  if (artifacts.length === 0) return `${term.style('dim', `No artifacts in ${project} yet.`)}\n`;
  const rows = artifacts.map(({ date, status, path, title, problems }) => [
    (date ?? '–').slice(0, 10),
    oneLine(status ?? '–', 14),
    path,
    `${problems.length > 0 ? `${term.style('red', '▲')} ` : ''}${oneLine(title, 60)}`,
  ]);
  return renderTable(['date', 'status', 'path', 'title'], rows, term);
}

export function renderArtifactShown(shown: ArtifactShown, term: Terminal): string {
  const { title, ...fields } = shown.frontmatter;
  const facts = Object.entries(fields).filter(([, value]) => isWorthALine(value));
  const makerLabel = shown.produced_by.length > 0 ? ['made by'] : [];
  const width = Math.max(0, ...[...facts.map(([name]) => name), ...makerLabel].map((name) => name.length));
  const lines = facts.map(
    ([name, value]) => `${term.style('dim', plainText(name).padEnd(width))}  ${oneLine(wordsOf(value), 100)}\n`,
  );
  const makers = shown.produced_by.map(
    ({ kind, id }) => `${term.style('dim', 'made by'.padEnd(width))}  ${kind} ${id}\n`,
  );
  const problems = shown.problems.map(
    ({ line, message }) => `${term.style('red', '▲')} line ${line}: ${plainText(message)}\n`,
  );
  const head = `${term.style('bold', plainText(typeof title === 'string' ? title : shown.path))}\n`;
  return [head, ...lines, ...makers, ...problems, '\n', `${plainText(shown.body).trim()}\n`].join('');
}

function isWorthALine(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
