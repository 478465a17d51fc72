/** A program that cannot run mostly ends at once: whoever starts it is told so, and not that it is starting. */
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import { isEnding, statusOf } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { takeEnd } from '../reactions/ending.ts';

/** How long a program that was just started is watched, and one that says that it ends is waited for. Milliseconds. */
const [watchMs, endingMs] = [300, 3_000];

/** Resolves when it is up, has ended with its record written, or was watched long enough. */
export async function seenStarting(ctx: TerminalsFeatureContext, id: TerminalId): Promise<void> {
  await unlessUp(ctx, id, watchMs);
  const open = ctx.terminals.now();
  if (open === undefined || !open.live.has(id)) return;
  if (isEnding(open, id)) await unlessUp(ctx, id, endingMs);
  const end = open.live.get(id)?.end;
  if (end !== undefined) await takeEnd(ctx, id, { exitCode: end.exitCode, why: end.cause });
}

async function unlessUp({ terminals, clock }: TerminalsFeatureContext, id: TerminalId, ms: number): Promise<void> {
  const done = new AbortController();
  const stop = terminals.listen({
    onStatus: ({ terminal, status }) => {
      if (terminal === id && status !== 'starting') done.abort();
    },
  });
  const open = terminals.now();
  const isUp = open?.live.has(id) !== true || statusOf(open, id).status !== 'starting';
  try {
    // Aborted when there is something to tell.
    if (!isUp) await clock.sleep(ms, done.signal).catch(() => undefined);
  } finally {
    stop();
  }
}
