/** Walks a council: looks for the one next thing, does it, stores what came of it, tells it; until it waits. */
import { deferred } from '../../../kernel/pure/deferred.ts';
import { errorFactsOf, HallError } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilQuestion, CouncilSession } from '../contract.ts';
import { applyAnswer } from '../rules/answers.ts';
import { halted, landTurn } from '../rules/landing.ts';
import type { SpeakStep } from '../rules/facts.ts';
import { nextStep, type Step } from '../rules/machine.ts';
import { takeOwnStep } from '../rules/steps.ts';
import { isBoundaryViolation } from '../store/boundary.ts';
import { councilLock, type CouncilRef } from '../store/place.ts';
import { scrubTexts } from '../store/scrub.ts';
import { requireOwner } from '../store/secret.ts';
import { changeCouncil, requireSession, storeQuestion } from './changing.ts';
import { announce, liveOf } from './live.ts';
import { loadCouncil } from './loading.ts';
import { saveAll } from './saving.ts';

/** Has the council walk on, if it is not walking. One loop a council, whoever wakes it. */
export function wakeCouncil(ctx: CouncilsContext, ref: CouncilRef): void {
  const live = liveOf(ctx, ref);
  live.isWanted = true;
  if (live.runner !== undefined) return;
  live.trouble = undefined;
  const { promise, resolve } = deferred();
  live.runner = promise;
  ctx.spawn(`council ${ref.id}`, async (signal) => {
    try {
      while (live.isWanted && !signal.aborted) {
        live.isWanted = false;
        await walk(ctx, ref, signal);
      }
    } finally {
      live.runner = undefined;
      resolve();
    }
  });
}

async function walk(ctx: CouncilsContext, ref: CouncilRef, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const session = await requireSession(ctx, ref);
      const { question } = session;
      if (isAnsweredBefore(session) && question !== null) {
        await answerYes(ctx, ref, question);
        continue;
      }
      const step = nextStep(session);
      if (step.do === 'wait') break;
      if (!liveOf(ctx, ref).isLoaded) await loadCouncil(ctx, ref);
      else if (isTurn(step) && liveOf(ctx, ref).isInterruptWanted)
        await changeCouncil(ctx, ref, 'the person interrupts it', (now) => ({ ...now, status: 'paused' }));
      else await take(ctx, ref, session, step, signal);
    }
    liveOf(ctx, ref).isInterruptWanted = false;
  } catch (error) {
    // The hall stops: the next one repeats what was under way.
    if (signal.aborted) return;
    await stopFor(ctx, ref, error);
  }
}

function isTurn({ do: what }: Step): boolean {
  return what === 'speak' || what === 'draft';
}

async function take(
  ctx: CouncilsContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: Exclude<Step, { do: 'wait' }>,
  signal: AbortSignal,
): Promise<void> {
  switch (step.do) {
    case 'ask':
      await ask(ctx, ref);
      return;
    case 'speak':
      await takeTurn(ctx, ref, session, step, signal);
      return;
    case 'draft':
      await draft(ctx, ref, session, signal);
      return;
    case 'save':
      await saveAll(ctx, ref, session);
      return;
    default:
      await changeCouncil(ctx, ref, reasonOf(step), (now, facts) =>
        isSame(nextStep(now), step) ? takeOwnStep(now, step, facts) : now,
      );
  }
}

function reasonOf(step: Step): string {
  return step.do === 'miss-research' ? 'preludes are missing' : step.do;
}

function isSame(a: Step, b: Step): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

async function ask(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  await ctx.locks.with(councilLock(ref), async () => {
    const now = await requireSession(ctx, ref);
    const step = nextStep(now);
    if (step.do !== 'ask') return;
    await storeQuestion(ctx, ref, now, step.question);
  });
}

/** The person said at the start that everything is to go on. It waits for nobody, also after the hall died at it. */
export function isAnsweredBefore({ status, question, setup }: CouncilSession): boolean {
  return setup.yes && status === 'asking' && question !== null;
}

async function answerYes(ctx: CouncilsContext, ref: CouncilRef, question: CouncilQuestion): Promise<void> {
  const answer = { yield: 'continue', pin: 'keep', review: 'accept' }[question.kind] as 'continue' | 'keep' | 'accept';
  let isTaken = false;
  await changeCouncil(ctx, ref, 'the person said yes to everything', (now, facts) => {
    if (!isAnsweredBefore(now) || JSON.stringify(now.question) !== JSON.stringify(question)) return now;
    const answered = applyAnswer(now, { answer }, { ...facts, userName: now.setup.userName });
    if (!answered.ok) throw new HallError(answered.refusal);
    isTaken = true;
    return answered.next;
  });
  if (isTaken) announce(ctx, ref, 'council.answered', { id: ref.id, question, answer });
}

async function takeTurn(
  ctx: CouncilsContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: SpeakStep,
  signal: AbortSignal,
): Promise<void> {
  const live = liveOf(ctx, ref);
  const { name: speaker, role } = step.speaker;
  const { id } = ref;
  const { number, kind } = step;
  const spoken = await interruptible(ctx, ref, signal, async (turn) => {
    live.speaking = { speaker, number, kind, words: '' };
    return await ctx.turns.speak(ctx, ref, session, step, {
      signal: turn,
      onAttempt: (attempt) => {
        live.speaking = { speaker, number, kind, words: '' };
        announce(ctx, ref, 'council.speaking', { id, speaker, role, number, kind, attempt });
      },
      onWords: (text) => {
        if (live.speaking !== undefined) live.speaking.words += text;
        announce(ctx, ref, 'council.words', { id, speaker, text });
      },
      onTool: (name, subject) => announce(ctx, ref, 'council.tool', { id, speaker, name, subject }),
    });
  }).finally(() => (live.speaking = undefined));
  if (signal.aborted && spoken.outcome !== 'spoken') return;
  const scrubbed = await scrubTexts(spoken);
  await changeCouncil(ctx, ref, reasonOfEnd[spoken.outcome], (now, facts) =>
    isSame(nextStep(now), step) ? landTurn(now, step, scrubbed, facts) : now,
  );
}

const reasonOfEnd = {
  spoken: 'a turn has landed',
  refused: 'a claim stayed unflagged',
  empty: 'nothing was said',
  failed: 'a turn could not be had',
  interrupted: 'the person interrupts it',
};

/** Work that ends soon when the person interrupts it, or the hall stops. */
async function interruptible<T>(
  ctx: CouncilsContext,
  ref: CouncilRef,
  signal: AbortSignal,
  work: (turn: AbortSignal) => Promise<T>,
): Promise<T> {
  const live = liveOf(ctx, ref);
  const turn = new AbortController();
  const onStop = (): void => turn.abort(signal.reason);
  if (signal.aborted) onStop();
  signal.addEventListener('abort', onStop, { once: true });
  live.turn = turn;
  try {
    return await work(turn.signal);
  } finally {
    live.turn = undefined;
    signal.removeEventListener('abort', onStop);
  }
}

async function draft(
  ctx: CouncilsContext,
  ref: CouncilRef,
  session: CouncilSession,
  signal: AbortSignal,
): Promise<void> {
  let isInterrupted = false;
  const drafts = await interruptible(ctx, ref, signal, async (turn) => {
    try {
      return await scrubTexts(await ctx.turns.draft(ctx, ref, session, turn));
    } catch (error) {
      isInterrupted = turn.aborted;
      if (isInterrupted) return null;
      throw error;
    }
  });
  if (signal.aborted && drafts === null) return;
  await changeCouncil(ctx, ref, isInterrupted ? 'the person interrupts it' : 'drafts are made', (now) => {
    if (nextStep(now).do !== 'draft') return now;
    return drafts === null ? { ...now, status: 'paused' } : { ...now, drafts };
  });
}

/** What was not foreseen, or cannot be done now: the council stands, says why, and can be resumed. */
async function stopFor(ctx: CouncilsContext, ref: CouncilRef, error: unknown): Promise<void> {
  const { message, hint } = errorFactsOf(error);
  const live = liveOf(ctx, ref);
  ctx.log.error({ err: error, council: ref.id, project: ref.project.name }, 'a council was stopped by an error');
  try {
    await requireOwner(ctx, ref);
    await changeCouncil(ctx, ref, isBoundaryViolation(error) ? 'a write was refused' : 'an error stops it', (now) => {
      if (now.status !== 'running') return now;
      if (isBoundaryViolation(error)) return halted(now, message, false);
      return { ...now, status: 'paused', trouble: `${message} ${hint}` };
    });
  } catch (second) {
    // Not even its file can be written: only this process can say it, until it can.
    live.trouble = `${message} ${hint}`;
    await tellTrouble(ctx, ref);
    ctx.log.error({ err: second, council: ref.id }, 'and its session file could not be written');
  }
}

/** Whoever follows it waits for a word of it. */
async function tellTrouble(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  try {
    const { status, phase } = await requireSession(ctx, ref);
    announce(ctx, ref, 'council.status', {
      id: ref.id,
      from: status,
      to: 'paused',
      phase,
      reason: 'it cannot be written',
    });
  } catch (error) {
    ctx.log.error({ err: error, council: ref.id }, 'and its session file cannot be read');
  }
}
