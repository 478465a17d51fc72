/** The person's word at a question, at a resume, at a pin, and against the turn that runs. */
import { fail } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilGoesOn, CouncilSession } from '../contract.ts';
import { answersOf, knownAnswer, questionName } from '../contract/asking.ts';
import { type Change, changeByPerson } from '../reactions/person.ts';
import { wakeCouncil } from '../reactions/runner.ts';
import { applyAnswer, applyResume, type Answered, type AnswerFacts, type ResumeWish } from '../rules/answers.ts';
import { parseDraft } from '../saving/drafts.ts';
import { type CouncilRef, sessionFile } from '../store/place.ts';
import { scrubCouncil } from '../store/scrub.ts';
import { unfit } from './refusals.ts';

export interface GivenWords {
  readonly answer: string;
  readonly text?: string | undefined;
  readonly question?: string | undefined;
}

export async function answerCouncil(ctx: CouncilsContext, ref: CouncilRef, given: GivenWords): Promise<Change> {
  const text = given.text === undefined ? undefined : await scrubCouncil(given.text);
  const change = await changeByPerson(ctx, ref, (session, facts) => decideAnswer(session, { ...given, text }, facts));
  wakeCouncil(ctx, ref);
  return change;
}

function decideAnswer(session: CouncilSession, given: GivenWords, facts: AnswerFacts): Answered {
  const { question, sessionId } = session;
  if (question !== null && given.question !== undefined && given.question !== questionName(question)) {
    throw fail(
      'conflict',
      `The council ${sessionId} does not ask ${given.question} any more; it asks ${questionName(question)}.`,
      `See it: guild-hall council show ${sessionId}`,
    );
  }
  const answer = question === null ? 'continue' : knownAnswer(question, given.answer);
  if (question !== null && answer === undefined) {
    const known = answersOf(question);
    throw fail(
      'invalid',
      `${JSON.stringify(given.answer)} is no answer here; expected one of ${known.join(', ')}.`,
      `${didYouMean(given.answer, known)}See what is asked: guild-hall council show ${sessionId}`,
    );
  }
  if (question?.kind === 'review' && answer === 'edit' && given.text !== undefined) {
    parseDraft(session, question.draft, given.text);
  }
  return applyAnswer(session, { answer: answer!, text: given.text }, facts);
}

export interface ResumeFlags {
  readonly continue: boolean;
  readonly interject?: string | undefined;
  readonly wrapUp: boolean;
}

/** @throws `invalid` with the contract's exit code for two of them, or one without a council */
export function requireOneAction(flags: ResumeFlags, hasCouncil: boolean): void {
  const given = givenFlags(flags);
  if (given.length > 1) {
    throw unfit(`A council is resumed in one way; given ${given.join(' and ')}.`, 'Leave all but one of them out.');
  }
  if (given.length === 1 && !hasCouncil) {
    throw unfit(`${given[0]!} goes on with a council, and none is named.`, `Name it: --resume <id> ${given[0]!}`);
  }
}

function givenFlags({ continue: goesOn, interject, wrapUp }: ResumeFlags): string[] {
  return [
    ...(goesOn ? ['--continue'] : []),
    ...(interject === undefined ? [] : ['--interject']),
    ...(wrapUp ? ['--wrap-up'] : []),
  ];
}

export async function resumeCouncil(ctx: CouncilsContext, ref: CouncilRef, flags: ResumeFlags): Promise<Change> {
  const wish = await wishOf(flags);
  const change = await changeByPerson(ctx, ref, (session, facts) => {
    // To look at one that goes on, or at its question, is no change.
    const isOpen = session.status === 'running' || session.status === 'asking';
    if (isOpen && wish.action === 'resume_default') return { ok: true, next: session, again: null };
    return applyResume(session, wish, facts);
  });
  wakeCouncil(ctx, ref);
  return change;
}

async function wishOf({ continue: goesOn, interject, wrapUp }: ResumeFlags): Promise<ResumeWish> {
  if (interject !== undefined) return { action: 'interject', text: await scrubCouncil(interject) };
  return { action: goesOn ? 'continue' : wrapUp ? 'wrap_up' : 'resume_default' };
}

/** @param cursor taken before the change */
export function goesOnFrom(ref: CouncilRef, { before, after }: Change, cursor: string): CouncilGoesOn {
  const { status, phase } = after;
  const from = before.transcript.length;
  return { id: ref.id, project: ref.project.name, status, phase, from, sessionFile: sessionFile(ref), cursor };
}
