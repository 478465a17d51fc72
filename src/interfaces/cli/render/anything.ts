/** A readable form of any answer, for operations that bring no renderer of their own. */
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { renderTable } from './table.ts';

type Fields = Record<string, unknown>;

/** Ends with a line break. */
export function renderAnything(value: unknown, term: Terminal): string {
  if (!isFields(value)) return Array.isArray(value) ? renderList(value, term) : `${scalar(value)}\n`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const [only] = entries;
  if (entries.length === 1 && only && Array.isArray(only[1])) return renderList(only[1], term, only[0]);
  return renderFields(entries, term);
}

function renderList(list: readonly unknown[], term: Terminal, noun = 'entries'): string {
  if (list.length === 0) return `${term.style('dim', `no ${spoken(noun)}`)}\n`;
  if (!list.every(isFields)) return `${list.map((each) => `· ${scalar(each)}`).join('\n')}\n`;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))].filter((name) =>
    list.some((row) => isShort(row[name])),
  );
  const rows = list.map((row) => columns.map((name) => oneLine(scalar(row[name]), 60)));
  return renderTable(columns.map(spoken), rows, term);
}

function renderFields(entries: readonly [string, unknown][], term: Terminal, indent = ''): string {
  const short = entries.filter(([, value]) => (value === null || isShort(value)) && !scalar(value).includes('\n'));
  const width = Math.max(0, ...short.map(([name]) => spoken(name).length));
  const lines = entries.map(([name, value]) => {
    const label = term.style('dim', spoken(name));
    if (Array.isArray(value) && value.length === 0) return '';
    if (isFields(value)) return `${indent}${label}\n${renderFields(Object.entries(value), term, `${indent}  `)}`;
    if (Array.isArray(value)) return `${indent}${label}\n${indented(renderList(value, term), `${indent}  `)}`;
    const text = scalar(value);
    if (text.includes('\n')) return `${indent}${label}\n${indented(text, `${indent}  `)}\n`;
    return `${indent}${term.style('dim', spoken(name).padEnd(width))}  ${text}\n`;
  });
  return lines.join('');
}

function indented(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isShort(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'object';
}

/** `integrationBranch`, `started_at` → `integration branch`, `started at`. */
function spoken(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value));
}
