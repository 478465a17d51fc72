/**
 * Says on a terminal what is waited for and for how long, so that silence is not taken for a fault: one quiet line, which
 * is taken back when something comes. In pipes, in files and with `--json` it says nothing.
 */
import type { Terminal } from './terminal.ts';

export interface Progress {
  /**
   * Something begins; from now on this is waited for.
   * @param after seconds of silence before it is said
   */
  waitFor(what: string, after?: number): void;
  /** Takes the line back: something comes. */
  clear(): void;
}

/** Resolves after so many milliseconds; rejects when aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Seconds. */
const usualPatience = 1;
const takeBack = '\r\u001b[2K';

/** @param freshLine called before the line is first shown: ends a line that is half written */
export function createProgress(
  term: Terminal,
  sleep: Sleep,
  isQuiet: boolean,
  freshLine: () => void = () => {},
): Progress {
  if (isQuiet || !term.canTakeBack) return { waitFor: () => {}, clear: () => {} };
  let running: AbortController | undefined;
  let isShown = false;
  const clear = (): void => {
    running?.abort();
    if (isShown) term.err(takeBack);
    isShown = false;
  };
  const show = (line: string): void => {
    if (!isShown) freshLine();
    isShown = true;
    term.err(`${takeBack}${term.style('dim', line)}`);
  };
  return {
    clear,
    waitFor: (what, after = usualPatience) => {
      clear();
      running = new AbortController();
      // Its only failure is that it is ended, which it takes for what it is.
      countSeconds({ term, sleep, show }, what, after, running.signal).catch(() => {});
    },
  };
}

/** Does the work with a line that says what is waited for. */
export async function withProgress<T>(progress: Progress, what: string, work: () => Promise<T>): Promise<T> {
  progress.waitFor(what);
  try {
    return await work();
  } finally {
    progress.clear();
  }
}

interface Counting {
  readonly term: Terminal;
  readonly sleep: Sleep;
  readonly show: (line: string) => void;
}

async function countSeconds(counting: Counting, what: string, after: number, signal: AbortSignal): Promise<void> {
  let waited = 0;
  for (let next = after; ; next = waited + 1) {
    try {
      await counting.sleep((next - waited) * 1000, signal);
    } catch {
      // Something came, or the work is done.
      return;
    }
    if (signal.aborted) return;
    waited = next;
    counting.show(lineOf(what, waited, counting.term.width));
  }
}

/** Never so long that it takes two lines, which could not be taken back. */
function lineOf(what: string, seconds: number, width: number): string {
  const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const room = Math.max(10, width - time.length - 18);
  const characters = [...what];
  const short = characters.length <= room ? what : `${characters.slice(0, room - 1).join('')}…`;
  return `◐ waiting for ${short} · ${time}`;
}
