/** What an agent says and does in a session, as lines: for what is written down already, and for what comes. */
import type { MessagePart, PermissionPart, ToolPart } from '../../../features/sessions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { endWords, type LogPrinter, say } from './commission-logs.ts';

export function printPart(printer: LogPrinter, part: MessagePart): void {
  if (part.type === 'text') return say(printer, printer.wrap.push(plainText(part.text)));
  if (part.type === 'thought') return printLine(printer, quiet(printer.term, part.text, '  '));
  if (part.type === 'tool') return printTool(printer, part);
  return printLine(printer, permissionLine(part, printer.term));
}

/** A line of its own. */
export function printLine(printer: LogPrinter, line: string): void {
  endWords(printer);
  printer.write(`${line}\n`);
}

function printTool(printer: LogPrinter, part: ToolPart): void {
  printLine(printer, callLine(part, printer.term));
  if (part.state === 'failed') printLine(printer, failureLine(part.name, part.summary, printer.term));
}

export function quiet(term: Terminal, text: string, indent = ''): string {
  return term.style('dim', indent + oneLine(text, term.width - indent.length));
}

/** One quiet line for a call: `· Read src/main.ts`. */
export function callLine({ title, name }: Pick<ToolPart, 'title' | 'name'>, term: Terminal): string {
  return quiet(term, `· ${title === '' ? name : title}`);
}

export function failureLine(name: string, summary: string, term: Terminal): string {
  return quiet(term, `${name} failed: ${summary}`, '  ');
}

type Question = Pick<PermissionPart, 'title' | 'name' | 'options' | 'outcome'>;

/** What was asked, and what came of it. */
export function permissionLine(part: Question, term: Terminal): string {
  const { title, name, options, outcome } = part;
  const option =
    outcome === null || outcome === 'cancelled' ? undefined : options.find(({ id }) => id === outcome.optionId);
  const end = outcome === null ? 'waits for you' : (option?.name ?? 'nobody answered');
  return `${term.style('bold', '?')} ${oneLine(`${title === '' ? name : title}: ${end}`, term.width - 2)}`;
}

/** How a question is answered from another terminal, or a script. */
export function howToAnswer(id: string, { options }: Pick<PermissionPart, 'options'>, term: Terminal): string {
  const ways = options.map((option) => `  ${term.hint(`guild-hall session answer ${id} ${option.id}`)}`);
  const width = Math.max(...ways.map((way) => way.length));
  return ways.map((way, index) => `${way.padEnd(width)}  ${oneLine(options[index]!.name, 60)}\n`).join('');
}
