/** What counts as new in a turn, and what a turn leaves behind for the next ones. */
import { describe, expect, test } from 'vitest';
import {
  cited,
  sampleSession,
  sampleSetup,
  sampleSpoken,
  type Script,
  walkCouncil,
} from '../../../../test/help/council-values.ts';
import type { CouncilSession } from '../contract.ts';
import { turnsOf } from './session.ts';

const pin = { content: 'a list', contentType: 'md', intent: 'i' };

/** Turns of two agents without preludes, each with what stands for its number. */
function said(turns: Readonly<Record<number, Parameters<typeof sampleSpoken>[1]>>, most = 6): CouncilSession {
  const script: Script = { speak: (step) => sampleSpoken('x', turns[step.number] ?? {}) };
  const setup = sampleSetup(['Ada', 'Ben'], { skipResearch: true, turns: most });
  return walkCouncil(sampleSession(setup, 10), script).session;
}

const progressOf = (session: CouncilSession): string[] =>
  turnsOf(session)
    .filter(({ kind }) => kind !== 'facilitator')
    .map(({ progress }) => progress);

describe('progress', () => {
  test('is a source that nobody named before, a decision, or a pin of its own [CNC-GRD-14]', () => {
    const notFound = cited('b.ts').map((claim) => ({ ...claim, verdict: 'not-found' as const }));
    const session = said(
      {
        1: { claims: cited('a.ts') },
        2: { claims: cited('a.ts') },
        3: { claims: notFound },
        4: { asked: { decisions: ['We wait.'] } },
        5: { asked: { pins: [pin] } },
        6: { asked: { pins: [{ ...pin, content: 'another list', target: 'SP-1' }] } },
        7: { claims: cited('b.ts') },
      },
      7,
    );
    expect(progressOf(session)).toEqual([
      'new-citation',
      'none',
      'none',
      'new-decision',
      'new-pin',
      'none',
      'new-citation',
    ]);
  });

  test.each<[string, Parameters<typeof sampleSpoken>[1]]>([
    ['citation', { claims: cited('c.ts') }],
    ['decision', { asked: { decisions: ['We wait.'] } }],
    ['pin', { asked: { pins: [pin] } }],
  ])('one new %s within three turns is no loop [CNC-GRD-14]', (_, third) => {
    const speakers = (session: CouncilSession): string =>
      turnsOf(session)
        .map(({ speaker }) => speaker[0])
        .join('');
    expect(speakers(said({ 3: third }, 5))).toBe('ABABA');
    expect(speakers(said({}, 5))).toBe('ABAFBA');
  });
});

test('a loop has the facilitator speak next, whoever raised a hand in that turn [CNC-GRD-17]', () => {
  const session = said({ 3: { asked: { raiseHand: { target: 'Ben', question: 'Why?' } } } }, 4);
  expect(turnsOf(session).map(({ speaker, kind }) => `${speaker} ${kind}`)).toEqual([
    'Ada round-robin',
    'Ben round-robin',
    'Ada round-robin',
    'FACILITATOR facilitator',
    'Ben raise-hand',
    'Ben round-robin',
  ]);
});

test('what an agent fetched stays its own for all its turns, and is nobody else’s [CNC-DIS-14]', () => {
  const [one, two] = ['https://example.org/1', 'https://example.org/2'];
  const { fetched } = said({ 1: { fetched: [one] }, 2: { fetched: [two] }, 3: { fetched: [two, one] } });
  expect(fetched).toEqual({ Ada: [one, two], Ben: [two] });
});
