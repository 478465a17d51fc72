/** The operations of the inbox. */
import { nextLocalDay } from '../../kernel/clock/local-day.ts';
import { bindOperation, type BoundOperation, type Caller } from '../../kernel/operations/operations.ts';
import { HallError } from '../../kernel/pure/errors.ts';
import type { InboxContext } from './context.ts';
import { inboxAct, type InboxActed, type InboxEvents, inboxList, type InboxList, inboxShortcuts } from './contract.ts';
import { isAsked } from './fold.ts';
import { forgetProblems, gatherInbox, knownProblems } from './gathering.ts';
import { decideAct, itemMeant } from './rules.ts';

export function bindInbox(ctx: InboxContext): BoundOperation[] {
  return [
    bindOperation(inboxList, (_caller, wanted) => listInbox(ctx, wanted)),
    bindOperation(inboxAct, (caller, input) => act(ctx, caller, input)),
    ...inboxShortcuts.map(({ verb, description }) =>
      bindOperation(description, (caller, input) => act(ctx, caller, { ...input, verb })),
    ),
  ];
}

export async function listInbox(
  ctx: InboxContext,
  wanted: { readonly project?: string | undefined; readonly kind?: string | undefined } = {},
  patience: 'some' | 'none' = 'some',
): Promise<InboxList> {
  const items = (await gatherInbox(ctx, patience)).filter(
    ({ project, kind }) =>
      (wanted.project === undefined || project === wanted.project) &&
      (wanted.kind === undefined || kind === wanted.kind),
  );
  const waiting = items.filter(isAsked).length;
  return { items, waiting, problems: items.length - waiting };
}

interface Given {
  readonly id: string;
  readonly verb: string;
  readonly text?: string | undefined;
  readonly allowSecrets: boolean;
}

async function act(ctx: InboxContext, caller: Caller, given: Given): Promise<InboxActed> {
  const item = itemMeant(await gatherInbox(ctx), given.id);
  const decided = decideAct(item, given.verb, (given.text ?? '').trim());
  if (!decided.ok) throw new HallError(decided.refusal);
  const { action, input } = decided.next;
  // Said only where it is meant: an operation that takes no words of the person knows nothing of it.
  const allowed = given.allowSecrets ? { ...input, allowSecrets: true } : input;
  const output = await ctx.call(caller, action.operation, allowed);
  if (item.kind === 'problem') forgetProblems(ctx);
  const { id, subject, project } = item;
  return { id, verb: action.verb, operation: action.operation, label: action.label, subject, project, output };
}

/** What was left until a day is there on that day, and today's use begins anew: whoever shows them is told. */
export function followDays(ctx: InboxContext): void {
  ctx.spawn('wait for the next day', async (stopping) => {
    while (!stopping.aborted) {
      const now = ctx.clock.nowMs();
      await ctx.clock.sleep(nextLocalDay(now) - now, stopping);
      const data: InboxEvents['inbox.changed'] = { problems: ctx.memory.problems?.length ?? 0 };
      ctx.events.publish({ type: 'inbox.changed', project: null, subject: null, data });
    }
  });
}

const changesOfProblems = ['config.changed', 'project.added', 'project.removed', 'project.synced'];

/** Changes come several at a time, and a look runs a dozen programs for each project: so long one waits for more. */
const restMs = 2_000;

/**
 * Looks for problems soon, and again when settings or projects have changed; whoever asks meanwhile is not kept waiting
 * for that. Ends by itself when the hall stops.
 */
export function followProblems(ctx: InboxContext): void {
  const changes = ctx.events.subscribe({ filter: ({ type }) => changesOfProblems.includes(type) });
  let isDue = false;
  const lookSoon = (): void => {
    if (isDue) return;
    isDue = true;
    ctx.spawn('look for problems', async (stopping) => {
      await ctx.clock.sleep(restMs, stopping);
      isDue = false;
      await knownProblems(ctx);
    });
  };
  ctx.spawn('follow what makes problems', async (stopping) => {
    stopping.addEventListener('abort', () => changes.close(), { once: true });
    if (stopping.aborted) changes.close();
    lookSoon();
    for await (const _ of changes) {
      forgetProblems(ctx);
      lookSoon();
    }
  });
}
