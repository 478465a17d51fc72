/** Short forms in which a conversation shows and keeps what is long. Pure; applied twice, each changes nothing more. */
import { bounded, wellFormed } from '../../../kernel/pure/text.ts';
import type { ToolCallView } from '../contract.ts';

/** Bounds of a tool call's input as it is shown: characters of one text and of all of it, depth, items of a list. */
const longestText = 300;
const largestInput = 2000;
const deepest = 5;
const mostItems = 50;
/** Characters of a tool's result as it is shown. */
const longestSummary = 1000;

/** At most `limit` characters on one line, so that it can stand in a line of its own. */
export function oneLine(text: string, limit = 300): string {
  return wellFormed(text.replaceAll(/\s+/g, ' ').trim().slice(0, limit).trimEnd());
}

export function boundedSummary(summary: string): string {
  return bounded(summary, longestSummary);
}

/** A tool's input with its long texts, long lists and deep places cut short. Always has a JSON form. */
export function boundedInput(input: unknown): unknown {
  const value = boundedValue(input, deepest);
  const json = JSON.stringify(value);
  return json.length <= largestInput ? value : bounded(json, longestText);
}

function boundedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return bounded(value, longestText);
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return '…';
  const within = (item: unknown): unknown => boundedValue(item, depth - 1);
  if (Array.isArray(value)) {
    return value.length <= mostItems ? value.map(within) : [...value.slice(0, mostItems - 1).map(within), '…'];
  }
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(fields.slice(0, mostItems).map(([name, item]) => [bounded(name, 100), within(item)]));
}

/** A call as one quiet line: `Grep "x": 3 lines`; without the last part while it has no result. */
export function toolLine(call: Pick<ToolCallView, 'name' | 'input' | 'result'>, hasEnded: boolean): string {
  const what = `${call.name} ${inputInBrief(call.input)}`.trimEnd();
  if (call.result === null) return oneLine(hasEnded ? `${what}: no result` : what, 280);
  return oneLine(`${what}: ${call.result.ok ? call.result.summary : `failed: ${call.result.summary}`}`, 280);
}

/** The one value of a tool's input that tells most, for a quiet line: a path, a pattern, the first text. */
export function inputInBrief(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const fields = Object.entries(input).filter((field): field is [string, string] => typeof field[1] === 'string');
  const telling = fields.find(([name]) => /path|pattern|file|query|name|question|summary/.test(name)) ?? fields[0];
  return telling === undefined ? '' : JSON.stringify(telling[1].slice(0, 100));
}
