/** Collects what waits from every feature. One that fails is named in the list, and the others are listed. */
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { InboxContext } from './context.ts';
import { type InboxEvents, type InboxItem, problemItem, type Waiting, type WaitingItem } from './contract.ts';
import { eachOnce, isSameList, ordered } from './rules.ts';

/** Problems are looked for by running programs; so old they may be. Milliseconds. */
const problemsKeepMs = 60_000;

/** @param patience `none`: problems as they are known, at once; `inbox.changed` tells when there are others. */
export async function gatherInbox(ctx: InboxContext, patience: 'some' | 'none' = 'some'): Promise<InboxItem[]> {
  const [waiting, problems] = await Promise.all([askAll(ctx, ctx.waiting()), knownProblems(ctx, patience)]);
  const items = eachOnce([...waiting, ...problems]);
  const { firstTold } = ctx.memory;
  const now = ctx.clock.nowIso();
  const told = items.map((item): InboxItem => {
    if (item.since === null && !firstTold.has(item.id)) firstTold.set(item.id, now);
    return { ...item, since: item.since ?? firstTold.get(item.id)! };
  });
  for (const id of firstTold.keys()) if (!items.some((item) => item.id === id)) firstTold.delete(id);
  return ordered(told);
}

/**
 * What is wrong, as it was when somebody looked last. The first time, and after a change, a patient one waits until it
 * has been looked for anew.
 */
export async function knownProblems(
  ctx: InboxContext,
  patience: 'some' | 'none' = 'some',
): Promise<readonly WaitingItem[]> {
  const { memory } = ctx;
  const isTrue = memory.problems !== undefined && memory.lookedAtMs !== undefined;
  if (!isTrue && patience === 'some') await look(ctx);
  else if (!isTrue || ctx.clock.monotonicMs() - memory.lookedAtMs! > problemsKeepMs) {
    ctx.spawn('look for problems', async () => await look(ctx));
  }
  return memory.problems ?? [];
}

/** From now on what is known counts no more. */
export function forgetProblems(ctx: InboxContext): void {
  ctx.memory.lookedAtMs = undefined;
}

/** One look at a time; whoever asks meanwhile waits for the same, and for another one when something changed during it. */
async function look(ctx: InboxContext): Promise<void> {
  const { memory } = ctx;
  do {
    memory.looking ??= lookOnce(ctx).finally(() => {
      memory.looking = undefined;
    });
    await memory.looking;
  } while (memory.lookedAtMs === undefined);
}

async function lookOnce(ctx: InboxContext): Promise<void> {
  const { memory } = ctx;
  const before = memory.problems ?? [];
  // Set first: a change that comes during the look makes for another one.
  memory.lookedAtMs = ctx.clock.monotonicMs();
  memory.problems = await askAll(ctx, ctx.problems());
  if (isSameList(before, memory.problems)) return;
  const data: InboxEvents['inbox.changed'] = { problems: memory.problems.length };
  ctx.events.publish({ type: 'inbox.changed', project: null, subject: null, data });
}

async function askAll(
  ctx: InboxContext,
  features: readonly { readonly feature: string; readonly ask: Waiting }[],
): Promise<WaitingItem[]> {
  const answers = await Promise.all(
    features.map(async ({ feature, ask }) => {
      try {
        return await ask();
      } catch (error) {
        ctx.log.error({ err: error, feature }, 'a feature cannot say what waits');
        return [cannotSay(feature, errorFactsOf(error).message)];
      }
    }),
  );
  return answers.flat();
}

function cannotSay(feature: string, reason: string): WaitingItem {
  return problemItem({
    project: null,
    subject: { kind: 'feature', id: feature, title: feature },
    title: `What waits in ${feature} cannot be read`,
    detail: reason,
    actions: [],
  });
}
