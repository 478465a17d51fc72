/** How meetings are shown on a terminal. */
import type {
  MeetingArtifactShown,
  MeetingClosed,
  MeetingList,
  MeetingOpened,
  MeetingRecord,
  MeetingStatus,
  MeetingView,
  NotesDraft,
  TranscriptEntry,
} from '../../../features/meetings/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { wrapped } from '../wrap.ts';
import { renderDiff } from './diff.ts';
import { usageInBrief } from './facts.ts';
import { foreseenInBrief } from './forecast.ts';
import { renderTable } from './table.ts';

const marks: Readonly<Record<MeetingStatus, readonly [string, Format]>> = {
  open: ['● open', 'green'],
  requested: ['◐ requested', 'yellow'],
  closed: ['✓ closed', 'dim'],
  declined: ['– declined', 'dim'],
};

function stateWord(meeting: Pick<MeetingRecord, 'status' | 'merge'>, term: Terminal): string {
  if (meeting.merge.state === 'merge_conflict') return marked(term, ['▲ conflict', 'red']);
  if (meeting.merge.state === 'dismissed') return term.style('dim', '✓ closed, not merged');
  return marked(term, meeting.status === null ? ['▲ unreadable', 'red'] : marks[meeting.status]);
}

function renderList(output: MeetingList, term: Terminal): string {
  if (output.meetings.length + output.problems.length === 0) {
    return term.style(
      'dim',
      term.hint('No meetings. Open one: guild-hall meeting open --worker researcher "<first words>"\n'),
    );
  }
  const rows = output.meetings.map((meeting) => [
    meeting.id,
    stateWord(meeting, term),
    meeting.project,
    oneLine(meeting.title, 60),
  ]);
  return (
    renderTable(['id', 'state', 'project', 'title'], rows, term) + renderProblems([...output.meetings, output], term)
  );
}

function renderProblems(read: readonly Pick<MeetingRecord, 'problems'>[], term: Terminal): string {
  const problems = read.flatMap((one) => one.problems);
  return problems
    .map(({ file, line, message }) => `${term.style('yellow', '▲')} ${file}:${line} ${plainText(message)}\n`)
    .join('');
}

function renderView(view: MeetingView, term: Terminal): string {
  const { meeting } = view;
  const facts: readonly (readonly [string, string])[] = [
    ['state', stateWord(meeting, term)],
    ['worker', meeting.worker],
    ['project', meeting.project],
    ['branch', meeting.branch ?? ''],
    ['worktree', view.worktree ?? ''],
    ['sandbox', view.isSandboxed === false ? `none: not sandboxed${term.hint('; see: guild-hall doctor')}` : ''],
    ['record', view.recordFile],
    ['linked', meeting.linkedArtifacts.join(', ')],
    ['touches', foreseenInBrief(view.conflicts)],
    ['used', view.usage === null ? '' : usageInBrief(view.usage)],
    ['conflict', meeting.merge.state === 'merge_conflict' ? meeting.merge.files.join(', ') : ''],
  ];
  const head = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${term.style('dim', name.padEnd(9))} ${value}\n`);
  const title = `${term.style('bold', plainText(meeting.title))}\n${term.style('dim', meeting.id)}\n\n`;
  const talk =
    view.turns.length > 0
      ? view.turns.map((entry) => renderEntry(entry, meeting.worker, term)).join('\n')
      : notesOf(meeting, term);
  return `${title}${head.join('')}\n${talk}${waitingOf(view, term)}${renderProblems([meeting], term)}`;
}

function renderEntry(entry: TranscriptEntry, worker: string, term: Terminal): string {
  const who = entry.speaker === 'user' ? 'You' : worker;
  const ending = entry.speaker === 'assistant' && entry.mark !== 'done' ? ` · ${entry.mark}` : '';
  const head = `${term.style('bold', who)} ${term.style('dim', `turn ${entry.turn} · ${entry.at.slice(0, 16).replace('T', ' ')}${ending}`)}\n`;
  const tools = entry.tools.map(({ line }) => `${term.style('dim', oneLine(`· ${line}`, term.width))}\n`).join('');
  const error = entry.error === null ? '' : `${term.style('red', `▲ ${plainText(entry.error)}`)}\n`;
  const text = entry.text === '' ? '' : `${wrapped(plainText(entry.text).trimEnd(), term)}\n`;
  return `${head}${tools}${text}${error}`;
}

function notesOf(meeting: MeetingRecord, term: Terminal): string {
  if (meeting.notesSummary !== '') return `${wrapped(plainText(meeting.notesSummary).trimEnd(), term)}\n`;
  if (meeting.status === 'requested')
    return `${plainText(meeting.agenda)}\n\n${term.style('dim', term.hint(`Answer it: guild-hall meeting accept|decline|defer ${meeting.id}`))}\n`;
  return term.style('dim', 'Nothing was said.\n');
}

function waitingOf(view: MeetingView, term: Terminal): string {
  const running =
    view.running === null ? '' : `\n${marked(term, [`◐ turn ${view.running.turn} is being answered`, 'yellow'])}\n`;
  const queued = view.queue.map(
    (message) => `${term.style('dim', 'waits:')} ${oneLine(message.text, term.width - 8)}\n`,
  );
  return `${running}${queued.length === 0 ? '' : `\n${queued.join('')}`}`;
}

function renderOpened(opened: MeetingOpened, term: Terminal): string {
  const next = term.hint(`guild-hall meeting say ${opened.id} "…"`);
  return `Opened ${term.style('bold', opened.id)} with ${opened.worker} on ${opened.branch}.\n${term.style('dim', `Go on: ${next}`)}\n`;
}

function renderClosed(closed: MeetingClosed, term: Terminal): string {
  if (closed.merge.state === 'merge_conflict') return renderConflict(closed, term);
  const where = closed.commit === null ? 'It was closed before.' : `Merged as ${closed.commit.slice(0, 10)}.`;
  const kept = closed.transcriptKept
    ? ' The transcript is kept.'
    : ' The transcript is gone with it; keepTranscripts: true in config.yaml keeps transcripts.';
  const branch = closed.branch === null ? '' : ` ${closed.branch} is kept: it is checked out somewhere, or has moved.`;
  return `${term.style('green', '✓')} Closed ${closed.id}. ${where}${branch}${kept}\n${term.style('dim', `notes  ${closed.path}`)}\n\n${wrapped(plainText(closed.notes).trimEnd(), term)}\n`;
}

function renderConflict(closed: MeetingClosed, term: Terminal): string {
  const files = closed.merge.files.map((file) => `  ${file}\n`).join('');
  return (
    `${term.style('red', '▲')} Closed ${closed.id}, but its work conflicts with the integration branch in:\n${files}` +
    `Nothing is lost: it is on ${closed.branch ?? 'its branch'}.\n` +
    `${term.style('dim', term.hint(`Merge the integration branch into it and resolve (docs/guide.md), then: guild-hall meeting close ${closed.id}`))}\n` +
    `${term.style('dim', term.hint(`Or give it up: guild-hall meeting dismiss ${closed.id}`))}\n`
  );
}

/** Into a file or a pipe goes the Markdown alone, to be edited and given back. */
function renderNotes(draft: NotesDraft & { readonly id: string }, term: Terminal): string {
  const text = plainText(draft.text).trimEnd();
  if (!term.isTty) return `${text}\n`;
  const ways = [
    `guild-hall meeting close ${draft.id}`,
    `guild-hall meeting notes ${draft.id} > notes.md, then: guild-hall meeting close ${draft.id} --notes - < notes.md`,
  ];
  const [asTheyAre = '', edited = ''] = ways.map((way) => term.hint(way));
  return `${wrapped(text, term)}\n\n${term.style('dim', `Close with these notes: ${asTheyAre}\nEdit them first: ${edited}`)}\n`;
}

function renderArtifact(shown: MeetingArtifactShown): string {
  return shown.isText ? `${plainText(shown.content).trimEnd()}\n` : `${shown.path} is no text.\n`;
}

export const meetingRenderers: Readonly<Record<string, Renderer>> = {
  'meeting.list': renderList,
  'meeting.show': renderView,
  'meeting.open': renderOpened,
  'meeting.accept': renderOpened,
  'meeting.notes': renderNotes,
  'meeting.artifact': renderArtifact,
  'meeting.diff': renderDiff,
  'meeting.close': renderClosed,
};
