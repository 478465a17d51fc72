/** What is told after a meeting was changed: one line each. */
import type { Renderer } from '../parts.ts';
import { plainText, type Terminal } from '../terminal.ts';

interface Changed {
  readonly id: string;
}

const done =
  <Answer extends Changed>(say: (answer: Answer) => string) =>
  (answer: Answer, term: Terminal): string =>
    `${term.style('green', '✓')} ${plainText(say(answer))}\n`;

function renderInterrupted({ id, interrupted }: Changed & { interrupted: boolean }, term: Terminal): string {
  if (!interrupted) return term.style('dim', `No turn of ${id} was running.\n`);
  return `${term.style('green', '✓')} The turn is interrupted; ${id} stays open.\n`;
}

export const meetingAnswerRenderers: Readonly<Record<string, Renderer>> = {
  'meeting.interrupt': renderInterrupted,
  'meeting.rename': done(({ id, title }: Changed & { title: string }) => `${id} is now called “${title}”.`),
  'meeting.request': done(({ id }) => `Requested ${id}; it waits in the inbox.`),
  'meeting.decline': done(({ id }) => `Declined ${id}; what it refers to stays.`),
  'meeting.defer': done(({ id }) => `${id} waits for later.`),
  'meeting.dismiss': done(({ id, branch }: Changed & { branch: string | null }) =>
    [`${id} is merged no more.`, branch === null ? '' : `Its branch ${branch} is kept.`].join(' ').trim(),
  ),
};
