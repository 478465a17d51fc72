import { expect, test } from 'vitest';
import { cited, sampleSession, sampleSetup, sampleSpoken, walkCouncil } from '../../../../test/help/council-values.ts';
import { printCouncilNotes } from '../saving/notes-body.ts';
import { countCosts } from './costs.ts';

const drafting = { inputTokens: 500, outputTokens: 40, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.002 };

/** Two preludes of 100 tokens, and four turns: 200 each of Ada, 300 each of Ben. */
function spentCouncil(priceOfBen: number | null) {
  const { session } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben'])), {
    speak: (step) => {
      const tokens = step.kind === 'prelude' ? 100 : step.speaker.name === 'Ada' ? 200 : 300;
      const costUsd = step.speaker.name === 'Ben' ? priceOfBen : 0.01;
      const usage = { ...drafting, outputTokens: tokens, costUsd };
      return sampleSpoken('New.', { tokens, usage, claims: cited(`T${step.number}`) });
    },
  });
  return { ...session, drafts: { ...session.drafts!, usage: drafting } };
}

test('costs are told by speaker, by phase and in total, the drafting with them [CNC-GRD-21]', () => {
  const { bySpeaker, byPhase, total } = countCosts(spentCouncil(0.01));
  expect(bySpeaker.map(({ name, role, tokens }) => [name, role, tokens])).toEqual([
    ['Ada', 'Role of Ada', 500],
    ['Ben', 'Role of Ben', 700],
    ['Facilitator', 'Drafting', 40],
  ]);
  expect(byPhase.map(({ phase, tokens }) => [phase, tokens])).toEqual([
    ['RESEARCH', 200],
    ['DISCUSS', 1000],
    ['CLOSE', 40],
  ]);
  expect(total.tokens).toBe(1240);
  expect(total.costUsd).toBeCloseTo(0.062, 9);
});

test('one price that is not known makes its sums unknown, and no others', () => {
  const { bySpeaker, total } = countCosts(spentCouncil(null));
  expect(bySpeaker.map(({ costUsd }) => costUsd === null)).toEqual([false, true, false]);
  expect(total.costUsd).toBeNull();
});

test('who has a seat is in the breakdown of the notes, whatever they used [CNC-SAV-18]', () => {
  const { session } = walkCouncil(sampleSession(sampleSetup(['Ada', 'me', 'Ben'], { skipResearch: true, turns: 1 })));
  expect(countCosts(session).bySpeaker.map(({ name, tokens }) => [name, tokens])).toEqual([
    ['Ada', 100],
    ['Pat', 0],
    ['Ben', 0],
  ]);
  const notes = printCouncilNotes(session, session.drafts!.notes, [], { extractions: [], memory: [], ids: {} });
  for (const row of [
    ['Ada', 'Role of Ada', 100],
    ['Pat', 'User', 0],
    ['Ben', 'Role of Ben', 0],
  ] as const)
    expect(notes).toContain(`  - name: ${row[0]}\n    role: ${row[1]}\n    tokens: ${row[2]}\n`);
  expect(notes).toContain('\ntotal_tokens: 100\n');
});

test('the notes count the drafting, too', () => {
  const session = spentCouncil(0.01);
  const notes = printCouncilNotes(session, session.drafts.notes, [], { extractions: [], memory: [], ids: {} });
  expect(notes).toContain('  - name: Facilitator\n    role: Drafting\n    tokens: 40\n    input_tokens: 500\n');
  expect(notes).toContain('\ntotal_tokens: 1240\n');
});
