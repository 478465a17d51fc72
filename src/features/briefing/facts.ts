/** The briefing as the records tell it: what needs the person first, then what runs, what waits, what came out. */
import type { InboxItem, InboxKind } from '../inbox/contract.ts';
import type { Standing } from './context.ts';

/** Rows of a part; of what is more the number is told. */
const rowsShown = 8;

const quiet = 'Nothing runs, nothing is queued, and nothing waits for you.';

/** Pure. @param isOfAll names the project in each row */
export function printFacts(standing: Standing, isOfAll: boolean): { readonly text: string; readonly isQuiet: boolean } {
  const nameOf = (project: string | null): string => (isOfAll && project !== null ? ` in ${project}` : '');
  const { commissions, open, waiting } = standing;
  const running = commissions.filter(({ status }) => status === 'dispatched' || status === 'in_progress');
  // What is done already, and neither merged nor shown to the person yet.
  const ending = commissions.filter(
    ({ status, id, reviewedAt }) =>
      status === 'completed' && reviewedAt === null && !waiting.some(({ subject }) => subject.id === id),
  );
  const queued = commissions.filter(({ queue }) => queue !== null);
  const held = commissions.filter(
    ({ status, queue }) => queue === null && (status === 'pending' || status === 'blocked'),
  );
  const meetings = open.filter(({ kind, id }) => !commissions.some((one) => kind === 'commission' && one.id === id));
  const parts = [
    ...waitingParts(waiting, nameOf),
    part('Running', [
      ...running.map(
        ({ title, id, worker, project, currentProgress, process }) =>
          `**${line(title)}** (${worker}, \`${shortId(id)}\`${nameOf(project)}): ${line(currentProgress) || 'no report yet'}${process?.heartbeat === 'stale' ? '; it has been silent for a while' : ''}`,
      ),
      ...ending.map(
        ({ title, id, worker, project }) =>
          `**${line(title)}** (${worker}, \`${shortId(id)}\`${nameOf(project)}): finished; its work is being saved`,
      ),
      ...meetings.map(
        ({ kind, title, id, worker, project }) =>
          `${kind} with ${worker}: **${line(title)}** (\`${shortId(id)}\`${nameOf(project)})`,
      ),
    ]),
    part(
      'Queued',
      queued.map(
        ({ title, id, project, queue }) => `**${line(title)}** (\`${shortId(id)}\`${nameOf(project)}): ${queue!.text}`,
      ),
    ),
    part(
      'Not started',
      held.map(
        ({ title, id, project, missing }) =>
          `**${line(title)}** (\`${shortId(id)}\`${nameOf(project)}): ${missing.length === 0 ? 'waits to be dispatched' : `waits for ${missing.join(', ')}`}`,
      ),
    ),
  ].filter((text) => text !== '');
  return { text: parts.length === 0 ? quiet : parts.join('\n\n'), isQuiet: parts.length === 0 };
}

const heads: readonly (readonly [InboxKind, string])[] = [
  ['question', 'Questions for you'],
  ['conflict', 'Not merged'],
  ['approval', 'To approve'],
  ['request', 'Meetings asked for'],
  ['yield', 'Handed back to you'],
  ['problem', 'Failed, or to mend'],
  ['review', 'Finished, to look at'],
];

function waitingParts(waiting: readonly InboxItem[], nameOf: (project: string | null) => string): string[] {
  return heads.map(([wanted, head]) =>
    part(
      head,
      waiting
        .filter(({ kind }) => kind === wanted)
        .map(({ subject, title, project, detail }) => {
          const said = line(detail);
          const named = subject.id === subject.title ? '' : ` (\`${shortId(subject.id)}\`${nameOf(project)})`;
          return `**${line(subject.title)}**${named}: ${line(title)}${said === '' ? '' : `${/[.?:]$/.test(line(title)) ? '' : '.'} ${said}`}`;
        }),
    ),
  );
}

function part(head: string, rows: readonly string[]): string {
  if (rows.length === 0) return '';
  const more = rows.length > rowsShown ? [`and ${rows.length - rowsShown} more`] : [];
  return `**${head}**\n\n${[...rows.slice(0, rowsShown), ...more].map((row) => `- ${row}`).join('\n')}`;
}

const longestLine = 240;

/** One line of what may be many. */
function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length <= longestLine ? flat : `${flat.slice(0, longestLine)}…`;
}

/** The last part of an id, which the doors take for the whole; of one that a person gave, all of it. */
function shortId(id: string): string {
  const tail = id.split('-').at(-1)!;
  return /-\d{8}-\d{6}-[a-z0-9]{4,}$/.test(id) ? tail : id;
}
