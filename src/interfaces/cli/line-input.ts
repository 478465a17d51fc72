/** A line that stays at the foot of the terminal and is typed into, while what comes is printed above it. */
import { clearScreenDown, createInterface, moveCursor, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface LineTold {
  /** A line was typed, or all lines that were pasted at once. */
  onLine(text: string): void;
  /** A key was pressed, and something stands in the line. */
  onTyping(): void;
  /** Nothing more can be typed: Ctrl-D. */
  onEnd(): void;
}

export interface LineInput {
  /** Puts text, which ends with a line break, above the line; what is half typed stays. */
  print(text: string): void;
  /** What stands before the line. */
  ask(question: string): void;
  close(): void;
}

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** What Ctrl-C does while the line is open: the terminal does not send the signal then. */
  readonly onInterrupt: () => void;
}

export function openLine({ input, output, onInterrupt }: LineStreams, told: LineTold): LineInput {
  const reading = createInterface({ input, output, terminal: true, historySize: 100, prompt: '> ' });
  const lines: string[] = [];
  let isOpen = true;
  const onKey = (): void => {
    if (reading.line !== '') told.onTyping();
  };
  input.on('keypress', onKey);
  reading.on('SIGINT', onInterrupt);
  reading.on('close', () => {
    isOpen = false;
    input.off('keypress', onKey);
    told.onEnd();
  });
  reading.on('line', (line) => {
    lines.push(line);
    // What is pasted comes in one piece: its lines are one text.
    if (lines.length === 1) setImmediate(() => told.onLine(lines.splice(0).join('\n')));
  });
  reading.prompt();
  return {
    print: (text) => {
      if (isOpen) takeAway(reading, output);
      output.write(text);
      if (isOpen) reading.prompt(true);
    },
    ask: (question) => {
      if (!isOpen || question === reading.getPrompt()) return;
      takeAway(reading, output);
      reading.setPrompt(question);
      reading.prompt(true);
    },
    close: () => {
      if (isOpen) takeAway(reading, output);
      reading.close();
    },
  };
}

/** The line goes, however many rows it takes; `prompt` draws it again from where the cursor is. */
function takeAway(reading: Interface, output: Writable): void {
  moveCursor(output, -10_000, -reading.getCursorPos().rows);
  clearScreenDown(output);
  // What it goes up by when it draws again.
  (reading as Interface & { prevRows: number }).prevRows = 0;
}
