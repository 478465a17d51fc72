/** What terminals tell, as the feature takes it. */
import { scrubNow } from '../../../kernel/secrets/scrub.ts';
import type { StatusChange } from '../../../kernel/terminals/shapes.ts';
import type { Speech } from '../../../kernel/terminals/contract.ts';
import { tell, type TerminalsFeatureContext } from '../context.ts';
import { finishedNotice } from '../rules.ts';
import { takeEnd } from './ending.ts';
import { notifyOfTurn } from './notices.ts';

/** To be called before anything is joined. @returns what ends it */
export function followTerminals(ctx: TerminalsFeatureContext): () => void {
  return ctx.terminals.listen({
    onStatus: (change) => takeStatus(ctx, change),
    onEnd: ({ terminal, exitCode, why }) => {
      ctx.spawn(`end of the terminal ${terminal}`, async () => await takeEnd(ctx, terminal, { exitCode, why }));
    },
    onSpeech: async (speech) => await takeSpeech(ctx, speech),
    onReceipt: ({ terminal, message, receipt }) => {
      const record = ctx.desk.records.get(terminal);
      if (record === undefined || receipt.state === 'queued') return;
      const { id, origin } = message;
      tell(ctx, 'terminal.receipt', record.project, { id: terminal, message: id, origin, receipt });
    },
  });
}

function takeStatus(ctx: TerminalsFeatureContext, change: StatusChange): void {
  const { terminal: id, status, waiting } = change;
  // A command that it asks for may hold a secret, and others of the project read this.
  const question = change.question === undefined ? null : scrubNow(change.question);
  const live = ctx.desk.live.get(id);
  const record = ctx.desk.records.get(id);
  // Its end is told when it is on disk.
  if (live === undefined || record === undefined || status === 'ended') return;
  Object.assign(live, { status, question, since: ctx.clock.nowIso() });
  tell(ctx, 'terminal.status', record.project, { id, status, question, since: live.since, waiting });
}

async function takeSpeech(ctx: TerminalsFeatureContext, { id, terminal, own }: Speech): Promise<void> {
  const record = ctx.desk.records.get(terminal);
  if (record === undefined) return;
  await notifyOfTurn(ctx, record, { id: `finished-${id}`, text: finishedNotice(record, own) });
}
