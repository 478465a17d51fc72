import { expect, test } from 'vitest';
import { sampleSession, sampleSetup, walkCouncil } from '../../../../test/help/council-values.ts';
import { askedOf } from './asked.ts';

test('the first question says in one line where the charter is and what --no-web is for; no other does [CNC-YLD-2]', () => {
  const { stored } = walkCouncil(sampleSession(sampleSetup(['Ada', 'Ben', 'Cyd'], { turns: 6 })));
  const notes = new Map(
    stored.flatMap((session) => {
      const asked = askedOf(session);
      return asked?.question.kind === 'yield' ? [[asked.question.at, asked.notes] as const] : [];
    }),
  );
  expect([...notes.keys()]).toEqual(['post-charter', 'post-research', 'discuss-cadence', 'pre-close', 'pre-save']);
  expect(notes.get('post-charter')).toContain(
    'The charter is now in the session file .gaia/memory/meeting-sessions/2026-05-18-who-owns-the-cache.yaml; for sensitive contexts --no-web is advised.',
  );
  notes.delete('post-charter');
  expect([...notes.values()].flat().filter((note) => note.includes('--no-web'))).toEqual([]);
});
