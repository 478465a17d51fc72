/** What a call of the agent's own tools does, in words and as changes of files. Pure: paths are words here. */
import { isAbsolute, relative } from 'node:path';
import type { AgentDiff } from '../../contract.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Longest change that is told, both texts together. Characters. */
const maxDiff = 200_000;
const maxTitle = 120;

export function fieldsOf(input: unknown): Fields {
  return typeof input === 'object' && input !== null ? (input as Fields) : {};
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

interface ToolWords {
  readonly kind: string;
  readonly title: (fields: Fields, cwd: string) => string;
}

const ofFile =
  (verb: string, field = 'file_path') =>
  (fields: Fields, cwd: string): string =>
    `${verb} ${shownPath(text(fields, field), cwd)}`;

const tools: Readonly<Record<string, ToolWords>> = {
  Read: { kind: 'read', title: ofFile('Read') },
  Write: { kind: 'edit', title: ofFile('Write') },
  Edit: { kind: 'edit', title: ofFile('Edit') },
  MultiEdit: { kind: 'edit', title: ofFile('Edit') },
  NotebookEdit: { kind: 'edit', title: ofFile('Edit', 'notebook_path') },
  Grep: { kind: 'search', title: (fields) => `Search for ${text(fields, 'pattern')}` },
  Glob: { kind: 'search', title: (fields) => `Find ${text(fields, 'pattern')}` },
  Bash: { kind: 'execute', title: (fields) => text(fields, 'command') },
  WebFetch: { kind: 'fetch', title: (fields) => `Fetch ${text(fields, 'url')}` },
  WebSearch: { kind: 'fetch', title: (fields) => `Search the web for ${text(fields, 'query')}` },
  TodoWrite: { kind: 'think', title: () => 'Keep the list of what is to do' },
};

/** Title and kind of a call; nothing for tools that are not the agent's own. */
export function describeCall(name: string, input: unknown, cwd: string): { title?: string; kind?: string } {
  const words = tools[name];
  if (!words) return {};
  const title = words.title(fieldsOf(input), cwd).split('\n', 1)[0]!.trim();
  return { title: title.length <= maxTitle ? title : `${title.slice(0, maxTitle - 1)}…`, kind: words.kind };
}

/** Below the working directory as it is seen from there. */
function shownPath(path: string, cwd: string): string {
  if (cwd === '' || !isAbsolute(path)) return path;
  const inside = relative(cwd, path);
  return inside === '' || inside.startsWith('..') ? path : inside;
}

/** What a call is going to change. @param before what `Write` would write over; null for a new file */
export function changesOf(name: string, input: unknown, before: string | null): readonly AgentDiff[] {
  const fields = fieldsOf(input);
  const path = text(fields, 'file_path');
  if (name === 'Write') return bounded([{ path, oldText: before, newText: text(fields, 'content') }]);
  if (name === 'Edit') return bounded([editOf(path, fields)]);
  if (name !== 'MultiEdit' || !Array.isArray(fields['edits'])) return [];
  return bounded(fields['edits'].map((edit) => editOf(path, fieldsOf(edit))));
}

function editOf(path: string, edit: Fields): AgentDiff {
  return { path, oldText: text(edit, 'old_string'), newText: text(edit, 'new_string') };
}

/** What a call has changed, from what its tool told the agent's program. */
export function changedBy(name: string, result: unknown): readonly AgentDiff[] {
  const fields = fieldsOf(result);
  const path = text(fields, 'filePath');
  if (path === '') return [];
  if (name === 'Write') {
    const before = fields['originalFile'];
    return bounded([{ path, oldText: typeof before === 'string' ? before : null, newText: text(fields, 'content') }]);
  }
  if (name === 'Edit') {
    return bounded([{ path, oldText: text(fields, 'oldString'), newText: text(fields, 'newString') }]);
  }
  const edits = name === 'MultiEdit' && Array.isArray(fields['edits']) ? fields['edits'] : [];
  return bounded(edits.map((edit) => editOf(path, fieldsOf(edit))));
}

function bounded(diffs: readonly AgentDiff[]): readonly AgentDiff[] {
  const size = diffs.reduce((sum, { oldText, newText }) => sum + (oldText ?? '').length + newText.length, 0);
  return size > maxDiff ? [] : diffs;
}
