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
  if (question?.kind === 'pin') return pinNotes(session, question.pin);
  if (question?.kind !== 'yield') return [];
  const attendee = attendeeOf(session);
  const person = attendee?.name ?? setup.userName;
  const asking = waitingHands.filter(({ target }) => target === person);
  return [
    ...(question.at === 'post-charter' ? [charterNote(sessionId)] : []),
    ...(question.at === 'post-charter'
      ? [`Invited: ${setup.invitees.map(({ name, role }) => `${name} (${role})`).join(', ')}`]
      : []),
    ...(question.at === 'pre-save' ? saveNotes(session) : []),
    ...asking.map(({ requesting, question: wish }) => `${requesting} asks you: ${wish === '' ? 'to speak' : wish}`),
    ...(attendee === undefined ? [] : ['You have a seat here: what you type is your turn.']),
  ];
}

function pinNotes({ pins }: CouncilSession, id: string): readonly string[] {
  const pin = pins.find((each) => each.id === id);
  return pin === undefined ? [] : [`Pinned by ${pin.agent}${pin.intent === '' ? '' : ` for: ${pin.intent}`}`];
}

/** What the answers at CLOSE and REVIEW come to. The last word on a draft counts. */
function saveNotes({ reviews, pins, drafts }: CouncilSession): readonly string[] {
  const isEmpty = (draft: string, disposition: string): boolean =>
    draft === 'action-items' && disposition === 'accept' && drafts?.actionItems.length === 0;
  const last = [...new Map(reviews.map(({ draft, disposition }) => [draft, disposition]))].filter(
    ([draft, disposition]) => !isEmpty(draft, disposition),
  );
  const titles = (isDropped: boolean): string[] =>
    last.filter(([, disposition]) => (disposition === 'drop') === isDropped).map(([draft]) => draftTitle(draft));
  const extracted = pins.filter(({ disposition }) => disposition === 'extract').map(({ id }) => id);
  const [kept, dropped] = [[...titles(false), ...extracted], titles(true)];
  return [
    `To be written: ${kept.length === 0 ? 'nothing' : kept.join(', ')}`,
    ...(dropped.length === 0 ? [] : [`Dropped: ${dropped.join(', ')}`]),
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
