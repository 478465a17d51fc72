/** What the person's answers and resumes do to a council. Pure: each gives the next session, or says no. */
import type { CouncilQuestion, CouncilSession, Disposition, PinDisposition } from '../contract.ts';
import { answersOf, type KnownAnswer } from '../contract/asking.ts';
import { type ErrorFacts, refuse } from '../../../kernel/pure/errors.ts';
import type { Facts } from './facts.ts';
import {
  addTurn,
  attendeeOf,
  isAtMaxTurns,
  isBeforeClose,
  lineEntry,
  settle,
  turnsOf,
  useSlot,
  withEntries,
} from './session.ts';
import { unpaid } from './steps.ts';

export interface GivenAnswer {
  readonly answer: KnownAnswer;
  /** Scrubbed. With `interject` what the person says, with `edit` the whole draft. */
  readonly text?: string | undefined;
}

/** The facts of rules, and who the person is: the name in headers, as it resolves now. */
export type AnswerFacts = Facts & { readonly userName: string | null };

export type Answered =
  | {
      readonly ok: true;
      readonly next: CouncilSession;
      /** The question that is put anew: after what the person said, and at a resume. */
      readonly again: CouncilQuestion | null;
    }
  | { readonly ok: false; readonly refusal: ErrorFacts };

export type ResumeWish =
  | { readonly action: 'resume_default' | 'continue' | 'wrap_up' }
  | { readonly action: 'interject'; readonly text: string };

/** An answer to the question that is open now. */
export function applyAnswer(session: CouncilSession, given: GivenAnswer, facts: AnswerFacts): Answered {
  const { question, sessionId } = session;
  if (question === null || session.status !== 'asking') {
    return refuse('conflict', `The council ${sessionId} asks nothing now: it is ${session.status}.`, hintOf(session));
  }
  const open = answersOf(question);
  if (!open.includes(given.answer)) {
    return refuse(
      'invalid',
      `"${given.answer.slice(0, 40)}" is no answer here; expected one of ${open.join(', ')}.`,
      `Answer: guild-hall council answer ${sessionId} ${open[0]}`,
    );
  }
  if (question.kind === 'pin') return goOn(decidePin(session, question.pin, given));
  if (question.kind === 'review') return review(session, question.draft, given);
  return answerYield(session, question, given, facts);
}

function goOn(next: CouncilSession, again: CouncilQuestion | null = null): Answered {
  return { ok: true, next, again };
}

function answerYield(
  session: CouncilSession,
  question: Extract<CouncilQuestion, { kind: 'yield' }>,
  { answer, text }: GivenAnswer,
  facts: AnswerFacts,
): Answered {
  switch (answer) {
    case 'pause':
      return goOn({ ...session, status: 'paused' });
    case 'abort':
      return goOn({ ...session, status: 'aborted', question: null });
    case 'interject':
      return interject(session, text ?? '', question, facts);
    case 'wrap-up':
      return goOn(passYield(wrapUp(session, question), question));
    default:
      return goOn(passYield(session, question));
  }
}

function passYield(session: CouncilSession, { at }: Extract<CouncilQuestion, { kind: 'yield' }>): CouncilSession {
  const isCadence = at === 'discuss-cadence';
  const isPassed = !isCadence && session.passed.includes(at);
  return {
    ...session,
    status: 'running',
    question: null,
    passed: isPassed ? session.passed : [...session.passed, at],
    discussTurnsAtYield: isCadence ? session.discussTurns : session.discussTurnsAtYield,
  };
}

/** From before CLOSE it leaves out what is left of research and discussion; later it is a continue. */
function wrapUp(session: CouncilSession, question?: { readonly at: string }): CouncilSession {
  if (!isBeforeClose(session) || question?.at === 'pre-close') return session;
  const isUnresearched = !turnsOf(session).some(({ kind }) => kind === 'prelude');
  const skips = isUnresearched && (session.phase === 'CHARTER' || session.phase === 'RESEARCH');
  return { ...session, wrapUp: true, researchPhase: skips ? 'skipped' : session.researchPhase };
}

/** A turn of the person, at the point where the council stands. The same question is put again. */
function interject(
  session: CouncilSession,
  text: string,
  question: CouncilQuestion | null,
  facts: AnswerFacts,
): Answered {
  const said = text.trim() === '' ? undefined : text;
  if (said === undefined) {
    return refuse(
      'invalid',
      'An interjection needs words.',
      `Say them: guild-hall council answer ${session.sessionId} interject "<your words>"`,
    );
  }
  if (isAtMaxTurns(session)) {
    return refuse(
      'conflict',
      `All ${session.setup.maxTurns} turns of the council ${session.sessionId} are emitted, so nothing more can be said in it.`,
      `Go on to its drafts: guild-hall council answer ${session.sessionId} continue`,
    );
  }
  const attendee = attendeeOf(session);
  const name = attendee === undefined ? (session.setup.userName ?? facts.userName) : attendee.name;
  if (name === null) {
    return refuse(
      'conflict',
      'No name is known under which you could speak.',
      "set `meeting.user_name` in `settings.json` or run `git config --global user.name '<name>'`",
    );
  }
  const isAttendee = attendee !== undefined;
  const turn = addTurn(
    session,
    {
      round: session.phase === 'DISCUSS' ? session.round : 0,
      // The charter's own turn is the only one of its phase: what follows it is said towards the research.
      phase: session.phase === 'CHARTER' ? 'RESEARCH' : session.phase,
      kind: isAttendee ? 'attendee' : 'interjection',
      speaker: name,
      role: attendee?.role ?? 'User',
      body: said,
      ...unpaid,
      via: isAttendee ? 'attendee' : 'interject',
      origin: isAttendee ? 'attendee' : 'interject',
    },
    facts,
  );
  const heard = session.waitingHands.filter(({ target }) => target !== name);
  return goOn({ ...turn, loopWindow: [], waitingHands: heard }, question);
}

function decidePin(session: CouncilSession, id: string, { answer }: GivenAnswer): CouncilSession {
  const disposition: PinDisposition = answer === 'extract' || answer === 'drop' ? answer : 'keep';
  const pins = session.pins.map((pin) => (pin.id === id ? { ...pin, disposition } : pin));
  return { ...session, pins, question: null, status: 'running' };
}

function review(session: CouncilSession, draft: string, { answer, text }: GivenAnswer): Answered {
  const disposition: Disposition = answer === 'edit' || answer === 'drop' ? answer : 'accept';
  if (disposition === 'edit' && (text ?? '').trim() === '') {
    return refuse(
      'invalid',
      'An edit needs the whole draft as it is to be.',
      `Give it: guild-hall council answer ${session.sessionId} edit --file <file>; or drop the draft`,
    );
  }
  const reviews = [...session.reviews, { draft, disposition, text: disposition === 'edit' ? text! : null }];
  return goOn({ ...session, reviews, question: null, status: 'running' });
}

/** Goes on with a council that waits or was stopped. */
export function applyResume(session: CouncilSession, wish: ResumeWish, facts: AnswerFacts): Answered {
  const { status, sessionId } = session;
  if (status === 'saved' || status === 'aborted' || status === 'running') {
    const words = { saved: 'is saved', aborted: 'was aborted', running: 'goes on already' }[status];
    return refuse('conflict', `The council ${sessionId} ${words}, so it cannot be resumed.`, hintOf(session));
  }
  const ready = passHalt(session);
  const { question } = ready;
  switch (wish.action) {
    case 'resume_default':
      return askAgain(ready, question ?? lastQuestion(ready));
    case 'interject': {
      const at = question ?? lastQuestion(ready);
      if (at !== null && at.kind !== 'yield') return notAtYield(session);
      const said = interject(ready, wish.text, at, facts);
      return said.ok ? askAgain(said.next, at) : said;
    }
    case 'wrap_up':
      if (question !== null && question.kind === 'yield') return goOn(passYield(wrapUp(ready, question), question));
      return askAgain(wrapUp(ready), question);
    default:
      if (question !== null && question.kind === 'yield') return goOn(passYield(ready, question));
      return askAgain(ready, question);
  }
}

/** With that question open, or none: then it goes on by itself. */
function askAgain(session: CouncilSession, question: CouncilQuestion | null): Answered {
  return goOn({ ...session, status: question === null ? 'running' : 'asking', question }, question);
}

/** What stopped it is behind it; a slot whose turn could not be had is used up. */
function passHalt(session: CouncilSession): CouncilSession {
  const { halt } = session;
  const free = { ...session, halt: null, trouble: null };
  if (halt === null) return free;
  if (!halt.skips) return session.phase === 'RESEARCH' ? { ...free, preludesDone: 0 } : free;
  const line = lineEntry('passed-over', 'The turn that was halted is passed over');
  return settle(useSlot(withEntries(free, line)));
}

/** Where it stood last: the question is put once more, whatever was answered then. */
function lastQuestion(session: CouncilSession): CouncilQuestion | null {
  const at = session.lastCheckpointPhase;
  // What is written cannot be thought over any more.
  if (session.save !== null || !isYield(at)) return null;
  const turns = at === 'discuss-cadence' ? session.discussTurns - session.discussTurnsAtYield : 0;
  return { kind: 'yield', at, turns };
}

function isYield(at: CouncilSession['lastCheckpointPhase']): at is Extract<CouncilQuestion, { kind: 'yield' }>['at'] {
  return at !== '' && at === at.toLowerCase();
}

function notAtYield({ sessionId }: CouncilSession): Answered {
  return refuse(
    'conflict',
    `The council ${sessionId} asks about a draft or a pin now, and nothing more is said in it.`,
    `See what it asks: guild-hall council show ${sessionId}`,
  );
}

function hintOf({ sessionId, status }: CouncilSession): string {
  if (status === 'saved') return `Read it: guild-hall council show ${sessionId}`;
  if (status === 'aborted')
    return `Read it: guild-hall council show ${sessionId}; or start another: guild-hall council run`;
  if (status === 'running') return `Wait for its next question: guild-hall council show ${sessionId}`;
  return `Go on with it: guild-hall council resume ${sessionId}`;
}
