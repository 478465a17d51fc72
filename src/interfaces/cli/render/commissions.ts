/** Lists of commissions on a terminal. */
import type { CommissionList, CommissionRow, Limits } from '../../../features/commissions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';
import { stateWord } from './commission-states.ts';
import { renderTable } from './table.ts';

export function renderCommissionList(output: CommissionList, term: Terminal): string {
  const { commissions, limits } = output;
  const problems = renderProblems(output, term);
  if (commissions.length === 0) return `${nothing(term)}${problems}`;
  const rows = commissions.map((row) => [
    row.id,
    stateWord({ ...row, merge: row.merge.state }, term),
    row.project,
    row.worker,
    oneLine(row.title, 60),
  ]);
  const notes = commissions.flatMap((row) => notesOf(row, commissions, term));
  return [
    renderTable(['id', 'state', 'project', 'worker', 'title'], rows, term),
    notes.length === 0 ? '' : `\n${notes.join('')}`,
    `\n${term.style('dim', hanging(limitsInWords(limits), 0, term.width))}\n`,
    problems,
  ].join('');
}

function nothing(term: Terminal): string {
  const first = 'guild-hall commission create --worker <name> --title "…" --prompt "…" --dispatch';
  return term.style('dim', term.hint(`No commissions. Create one: ${first}\n`));
}

/** What the person may want to know beyond the state: why it waits, what it says, what it asks. */
function notesOf(row: CommissionRow, all: readonly CommissionRow[], term: Terminal): string[] {
  const said = [
    row.status === 'blocked' ? waitsFor(row, all) : (row.queue?.text ?? ''),
    row.process !== null && row.process.heartbeat !== 'healthy'
      ? `silent since ${timeOf(row.process.lastHeartbeat)}`
      : '',
    row.process === null ? '' : row.currentProgress,
    row.status === 'failed' ? row.reason : '',
    row.openQuestions === 0 ? '' : `${count(row.openQuestions, 'open question')}`,
    row.merge.files.length > 0 && row.merge.state !== 'merged' ? row.merge.files.join(', ') : '',
  ].filter((part) => part !== '');
  if (said.length === 0) return [];
  const id = shortened(row.id);
  return [`${term.style('dim', id)}  ${oneLine(said.join(' · '), Math.max(20, term.width - id.length - 2))}\n`];
}

/** What it waits for, with what became of that; and whether it begins by itself then. */
function waitsFor({ missing, queuedAt, project }: CommissionRow, all: readonly CommissionRow[]): string {
  const named = missing.map((one) => {
    const other = all.find((row) => row.id === one && row.project === project);
    if (other === undefined) return one;
    const hasEnded = other.status === 'failed' || other.status === 'cancelled';
    const isIdle = (other.status === 'pending' || other.status === 'blocked') && other.queuedAt === null;
    const how = hasEnded ? ` (${other.status})` : isIdle ? ' (not dispatched)' : '';
    return `${shortened(one)}${how}`;
  });
  return `waits for ${named.join(', ')}${queuedAt === null ? ' · not dispatched' : ''}`;
}

/** The part that is typed again. */
function shortened(id: string): string {
  return `…${id.slice(id.lastIndexOf('-') + 1)}`;
}

function limitsInWords({ running, global, projects, waitingForReview, reviewLimit }: Limits): string {
  const each = projects
    .filter((project) => project.running > 0)
    .map((project) => `${project.project} ${project.running} of ${project.limit}`);
  const review =
    waitingForReview === 0
      ? ''
      : `; ${count(waitingForReview, 'finished one')} to be looked at${reviewLimit > 0 ? `, at ${reviewLimit} nothing new starts` : ''}`;
  return `${running} of at most ${global} run${each.length === 0 ? '' : ` (${each.join(', ')})`}${review}.`;
}

function renderProblems({ commissions, problems }: CommissionList, term: Terminal): string {
  return [...commissions.flatMap((row) => row.problems), ...problems]
    .map(({ file, line, message }) => `${term.style('yellow', '▲')} ${file}:${line} ${plainText(message)}\n`)
    .join('');
}

function timeOf(at: string): string {
  return `${at.slice(11, 16)} UTC`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
