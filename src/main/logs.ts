/** `guild-hall logs`: the end of the hall's log, readable, and what comes after it. */
import { open, type FileHandle } from 'node:fs/promises';
import { watch } from 'chokidar';
import { plainText, type Terminal } from '../interfaces/cli/terminal.ts';
import { deferred } from '../kernel/pure/deferred.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

export interface LogsRequest {
  readonly home: HomePaths;
  readonly term: Terminal;
  readonly follow: boolean;
  readonly asJson: boolean;
  /** How many lines of the end to show. */
  readonly lines: number;
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** Of the end of the log at most so much is read. Bytes. */
const tailBytes = 512 * 1024;

export async function runLogs(request: LogsRequest): Promise<number> {
  const { home } = request;
  const file = await openLog(home);
  const left = deferred();
  // Before the first line is shown: whoever reads it may leave at once.
  const stopListening = request.follow ? request.onInterrupt(() => left.resolve()) : () => {};
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const lines = (await readFrom(file, start, size)).split('\n').filter((line) => line !== '');
    show(request, (start === 0 ? lines : lines.slice(1)).slice(-request.lines));
    if (request.follow) await followLog(request, file, size, left.promise);
    return 0;
  } finally {
    stopListening();
    await file.close();
  }
}

async function openLog(home: HomePaths): Promise<FileHandle> {
  try {
    return await open(home.log, 'r');
  } catch (error) {
    throw fail('not_found', `There is no log at ${home.log}.`, 'guild-hall up --detach', undefined, error);
  }
}

async function followLog(request: LogsRequest, file: FileHandle, from: number, left: Promise<void>): Promise<void> {
  let at = from;
  let rest = '';
  let reading: Promise<void> = Promise.resolve();
  const readOn = async (): Promise<void> => {
    const { size } = await file.stat();
    const text = rest + (await readFrom(file, at, size));
    at = Math.max(at, size);
    const lines = text.split('\n');
    rest = lines.pop() ?? '';
    show(request, lines);
  };
  const watcher = watch(request.home.log, { ignoreInitial: true });
  const readNext = (): void => {
    reading = reading.then(readOn, readOn);
  };
  // Also when the watch begins: for what was written before that.
  watcher.on('change', readNext).once('ready', readNext);
  await left;
  await watcher.close();
  await reading;
}

async function readFrom(file: FileHandle, from: number, to: number): Promise<string> {
  const buffer = Buffer.alloc(Math.max(0, to - from));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead).toString('utf8');
}

function show({ term, asJson }: LogsRequest, lines: readonly string[]): void {
  for (const line of lines) term.out(asJson ? `${line}\n` : `${readable(term, line)}\n`);
}

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** `09:30:01 info the hall answers  port=4747`; lines of another form as they are. */
function readable(term: Terminal, line: string): string {
  try {
    const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const word = levels[Number(level)] ?? '';
    const facts = Object.entries(rest).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const stack = (err as { stack?: string } | undefined)?.stack;
    const head = [
      term.style('dim', String(time ?? '').slice(11, 19)),
      word === 'error' ? term.style('red', word) : word,
    ];
    const text = plainText([String(msg ?? ''), facts.join(' ')].filter((part) => part !== '').join('  '));
    return [...head, text].join(' ') + (stack === undefined ? '' : `\n${plainText(stack)}`);
  } catch {
    // Not a line of the log itself, such as a stack trace of a crash.
    return plainText(line);
  }
}
