/** Binds the descriptions of commissions to what does them. */
import { type BoundOperation, bindOperation, type Caller } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { CommissionsContext } from './context.ts';
import type { CommissionRecord } from './contract.ts';
import * as verbs from './descriptions.ts';
import { answerQuestion, commentCommission } from './operations/answering.ts';
import { requireMeant } from './operations/asking.ts';
import { cancelCommission } from './operations/cancelling.ts';
import { reasonOf, requireNotOwn, requireOtherWorker, requireOwnProject, wordsOf } from './operations/callers.ts';
import { dispatchChain } from './operations/chaining.ts';
import { createCommission } from './operations/creating.ts';
import { diffCommission } from './operations/diffing.ts';
import { dispatchCommission, holdCommission } from './operations/dispatching.ts';
import { editCommission } from './operations/editing.ts';
import { graphOf } from './operations/graph.ts';
import { listCommissions, readAwaited, readLogs, showCommission } from './operations/reading.ts';
import { redispatchCommission } from './operations/redispatching.ts';
import { resolveCommission } from './operations/resolve.ts';
import { dismissWork, mergeWork, reviewCommission } from './operations/reviewing.ts';
import { answerOf } from './operations/standing.ts';
import type { CommissionRef } from './store/place.ts';

export function bindCommissionOperations(ctx: CommissionsContext): readonly BoundOperation[] {
  return [...bindCreating(ctx), ...bindDispatching(ctx), ...bindReading(ctx), ...bindReviewing(ctx)];
}

/** Who made it, as it stands in the record. */
export function creatorOf(caller: Caller): string {
  return caller.kind === 'person' ? 'person' : `${caller.activity.kind} ${caller.activity.id}`;
}

function bindCreating(ctx: CommissionsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.commissionCreate, async (caller, input) => {
      const project = chooseProject(ctx, input.project);
      requireOwnProject(caller, project);
      requireOtherWorker(caller, input.worker);
      const { title, prompt } = await wordsOf(ctx, caller, input, { title: input.title, prompt: input.prompt });
      return await createCommission(ctx, project, { ...input, title, prompt }, creatorOf(caller));
    }),
    bindOperation(verbs.commissionEdit, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      await requireMeant(input, { title: input.title, prompt: input.prompt });
      return await editCommission(ctx, ref, input);
    }),
  ];
}

function bindDispatching(ctx: CommissionsContext): readonly BoundOperation[] {
  const answering = async (ref: CommissionRef, done: Promise<CommissionRecord>) => await answerOf(ctx, ref, await done);
  return [
    bindOperation(verbs.commissionDispatch, async (caller, input) => {
      const { ref } = await resolveCommission(ctx, input);
      requireNotOwn(caller, ref, 'dispatched');
      if (input.withDependencies) {
        const { record, also, unmade } = await dispatchChain(ctx, ref);
        return { ...(await answerOf(ctx, ref, record)), also, unmade };
      }
      return { ...(await answering(ref, dispatchCommission(ctx, ref))), also: [], unmade: [] };
    }),
    bindOperation(verbs.commissionHold, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      return await answering(ref, holdCommission(ctx, ref));
    }),
    bindOperation(verbs.commissionCancel, async (caller, input) => {
      const { ref } = await resolveCommission(ctx, input);
      requireNotOwn(caller, ref, 'cancelled');
      const { reason } = await wordsOf(ctx, caller, input, { reason: input.reason ?? '' });
      return await answering(ref, cancelCommission(ctx, ref, reasonOf(caller, 'Cancelled', reason)));
    }),
    bindOperation(verbs.commissionRedispatch, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      await requireMeant(input, { reason: input.reason });
      return await answering(ref, redispatchCommission(ctx, ref, input.reason));
    }),
  ];
}

function bindReading(ctx: CommissionsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.commissionList, async (caller, { project: wanted, status }) => {
      const isAll = wanted === undefined && caller.kind === 'person';
      const project = isAll ? undefined : chooseProject(ctx, wanted);
      if (project !== undefined) requireOwnProject(caller, project);
      return listCommissions(ctx, { project, status });
    }),
    bindOperation(verbs.commissionShow, async (caller, input) => {
      const { ref } = await resolveCommission(ctx, input);
      requireOwnProject(caller, ref.project);
      return showCommission(ctx, ref);
    }),
    bindOperation(verbs.commissionGraph, async (caller, { project: wanted }) => {
      const project = chooseProject(ctx, wanted);
      requireOwnProject(caller, project);
      return graphOf(ctx, project);
    }),
    bindOperation(verbs.commissionLogs, async (_, input) =>
      readLogs(ctx, (await resolveCommission(ctx, input)).ref, input),
    ),
    bindOperation(verbs.commissionDiff, async (_, input) =>
      diffCommission(ctx, (await resolveCommission(ctx, input)).ref, input.attempt),
    ),
    bindOperation(verbs.commissionWait, async (_, { project, id: ids }) => {
      const refs: CommissionRef[] = [];
      for (const id of ids) refs.push((await resolveCommission(ctx, { project, id })).ref);
      return await readAwaited(ctx, refs);
    }),
  ];
}

function bindReviewing(ctx: CommissionsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.commissionAnswer, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      await requireMeant(input, { answer: input.text });
      return await answerQuestion(ctx, ref, input);
    }),
    bindOperation(verbs.commissionComment, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      await requireMeant(input, { remark: input.text });
      return await commentCommission(ctx, ref, input);
    }),
    bindOperation(verbs.commissionReview, async (_, input) => {
      const { ref } = await resolveCommission(ctx, input);
      await requireMeant(input, { remark: input.text });
      return await reviewCommission(ctx, ref, input.text ?? '');
    }),
    bindOperation(verbs.commissionMerge, async (_, input) =>
      mergeWork(ctx, (await resolveCommission(ctx, input)).ref, input),
    ),
    bindOperation(verbs.commissionDismiss, async (_, input) =>
      dismissWork(ctx, (await resolveCommission(ctx, input)).ref),
    ),
  ];
}
