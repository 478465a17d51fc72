/**
 * Follows what an operation set going: prints the turn's words as they come, until its end. It knows the form of the
 * events, not whose they are; which subject and type to look for is handed in.
 */
import { z } from 'zod';
import { fail, errorTable, HallError, type ErrorCode } from '../../kernel/pure/errors.ts';
import { type HallClient, isAnswer } from './client.ts';
import { createProgress, type Progress, type Sleep } from './progress.ts';
import type { Prompt } from './prompt.ts';
import { printError } from './report.ts';
import { oneLine, plainText, type Terminal } from './terminal.ts';
import { type Wrap, wrapFor } from './wrap.ts';

export interface TurnFollow {
  /** Whose events: from the answer's id, `activity:<id>`. */
  readonly subjectOf: (id: string) => string;
  /** The type of the events that carry the turn. */
  readonly eventType: string;
  /** The operation that interrupts the running turn, given `{ id }`. */
  readonly interrupt: string;
  /** Types of events after which no turn of the subject can come any more. */
  readonly over: readonly string[];
  /** The command that goes on from here, shown when the turn has ended well. */
  readonly goOn?: (id: string) => string;
  /** The command that shows what was said so far. */
  readonly show: (id: string) => string;
}

/** What the answer of an operation that is followed holds, besides its own. */
export const followedAnswerSchema = z.looseObject({ id: z.string(), turn: z.number(), cursor: z.string() });

const turnEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool_result'), name: z.string(), summary: z.string(), ok: z.boolean().default(true) }),
  z.object({ type: z.literal('turn_end'), interrupted: z.boolean().default(false) }),
  z.object({ type: z.literal('error'), reason: z.string(), hint: z.string().optional(), code: z.string().optional() }),
]);
const turnDataSchema = z.object({ turn: z.number(), event: turnEventSchema });

type TurnEvent = z.infer<typeof turnEventSchema>;

/** Follows an answer in a way of its own. @returns the exit code */
export interface AnswerFollow {
  /** What its exit codes tell a script, besides 0: completes "with exit code". */
  readonly exits?: string;
  /** What words that are malformed end with, where a contract says otherwise than the table of errors. */
  readonly malformedExit?: number;
  /** Before the hall is asked: puts into the input what the person is asked for. */
  readonly prepare?: (parts: FollowParts, input: Record<string, unknown>, asJson: boolean) => Promise<void>;
  readonly run: (parts: FollowParts, client: HallClient, answer: unknown, asJson: boolean) => Promise<number>;
}

export interface FollowParts {
  readonly terminal: Terminal;
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly sleep: Sleep;
  /** Asks the person who sits at the terminal; undefined where nobody does. */
  readonly prompt?: Prompt | undefined;
  /** The hall again, when it was started anew. @throws HallError `unavailable` */
  readonly connect?: () => Promise<HallClient>;
  /** The time by this machine's clock, ISO 8601; undefined where nobody wants to know. */
  readonly nowIso?: (() => string) | undefined;
}

interface Printer {
  readonly term: Terminal;
  readonly asJson: boolean;
  readonly wrap: Wrap;
  /** Says that nothing comes. */
  readonly progress: Progress;
  atLineStart: boolean;
  saidWaiting: boolean;
  /** With --json: what the turn's events said, printed as one value at its end. */
  readonly reply: Reply;
}

interface Reply {
  text: string;
  readonly tools: { readonly name: string; readonly input: unknown }[];
  end: 'done' | 'interrupted' | 'failed' | 'left';
  error: { readonly reason: string; readonly hint: string } | null;
}

/** Seconds of silence after which it is said what is waited for. Within a line that would tear the words apart. */
const patience = { atLineStart: 2, withinLine: 10 };

/** The exit code of a program that was left by Ctrl-C. */
export const leftByInterrupt = 130;

/** @returns the exit code: 0 for a turn that ended well, 130 when the person left. @throws HallError when the hall goes */
export async function followTurn(
  parts: FollowParts,
  client: HallClient,
  follow: TurnFollow,
  rawAnswer: unknown,
  asJson: boolean,
): Promise<number> {
  const answer = requireFollowable(rawAnswer);
  const reply: Reply = { text: '', tools: [], end: 'left', error: null };
  const { terminal: term } = parts;
  const progress = createProgress(term, parts.sleep, asJson, () => freshLine(printer));
  const printer: Printer = {
    term,
    asJson,
    wrap: wrapFor(term),
    progress,
    atLineStart: true,
    saidWaiting: false,
    reply,
  };
  if (!asJson) term.err(term.style('dim', `${answer.id}, turn ${answer.turn}\n`));
  progress.waitFor(`the answer of turn ${answer.turn}`, patience.atLineStart);
  const leaving = new AbortController();
  const stopListening = parts.onInterrupt(interrupter(printer, client, follow, answer.id, leaving));
  try {
    return await readToTheEnd(printer, client, follow, answer, leaving.signal);
  } catch (error) {
    if (leaving.signal.aborted) return leftByInterrupt;
    throw isGone(error) ? hallWentAway(follow, answer) : error;
  } finally {
    progress.clear();
    if (asJson) term.out(`${JSON.stringify({ ...answer, reply })}\n`);
    else freshLine(printer);
    stopListening();
    leaving.abort();
  }
}

/** Whether the hall is not there: what it answered itself, of a full disk say, is no sign of that. */
export function isGone(error: unknown): boolean {
  return error instanceof HallError && error.code === 'unavailable' && !isAnswer(error);
}

function hallWentAway(follow: TurnFollow, { id, turn }: z.infer<typeof followedAnswerSchema>): HallError {
  return fail(
    'unavailable',
    `The hall went away before turn ${turn} of ${id} had ended. Your message is kept, and so is what was answered.`,
    `guild-hall up --detach, then: ${follow.show(id)}`,
  );
}

async function readToTheEnd(
  printer: Printer,
  client: HallClient,
  follow: TurnFollow,
  answer: z.infer<typeof followedAnswerSchema>,
  signal: AbortSignal,
): Promise<number> {
  const options = { subject: follow.subjectOf(answer.id), after: answer.cursor, signal };
  for await (const { type, data } of client.events(options)) {
    if (follow.over.includes(type)) {
      throw fail(
        'conflict',
        `${answer.id} was closed before turn ${answer.turn} had an answer.`,
        'The words are kept in its notes, among what was not answered.',
      );
    }
    const parsed = type === follow.eventType ? turnDataSchema.safeParse(data) : undefined;
    const exitCode = parsed?.success ? showTurn(printer, answer.turn, parsed.data) : undefined;
    if (exitCode === 0) sayHowToGoOn(printer, follow.goOn?.(answer.id));
    if (exitCode !== undefined) return exitCode;
  }
  return leftByInterrupt;
}

function requireFollowable(rawAnswer: unknown) {
  const answer = followedAnswerSchema.safeParse(rawAnswer);
  if (answer.success) return answer.data;
  throw fail(
    'internal',
    'The hall took the message, but its answer does not say which turn to follow.',
    'Repeat with --no-follow, and look at the thing itself for what was said.',
  );
}

/** First Ctrl-C: the turn is interrupted and its end awaited. Second: leave at once. */
function interrupter(
  printer: Printer,
  client: HallClient,
  follow: TurnFollow,
  id: string,
  leaving: AbortController,
): () => void {
  let asked = false;
  return () => {
    if (asked) return leaving.abort();
    asked = true;
    const { term, progress } = printer;
    progress.clear();
    // The terminal has written `^C` where the line stood.
    if (printer.atLineStart) term.err('\n');
    else freshLine(printer);
    term.err(term.style('dim', 'interrupting the turn; Ctrl-C again leaves\n'));
    progress.waitFor('the end of the turn', patience.atLineStart);
    // A hall that does not answer must not hold the one who leaves.
    client.call(follow.interrupt, { id }, leaving.signal).catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      const facts = error instanceof Error ? error.message : String(error);
      term.err(`${plainText(facts)}\n`);
    });
    return undefined;
  };
}

/** @returns the exit code when this was the end of the turn that is followed */
function showTurn(printer: Printer, turn: number, data: { turn: number; event: TurnEvent }): number | undefined {
  const { progress } = printer;
  progress.clear();
  if (data.turn !== turn) {
    sayWaiting(printer, data.turn, turn);
    progress.waitFor(`the end of turn ${data.turn}, which is before yours`, patience.atLineStart);
    return undefined;
  }
  if (printer.asJson) keepEvent(printer.reply, data.event);
  else showEvent(printer, data.event);
  progress.waitFor(awaitedAfter(data.event), printer.atLineStart ? patience.atLineStart : patience.withinLine);
  if (data.event.type === 'turn_end') return 0;
  return data.event.type === 'error' ? exitCodeOf(data.event.code) : undefined;
}

function awaitedAfter(event: TurnEvent): string {
  return event.type === 'tool_use' ? `the result of ${plainText(event.name)}` : 'the next words';
}

function keepEvent(reply: Reply, event: TurnEvent): void {
  if (event.type === 'text_delta') reply.text += event.text;
  if (event.type === 'tool_use') reply.tools.push({ name: event.name, input: event.input });
  if (event.type === 'turn_end') reply.end = event.interrupted ? 'interrupted' : 'done';
  if (event.type !== 'error') return;
  reply.end = 'failed';
  reply.error = { reason: event.reason, hint: event.hint ?? '' };
}

function sayWaiting(printer: Printer, running: number, mine: number): void {
  if (printer.saidWaiting || printer.asJson || running > mine) return;
  printer.saidWaiting = true;
  printer.term.err(printer.term.style('dim', `◐ turn ${running} is still running; yours waits its turn\n`));
}

function showEvent(printer: Printer, event: TurnEvent): void {
  const { term } = printer;
  if (event.type === 'text_delta') {
    sayWords(printer, printer.wrap.push(plainText(event.text)));
    return;
  }
  if (event.type === 'turn_end') return;
  freshLine(printer);
  if (event.type === 'tool_use') term.out(`${term.style('dim', toolLine(event, term.width))}\n`);
  if (event.type === 'tool_result' && !event.ok) {
    term.out(`${term.style('dim', `  ${oneLine(failureLine(event), term.width - 2)}`)}\n`);
  }
  if (event.type === 'error') {
    const hint = event.hint ?? 'Say it again, or see `guild-hall logs`.';
    term.err(printError(term, { code: event.code ?? 'turn failed', message: event.reason, hint }));
  }
}

function sayHowToGoOn(printer: Printer, command: string | undefined): void {
  if (command === undefined || printer.asJson) return;
  freshLine(printer);
  printer.term.err(printer.term.style('dim', `Next: ${printer.term.hint(command)}\n`));
}

function sayWords(printer: Printer, text: string): void {
  if (text === '') return;
  printer.term.out(text);
  printer.atLineStart = text.endsWith('\n');
}

function freshLine(printer: Printer): void {
  sayWords(printer, printer.wrap.flush());
  if (!printer.atLineStart) sayWords(printer, printer.wrap.push('\n'));
}

const tellingFields = ['pattern', 'file_path', 'path', 'command', 'query', 'title', 'question', 'description'];

/** Of what a tool was called with. */
const aboutLength = 60;

/** That a file is not there is told without what the tool says around it. */
function failureLine({ name, summary }: Extract<TurnEvent, { type: 'tool_result' }>): string {
  return `${name} failed: ${/\bdoes not exist\b/.test(summary) && name === 'Read' ? 'does not exist' : summary}`;
}

/** One quiet line for a tool call: `· Grep "foo"`. */
export function toolLine(call: { name: string; input: unknown }, width: number): string {
  const input = (call.input ?? {}) as Record<string, unknown>;
  const field = [...tellingFields, ...Object.keys(input)].find(
    (name) => typeof input[name] === 'string' && input[name] !== '',
  );
  const about = field === undefined ? '' : ` ${JSON.stringify(oneLine(String(input[field]), aboutLength))}`;
  return oneLine(`· ${call.name}${about}`, width);
}

function exitCodeOf(code: string | undefined): number {
  return code !== undefined && Object.hasOwn(errorTable, code)
    ? errorTable[code as ErrorCode].exit
    : errorTable.unavailable.exit;
}
