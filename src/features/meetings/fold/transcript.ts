/**
 * The form of a transcript. Pure; the one parser and printer for server and web.
 *
 *     ## User (2026-02-14T09:30:00.000Z) turn 1 m-x7k2
 *     How does it work?
 *
 *     ## Assistant (2026-02-14T09:30:09.120Z) turn 1 done
 *     > Tool: Grep "work": 3 lines
 *     > Call: {"callId":"c1","name":"Grep","input":{"pattern":"work"},"result":{"ok":true,"summary":"3 lines"},"after":0}
 *     > Usage: 5120 in, 240 out, 0.0123 USD, context 5120 of 200000
 *     Like this …
 *
 * No text can forge an entry, a tool line, an error or a use: a line of the text that looks like one, behind any number
 * of backslashes, is written with one backslash more, and read with one less.
 */
import { toolCallSchema, type ToolCallView, type TranscriptEntry, type Usage } from '../contract.ts';
import { oneLine, toolLine } from './lines.ts';

const ownLine = /^\\*(?:## |> (?:Tool|Call|Error|Hint|Usage): )/;
const heading = /^## (User|Assistant) \(([^()\n]{1,40})\) turn (\d{1,9}) ([A-Za-z0-9_-]{1,60})$/;
const factLine = /^> (Tool|Call|Error|Hint|Usage): (.*)$/s;
const usageLine = /^(\d+) in, (\d+) out, (?:([\d.e-]+) USD|cost unknown)(?:, context (\d+) of (\d+))?$/;

/** One entry, ready to be appended. Text round-trips exactly; a tool's line or an error is folded into one line. */
export function printEntry(entry: TranscriptEntry): string {
  const speaker = entry.speaker === 'user' ? 'User' : 'Assistant';
  const facts = [
    ...entry.tools.flatMap(printCall),
    ...(entry.error === null ? [] : [`> Error: ${oneLine(entry.error, 1000)}\n`]),
    ...(entry.hint === null ? [] : [`> Hint: ${oneLine(entry.hint, 1000)}\n`]),
    ...(entry.usage === null ? [] : [`> Usage: ${printUsage(entry.usage)}\n`]),
  ];
  return `## ${speaker} (${entry.at}) turn ${entry.turn} ${entry.mark}\n${facts.join('')}${guard(entry.text)}\n\n`;
}

function printCall({ line, ...call }: ToolCallView): string[] {
  const shown = `> Tool: ${oneLine(line)}\n`;
  return call.callId === '' ? [shown] : [shown, `> Call: ${JSON.stringify(call)}\n`];
}

function printUsage({ inputTokens, outputTokens, costUsd, contextUsed, contextWindow }: Usage): string {
  const cost = costUsd === null ? 'cost unknown' : `${costUsd} USD`;
  const context = contextUsed === null || contextWindow === null ? '' : `, context ${contextUsed} of ${contextWindow}`;
  return `${inputTokens} in, ${outputTokens} out, ${cost}${context}`;
}

export interface ParsedTranscript {
  readonly entries: readonly TranscriptEntry[];
  /** The last entry was cut off while it was being written. */
  readonly torn: boolean;
  /** Numbers (from 1) of lines before the first heading; the hall writes none there. */
  readonly strayLines: readonly number[];
}

/** Reads a whole transcript. Never fails. */
export function parseTranscript(source: string): ParsedTranscript {
  const lines = source.split('\n');
  const starts = lines.flatMap((line, index) => (heading.test(line) ? [index] : []));
  const torn = starts.length > 0 && !source.endsWith('\n\n');
  const entries = starts.map((start, nth) => {
    const next = starts[nth + 1];
    // An entry ends with one empty line; at the end of the file the split leaves one more.
    const end = next === undefined ? lines.length - (torn ? 0 : 2) : next - 1;
    return readEntry(lines[start]!, lines.slice(start + 1, Math.max(start + 1, end)));
  });
  const strayLines = lines
    .slice(0, starts[0] ?? lines.length)
    .flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
  return { entries, torn, strayLines };
}

interface Facts {
  tools: ToolCallView[];
  error: string | null;
  hint: string | null;
  usage: Usage | null;
}

function readEntry(head: string, body: readonly string[]): TranscriptEntry {
  const [, speaker, at, turn, mark] = heading.exec(head)!;
  const facts: Facts = { tools: [], error: null, hint: null, usage: null };
  let first = 0;
  for (; first < body.length; first += 1) {
    const [, kind, value] = factLine.exec(body[first]!) ?? [];
    if (kind === undefined) break;
    addFact(facts, kind, value!);
  }
  const text = body.slice(first).map(unguardLine).join('\n');
  return {
    speaker: speaker === 'User' ? 'user' : 'assistant',
    at: at!,
    turn: Number(turn),
    mark: mark!,
    text,
    ...facts,
  };
}

function addFact(facts: Facts, kind: string, value: string): void {
  if (kind === 'Tool') facts.tools.push(callOfLine(value));
  else if (kind === 'Call')
    facts.tools = [...facts.tools.slice(0, -1), ...facts.tools.slice(-1).map((call) => readCall(value) ?? call)];
  else if (kind === 'Error') facts.error = value;
  else if (kind === 'Hint') facts.hint = value;
  else facts.usage = readUsage(value);
}

/** What is known of a call of which only the line was kept. */
function callOfLine(line: string): ToolCallView {
  return { callId: '', name: line.split(' ', 1)[0]!.replace(/:$/, ''), input: null, result: null, after: 0, line };
}

function readCall(json: string): ToolCallView | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Somebody edited the file; the line above still tells of the call.
    return undefined;
  }
  const call = toolCallSchema.omit({ line: true }).safeParse(value).data;
  return call === undefined ? undefined : { ...call, line: toolLine(call, true) };
}

function readUsage(text: string): Usage | null {
  const found = usageLine.exec(text);
  if (found === null) return null;
  const [, inputTokens, outputTokens, costUsd, contextUsed, contextWindow] = found;
  const numberOr = (word: string | undefined): number | null => (word === undefined ? null : Number(word));
  return {
    inputTokens: Number(inputTokens),
    outputTokens: Number(outputTokens),
    costUsd: numberOr(costUsd),
    contextUsed: numberOr(contextUsed),
    contextWindow: numberOr(contextWindow),
  };
}

function guard(text: string): string {
  return text
    .split('\n')
    .map((line) => (ownLine.test(line) ? `\\${line}` : line))
    .join('\n');
}

function unguardLine(line: string): string {
  return line.startsWith('\\') && ownLine.test(line) ? line.slice(1) : line;
}
