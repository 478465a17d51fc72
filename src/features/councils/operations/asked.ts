/** What a council asks, in words for every door. */
import type { Asked, CouncilSession } from '../contract.ts';
import { draftTitle, optionsOf, questionWords } from '../contract/asking.ts';
import { attendeeOf } from '../rules/session.ts';
import { printDraft } from '../saving/drafts.ts';
import { sessionPath } from '../store/place.ts';

/** Null where nothing waits for the person. */
export function askedOf(session: CouncilSession): Asked | null {
  const { question, status } = session;
  if (question === null || (status !== 'asking' && status !== 'paused')) return null;
  return {
    question,
    ...questionWords(question),
    notes: [...notesOf(session)],
    options: [...optionsOf(question)],
    shown: shownOf(session),
  };
}

/** In a few words, for lists. */
export function asksInBrief(session: CouncilSession): string | null {
  const { question, status, trouble, halt } = session;
  if (status === 'halted' || trouble !== null) return halt === null ? 'stopped' : 'halted';
  if (question === null || status !== 'asking') return status === 'paused' ? 'paused' : null;
  if (question.kind === 'yield') return questionWords(question).header.replace('Yield: ', '');
  return question.kind === 'pin' ? `pin ${question.pin}` : `review of ${draftTitle(question.draft)}`;
}

function notesOf(session: CouncilSession): readonly string[] {
  const { question, setup, sessionId, waitingHands } = session;
  if (question?.kind !== 'yield') return [];
  const attendee = attendeeOf(session);
  const person = attendee?.name ?? setup.userName;
  const asking = waitingHands.filter(({ target }) => target === person);
  return [
    ...(question.at === 'post-charter' ? [charterNote(sessionId)] : []),
    ...(question.at === 'post-charter'
      ? [`Invited: ${setup.invitees.map(({ name, role }) => `${name} (${role})`).join(', ')}`]
      : []),
    ...asking.map(({ requesting, question: wish }) => `${requesting} asks you: ${wish === '' ? 'to speak' : wish}`),
    ...(attendee === undefined ? [] : ['You have a seat here: what you type is your turn.']),
  ];
}

function charterNote(id: string): string {
  return `The charter is now in the session file ${sessionPath(id)}; for sensitive contexts --no-web is advised.`;
}

/** The draft as it would be written, or the pin's content. */
function shownOf(session: CouncilSession): string | null {
  const { question, pins } = session;
  if (question?.kind === 'pin') return pins.find(({ id }) => id === question.pin)?.content ?? null;
  return question?.kind === 'review' ? printDraft(session, question.draft) : null;
}
