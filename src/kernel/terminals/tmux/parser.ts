/**
 * What tmux says on a control connection, from bytes to events. The content of a reply may be what a program put on its
 * screen, and that may look like tmux's own lines: so the end of a reply is known by its number, and where the content
 * is not ours, by its length.
 */
import { type PaneId, paneIdSchema } from '../contract.ts';
import { bytesOfOutput } from './words.ts';

export type ControlEvent =
  | { readonly kind: 'output'; readonly pane: PaneId; readonly bytes: Buffer }
  /** Of a command that came over this connection. `text` is without the last line break, where its length was not known. */
  | { readonly kind: 'reply'; readonly ok: boolean; readonly text: Buffer }
  /** `%window-close @3`: the name without the percent sign, and the rest of the line. */
  | { readonly kind: 'notice'; readonly name: string; readonly rest: string };

export interface ControlParser {
  /** Bytes of a line, or of a reply, that is not whole yet. */
  rest: Buffer[];
  block: Block | undefined;
  readonly onEvent: (event: ControlEvent) => void;
  /** How many bytes the reply that begins now has, its last line break included; undefined: its last line ends it. */
  readonly lengthOfNext: () => number | undefined;
}

interface Block {
  readonly number: string;
  readonly isOurs: boolean;
  readonly lines: Buffer[];
  /** Bytes that are still to come, whatever they look like. */
  missing: number;
  /** The bytes whose number was known. */
  exact: Buffer | undefined;
}

const newline = 0x0a;

export function createParser(handlers: Pick<ControlParser, 'onEvent' | 'lengthOfNext'>): ControlParser {
  return { rest: [], block: undefined, ...handlers };
}

export function feedParser(parser: ControlParser, chunk: Buffer): void {
  let from = 0;
  while (from < chunk.length) {
    const { block } = parser;
    if (block !== undefined && block.missing > 0) {
      const take = Math.min(block.missing, chunk.length - from);
      parser.rest.push(chunk.subarray(from, from + take));
      block.missing -= take;
      from += take;
      if (block.missing === 0) block.exact = takeRest(parser);
      continue;
    }
    const end = chunk.indexOf(newline, from);
    if (end === -1) {
      parser.rest.push(chunk.subarray(from));
      return;
    }
    parser.rest.push(chunk.subarray(from, end));
    from = end + 1;
    readLine(parser, takeRest(parser));
  }
}

function takeRest(parser: ControlParser): Buffer {
  const { rest } = parser;
  parser.rest = [];
  return rest.length === 1 ? rest[0]! : Buffer.concat(rest);
}

const outputStart = Buffer.from('%output %');
const maxWordLength = 12;

function readLine(parser: ControlParser, line: Buffer): void {
  const { block } = parser;
  if (block !== undefined) {
    readBlockLine(parser, block, line);
    return;
  }
  if (line.subarray(0, outputStart.length).equals(outputStart)) {
    const blank = line.indexOf(0x20, outputStart.length);
    const pane = paneIdSchema.safeParse(line.toString('latin1', outputStart.length - 1, blank));
    if (blank !== -1 && blank < outputStart.length + maxWordLength && pane.success)
      parser.onEvent({ kind: 'output', pane: pane.data, bytes: bytesOfOutput(line.subarray(blank + 1)) });
    return;
  }
  const match = /^%([a-z-]+)(?: (.*))?$/s.exec(line.toString('utf8'));
  if (match === null) return;
  const [, name = '', rest = ''] = match;
  if (name === 'begin') parser.block = beginBlock(parser, rest);
  else parser.onEvent({ kind: 'notice', name, rest });
}

/** @param rest `<seconds> <number> <flags>`; flag 1 says that it answers a command of this connection */
function beginBlock(parser: ControlParser, rest: string): Block {
  const isOurs = rest.endsWith(' 1');
  const length = isOurs ? parser.lengthOfNext() : undefined;
  return { number: rest, isOurs, lines: [], missing: length ?? 0, exact: undefined };
}

function readBlockLine(parser: ControlParser, block: Block, line: Buffer): void {
  const text = line.length < 80 && line[0] === 0x25 ? line.toString('latin1') : '';
  const ok = text === `%end ${block.number}`;
  if (!ok && text !== `%error ${block.number}`) {
    block.lines.push(line);
    return;
  }
  parser.block = undefined;
  if (block.isOurs) parser.onEvent({ kind: 'reply', ok, text: block.exact ?? joined(block.lines) });
}

function joined(lines: readonly Buffer[]): Buffer {
  if (lines.length === 1) return lines[0]!;
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line])));
}
