/** The walk of a council by values alone: phases, markers, yields, inserted turns, caps, halts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cited,
  sampleFacts,
  sampleSession,
  sampleSetup,
  sampleSpoken,
  type Script,
  walkCouncil,
  yesTo,
} from '../../../../test/help/council-values.ts';
import { councilPhases, type CouncilQuestion, type CouncilSession, type CouncilSetup } from '../contract.ts';
import { councilRun } from '../descriptions.ts';
import { applyAnswer } from './answers.ts';
import type { Spoken } from './landing.ts';
import { nextStep } from './machine.ts';
import { turnsOf } from './session.ts';
import { putQuestion } from './steps.ts';

const agents = ['Ada', 'Ben', 'Cyd', 'Dan'];

function walk(changes: Partial<CouncilSetup> = {}, script: Script = {}, cadence = 4, names = agents) {
  return walkCouncil(sampleSession(sampleSetup(names, changes), cadence), script);
}

function yields(asked: readonly CouncilQuestion[]): string[] {
  return asked.flatMap((question) => (question.kind === 'yield' ? [question.at] : []));
}

function markers({ transcript }: CouncilSession): string[] {
  return transcript.flatMap((entry) => (entry.kind === 'marker' ? [entry.phase] : []));
}

function lines({ transcript }: CouncilSession, name: string): string[] {
  return transcript.flatMap((entry) => (entry.kind === 'line' && entry.name === name ? [entry.text] : []));
}

function speakers(session: CouncilSession, phase = 'DISCUSS'): string {
  const said = turnsOf(session).filter((turn) => turn.phase === phase);
  return said.map(({ speaker }) => speaker[0]).join('');
}

describe('the phases', () => {
  test('[CNC-MRK-1] [CNC-INV-2] every council walks them in order, a marker each', () => {
    const { session } = walk();
    expect(session.status).toBe('saved');
    expect(markers(session)).toEqual(councilPhases);
    expect(session.transcript.at(-1)).toEqual({ kind: 'marker', phase: 'SAVE' });
  });

  test('[CNC-MRK-4] [CNC-RES-14] a council without research has its marker, no prelude and no yield after it', () => {
    const { session, asked } = walk({ skipResearch: true });
    expect(markers(session)).toEqual(councilPhases);
    expect(yields(asked)).toEqual(['post-charter', 'discuss-cadence', 'pre-close', 'pre-save']);
    expect(session.researchPhase).toBe('skipped');
    expect(turnsOf(session).every(({ phase }) => phase === 'DISCUSS')).toBe(true);
  });

  test('[CNC-MRK-5] [CNC-MRK-6] [CNC-MRK-7] a marker stands before what its phase does', () => {
    const { stored } = walk();
    for (const session of stored) {
      const seen = markers(session);
      if (turnsOf(session).some(({ phase }) => phase === 'DISCUSS')) expect(seen).toContain('DISCUSS');
      if (seen.includes('CLOSE')) expect(session.passed).toContain('pre-close');
      if (session.drafts !== null) expect(seen).toContain('CLOSE');
      if (session.question?.kind === 'review') expect(seen).toContain('REVIEW');
    }
  });

  test('[CNC-RES-9] [CNC-DIS-1] preludes in the order of invitation, one each; then the round, over and over', () => {
    const { session } = walk({ turns: 10 });
    expect(speakers(session, 'RESEARCH')).toBe('ABCD');
    expect(speakers(session)).toBe('ABCDABCDAB');
    expect(turnsOf(session).map(({ number }) => number)).toEqual([...Array(14).keys()].map((n) => n + 1));
    expect(turnsOf(session).at(-1)).toMatchObject({ round: 3, id: 'T14', runningTotal: 1400 });
  });

  test('[CNC-REV-1] every draft is reviewed, each by an answer of its own', () => {
    const { asked, session } = walk();
    const drafts = asked.flatMap((question) => (question.kind === 'review' ? [question.draft] : []));
    expect(drafts).toEqual(['action-items', 'memory:Ada', 'memory:Ben', 'memory:Cyd', 'memory:Dan', 'notes']);
    expect(session.reviews.map(({ disposition }) => disposition)).toEqual(drafts.map(() => 'accept'));
  });
});

describe('the yields', () => {
  test('[CNC-YLD-7] a full council of N turns at cadence K asks 4 + floor((N-1)/K) times', () => {
    for (let turns = 1; turns <= 12; turns += 1)
      for (let cadence = 1; cadence <= 5; cadence += 1)
        expect(yields(walk({ turns }, {}, cadence).asked)).toHaveLength(4 + Math.floor((turns - 1) / cadence));
  });

  test('[CNC-YLD-20] the cadence counts emitted DISCUSS turns, inserted ones too', () => {
    const { session, asked } = walk(
      { turns: 7 },
      {
        speak: (step) =>
          sampleSpoken('x', {
            claims: cited(`T${step.number}`),
            asked:
              step.kind === 'round-robin' && step.speaker.name === 'Ada'
                ? { raiseHand: { target: 'Cyd', question: '' } }
                : {},
          }),
      },
    );
    expect(speakers(session)).toBe('ACBCDACBC');
    expect(asked.filter((question) => question.kind === 'yield' && question.at === 'discuss-cadence')).toEqual([
      { kind: 'yield', at: 'discuss-cadence', turns: 4 },
      { kind: 'yield', at: 'discuss-cadence', turns: 4 },
    ]);
  });

  test('[CNC-YLD-7] none is asked right before another: nobody is left to speak, or only a muted one was asked for', () => {
    const spent = walk({ perAgentCap: 2000 }, { speak: () => sampleSpoken('x', { tokens: 1500 }) });
    expect(spent.session.muted).toEqual(agents);
    expect(yields(spent.asked)).toEqual(['post-charter', 'pre-close', 'pre-save']);
    const first = walk(
      { turns: 1, perAgentCap: 2000 },
      { speak: (step) => sampleSpoken('x', { tokens: step.speaker.name === 'Ada' ? 1500 : 10 }) },
    );
    expect(yields(first.asked)).toEqual(['post-charter', 'pre-close', 'pre-save']);
    const hand = walk(
      { skipResearch: true, turns: 3, perAgentCap: 3000 },
      {
        speak: (step) =>
          sampleSpoken('x', {
            tokens: step.speaker.name === 'Ben' ? 2500 : 10,
            claims: cited(`T${step.number}`),
            asked: step.number === 3 ? { raiseHand: { target: 'Ben', question: '' } } : {},
          }),
      },
      3,
      ['Ada', 'Ben'],
    );
    expect(lines(hand.session, 'passed-over')).toHaveLength(1);
    expect(yields(hand.asked)).toEqual(['post-charter', 'pre-close', 'pre-save']);
  });

  test('[CNC-YLD-16] the whole state, then the phase, then the time are stored before a question', () => {
    const session = walk({}, { answer: () => ({ answer: 'pause' }) }).session;
    const at = '2026-05-18T10:00:00.000Z';
    const running = { ...session, status: 'running' as const, question: null };
    const question = { kind: 'yield', at: 'pre-save', turns: 0 } as const;
    const [whole, checkpoint, asked] = putQuestion(running, question, at);
    expect(whole).toEqual({ ...running, phase: 'SAVE' });
    expect(checkpoint).toMatchObject({ lastCheckpointPhase: 'pre-save', lastCheckpointAt: at, question: null });
    expect(checkpoint!.lastYieldEmittedAt).not.toBe(at);
    expect(asked).toMatchObject({ lastYieldEmittedAt: at, question, status: 'asking' });
  });

  test('[CNC-STA-5] the phase is SAVE before the question before SAVE', () => {
    const { stored } = walk();
    const asking = stored.find(({ question }) => question?.kind === 'yield' && question.at === 'pre-save');
    expect(asking?.phase).toBe('SAVE');
  });

  test('[CNC-YLD-8] while it asks there is no next step', () => {
    for (const session of walk().stored)
      if (session.question !== null) expect(nextStep(session)).toEqual({ do: 'wait' });
  });
});

describe('raised hands and research', () => {
  const raising =
    (wishes: Readonly<Record<string, string>>) =>
    (step: Parameters<NonNullable<Script['speak']>>[0]): Spoken => {
      const target = wishes[`${step.kind}:${step.round}:${step.speaker.name}`];
      return sampleSpoken('x', {
        claims: cited(`T${step.number}`),
        asked: target === undefined ? {} : { raiseHand: { target, question: 'Why?' } },
      });
    };

  test('[CNC-DIS-20] [CNC-DIS-3] the target speaks next, and keeps its own slot', () => {
    const { session } = walk({ turns: 4 }, { speak: raising({ 'round-robin:1:Ada': 'Cyd' }) });
    expect(speakers(session)).toBe('ACBCD');
    expect(lines(session, 'raise-hand')).toEqual(['[raise-hand cycle=1 requesting=Ada target=Cyd status=honored]']);
  });

  test('[CNC-DIS-21] [CNC-DIS-23] further hands wait, and are the first action of the next cycle, oldest first', () => {
    const wishes = { 'round-robin:1:Ada': 'Cyd', 'round-robin:1:Ben': 'Dan', 'round-robin:1:Dan': 'Ada' };
    const { session } = walk({ turns: 8 }, { speak: raising(wishes) });
    expect(speakers(session)).toBe('ACBCDDAABCD');
    expect(lines(session, 'raise-hand')).toEqual([
      '[raise-hand cycle=1 requesting=Ada target=Cyd status=honored]',
      '[raise-hand cycle=1 requesting=Ben target=Dan status=deferred-to-next-cycle]',
      '[raise-hand cycle=1 requesting=Dan target=Ada status=deferred-to-next-cycle]',
    ]);
    expect(
      turnsOf(session)
        .filter(({ kind }) => kind === 'raise-hand')
        .map(({ round }) => round),
    ).toEqual([1, 2, 2]);
    expect(session.waitingHands).toEqual([]);
  });

  test('[CNC-DIS-22] what still waits at the end stays, for the notes', () => {
    const wishes = { 'round-robin:1:Ada': 'Cyd', 'round-robin:1:Ben': 'Dan' };
    const { session } = walk({ turns: 4 }, { speak: raising(wishes) });
    expect(session.waitingHands).toEqual([{ cycle: 1, requesting: 'Ben', target: 'Dan', question: 'Why?' }]);
  });

  test('[CNC-DIS-22] [CNC-GRD-12] a muted agent is passed over, and its raised hand is logged', () => {
    const { session } = walk(
      { turns: 8, perAgentCap: 3000 },
      {
        speak: (step) =>
          sampleSpoken('x', {
            claims: cited(`T${step.number}`),
            tokens: step.speaker.name === 'Ben' ? 1100 : 10,
            asked:
              step.speaker.name === 'Cyd' && step.round === 1 ? { raiseHand: { target: 'Ben', question: '' } } : {},
          }),
      },
    );
    expect(lines(session, 'muted')).toEqual(['MUTED agent=Ben tokens=2200 cap=3000 fr=FR-MTG-29']);
    expect(speakers(session)).toBe('ABCDACD');
    expect(lines(session, 'passed-over')).toEqual(['the raised hand of Cyd to Ben is passed over: Ben is muted']);
  });

  test('a hand to somebody who is not invited, or to itself, is refused with a line', () => {
    const wishes = { 'round-robin:1:Ada': 'Eve', 'round-robin:1:Ben': 'ben' };
    const { session } = walk({ turns: 4 }, { speak: raising(wishes) });
    expect(speakers(session)).toBe('ABCD');
    expect(lines(session, 'raise-hand')).toHaveLength(2);
    expect(session.raiseHandLedger).toBe('');
  });

  test('a hand to the person waits for the next yield', () => {
    const { session, stored } = walk({ turns: 4 }, { speak: raising({ 'round-robin:1:Ada': 'me' }) }, 2, [
      ...agents,
      'me',
    ]);
    const asking = stored.find(({ question }) => question?.kind === 'yield' && question.at === 'discuss-cadence');
    expect(asking?.waitingHands).toEqual([{ cycle: 1, requesting: 'Ada', target: 'Pat', question: 'Why?' }]);
    expect(speakers(session)).toBe('ABCD');
  });

  test('[CNC-DIS-3] research is a turn of its own before the next slot, and brings no more of it', () => {
    const { session } = walk(
      { turns: 4 },
      {
        speak: (step) =>
          sampleSpoken('x', {
            claims: cited(`T${step.number}`),
            asked: step.speaker.name === 'Ben' && step.round === 1 ? { research: { question: 'Which?' } } : {},
          }),
      },
    );
    expect(speakers(session)).toBe('ABBCD');
    expect(turnsOf(session).map(({ kind }) => kind)).toContain('research-interrupt');
  });
});

describe('the guardrails', () => {
  test('[CNC-GRD-8] the turn after the last one is not started, and CLOSE is asked about, saying so', () => {
    const { session, asked } = walk({ turns: 100, maxTurns: 10 });
    expect(session.turnCounter).toBe(10);
    expect(lines(session, 'max-turns')).toHaveLength(1);
    expect(yields(asked)).toEqual(['post-charter', 'post-research', 'discuss-cadence', 'pre-close', 'pre-save']);
    expect(session.status).toBe('saved');
  });

  test('[CNC-GRD-8] [CNC-GRD-9] without flags there are 40 turns, and 25,000 tokens for each agent', () => {
    const { maxTurns, perAgentCap } = councilRun.input.parse({});
    const { session } = walk({ turns: 100, maxTurns });
    expect(session.turnCounter).toBe(40);
    const spend = (tokens: number) =>
      walk(
        { skipResearch: true, turns: 8, perAgentCap },
        { speak: (step) => sampleSpoken('x', { claims: cited(`T${step.number}`), tokens }) },
      ).session;
    expect(speakers(spend(24_000))).toBe('ABCDABCD');
    expect(lines(spend(24_001), 'muted')[0]).toBe('MUTED agent=Ada tokens=24001 cap=25000 fr=FR-MTG-29');
    expect(speakers(spend(24_001))).toBe('ABCD');
  });

  test('[CNC-GRD-8] also within research', () => {
    const { session, asked } = walk({ maxTurns: 2 });
    expect(session.turnCounter).toBe(2);
    expect(yields(asked)).toEqual(['post-charter', 'pre-close', 'pre-save']);
  });

  test('[CNC-GRD-9] [CNC-GRD-10] [CNC-GRD-11] [CNC-GRD-13] an agent is muted at its cap, once, for good', () => {
    const { session, stored } = walk(
      { turns: 16, perAgentCap: 5000 },
      {
        speak: (step) =>
          sampleSpoken('x', { claims: cited(`T${step.number}`), tokens: step.speaker.name === 'Ada' ? 2100 : 10 }),
      },
    );
    expect(lines(session, 'muted')).toEqual(['MUTED agent=Ada tokens=4200 cap=5000 fr=FR-MTG-29']);
    expect(speakers(session).replaceAll(/[^A]/g, '')).toBe('A');
    const at = session.transcript.findIndex((entry) => entry.kind === 'line' && entry.name === 'muted');
    expect(session.transcript[at - 1]).toMatchObject({ turn: { id: 'T5', speaker: 'Ada' } });
    let wasMuted = false;
    for (const { muted } of stored) {
      expect(wasMuted && !muted.includes('Ada')).toBe(false);
      wasMuted ||= muted.includes('Ada');
    }
  });

  test('all muted ends the discussion', () => {
    const { session, asked } = walk(
      { turns: 100, perAgentCap: 2000 },
      { speak: (step) => sampleSpoken('x', { claims: cited(`T${step.number}`), tokens: 600 }) },
    );
    expect(session.muted).toEqual(agents);
    expect(speakers(session)).toBe('ABCD');
    expect(yields(asked)).toEqual(['post-charter', 'post-research', 'pre-close', 'pre-save']);
  });

  test('[CNC-GRD-14] [CNC-GRD-17] two who go round get the forced turn of the facilitator', () => {
    const { session } = walk({ turns: 6 }, { speak: () => sampleSpoken('x') }, 10, ['Ada', 'Ben']);
    expect(speakers(session)).toBe('ABAFBAB');
    const forced = turnsOf(session).find(({ kind }) => kind === 'facilitator')!;
    expect(forced).toMatchObject({ speaker: 'FACILITATOR', role: 'LOOP-BREAK', via: 'facilitator', tokens: 0 });
    expect(forced.body).toMatch(/^The last turns brought no new citation/);
    expect(lines(session, 'loop')).toEqual([
      'FACILITATOR / LOOP-BREAK turn injected — A=Ada B=Ben no-progress fr=FR-MTG-30',
    ]);
  });

  test('[CNC-GRD-16] two whole rounds without anything new are a loop too; progress is none', () => {
    expect(speakers(walk({ turns: 9 }, { speak: () => sampleSpoken('x') }, 10).session)).toBe('ABCDABCDFA');
    const { session } = walk({ turns: 9 }, {}, 10);
    expect(speakers(session)).not.toContain('F');
  });

  test('[CNC-GRD-18] [CNC-GRD-19] [CNC-GRD-20] costs are told at emitted turns 10, 20, 30, whatever is inserted and asked', () => {
    const raise = (step: { number: number; round: number; speaker: { name: string }; kind: string }) =>
      sampleSpoken('x', {
        claims: cited(`T${step.number}`),
        asked:
          step.kind === 'round-robin' && step.speaker.name === 'Ada' && step.round <= 4
            ? { raiseHand: { target: 'Cyd', question: '' } }
            : {},
      });
    const scripts: Script[] = [{}, { speak: raise }];
    for (const script of scripts)
      for (const cadence of [1, 3, 10]) {
        const { session } = walk({ turns: 26 }, script, cadence);
        expect(session.turnCounter).toBeGreaterThanOrEqual(30);
        expect(lines(session, 'cost-check').map((line) => /turn (\d+)/.exec(line)?.[1])).toEqual(['10', '20', '30']);
      }
  });
});

describe('the halts', () => {
  const refused: Spoken = {
    outcome: 'refused',
    offenders: [{ line: 2, text: 'It\nis' }],
    draft: 'Kept back.',
    tokens: 70,
  };

  test('[CNC-GRD-5] [CNC-GRD-1] [CNC-GRD-7] [CNC-GRD-2] [CNC-DIS-11] an unflagged claim halts; its line is the last, the draft is nowhere', () => {
    const { session, stored } = walk(
      {},
      { speak: (step) => (step.number === 6 ? refused : sampleSpoken('x', { claims: cited(`T${step.number}`) })) },
    );
    expect(session.status).toBe('halted');
    expect(session.transcript.at(-1)).toEqual({
      kind: 'line',
      name: 'halt',
      text: 'HALT condition=CITE-OR-FLAG agent=Ben fr=FR-MTG-9 detail=1 unflagged claim after two re-asks; line 2: It is',
    });
    expect(nextStep(session)).toEqual({ do: 'wait' });
    expect(session.turnCounter).toBe(5);
    expect(session.cumulativeCost).toBe(500);
    expect(session.tokens['Ben']).toBe(170);
    // The round holds where it is, and nothing that was ever on disk has the draft.
    expect(session.slotsDone).toBe(turnsOf(session).filter(({ phase }) => phase === 'DISCUSS').length);
    expect(JSON.stringify(stored)).not.toContain('Kept back.');
  });

  test('[CNC-GRD-4] [CNC-RES-12] DISCUSS does not start without every prelude', () => {
    const { session } = walk(
      {},
      { speak: (step) => (step.speaker.name === 'Cyd' ? { outcome: 'empty', tokens: 5 } : sampleSpoken('x')) },
    );
    expect(session.transcript.at(-1)).toMatchObject({
      text: 'HALT condition=RESEARCH-MISSING agent=— fr=FR-MTG-28 detail=no prelude of Cyd',
    });
    expect(markers(session)).not.toContain('DISCUSS');
  });

  test('[CNC-RES-13] the person as attendee owes none', () => {
    const { session } = walk({}, {}, 4, ['Ada', 'me', 'Ben']);
    expect(session.status).toBe('saved');
    expect(turnsOf(session).map(({ speaker }) => speaker)).not.toContain('Pat');
    expect(session.userAttendance).toBe('true');
  });

  test('a speaker who says nothing is passed over with a line, and the round goes on', () => {
    const { session } = walk(
      { turns: 8 },
      {
        speak: (step) =>
          step.number === 6 && step.speaker.name === 'Ben'
            ? { outcome: 'empty', tokens: 5 }
            : sampleSpoken('x', { claims: cited(`T${step.number}`) }),
      },
    );
    expect(speakers(session)).toBe('ACDABCD');
    expect(lines(session, 'passed-over')).toEqual(['Ben said nothing: the turn is passed over']);
  });

  test('what could not be had pauses the council, with the words for it, and is asked for again', () => {
    const failed: Spoken = { outcome: 'failed', message: 'The rate limit is reached.', hint: 'Wait.', tokens: 3 };
    let isDown = true;
    const script: Script = {
      speak: (step) => (isDown && step.number === 6 ? failed : sampleSpoken('x', { claims: cited(`T${step.number}`) })),
    };
    const { session } = walk({}, script);
    expect(session).toMatchObject({ status: 'paused', trouble: 'The rate limit is reached. Wait.', question: null });
    const hint = 'Send the message again in a moment; nothing of the conversation is lost.';
    const { session: talk } = walk({}, { speak: () => ({ ...failed, hint }) });
    expect(talk.trouble).toBe('The rate limit is reached.');
    isDown = false;
    const { session: after } = walkCouncil({ ...session, status: 'running', trouble: null }, script);
    expect(speakers(after)).toBe('ABCDABCD');
  });
});

interface Chaos {
  readonly names: readonly string[];
  readonly changes: Partial<CouncilSetup>;
  readonly cadence: number;
  readonly dice: readonly number[];
}

const chaos: fc.Arbitrary<Chaos> = fc.record({
  names: fc.constantFrom(['Ada', 'Ben'], ['Ada', 'Ben', 'Cyd'], ['Ada', 'me', 'Ben', 'Cyd'], agents),
  changes: fc.record({
    turns: fc.integer({ min: 1, max: 15 }),
    maxTurns: fc.integer({ min: 3, max: 40 }),
    perAgentCap: fc.constantFrom(1500, 3000, 25_000),
    skipResearch: fc.boolean(),
  }),
  cadence: fc.integer({ min: 1, max: 6 }),
  dice: fc.array(fc.nat(99), { minLength: 20, maxLength: 120 }),
});

/** Speakers and a person who do anything, by the dice. */
function chaoticScript({ dice, names }: Chaos): Script {
  let at = 0;
  const roll = (): number => dice[(at += 1) % dice.length]!;
  return {
    speak: (step) => {
      const what = roll();
      if (what < 4) return { outcome: 'empty', tokens: roll() };
      const pick = names[roll() % names.length]!;
      return sampleSpoken(`[round 9 / turn 9 / Pat (User) / per-turn-cost 0 tokens / running-total 0 tokens] ${what}`, {
        tokens: roll() * 8,
        claims: what < 60 ? cited(`T${step.number}`) : [],
        asked: {
          pins: what % 7 === 0 ? [{ content: `${what}`, contentType: 'md', intent: 'i' }] : [],
          decisions: [],
          challenges: [],
          ...(what % 3 === 0 && { raiseHand: { target: pick, question: '' } }),
          ...(what % 5 === 0 && { research: { question: 'q' } }),
        },
      });
    },
    answer: (question, { turnCounter, setup }) => {
      if (question.kind !== 'yield') return yesTo(question);
      const what = roll();
      if (what < 15 && turnCounter < setup.maxTurns) return { answer: 'interject', text: `I say ${what}` };
      return { answer: what < 19 ? 'wrap-up' : what < 21 ? 'pause' : what < 23 ? 'abort' : 'continue' };
    },
  };
}

function judge({ setup, ...session }: CouncilSession, before: CouncilSession | undefined): void {
  const whole = { setup, ...session };
  const turns = turnsOf(whole);
  expect(markers(whole)).toEqual(councilPhases.slice(0, markers(whole).length));
  expect(session.turnCounter).toBe(turns.length);
  expect(session.cadenceCounter).toBe(turns.length);
  expect(session.turnCounter).toBeLessThanOrEqual(setup.maxTurns);
  expect(session.cumulativeCost).toBe(turns.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(session.discussTurns).toBe(turns.filter(({ phase }) => phase === 'DISCUSS').length);
  expect(lines(whole, 'cost-check')).toHaveLength(Math.floor(turns.length / 10));
  expect(session.status === 'asking').toBe(session.question !== null && session.status !== 'paused');
  if (before === undefined) return;
  expect(whole.transcript.slice(0, before.transcript.length)).toEqual(before.transcript);
  const fresh = turns.slice(turnsOf(before).length);
  expect(fresh.length).toBeLessThanOrEqual(1);
  for (const turn of fresh) {
    const isPerson = turn.speaker === 'Pat';
    expect(isPerson).toBe(turn.origin !== null);
    if (isPerson) expect(before.question?.kind).toBe('yield');
    if (!isPerson && turn.kind !== 'facilitator') expect(before.muted).not.toContain(turn.speaker);
  }
}

/** What came into the transcript from each yield to the next, markers left out but for those of CLOSE and REVIEW. */
function betweenYields(stored: readonly CouncilSession[]): string[][] {
  const found: string[][] = [];
  let last: CouncilSession | undefined;
  let before: CouncilSession | undefined;
  for (const session of stored) {
    if (session.question?.kind === 'yield' && before?.question?.kind !== 'yield') {
      if (last !== undefined) found.push(session.transcript.slice(last.transcript.length).flatMap(kindOf));
      last = session;
    }
    before = session;
  }
  return found;
}

function kindOf(entry: CouncilSession['transcript'][number]): string[] {
  return entry.kind === 'marker' && (entry.phase === 'RESEARCH' || entry.phase === 'DISCUSS') ? [] : [entry.kind];
}

describe('whatever agents and the person do', () => {
  test('[CNC-STA-7] [CNC-STA-11] [CNC-DIS-29] [CNC-YLD-7] [CNC-GRD-18] counters, markers, caps and the person hold', () => {
    fc.assert(
      fc.property(chaos, (one) => {
        const { stored, session } = walk(one.changes, chaoticScript(one), one.cadence, [...one.names]);
        let before: CouncilSession | undefined;
        for (const next of stored) {
          judge(next, before);
          before = next;
        }
        expect(['saved', 'paused', 'aborted', 'halted']).toContain(session.status);
        if (session.status === 'halted') expect(session.transcript.at(-1)).toMatchObject({ name: 'halt' });
        for (const between of betweenYields(stored)) expect(between).not.toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('[CNC-YLD-26] [CNC-YLD-27] a session that was stored anywhere goes on to the same end', async () => {
    const { parseSession, printSession } = await import('../store/session-file.ts');
    const calm: Script = {
      speak: (step, session) =>
        sampleSpoken(`T${step.number}`, {
          tokens: 50 + step.number,
          claims: step.number % 4 === 0 ? [] : cited(`T${step.number}`),
          asked: step.number % 5 === 0 ? { raiseHand: { target: session.setup.invitees[0]!.name, question: '' } } : {},
        }),
    };
    const { stored, session: end } = walk({ turns: 11 }, calm, 3);
    for (const session of stored) {
      const again = await parseSession(printSession(session), 'f');
      expect(again).toEqual(session);
      expect(walkCouncil(again, calm).session).toEqual(end);
    }
  });

  test('every answer at every yield gives a session that goes on as it should', () => {
    const facts = sampleFacts();
    for (const session of walk({ turns: 6 }, {}, 3).stored) {
      if (session.status !== 'asking' || session.question?.kind !== 'yield') continue;
      for (const answer of ['continue', 'pause', 'interject', 'wrap-up', 'abort'] as const) {
        const answered = applyAnswer(session, { answer, text: 'I say' }, facts);
        expect(answered.ok).toBe(true);
      }
    }
  });
});
