/** What the person's answers and resumes do: five answers at five yields, resumes, seats, refusals. */
import { describe, expect, test } from 'vitest';
import {
  cited,
  sampleFacts,
  sampleSession,
  sampleSetup,
  sampleSpoken,
  type Script,
  walkCouncil,
} from '../../../../test/help/council-values.ts';
import { type CouncilSession, type CouncilSetup, type YieldName, yieldNames } from '../contract.ts';
import { type Answered, applyAnswer, applyResume, type ResumeWish } from './answers.ts';
import { nextStep } from './machine.ts';
import { turnsOf } from './session.ts';

const facts = sampleFacts();

/** The council as it stands at that yield. */
function at(name: YieldName, names = ['Ada', 'Ben'], changes: Partial<CouncilSetup> = {}): CouncilSession {
  const { stored } = walkCouncil(sampleSession(sampleSetup(names, { turns: 6, ...changes }), 4));
  return stored.find(
    ({ question, status }) => status === 'asking' && question?.kind === 'yield' && question.at === name,
  )!;
}

function taken(answered: Answered): CouncilSession {
  if (!answered.ok) throw new Error(answered.refusal.message);
  return answered.next;
}

function resumed(session: CouncilSession, wish: ResumeWish): CouncilSession {
  return taken(applyResume(session, wish, facts));
}

function markers({ transcript }: CouncilSession): string[] {
  return transcript.flatMap((entry) => (entry.kind === 'marker' ? [entry.phase] : []));
}

describe('the five answers', () => {
  test.each(yieldNames)('[CNC-YLD-11] continue at %s goes on', (name) => {
    const next = taken(applyAnswer(at(name), { answer: 'continue' }, facts));
    expect(next).toMatchObject({ status: 'running', question: null });
    expect(next.passed.at(-1)).toBe(name);
    expect(nextStep(next).do).not.toBe('ask');
    expect(walkCouncil(next).session.status).toBe('saved');
  });

  test.each(yieldNames)('[CNC-YLD-12] pause at %s keeps everything and waits', (name) => {
    const session = at(name);
    const next = taken(applyAnswer(session, { answer: 'pause' }, facts));
    expect(next).toEqual({ ...session, status: 'paused' });
    expect(nextStep(next)).toEqual({ do: 'wait' });
  });

  test.each(yieldNames)(
    '[CNC-YLD-13] [CNC-DIS-24] an interjection at %s is a turn of the person; the same is asked again',
    (name) => {
      const session = at(name);
      const answered = applyAnswer(session, { answer: 'interject', text: 'And the cost?' }, facts);
      const next = taken(answered);
      expect(answered).toMatchObject({ again: session.question });
      expect(next.question).toEqual(session.question);
      expect(next.turnCounter).toBe(session.turnCounter + 1);
      expect(next.cadenceCounter).toBe(session.cadenceCounter + 1);
      expect(turnsOf(next).at(-1)).toMatchObject({
        speaker: 'Pat',
        kind: 'interjection',
        via: 'interject',
        origin: 'interject',
        body: 'And the cost?',
        tokens: 0,
      });
      expect(walkCouncil(next).session.status).toBe('saved');
    },
  );

  test.each(['post-charter', 'post-research', 'discuss-cadence'] as const)(
    '[CNC-YLD-14] [CNC-RES-16] wrap-up at %s goes to CLOSE with all turns so far, and answers the yield before it',
    (name) => {
      const session = at(name);
      const { session: end, asked } = walkCouncil(taken(applyAnswer(session, { answer: 'wrap-up' }, facts)));
      expect(end.status).toBe('saved');
      expect(turnsOf(end)).toEqual(turnsOf(session));
      expect(asked.flatMap((question) => (question.kind === 'yield' ? [question.at] : []))).toEqual(['pre-save']);
      expect(markers(end)).toHaveLength(7);
      expect(end.researchPhase).toBe(name === 'post-charter' ? 'skipped' : 'enabled');
    },
  );

  test.each(['pre-close', 'pre-save'] as const)('wrap-up at %s is continue', (name) => {
    const session = at(name);
    const wrapped = taken(applyAnswer(session, { answer: 'wrap-up' }, facts));
    expect(wrapped).toEqual(taken(applyAnswer(session, { answer: 'continue' }, facts)));
  });

  test.each(yieldNames)('[CNC-YLD-15] abort at %s ends it for good, with no draft and no marker of SAVE', (name) => {
    const next = taken(applyAnswer(at(name), { answer: 'abort' }, facts));
    expect(next).toMatchObject({ status: 'aborted', question: null, save: null });
    expect(markers(next)).not.toContain('SAVE');
    expect(nextStep(next)).toEqual({ do: 'wait' });
    for (const action of ['resume_default', 'continue', 'wrap_up'] as const)
      expect(applyResume(next, { action }, facts)).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
  });

  test('[CNC-YLD-20] the count since the last yield begins anew when the yield is answered', () => {
    const session = at('discuss-cadence');
    const said = taken(applyAnswer(session, { answer: 'interject', text: 'x' }, facts));
    expect(taken(applyAnswer(said, { answer: 'continue' }, facts)).discussTurnsAtYield).toBe(5);
  });

  test('an answer that is none, or to nothing, is refused', () => {
    const session = at('post-charter');
    expect(applyAnswer(session, { answer: 'accept' }, facts)).toMatchObject({
      ok: false,
      refusal: { code: 'invalid' },
    });
    expect(applyAnswer(session, { answer: 'interject', text: ' \n' }, facts)).toMatchObject({ ok: false });
    const running = taken(applyAnswer(session, { answer: 'continue' }, facts));
    expect(applyAnswer(running, { answer: 'continue' }, facts)).toMatchObject({ refusal: { code: 'conflict' } });
  });
});

describe('the person', () => {
  test('[CNC-DIS-27] [CNC-DIS-28] with a seat, what is said at a yield is an attendee turn; never a slot of the round', () => {
    for (const name of yieldNames) {
      const next = taken(applyAnswer(at(name, ['Ada', 'me', 'Ben']), { answer: 'interject', text: 'x' }, facts));
      expect(turnsOf(next).at(-1)).toMatchObject({
        speaker: 'Pat',
        kind: 'attendee',
        via: 'attendee',
        origin: 'attendee',
      });
      expect(turnsOf(next).filter(({ speaker }) => speaker === 'Pat')).toHaveLength(1);
    }
  });

  test('[CNC-DIS-26] without a name the turn is refused with advice', () => {
    const session = at('post-charter', ['Ada', 'Ben'], { userName: null });
    const answered = applyAnswer(session, { answer: 'interject', text: 'x' }, facts);
    expect(answered).toMatchObject({
      refusal: { hint: "set `meeting.user_name` in `settings.json` or run `git config --global user.name '<name>'`" },
    });
    const named = taken(applyAnswer(session, { answer: 'interject', text: 'x' }, { ...facts, userName: 'Kim' }));
    expect(turnsOf(named).at(-1)!.speaker).toBe('Kim');
  });

  test('[CNC-GRD-8] nothing is said beyond the last turn, not by the person either', () => {
    const session = at('pre-close', ['Ada', 'Ben'], { maxTurns: 5 });
    expect(session.turnCounter).toBe(5);
    expect(applyAnswer(session, { answer: 'interject', text: 'x' }, facts)).toMatchObject({
      refusal: { code: 'conflict' },
    });
  });

  test('a turn of the person after the charter counts as said towards the research', () => {
    const next = taken(applyAnswer(at('post-charter'), { answer: 'interject', text: 'x' }, facts));
    expect(turnsOf(next).at(-1)).toMatchObject({ phase: 'RESEARCH', round: 0, number: 1 });
  });
});

describe('pins and reviews', () => {
  const pinning: Script = {
    speak: (step) =>
      sampleSpoken('x', {
        claims: cited(`T${step.number}`),
        asked: {
          pins:
            step.number === 3 || step.number === 4
              ? [{ content: `c${step.number}`, contentType: 'md', intent: 'i' }]
              : [],
        },
      }),
    answer: ({ kind }) => (kind === 'yield' ? { answer: 'continue' } : { answer: kind === 'pin' ? 'extract' : 'drop' }),
  };

  test('[CNC-PAD-2] [CNC-PAD-5] [CNC-STA-10] each pin is asked about in order, after the marker CLOSE', () => {
    const { session, asked } = walkCouncil(sampleSession(), pinning);
    expect(asked.flatMap((question) => (question.kind === 'pin' ? [question.pin] : []))).toEqual(['SP-1', 'SP-2']);
    expect(session.pins.map(({ disposition }) => disposition)).toEqual(['extract', 'extract']);
    expect(session.scratchpadState).toMatch(/^SP-1=[0-9a-f]{16};SP-2=[0-9a-f]{16}$/);
    expect(session.reviews.map(({ disposition }) => disposition)).toEqual(['drop', 'drop', 'drop', 'drop']);
  });

  test('[CNC-PAD-3] what a pin replaced stays readable in the transcript', () => {
    const { session } = walkCouncil(sampleSession(), {
      speak: (step) =>
        sampleSpoken('x', {
          claims: cited(`T${step.number}`),
          asked: {
            pins:
              step.number === 3 || step.number === 4
                ? [
                    {
                      ...(step.number === 4 && { target: 'SP-1' }),
                      content: `c${step.number}`,
                      contentType: 'md',
                      intent: 'i',
                    },
                  ]
                : [],
          },
        }),
    });
    expect(session.pins).toMatchObject([{ id: 'SP-1', content: 'c4', historyCount: 1 }]);
    const told = session.transcript.flatMap((entry) =>
      entry.kind === 'line' && entry.name === 'pin' ? [entry.text] : [],
    );
    expect(told.join('\n')).toMatch(/c3[^]*c4/);
  });

  test('[CNC-REV-3] an edit keeps the text of the person; without one it is refused', () => {
    const session = walkCouncil(sampleSession(), pinning).stored.find(({ question }) => question?.kind === 'review')!;
    expect(applyAnswer(session, { answer: 'edit' }, facts)).toMatchObject({ refusal: { code: 'invalid' } });
    const next = taken(applyAnswer(session, { answer: 'edit', text: 'mine' }, facts));
    expect(next.reviews).toEqual([{ draft: 'action-items', disposition: 'edit', text: 'mine' }]);
  });
});

describe('resuming', () => {
  const paused = (name: YieldName): CouncilSession => ({ ...at(name), status: 'paused' });

  test.each(yieldNames)('[CNC-YLD-21] without an action the same question is put again: %s', (name) => {
    const session = paused(name);
    const answered = applyResume(session, { action: 'resume_default' }, facts);
    expect(answered).toMatchObject({ ok: true, again: session.question, next: { status: 'asking' } });
  });

  test('[CNC-YLD-22] --continue enters DISCUSS with counters, ledger, scratchpad and cost as stored', () => {
    const session = { ...paused('post-research'), raiseHandLedger: 'HONORED_1="A:B"\n', scratchpadState: 'SP-1=0' };
    const next = resumed(session, { action: 'continue' });
    for (const field of ['cadenceCounter', 'raiseHandLedger', 'scratchpadState', 'cumulativeCost'] as const)
      expect(next[field]).toEqual(session[field]);
    expect(nextStep(next)).toEqual({ do: 'mark', phase: 'DISCUSS' });
  });

  test('[CNC-YLD-23] --interject is a turn of the person; then the same is asked', () => {
    const next = resumed(paused('discuss-cadence'), { action: 'interject', text: 'Wait.' });
    expect(turnsOf(next).at(-1)).toMatchObject({ speaker: 'Pat', origin: 'interject', phase: 'DISCUSS' });
    expect(next.question).toMatchObject({ at: 'discuss-cadence' });
  });

  test('[CNC-YLD-24] --wrap-up goes to the drafts with everything that was said', () => {
    const session = paused('discuss-cadence');
    const next = resumed(session, { action: 'wrap_up' });
    expect(nextStep(next)).toEqual({ do: 'mark', phase: 'CLOSE' });
    expect(turnsOf(next)).toEqual(turnsOf(session));
  });

  const refusing: Script = {
    speak: (step) =>
      step.number === 4
        ? { outcome: 'refused', offenders: [{ line: 1, text: 'x' }], draft: '', tokens: 1 }
        : sampleSpoken('x', { claims: cited(`T${step.number}`) }),
  };

  test('[CNC-GRD-5] a resume passes over the turn that was halted', () => {
    const { session } = walkCouncil(sampleSession(), refusing);
    expect(session.status).toBe('halted');
    const next = resumed(session, { action: 'continue' });
    expect(next).toMatchObject({ status: 'running', halt: null, slotsDone: 2, round: 2 });
    const end = walkCouncil(next).session;
    expect(turnsOf(end).map(({ speaker }) => speaker)).toEqual(['Ada', 'Ben', 'Ada', 'Ada', 'Ben']);
  });

  test('[CNC-YLD-21] a halted council is asked again at the point that it passed last', () => {
    const { session } = walkCouncil(sampleSession(), refusing);
    const answered = applyResume(session, { action: 'resume_default' }, facts);
    expect(answered).toMatchObject({ again: { kind: 'yield', at: 'post-research' } });
    const next = taken(applyAnswer(taken(answered), { answer: 'continue' }, facts));
    expect(next.passed).toEqual(['post-charter', 'post-research']);
    expect(walkCouncil(next).session.status).toBe('saved');
    expect(walkCouncil(resumed(session, { action: 'wrap_up' })).session.status).toBe('saved');
  });

  test('[CNC-YLD-20] the count of turns since the last cadence yield outlives a halt, and the question that is put again', () => {
    const script: Script = {
      speak: (step) =>
        step.number === 5
          ? { outcome: 'refused', offenders: [{ line: 1, text: 'x' }], draft: '', tokens: 1 }
          : sampleSpoken('x', { claims: cited(`T${step.number}`) }),
    };
    const halted = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben'], { turns: 8 }), 4), script).session;
    expect(halted).toMatchObject({ status: 'halted', discussTurns: 2 });
    const again = resumed(halted, { action: 'resume_default' });
    expect(again.question).toMatchObject({ at: 'post-research' });
    const { stored } = walkCouncil(taken(applyAnswer(again, { answer: 'continue' }, facts)));
    const cadence = stored.find(({ question }) => question?.kind === 'yield' && question.at === 'discuss-cadence');
    expect(cadence).toMatchObject({ discussTurns: 4, question: { turns: 4 } });
  });

  test('[CNC-GRD-4] missing preludes are asked for again; a wrap-up does without them', () => {
    let isMute = true;
    const script: Script = {
      speak: (step) =>
        isMute && step.speaker.name === 'Ada'
          ? { outcome: 'empty', tokens: 0 }
          : sampleSpoken('x', { claims: cited(`T${step.number}`) }),
    };
    const { session } = walkCouncil(sampleSession(), script);
    expect(session.halt).toMatchObject({ skips: false });
    expect(walkCouncil(resumed(session, { action: 'continue' }), script).session.status).toBe('halted');
    const wrapped = walkCouncil(resumed(session, { action: 'wrap_up' }), script).session;
    expect(wrapped).toMatchObject({ status: 'saved', researchPhase: 'enabled' });
    isMute = false;
    const end = walkCouncil(resumed(session, { action: 'continue' }), script).session;
    expect(
      turnsOf(end)
        .map(({ speaker, kind }) => `${speaker} ${kind}`)
        .slice(0, 2),
    ).toEqual(['Ben prelude', 'Ada prelude']);
    expect(end.status).toBe('saved');
  });

  test('[CNC-REV-8] a save that was stopped half-way goes on without a question', () => {
    const saving = taken(applyAnswer(at('pre-save'), { answer: 'continue' }, facts));
    const save = { ids: {}, written: ['a'], extractions: [], memory: [], notes: null, commit: null };
    const stopped = { ...saving, status: 'paused' as const, trouble: 'The disk is full.' };
    expect(applyResume(stopped, { action: 'resume_default' }, facts)).toMatchObject({ again: { at: 'pre-save' } });
    for (const action of ['resume_default', 'continue', 'wrap_up'] as const) {
      const next = resumed({ ...stopped, save }, { action });
      expect(next).toMatchObject({ status: 'running', question: null, trouble: null, save });
      expect(nextStep(next)).toEqual({ do: 'save' });
    }
  });

  test('what is saved, or walks, is not resumed', () => {
    const { session, stored } = walkCouncil(sampleSession());
    expect(applyResume(session, { action: 'continue' }, facts)).toMatchObject({ refusal: { code: 'conflict' } });
    const running = stored.find(({ status }) => status === 'running')!;
    expect(applyResume(running, { action: 'continue' }, facts)).toMatchObject({ refusal: { code: 'conflict' } });
  });

  test('[CNC-GRD-13] no resume unmutes', () => {
    const session = { ...paused('discuss-cadence'), muted: ['Ada'] };
    for (const action of ['resume_default', 'continue', 'wrap_up'] as const)
      expect(resumed(session, { action }).muted).toEqual(['Ada']);
  });
});
