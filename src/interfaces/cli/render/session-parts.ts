/** What an agent says and does in a session, as lines: for what is written down already, and for what comes. */
import type { MessagePart, PermissionPart, ToolPart } from '../../../features/sessions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { endWords, type LogPrinter, say } from './commission-logs.ts';
import { inShell } from './session-next.ts';

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

/** What was asked, and what came of it. */
export function permissionLine(
  part: Pick<PermissionPart, 'title' | 'name' | 'options' | 'outcome'>,
  term: Terminal,
): string {
  const { title, name, options, outcome } = part;
  const option =
    outcome === null || outcome === 'cancelled' ? undefined : options.find(({ id }) => id === outcome.optionId);
  const end = outcome === null ? 'waits for you' : (option?.name ?? 'nobody answered');
  return `${term.style('bold', '?')} ${oneLine(`${title === '' ? name : title}: ${end}`, term.width - 2)}`;
}

/**
 * How a question is answered from another terminal, or a script.
 * @param isOnly where others wait too, the answer has to name which it is for
 */
export function howToAnswer(
  id: string,
  part: Pick<PermissionPart, 'requestId' | 'options'>,
  isOnly: boolean,
  term: Terminal,
): string {
  const which = isOnly ? '' : `--request ${part.requestId} `;
  const command = term.hint(`guild-hall session answer ${id}`);
  const ways = part.options.map((option) => `  ${command} ${which}${wordFor(option)}`);
  const width = Math.max(...ways.map((way) => way.length));
  return ways.map((way, index) => `${way.padEnd(width)}  ${oneLine(part.options[index]!.name, 60)}\n`).join('');
}

/** The agent made the id up: one that cannot be typed as it stands is answered by what it does. */
function wordFor({ id, kind }: PermissionPart['options'][number]): string {
  if (oneLine(id, longestOption) === id && !id.startsWith('-')) return inShell(id);
  return kind.startsWith('allow_') ? 'allow' : 'refuse';
}

/** Of what `session answer` takes. Characters. */
const longestOption = 200;
