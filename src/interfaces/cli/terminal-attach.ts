/** `terminal attach`: the person's terminal becomes the one of the hall, until they leave it. */
import { terminalAttachedSchema } from '../../features/terminals/contract.ts';
import { runInForeground } from '../../kernel/processes/foreground.ts';
import { errorFactsOf, fail } from '../../kernel/pure/errors.ts';
import type { HallClient } from './client.ts';
import type { AnswerFollow } from './follow.ts';
import { renderAttachWords } from './render/terminals.ts';

/** Where nobody can sit down at it, the words are said that show it. */
export const followAttach: AnswerFollow = {
  run: async ({ terminal: term, ...parts }, client, answer, asJson) => {
    const attached = terminalAttachedSchema.parse(answer);
    const { id, name, readOnly } = attached;
    const [program = '', ...words] = attached.command;
    if (asJson || !term.isTty || parts.prompt === undefined) {
      term.out(asJson ? `${JSON.stringify(attached)}\n` : renderAttachWords(attached));
      return 0;
    }
    if (!readOnly) await fit(client, id);
    const exitCode = await runInForeground([program, ...words]);
    if (exitCode === undefined) {
      const hint = `Say the words yourself: guild-hall terminal attach ${name} --json`;
      throw fail('unavailable', 'tmux could not be started here.', hint);
    }
    term.err(term.style('dim', term.hint(`You left ${name}; it goes on. Back: guild-hall terminal attach ${name}\n`)));
    return exitCode;
  },
};

/** So that it fills the person's window. */
async function fit(client: HallClient, id: string): Promise<void> {
  const { columns: cols, rows } = process.stdout;
  try {
    await client.call('terminal.resize', { id, cols, rows });
  } catch (error) {
    // A window that is smaller or larger than what is taken is shown with a margin.
    if (errorFactsOf(error).code !== 'invalid') throw error;
  }
}
