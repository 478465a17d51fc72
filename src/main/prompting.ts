/** What the command line asks a person with: the terminal that it stands in, and their editor. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { openLine } from '../interfaces/cli/line-input.ts';
import { askOnce, type Prompt } from '../interfaces/cli/prompt.ts';
import type { Terminal } from '../interfaces/cli/terminal.ts';
import { writeAtomically } from '../kernel/artifacts/write.ts';
import { runInForeground } from '../kernel/processes/foreground.ts';

/** Undefined where nobody sits: standard input or standard output is a file or a pipe. */
export function terminalPrompt(terminal: Pick<Terminal, 'isTty'>): Prompt | undefined {
  if (!terminal.isTty || !isatty(0)) return undefined;
  const streams = {
    input: process.stdin,
    output: process.stdout,
    onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  };
  return {
    ask: async (question, signal) => await askOnce(streams, question, signal),
    edit: editText,
    open: (told) => openLine(streams, told),
  };
}

/** In a folder of its own that nobody else reads, and that goes when the editor is left. */
async function editText(text: string, name: string): Promise<string | undefined> {
  const [program, ...words] = (process.env['VISUAL'] || process.env['EDITOR'] || '').trim().split(/\s+/);
  if (program === undefined || program === '') return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'guild-hall-edit-'));
  try {
    const file = join(folder, name);
    await writeAtomically(file, text, { mode: 0o600 });
    const exitCode = await runInForeground([program, ...words, file]);
    return exitCode === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
