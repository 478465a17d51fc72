import { expect, test } from 'vitest';
import type { CouncilSession } from '../contract.ts';
import { sampleSession, sampleSetup, walkCouncil } from '../../../../test/help/council-values.ts';
import { askedOf } from './asked.ts';

test('a pin is asked about with who pinned it and for what; before the files, with what will be written', () => {
  const session = {
    ...sampleSession(sampleSetup(['Ada', 'Ben'], { turns: 2 })),
    status: 'asking' as const,
    pins: [
      { id: 'SP-1', content: 'x', contentType: 'md', agent: 'Ada', intent: 'limits', historyCount: 0 },
      { id: 'SP-2', content: 'y', contentType: 'md', agent: 'Ben', intent: '', historyCount: 0 },
    ].map((pin, at) => ({ ...pin, disposition: at === 0 ? ('extract' as const) : ('drop' as const) })),
    reviews: [
      { draft: 'action-items', disposition: 'drop' as const, text: null },
      { draft: 'memory:Ada', disposition: 'edit' as const, text: 'z' },
      { draft: 'notes', disposition: 'accept' as const, text: null },
    ],
  };
  const notesAt = (question: CouncilSession['question']) => askedOf({ ...session, question })?.notes;
  expect(notesAt({ kind: 'pin', pin: 'SP-1' })).toEqual(['Pinned by Ada for: limits']);
  expect(notesAt({ kind: 'pin', pin: 'SP-2' })).toEqual(['Pinned by Ben']);
  const save = { kind: 'yield', at: 'pre-save', turns: 0 } as const;
  expect(notesAt(save)).toEqual(['To be written: memory of Ada, notes, SP-1', 'Dropped: action items']);
  const none = { actionItems: [], memory: [], notes: { summary: '', sections: {}, openQuestions: [], minority: '' } };
  const accepted = [{ draft: 'action-items', disposition: 'accept' as const, text: null }];
  const withNone = {
    ...session,
    question: save,
    reviews: accepted,
    pins: [],
    drafts: { ...none, by: 'engine' as const },
  };
  expect(askedOf(withNone)?.notes).toEqual(['To be written: nothing']);
  expect(askedOf({ ...session, question: save, reviews: [], pins: [] })?.notes).toEqual(['To be written: nothing']);
});

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
