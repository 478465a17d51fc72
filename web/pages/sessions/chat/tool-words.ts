/** What an agent's tool calls do, in a few words. Pure. */
import type { ToolPart } from '../../../../src/features/sessions/contract.ts';
import { kindOf, subjectOf, toolName } from '../../../kit/steps/steps.ts';

export type WorkKind = 'read' | 'search' | 'change' | 'run' | 'fetch' | 'note' | 'other';

const kinds: Readonly<Record<string, WorkKind>> = {
  read: 'read',
  edit: 'change',
  delete: 'change',
  move: 'change',
  search: 'search',
  execute: 'run',
  think: 'note',
  fetch: 'fetch',
};

const byName = { read: 'read', search: 'search', write: 'change', run: 'run', record: 'note', other: 'other' } as const;

/** As the agent says, else as the tool's name tells. */
export function workKind({ kind, name }: Pick<ToolPart, 'kind' | 'name'>): WorkKind {
  return kinds[kind] ?? byName[kindOf(name)];
}

/** A path as people read it: below the folder in which the agent works. */
export function shortPath(path: string, folder: string): string {
  return folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

export interface ToolWords {
  /** What is done: `Read`, or the agent's own words for it. */
  readonly verb: string;
  /** To what: a path, a command, a pattern; empty for nothing. */
  readonly subject: string;
}

/** `Read` `src/parse.ts`. What the agent says itself goes before. */
export function toolWords(tool: Pick<ToolPart, 'name' | 'title' | 'input' | 'diffs'>, folder: string): ToolWords {
  const { name, title, input, diffs } = tool;
  const about = subjectOf({ input });
  const own = title.trim().replaceAll(/\s+/g, ' ');
  const within = (text: string) => text.replaceAll(folder === '' ? '\0' : `${folder}/`, '');
  // A title may be the command alone: then the name of the tool is the verb.
  const isNew = own !== '' && own !== name && own !== toolName(name) && own !== about.replaceAll(/\s+/g, ' ');
  if (isNew) return splitTitle(within(own), within(about));
  const path = diffs[0]?.path;
  return { verb: toolName(name), subject: within(about === '' && path !== undefined ? path : about) };
}

/** "Read `src/a.ts`" and "Read src/a.ts" tell the same: the name of a file or a command is set as such. */
function splitTitle(title: string, about: string): ToolWords {
  if (about !== '' && title.endsWith(` ${about}`)) return { verb: title.slice(0, -about.length - 1), subject: about };
  const code = /^([^`]*?)\s*`([^`]+)`$/.exec(title);
  if (code !== null) return { verb: code[1]!, subject: code[2]! };
  const path = /^(\p{Lu}[\p{L}-]*) (\S*[./]\S*)$/u.exec(title);
  return path === null ? { verb: title, subject: '' } : { verb: path[1]!, subject: path[2]! };
}

/** `14 steps: read 3 files, changed 2 files, ran 4 commands, 1 failed`. */
export function sayWork(tools: readonly ToolPart[]): string {
  const order: readonly WorkKind[] = ['read', 'search', 'fetch', 'change', 'run', 'note', 'other'];
  const said = order.flatMap(
    (kind) =>
      sayKind(
        kind,
        tools.filter((tool) => workKind(tool) === kind),
      ) ?? [],
  );
  const failed = tools.filter(({ state }) => state === 'failed').length;
  return `${tools.length} steps: ${[...said, ...(failed === 0 ? [] : [`${failed} failed`])].join(', ')}`;
}

function sayKind(kind: WorkKind, tools: readonly ToolPart[]): string | undefined {
  if (tools.length === 0) return undefined;
  const things = new Set(tools.map((tool) => toolWords(tool, '').subject || tool.callId)).size;
  switch (kind) {
    case 'read':
      return `read ${count(things, 'file')}`;
    case 'search':
      return tools.length === 1 ? 'searched once' : `searched ${tools.length} times`;
    case 'fetch':
      return `fetched ${count(things, 'page')}`;
    case 'change':
      return `changed ${count(filesOf(tools) || things, 'file')}`;
    case 'run':
      return `ran ${count(tools.length, 'command')}`;
    case 'note':
      return `noted ${count(tools.length, 'thing')}`;
    case 'other':
      return `used ${[...new Set(tools.map(({ name }) => toolName(name)))].slice(0, 3).join(', ')}`;
  }
}

function filesOf(tools: readonly ToolPart[]): number {
  return new Set(tools.flatMap(({ diffs }) => diffs.map(({ path }) => path))).size;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

const doing: Readonly<Record<WorkKind, string>> = {
  read: 'Reading',
  search: 'Searching for',
  fetch: 'Fetching',
  change: 'Changing',
  run: 'Running',
  note: 'Noting',
  other: 'Using',
};

/** A call that is under way: `Reading src/parse.ts`, or the agent's own words for it. */
export function sayDoing(tool: ToolPart, folder: string): string {
  const { verb, subject } = toolWords(tool, folder);
  if (subject === '') return verb === toolName(tool.name) ? `${doing.other} ${verb}` : verb;
  return `${doing[workKind(tool)]} ${subject}`;
}
