/** Artifacts for a person. */
import type {
  ArtifactEdited,
  ArtifactLink,
  ArtifactList,
  ArtifactShown,
} from '../../../features/artifacts/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { wrapped } from '../wrap.ts';
import { renderTable } from './table.ts';

export function renderArtifactList({ artifacts, project, note }: ArtifactList, term: Terminal): string {
  if (artifacts.length === 0) return `${term.style('dim', plainText(note ?? `No artifacts in ${project} yet.`))}\n`;
  const rows = artifacts.map(({ date, status, path, title, problems }) => [
    (date ?? '–').slice(0, 10),
    oneLine(status ?? '–', 14),
    path,
    `${problems.length > 0 ? `${term.style('red', '▲')} ` : ''}${oneLine(title, 60)}`,
  ]);
  return renderTable(['date', 'status', 'path', 'title'], rows, term);
}

/** What a reader looks for first; the other fields follow as they stand in the file. */
const firstFields = ['date', 'status', 'tags'];

export function renderArtifactShown(shown: ArtifactShown, term: Terminal): string {
  const { title, ...fields } = shown.frontmatter;
  const first = firstFields.filter((name) => isWorthALine(fields[name]));
  const rest = Object.entries(fields).filter(([name, value]) => !firstFields.includes(name) && isWorthALine(value));
  const facts: [string, string][] = [
    ['path', shown.path],
    ...first.map((name): [string, string] => [name, wordsOf(fields[name])]),
    ...shown.produced_by.map(({ kind, id }): [string, string] => ['made by', `${kind} ${id}`]),
    ...shown.history
      .slice(0, 1)
      .map(({ at, subject }): [string, string] => ['changed', `${at.slice(0, 10)} ${subject}`]),
    ...linksLine('links to', shown.linksTo),
    ...linksLine('linked from', shown.linkedFrom),
    ['revision', shown.revision],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${term.style('dim', name.padEnd(width))}  ${oneLine(value, 100)}\n`);
  const others = rest.map(([name, value]) => `${term.style('dim', oneLine(`${name}: ${wordsOf(value)}`, 100))}\n`);
  const problems = shown.problems.map(
    ({ line, message }) => `${term.style('red', '▲')} line ${line}: ${plainText(message)}\n`,
  );
  const head = `${term.style('bold', plainText(typeof title === 'string' ? title : shown.path))}\n`;
  const body = wrapped(plainText(shown.body).trim(), term);
  return [head, ...lines, ...others, ...problems, '\n', `${body}\n`].join('');
}

function linksLine(name: string, links: readonly ArtifactLink[]): [string, string][] {
  const paths = links.map(({ path, exists }) => (exists ? path : `${path} (missing)`));
  return paths.length === 0 ? [] : [[name, paths.join(', ')]];
}

export function renderArtifactEdited(edited: ArtifactEdited, term: Terminal): string {
  const { path, commit, revision, problems } = edited;
  const done = commit === null ? 'It was so already:' : `Committed as ${commit.slice(0, 10)}:`;
  const broken = problems.map(({ line, message }) => `${term.style('red', '▲')} line ${line}: ${plainText(message)}\n`);
  return `${term.style('green', '✓')} ${done} ${term.style('bold', plainText(path))}\n${broken.join('')}${term.style('dim', `revision  ${revision}`)}\n`;
}

function isWorthALine(value: unknown): boolean {
  return (value ?? '') !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Lists as `a, b`; fields as `name: value`, several entries of them with `;` between. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(value.some(isFields) ? '; ' : ', ');
  if (!isFields(value)) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${wordsOf(each)}`)
    .join(', ');
}

function isFields(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
}
