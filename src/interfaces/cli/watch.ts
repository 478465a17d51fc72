/** Says for how long nothing has come, and what is waited for, so that silence is not taken for a fault. */
import type { Terminal } from './terminal.ts';

export interface Watch {
  /** Something came, or begins: from now on this is waited for. */
  waitFor(what: string): void;
  close(): void;
}

/** Milliseconds. */
const firstWordAfter = 10_000;

/** Speaks on a terminal only. The pauses between its lines double: after 10 s, 20 s, 40 s and so on. */
export function createWatch(
  term: Terminal,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  isQuiet: boolean,
): Watch {
  let running: AbortController | undefined;
  const close = (): void => running?.abort();
  if (isQuiet || !term.isTty) return { waitFor: () => {}, close };
  return {
    close,
    waitFor: (what) => {
      close();
      running = new AbortController();
      // Its only failure is that it is ended, which it takes for what it is.
      speakWhileSilent(term, sleep, what, running.signal).catch(() => {});
    },
  };
}

async function speakWhileSilent(
  term: Terminal,
  sleep: (ms: number, signal: AbortSignal) => Promise<void>,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  let waited = 0;
  for (let next = firstWordAfter; ; next *= 2) {
    try {
      await sleep(next - waited, signal);
    } catch {
      // Something came, or the turn ended.
      return;
    }
    if (signal.aborted) return;
    waited = next;
    term.err(term.style('dim', `◐ waiting for ${what} for ${waited / 1000} s\n`));
  }
}
