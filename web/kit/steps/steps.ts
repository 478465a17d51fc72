/** What tool calls did, in a few words. Pure. */
import type { ToolCallView } from '../../../src/features/meetings/contract.ts';
import { inputInBrief } from '../../../src/features/meetings/fold/lines.ts';

export type StepKind = 'read' | 'search' | 'write' | 'run' | 'record' | 'other';

const kinds: readonly (readonly [pattern: RegExp, kind: StepKind])[] = [
  [/^(?:Read|NotebookRead|WebFetch|read_.*|show_.*)$/, 'read'],
  [/^(?:Grep|Glob|LS|WebSearch|ToolSearch|search_.*|list_.*|find_.*)$/, 'search'],
  [/^(?:Write|Edit|MultiEdit|NotebookEdit|write_.*|edit_.*)$/, 'write'],
  [/^(?:Bash|BashOutput|run_.*)$/, 'run'],
  [/^(?:TodoWrite|record_.*|link_.*|propose_.*|summarize_.*|remember_.*|append_.*|send_.*)$/, 'record'],
];

/** A tool's name as people know it: `mcp__hall__write_artifact` is `write_artifact`. */
export function toolName(name: string): string {
  return name.replace(/^mcp__\w+?__/, '');
}

export function kindOf(name: string): StepKind {
  return kinds.find(([pattern]) => pattern.test(toolName(name)))?.[1] ?? 'other';
}

/** `3 steps: read 2 files, searched once`; a failure is told last. */
export function sayGroup(calls: readonly ToolCallView[]): string {
  const order: readonly StepKind[] = ['read', 'search', 'write', 'run', 'record', 'other'];
  const parts = order.flatMap(
    (kind) =>
      sayKind(
        kind,
        calls.filter((call) => kindOf(call.name) === kind),
      ) ?? [],
  );
  const failed = calls.filter(({ result }) => result?.ok === false).length;
  const failures = failed === 0 ? [] : [`${failed} failed`];
  return `${calls.length} steps: ${[...parts, ...failures].join(', ')}`;
}

function sayKind(kind: StepKind, calls: readonly ToolCallView[]): string | undefined {
  if (calls.length === 0) return undefined;
  const things = new Set(calls.map(({ input, line }) => inputInBrief(input) || line)).size;
  switch (kind) {
    case 'read':
      return `read ${count(things, 'file')}`;
    case 'search':
      return `searched ${calls.length === 1 ? 'once' : `${calls.length} times`}`;
    case 'write':
      return `wrote ${count(things, 'file')}`;
    case 'run':
      return `ran ${count(calls.length, 'command')}`;
    case 'record':
      return `noted ${count(calls.length, 'thing')}`;
    case 'other':
      return `used ${[...new Set(calls.map(({ name }) => toolName(name)))].join(', ')}`;
  }
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

const doing: Readonly<Record<StepKind, string>> = {
  read: 'Reading',
  search: 'Searching for',
  write: 'Writing',
  run: 'Running',
  record: 'Noting',
  other: 'Using',
};

/** What a call is about: `src/parse.ts`, or nothing where the input says nothing in a word. */
export function subjectOf(call: Pick<ToolCallView, 'input'>): string {
  const brief = inputInBrief(call.input);
  return brief === '' ? '' : String(JSON.parse(brief));
}

/** A call under way: `Reading src/parse.ts`. */
export function sayNow(call: ToolCallView): string {
  const kind = kindOf(call.name);
  const subject = subjectOf(call);
  return kind === 'other' || subject === ''
    ? `${doing.other} ${toolName(call.name)}${subject === '' ? '' : ` on ${subject}`}`
    : `${doing[kind]} ${subject}`;
}
