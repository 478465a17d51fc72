/** The runner's signature: nothing of a turn can be changed, taken out, put in, or carried over from another council. */
import { describe, expect, test } from 'vitest';
import { councilSecret, sampleSession, sampleSetup, walkCouncil } from '../../../../test/help/council-values.ts';
import { councilIdSchema, type CouncilEntry, type CouncilSession, type CouncilTurn } from '../contract.ts';
import { checkProvenance } from './seal.ts';
import { parseSession, printSession } from './session-file.ts';

const { session } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben'], { turns: 3 })));

function failing(changed: CouncilSession): readonly string[] {
  return checkProvenance(councilSecret, changed).failing;
}

function withTurn(id: string, change: Partial<CouncilTurn>): CouncilSession {
  const transcript = session.transcript.map((entry) =>
    entry.kind === 'turn' && entry.turn.id === id ? { ...entry, turn: { ...entry.turn, ...change } } : entry,
  );
  return { ...session, transcript };
}

function isTurn(entry: CouncilEntry, id: string): boolean {
  return entry.kind === 'turn' && entry.turn.id === id;
}

describe('[CNC-PRV-4] the seals', () => {
  test('hold for what the runner recorded, also after the file', async () => {
    expect(failing(session)).toEqual([]);
    expect(failing(await parseSession(printSession(session), 'f'))).toEqual([]);
  });

  test.each([
    ['body', 'Other.'],
    ['speaker', 'Ben'],
    ['role', 'x'],
    ['via', 'facilitator'],
    ['origin', 'interject'],
    ['phase', 'CLOSE'],
    ['kind', 'raise-hand'],
    ['tokens', 1],
    ['runningTotal', 1],
    ['at', '2026-01-01T00:00:00.000Z'],
    ['decisions', ['x']],
    ['claims', []],
    ['seal', ''],
    ['seal', 'ff'],
    ['seal', 'zz'.repeat(32)],
  ])('a changed %s fails', (field, value) => {
    expect(failing(withTurn('T3', { [field]: value }))).toEqual(['T3']);
  });

  test('a turn taken out, put in twice, or moved fails', () => {
    const without = session.transcript.filter((entry) => !isTurn(entry, 'T3'));
    expect(failing({ ...session, transcript: without })).toEqual(['T4', 'T5', 'T5']);
    const last = session.transcript.filter((entry) => !isTurn(entry, 'T5'));
    expect(failing({ ...session, transcript: last })).toEqual(['T5']);
    const again = session.transcript.filter((entry) => isTurn(entry, 'T5'));
    expect(failing({ ...session, transcript: [...session.transcript, ...again] })).toEqual(['T5']);
  });

  test('neither another secret nor another council will do', () => {
    expect(checkProvenance('00'.repeat(32), session).failing).toHaveLength(5);
    expect(failing({ ...session, sessionId: councilIdSchema.parse('2026-05-18-other') })).toHaveLength(5);
  });

  test('[CNC-PRV-8] a transcript without turns fails, but after a wrap-up that skipped both phases', () => {
    const empty = { ...session, transcript: [], turnCounter: 0 };
    expect(failing(empty)).toEqual(['-']);
    expect(failing({ ...empty, wrapUp: true })).toEqual(['-']);
    expect(failing({ ...empty, wrapUp: true, researchPhase: 'skipped' })).toEqual([]);
  });
});
