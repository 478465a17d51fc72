/** Asks the person who sits at the terminal. */
import type { LineInput, LineTold } from './line-input.ts';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { deferred } from '../../kernel/pure/deferred.ts';

export interface Prompt {
  /**
   * What the person types after `question`: one line, or all that were pasted at once.
   * @returns undefined when `signal` ends the wait, or nothing more can be typed (Ctrl-D)
   */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Opens their editor on the text.
   * @param name of the file, for its kind: `notes.md`
   * @returns the text as they left it; undefined where no editor is set ($VISUAL, $EDITOR), or it failed
   */
  edit(text: string, name: string): Promise<string | undefined>;
  /** A line to type into, below what comes meanwhile. */
  open?(told: LineTold): LineInput;
}

export interface PromptStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** What Ctrl-C does while a question stands: the terminal does not send the signal then. */
  readonly onInterrupt: () => void;
}

/** One question. The terminal is given back when it is answered, so that Ctrl-C is a signal again. */
export async function askOnce(
  { input, output, onInterrupt }: PromptStreams,
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const lines: string[] = [];
  const reading = createInterface({ input, output, terminal: true, historySize: 0, prompt: question });
  const { promise, resolve } = deferred<string | undefined>();
  const stop = (): void => resolve(undefined);
  signal.addEventListener('abort', stop, { once: true });
  reading.on('SIGINT', onInterrupt);
  reading.on('close', stop);
  reading.on('line', (line) => {
    lines.push(line);
    // What is pasted comes in one piece: its lines are one text.
    if (lines.length === 1) setImmediate(() => resolve(lines.join('\n')));
  });
  reading.prompt();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    reading.close();
  }
}
