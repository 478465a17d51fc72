/** Scenario files: what the rehearsal does when a message matches. Written by people, in YAML. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

import { failureNames, type FailureName, isFailureName } from './failures.ts';

/** Where a scenario file is wrong, and what is expected there. */
export interface ScenarioProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type ScenarioStep =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'fail'; readonly failure: FailureName; readonly times: number };

export interface ScenarioEntry {
  readonly line: number;
  readonly match: RegExp;
  readonly worker: string | undefined;
  readonly activity: string | undefined;
  /** 1 for the first turn of a conversation. */
  readonly turn: number | undefined;
  /** Turns in which the entry is used; after them it no longer matches. */
  readonly times: number;
  readonly steps: readonly ScenarioStep[];
}

export interface Scenario {
  readonly entries: readonly ScenarioEntry[];
  readonly problems: readonly ScenarioProblem[];
}

interface Reader {
  readonly file: string;
  readonly lines: LineCounter;
  readonly problems: ScenarioProblem[];
}

const entryFields = ['match', 'worker', 'activity', 'turn', 'times', 'do', 'say', 'call', 'wait', 'fail'];

/** Reads a scenario. A wrong entry is left out and named; the others hold. Never throws. */
export function parseScenario(source: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const reader: Reader = { file, lines, problems: [] };
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    reader.problems.push({ file, line, column: col, message: error.message.split('\n')[0]! });
  }
  if (reader.problems.length > 0 || document.contents === null) return { entries: [], problems: reader.problems };
  if (!isSeq(document.contents)) {
    note(reader, document.contents, 'a scenario is a list of entries, each beginning with "- match:"');
    return { entries: [], problems: reader.problems };
  }
  const entries = document.contents.items.flatMap((item) => readEntry(reader, item as Node) ?? []);
  return { entries, problems: reader.problems };
}

function note(reader: Reader, node: Node | null | undefined, message: string): undefined {
  const { line, col } = reader.lines.linePos(node?.range?.[0] ?? 0);
  reader.problems.push({ file: reader.file, line, column: col, message });
  return undefined;
}

function readEntry(reader: Reader, node: Node): ScenarioEntry | undefined {
  if (!isMap(node)) return note(reader, node, 'an entry has fields, the first of them "match"');
  const before = reader.problems.length;
  for (const pair of node.items) {
    const key = pair.key as Node;
    const name = isScalar(key) ? String(key.value) : '?';
    if (!entryFields.includes(name))
      note(reader, key, `"${name}" is no field of an entry; there are ${entryFields.join(', ')}`);
  }
  const match = readMatch(reader, node.get('match', true) as Node | undefined, node);
  const steps = readSteps(reader, node);
  const turn = readNumber(reader, node.get('turn', true) as Node | undefined, 'turn');
  const times = readNumber(reader, node.get('times', true) as Node | undefined, 'times') ?? Number.POSITIVE_INFINITY;
  const line = reader.lines.linePos(node.range?.[0] ?? 0).line;
  if (match === undefined || reader.problems.length > before) return undefined;
  return {
    line,
    match,
    worker: textOf(node.get('worker')),
    activity: textOf(node.get('activity')),
    turn,
    times,
    steps,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** `/pattern/flags` is a regular expression, anything else a text that is contained, whatever its case. */
function readMatch(reader: Reader, node: Node | undefined, entry: Node): RegExp | undefined {
  const text = isScalar(node) ? textOf(node.value) : undefined;
  if (text === undefined || text === '') return note(reader, node ?? entry, 'match: a text or a /pattern/ is expected');
  const pattern = /^\/([\s\S]+)\/([a-z]*)$/.exec(text);
  try {
    return pattern === null
      ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'i')
      : new RegExp(pattern[1]!, pattern[2]);
  } catch (error) {
    return note(reader, node, `match: ${(error as Error).message}`);
  }
}

function readNumber(reader: Reader, node: Node | undefined, field: string): number | undefined {
  if (node === undefined) return undefined;
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  return note(reader, node, `${field}: a whole number from 1 on is expected`);
}

function readSteps(reader: Reader, node: Node): ScenarioStep[] {
  if (!isMap(node)) return [];
  const list = node.get('do', true) as Node | undefined;
  const nodes = list === undefined ? [node as Node] : isSeq(list) ? (list.items as Node[]) : [];
  if (list !== undefined && !isSeq(list)) note(reader, list, 'do: a list of say, call, wait and fail is expected');
  const before = reader.problems.length;
  const steps = nodes.flatMap((item) => readStepsOf(reader, item));
  if (steps.length === 0 && nodes.length > 0 && reader.problems.length === before)
    note(reader, node, 'an entry does something: say, call, wait, fail, or a list of them in "do"');
  return steps;
}

function readStepsOf(reader: Reader, node: Node): ScenarioStep[] {
  if (!isMap(node)) {
    note(reader, node, 'a step is one of say, call, wait, fail');
    return [];
  }
  const steps: ScenarioStep[] = [];
  for (const pair of node.items) {
    const name = isScalar(pair.key) ? pair.key.value : undefined;
    const value = pair.value as Node | null;
    const step =
      name === 'say'
        ? readSay(reader, value)
        : name === 'call'
          ? readCall(reader, value)
          : name === 'wait'
            ? readWait(reader, value)
            : name === 'fail'
              ? readFail(reader, value)
              : undefined;
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

/** A text, or `{ text: <text>, times: <number> }` for one that is said over and over. */
function readSay(reader: Reader, node: Node | null): ScenarioStep | undefined {
  if (!isMap(node)) {
    const text = isScalar(node) ? textOf(node.value) : undefined;
    return text === undefined ? note(reader, node, 'say: a text is expected') : { kind: 'say', text };
  }
  const text = textOf(node.get('text'));
  const times = readNumber(reader, node.get('times', true) as Node | undefined, 'times') ?? 1;
  if (text === undefined) return note(reader, node, 'say: { text: <text>, times: <number> } is expected');
  if (text.length * times > maxSaid) return note(reader, node, `say: at most ${maxSaid} characters`);
  return { kind: 'say', text: text.repeat(times) };
}

/** In one step. Characters. */
const maxSaid = 4_000_000;

function readCall(reader: Reader, node: Node | null): ScenarioStep | undefined {
  const tool = isMap(node) ? textOf(node.get('tool')) : undefined;
  if (!isMap(node) || tool === undefined) return note(reader, node, 'call: { tool: <name>, input: { … } } is expected');
  const input = node.get('input', true);
  if (input !== undefined && !isMap(input)) return note(reader, input as Node, 'input: fields are expected');
  return { kind: 'call', tool, input: isMap(input) ? (input.toJSON() as Record<string, unknown>) : {} };
}

function readWait(reader: Reader, node: Node | null): ScenarioStep | undefined {
  const match = isScalar(node) ? /^(\d+)\s*(ms|s)?$/.exec(String(node.value)) : null;
  if (match === null) return note(reader, node, 'wait: milliseconds are expected, like 500 or 2 s');
  return { kind: 'wait', ms: Number(match[1]) * (match[2] === 's' ? 1000 : 1) };
}

function readFail(reader: Reader, node: Node | null): ScenarioStep | undefined {
  const [, name = '', times] = /^([a-z_]+)(?:\s*x\s*(\d+))?$/.exec(isScalar(node) ? String(node.value) : '') ?? [];
  if (!isFailureName(name)) return note(reader, node, `fail: one of ${failureNames.join(', ')} is expected`);
  return { kind: 'fail', failure: name, times: times === undefined ? Number.POSITIVE_INFINITY : Number(times) };
}
