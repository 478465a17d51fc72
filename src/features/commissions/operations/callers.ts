/** What an agent may ask for of commissions: its project's, not its own one, in words that bear no secrets. */
import type { Caller } from '../../../kernel/operations/operations.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import { commissionKind } from '../contract.ts';
import type { CommissionRef } from '../store/place.ts';
import { type PersonsWords, requireMeant } from './asking.ts';

/** @throws HallError `forbidden` for an agent of another project */
export function requireOwnProject(caller: Caller, { name }: Pick<Project, 'name'>): void {
  if (caller.kind === 'person' || caller.activity.project === name) return;
  throw fail(
    'forbidden',
    `The project ${name} is another one than that of the ${caller.activity.kind}, ${caller.activity.project}.`,
    'Ask the person to do it, or to open a meeting in that project.',
    { project: name },
  );
}

/** @throws HallError `forbidden` for the worker of this very commission, and for an agent of another project */
export function requireNotOwn(caller: Caller, ref: CommissionRef, verb: string): void {
  requireOwnProject(caller, ref.project);
  if (caller.kind === 'person' || caller.activity.kind !== commissionKind || caller.activity.id !== ref.id) return;
  throw fail(
    'forbidden',
    `Commission ${ref.id} cannot be ${verb} by its own worker.`,
    'Hand in what there is with submit_result, and say in it what should be done.',
    { id: ref.id },
  );
}

/**
 * Otherwise words that a worker read could make it hand itself on for ever, each time with limits of its own.
 * @throws HallError `forbidden` for the worker of a commission that orders another one of its own kind
 */
export function requireOtherWorker(caller: Caller, worker: string): void {
  if (caller.kind === 'person' || caller.activity.kind !== commissionKind || caller.worker !== worker) return;
  throw fail(
    'forbidden',
    `The ${worker} in a commission cannot commission the ${worker} once more.`,
    'Order the work from the workers that do it, or ask the person with log_question.',
    { worker },
  );
}

/**
 * The person's words stay as they are, and are asked about where they look like a secret; an agent's are masked.
 * @throws HallError `conflict` where the person has to say that it is meant
 */
export async function wordsOf<Words extends PersonsWords>(
  ctx: Pick<CommissionsContext, 'scrub'>,
  caller: Caller,
  input: { readonly allowSecrets: boolean },
  words: Words,
): Promise<Words> {
  if (caller.kind === 'person') {
    await requireMeant(input, words);
    return words;
  }
  const masked: Record<string, string> = {};
  for (const [name, text] of Object.entries(words)) masked[name] = await ctx.scrub(text ?? '');
  return { ...words, ...masked };
}

/** Says who did it, where it was an agent. */
export function reasonOf(caller: Caller, verb: string, reason: string): string {
  if (caller.kind === 'person') return reason;
  const { worker, activity } = caller;
  const who = `${verb} by the ${worker ?? 'agent'} in ${activity.kind} ${activity.id}`;
  return reason === '' ? who : `${who}: ${reason}`;
}
