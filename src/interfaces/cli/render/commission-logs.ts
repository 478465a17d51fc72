/** What a worker says and does, as lines: for what is written down already, and for what comes. */
import type { CommissionLogs, JournalEntry } from '../../../features/commissions/contract.ts';
import { toolLine } from '../follow.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging, type Wrap, wrapFor } from '../wrap.ts';

/** Prints entries one after another: words run on, everything else stands in a line of its own. */
export interface LogPrinter {
  readonly term: Terminal;
  readonly wrap: Wrap;
  readonly write: (text: string) => void;
  atLineStart: boolean;
}

export function createLogPrinter(term: Terminal, write: (text: string) => void): LogPrinter {
  return { term, wrap: wrapFor(term), write, atLineStart: true };
}

export function renderCommissionLogs(logs: CommissionLogs, term: Terminal): string {
  if (logs.attempt === 0) {
    return term.style('dim', term.hint(`Nothing has run yet. Start it: guild-hall commission dispatch ${logs.id}\n`));
  }
  let text = '';
  const printer = createLogPrinter(term, (piece) => (text += piece));
  printEntries(printer, logs.entries);
  endWords(printer);
  const more = logs.hasMore ? `Go on: guild-hall commission logs ${logs.id} --from ${logs.next}\n` : '';
  return text + term.style('dim', term.hint(more));
}

export function printEntries(printer: LogPrinter, entries: readonly JournalEntry[]): void {
  for (const entry of entries) printEntry(printer, entry);
}

function printEntry(printer: LogPrinter, entry: JournalEntry): void {
  if (entry.kind === 'text') return say(printer, printer.wrap.push(plainText(entry.text)));
  const line = lineOf(entry, printer.term);
  if (line === undefined) return undefined;
  endWords(printer);
  return printer.write(`${line}\n`);
}

/** Ends a line of words that is half written. */
export function endWords(printer: LogPrinter): void {
  say(printer, printer.wrap.flush());
  if (!printer.atLineStart) say(printer, '\n');
}

/** Words that run on; they end a line only where they say so. */
export function say(printer: LogPrinter, text: string): void {
  if (text === '') return;
  printer.write(text);
  printer.atLineStart = text.endsWith('\n');
}

/** Undefined for what only tells that the worker lives. */
function lineOf(entry: JournalEntry, term: Terminal): string | undefined {
  const quiet = (text: string, indent = ''): string =>
    term.style('dim', indent + oneLine(text, term.width - indent.length));
  switch (entry.kind) {
    case 'started':
      return quiet(`● started on ${entry.model}${entry.sandbox === 'none' ? ', not sandboxed' : ''}`);
    case 'thought':
      return quiet(entry.text, '  ');
    case 'tool':
      return term.style('dim', toolLine({ name: entry.name, input: inputOf(entry.input) }, term.width));
    case 'tool_result':
      return entry.ok ? undefined : quiet(`${entry.name} failed: ${entry.summary}`, '  ');
    case 'retry':
      return quiet(`↻ ${entry.errorClass}, trying again in ${Math.ceil(entry.delayMs / 1000)} s`);
    case 'progress':
      return marked(term, '▸', entry.text);
    case 'question':
      return marked(term, '?', `${entry.id}: ${entry.text}`);
    case 'decision':
      return marked(term, '◆', `decided: ${entry.question} ${entry.decision}`);
    case 'artifact':
      return marked(term, '+', entry.path);
    case 'result':
      return marked(term, '✓', entry.summary);
    case 'heard':
      return quiet('» your words reached it');
    case 'ended':
      return endLine(entry, term);
    default:
      return undefined;
  }
}

function endLine(entry: Extract<JournalEntry, { kind: 'ended' }>, term: Terminal): string {
  if (entry.how === 'done') return term.style('dim', '● its process came to its end');
  const words = [entry.how === 'stopped' ? 'stopped' : 'failed', entry.reason].filter((part) => part !== '').join(': ');
  return marked(term, '▲', entry.hint === '' ? words : `${words} (${entry.hint})`);
}

function marked(term: Terminal, mark: string, text: string): string {
  const flat = plainText(text).replaceAll(/\s+/g, ' ').trim();
  return `${term.style('bold', mark)} ${term.isTty ? hanging(flat, 2, term.width) : flat}`;
}

/** Inputs are kept as text, cut where they were long. */
function inputOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut, or no JSON at all: shown as it is.
    return text === '' ? {} : { description: text };
  }
}
