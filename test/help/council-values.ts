/** Councils of plain values: setups, sessions, what agents say, and a walk through a whole council without a hall. */
import type {
  CouncilDrafts,
  CouncilQuestion,
  CouncilSession,
  CouncilSetup,
} from '../../src/features/councils/contract.ts';
import { councilIdSchema } from '../../src/features/councils/contract.ts';
import { type AnswerFacts, applyAnswer, type GivenAnswer } from '../../src/features/councils/rules/answers.ts';
import { landTurn, type Spoken } from '../../src/features/councils/rules/landing.ts';
import type { SpeakStep } from '../../src/features/councils/rules/facts.ts';
import { nextStep } from '../../src/features/councils/rules/machine.ts';
import { finishSession, putQuestion, startSession, takeOwnStep } from '../../src/features/councils/rules/steps.ts';
import { digestOf, sealTurn } from '../../src/features/councils/store/seal.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';

export const councilSecret = '5a'.repeat(32);

/** Agents of these names, roles after them; `me` is the person. */
export function sampleSetup(names: readonly string[], changes: Partial<CouncilSetup> = {}): CouncilSetup {
  return {
    mode: 'decide',
    bias: 'decision-record',
    invitees: names.map((name) =>
      name === 'me'
        ? { name: 'Pat', role: 'User', worker: null }
        : { name, role: `Role of ${name}`, worker: name.toLowerCase() },
    ),
    inviteesOverride: false,
    defaultInviteesResolved: [],
    missingInvitees: [],
    noWeb: false,
    skipResearch: false,
    turns: names.length * 2,
    maxTurns: 40,
    perAgentCap: 25_000,
    yes: false,
    inPlace: null,
    userName: 'Pat',
    date: '2026-05-18',
    slug: 'who-owns-the-cache',
    startedAt: '2026-05-18T09:00:00.000Z',
    ...changes,
  };
}

export function sampleSession(setup: CouncilSetup = sampleSetup(['Ada', 'Ben']), cadence = 4): CouncilSession {
  return startSession(setup, {
    sessionId: councilIdSchema.parse(`${setup.date}-${setup.slug}`),
    project: projectNameSchema.parse('sample'),
    charter: 'Who owns the cache?',
    cadence,
    warnings: [],
  });
}

export function sampleFacts(id = '2026-05-18-who-owns-the-cache', userName: string | null = null): AnswerFacts {
  return {
    at: '2026-05-18T09:00:01.000Z',
    seal: (turn) => sealTurn(councilSecret, id, turn),
    digest: digestOf,
    userName,
  };
}

type Said = Extract<Spoken, { outcome: 'spoken' }>;

export function sampleSpoken(
  body: string,
  changes: Omit<Partial<Said>, 'asked'> & { asked?: Partial<Said['asked']> } = {},
): Said {
  const tokens = changes.tokens ?? 100;
  return {
    outcome: 'spoken',
    body,
    tokens,
    usage: { inputTokens: 1000, outputTokens: tokens, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 },
    claims: [],
    fetched: [],
    findings: [],
    ...changes,
    asked: { pins: [], decisions: [], challenges: [], ...changes.asked },
  };
}

/** A claim that cites something nobody cited before, so that no loop is seen. */
export function cited(citation: string): Said['claims'] {
  return [{ line: 1, text: citation, verdict: 'cited', citations: [citation] }];
}

export function sampleDrafts(agents: readonly string[]): CouncilDrafts {
  return {
    actionItems: [],
    memory: agents.map((agent) => ({ agent, tags: [], decided: [], constraints: [], tracking: [], sources: [] })),
    notes: { summary: 'It was settled.', sections: {}, openQuestions: [], minority: '' },
    by: 'engine',
  };
}

export interface Walk {
  readonly session: CouncilSession;
  readonly asked: readonly CouncilQuestion[];
  /** Every session that would have been on disk, in order. */
  readonly stored: readonly CouncilSession[];
}

export interface Script {
  /** Left out: each turn cites something new. */
  readonly speak?: (step: SpeakStep, session: CouncilSession) => Spoken;
  /** Left out: continue, keep, accept. */
  readonly answer?: (question: CouncilQuestion, session: CouncilSession) => GivenAnswer;
}

/** Walks until it waits for something that no answer gives: it is paused, halted, saved, or aborted. */
export function walkCouncil(from: CouncilSession, script: Script = {}): Walk {
  const facts = sampleFacts(from.sessionId);
  const asked: CouncilQuestion[] = [];
  const stored: CouncilSession[] = [];
  let session = from;
  const store = (next: CouncilSession): void => {
    stored.push(next);
    session = next;
  };
  for (let steps = 0; steps < 5000; steps += 1) {
    if (session.status === 'asking') {
      const given = script.answer?.(session.question!, session) ?? yesTo(session.question!);
      const answered = applyAnswer(session, given, facts);
      if (!answered.ok) throw new Error(answered.refusal.message);
      store(answered.next);
      continue;
    }
    const step = nextStep(session);
    switch (step.do) {
      case 'wait':
        return { session, asked, stored };
      case 'ask':
        asked.push(step.question);
        for (const next of putQuestion(session, step.question, facts.at)) store(next);
        break;
      case 'speak': {
        const spoken = script.speak?.(step, session) ?? sampleSpoken('New.', { claims: cited(`T${step.number}`) });
        store(landTurn(session, step, spoken, facts));
        break;
      }
      case 'draft':
        store({
          ...session,
          drafts: sampleDrafts(session.setup.invitees.filter(({ worker }) => worker).map(({ name }) => name)),
        });
        break;
      case 'save':
        store(finishSession(session));
        break;
      default:
        store(takeOwnStep(session, step, facts));
    }
  }
  throw new Error('the council has no end');
}

export function yesTo(question: CouncilQuestion): GivenAnswer {
  if (question.kind === 'yield') return { answer: 'continue' };
  return { answer: question.kind === 'pin' ? 'keep' : 'accept' };
}
