/** What a session records along the way, and the words of its questions in their order. */
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
import { questionWords } from '../contract/asking.ts';
import { applyAnswer } from './answers.ts';
import { nextStep } from './machine.ts';
import { agentsOf, turnsOf } from './session.ts';

const { stored, session, asked } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben', 'Cyd'], { turns: 6 }), 4), {
  speak: (step) =>
    sampleSpoken('x', {
      claims: cited(`T${step.number}`),
      findings:
        step.number === 2
          ? [
              { severity: 'INFO', text: 'read\none' },
              { severity: 'WARNING', text: 'odd' },
            ]
          : [],
      asked:
        step.number === 4 || step.number === 6
          ? { raiseHand: { target: step.number === 4 ? 'Cyd' : 'Ada', question: '' } }
          : {},
    }),
});

describe('the questions', () => {
  test('[CNC-YLD-1] [CNC-YLD-3] [CNC-YLD-4] [CNC-YLD-5] [CNC-YLD-6] have their words, each at its place', () => {
    const yields = asked.filter(({ kind }) => kind === 'yield');
    expect(yields.map((question) => Object.values(questionWords(question)))).toEqual([
      ['Yield: post-CHARTER', 'post-CHARTER yield — review charter and decide how to proceed'],
      ['Yield: post-RESEARCH', 'post-RESEARCH yield — review preludes and decide how to proceed'],
      [
        'Yield: discuss-cadence',
        'discuss-cadence yield — 4 DISCUSS turns since last yield; review and decide how to proceed',
      ],
      [
        'Yield: pre-CLOSE',
        'pre-CLOSE yield — about to draft close-time triage and artifacts; review and decide how to proceed',
      ],
      ['Yield: pre-SAVE', 'pre-SAVE yield — about to write artifacts to disk; review and decide how to proceed'],
    ]);
    const at = (name: string) => stored.find(({ question }) => question?.kind === 'yield' && question.at === name)!;
    expect(turnsOf(at('post-charter'))).toEqual([]);
    expect(turnsOf(at('post-research')).map(({ kind }) => kind)).toEqual(['prelude', 'prelude', 'prelude']);
    expect(at('discuss-cadence').discussTurns).toBe(4);
    expect(at('pre-close').drafts).toBeNull();
    expect(at('pre-save')).toMatchObject({ save: null, reviews: { length: 5 } });
  });

  test('[CNC-MRK-3] the charter stands behind its marker, and nothing before both but the invitation', () => {
    const first = sampleSession();
    expect(first.transcript).toEqual([
      { kind: 'marker', phase: 'INVITE' },
      { kind: 'marker', phase: 'CHARTER' },
      { kind: 'charter', text: 'Who owns the cache?' },
    ]);
  });

  test('[CNC-REV-8] once the last question is answered with continue, nothing is asked any more', () => {
    const saving = stored.find(({ question }) => question?.kind === 'yield' && question.at === 'pre-save')!;
    const answered = applyAnswer(saving, { answer: 'continue' }, sampleFacts());
    expect(answered.ok && nextStep(answered.next)).toEqual({ do: 'save' });
  });
});

describe('what is recorded', () => {
  test('[CNC-STA-8] the ticker of the cost check is the same with and without yields', () => {
    for (const one of stored) expect(one.cadenceCounter).toBe(turnsOf(one).length);
  });

  test('[CNC-STA-9] the ledger keeps the hands of every cycle, and what became of them', () => {
    expect(session.raiseHandLedger.split('\n')).toEqual([
      'HONORED_1="Ada:Cyd"',
      'DEFERRED_1="Ben:Ada"',
      'SETTLED_2="Ben:Ada"',
      '',
    ]);
  });

  test('[CNC-STA-12] [CNC-STA-14] the times of the latest yield are UTC', () => {
    const asking = stored.filter(({ question }) => question?.kind === 'yield');
    for (const { lastCheckpointAt, lastYieldEmittedAt } of asking)
      for (const time of [lastCheckpointAt, lastYieldEmittedAt])
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('[CNC-STA-15] INFO findings are collected; graver ones stand in the transcript', () => {
    expect(session.agentDispatchFindings).toBe('T2=INFO:read one; ');
    expect(session.transcript).toContainEqual({
      kind: 'line',
      name: 'warning',
      text: '[gaia-meeting] WARNING: Ben @ T2 — odd',
    });
  });

  test('[CNC-STA-16] whether the person sits in it is settled when it is called', () => {
    const seated = sampleSession(sampleSetup(['Ada', 'me']));
    expect(seated.userAttendance).toBe('true');
    for (const one of [...stored, ...walkCouncil(seated).stored])
      expect(['true', 'false']).toContain(one.userAttendance);
    expect(new Set(stored.map(({ userAttendance }) => userAttendance))).toEqual(new Set(['false']));
  });

  test('[CNC-STA-6] [CNC-DIS-5] the round counts the rounds; only invited agents, the person at yields and the loop break speak', () => {
    expect(turnsOf(session).map(({ round }) => round)).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    const names = new Set(agentsOf(session).map(({ name }) => name));
    for (const { speaker } of turnsOf(session)) expect(names).toContain(speaker);
  });
});

describe('hands and windows', () => {
  const raising = (number: number, target: string): Script => ({
    speak: (step) =>
      sampleSpoken('x', {
        claims: cited(`T${step.number}`),
        asked: step.number === number ? { raiseHand: { target, question: 'Why?' } } : {},
      }),
  });

  test('a hand to the person waits over rounds, until the person speaks', () => {
    const seated = sampleSession(sampleSetup(['Ada', 'Ben', 'me'], { turns: 6 }), 3);
    const { stored: all, session: end } = walkCouncil(seated, raising(3, 'user'));
    expect(end.waitingHands).toEqual([{ cycle: 1, requesting: 'Ada', target: 'Pat', question: 'Why?' }]);
    const asking = all.find(({ question }) => question?.kind === 'yield' && question.at === 'discuss-cadence')!;
    const said = applyAnswer(asking, { answer: 'interject', text: 'Because.' }, sampleFacts());
    expect(said.ok && said.next.waitingHands).toEqual([]);
  });

  test('what the person says ends a loop, as the facilitator does', () => {
    const { stored: all } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben'], { turns: 6 }), 2), {
      speak: () => sampleSpoken('x'),
    });
    const asking = all.find(({ question }) => question?.kind === 'yield' && question.at === 'discuss-cadence')!;
    expect(asking.loopWindow).toHaveLength(2);
    const said = applyAnswer(asking, { answer: 'interject', text: 'Go on.' }, sampleFacts());
    expect(said.ok && said.next.loopWindow).toEqual([]);
  });

  test('[CNC-DIS-22] hands that were honoured and not heard yet wait on, where turns or the person end the discussion', () => {
    const waiting = [{ cycle: 1, requesting: 'Ada', target: 'Ben', question: 'Why?' }];
    const most = sampleSetup(['Ada', 'Ben'], { turns: 6, skipResearch: true, maxTurns: 3 });
    expect(walkCouncil(sampleSession(most), raising(3, 'Ben')).session).toMatchObject({
      waitingHands: [{ target: 'Ben' }],
      inserted: [],
    });
    const wrapping: Script = {
      ...raising(3, 'Ben'),
      answer: (question) =>
        question.kind === 'yield' && question.at === 'discuss-cadence' ? { answer: 'wrap-up' } : yesTo(question),
    };
    const { session: end } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben'], { turns: 6 }), 1), wrapping);
    expect(end).toMatchObject({ status: 'saved', waitingHands: waiting, inserted: [] });
  });
});
