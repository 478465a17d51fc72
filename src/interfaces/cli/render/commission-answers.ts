/** What is told after something was done to a commission. */
import type {
  AnswerTaken,
  CommentTaken,
  CommissionAnswer,
  CommissionDispatched,
  CommissionEdited,
  CommissionMerged,
  CommissionsAwaited,
} from '../../../features/commissions/contract.ts';
import type { Renderer } from '../parts.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';
import { stateMark, stateWord } from './commission-states.ts';
import { renderCommissionGraph } from './commission-graph.ts';
import { renderCommissionLogs } from './commission-logs.ts';
import { renderCommissionView } from './commission-view.ts';
import { renderCommissionList } from './commissions.ts';
import { renderDiff } from './diff.ts';

function done(term: Terminal, words: string, ...next: readonly string[]): string {
  const first = `${term.style('green', '✓')} ${plainText(words)}\n`;
  return (
    first +
    next
      .filter((line) => line !== '')
      .map((line) => `${term.style('dim', term.hint(line))}\n`)
      .join('')
  );
}

/** Why it does not run yet, in one sentence; empty where it does. */
function whyNotYet({ status, queue, missing, queuedAt }: CommissionAnswer): string {
  if (status === 'blocked') {
    const then = queuedAt === null ? '' : ' It starts by itself when that is there.';
    return `It waits for ${missing.join(', ')}.${then}`;
  }
  return queue === null ? '' : `It is ${queue.position} in the queue: ${queue.text}`;
}

function renderCreated(answer: CommissionAnswer, term: Terminal): string {
  const { id, worker, status, queuedAt } = answer;
  const waits = status === 'pending' || status === 'blocked';
  // The plain dispatch of a blocked one is refused.
  const chain = status === 'blocked' ? ' --with-dependencies' : '';
  const next =
    queuedAt === null && waits
      ? `Start it: guild-hall commission dispatch ${id}${chain}`
      : `Follow it: guild-hall commission logs ${id} --follow`;
  const state = waits ? `${status}` : 'on its way';
  return done(term, `Created ${id} for ${worker}: ${state}.`, whyNotYet(answer), next);
}

function renderDispatched(answer: CommissionAnswer, term: Terminal): string {
  const { id, status } = answer;
  const runs = status === 'dispatched' || status === 'in_progress';
  const words = runs ? `${id} runs, on ${answer.branch ?? 'its branch'}.` : `${id} is to start as soon as it can.`;
  return done(term, words, whyNotYet(answer), `Follow it: guild-hall commission logs ${id} --follow`);
}

function renderChain(answer: CommissionDispatched, term: Terminal): string {
  const { id, also, unmade } = answer;
  if (also.length === 0 && unmade.length === 0) return renderDispatched(answer, term);
  const others = also.map((one) => `  ${one.id}  ${oneLine(one.title, 60)}\n`).join('');
  const first = term.style('green', '✓');
  const words =
    also.length === 0
      ? `${first} ${id} is to start as soon as it can.\n`
      : `${first} ${id} is to start, and before it, each as soon as what it waits for is merged:\n${others}`;
  const paths = unmade.map((path) => oneLine(path, 200)).join(', ');
  const lines = [
    paths === '' ? '' : `No commission is known to make ${paths}; what waits for that starts when it is there.`,
    `See how they stand: guild-hall commission graph --project ${answer.project}`,
    `Wait for the end: guild-hall commission wait ${id}`,
  ];
  const shown = lines.filter((line) => line !== '').map((line) => `${term.style('dim', term.hint(line))}\n`);
  return `${words}${shown.join('')}`;
}

function renderCancelled(answer: CommissionAnswer, term: Terminal): string {
  const { id, status, branch, attempt } = answer;
  if (status === 'completed') return done(term, `${id} had handed its result in; it is completed.`, showLine(id));
  const kept = branch === null || attempt === 0 ? '' : `What it wrote is kept on ${branch}.`;
  return done(term, `Cancelled ${id}. ${kept}`.trim(), `Try again: guild-hall commission redispatch ${id}`);
}

function renderEdited(answer: CommissionEdited, term: Terminal): string {
  if (answer.fields.length === 0) return term.style('dim', `Nothing of ${answer.id} was changed.\n`);
  return done(term, `Changed ${answer.fields.join(', ')} of ${answer.id}.`, whyNotYet(answer));
}

function renderMerged(answer: CommissionMerged, term: Terminal): string {
  const { id, merge, commit, branch } = answer;
  if (merge.state === 'merged') {
    return done(term, commit === null ? `${id} is merged.` : `Merged ${id} as ${commit.slice(0, 10)}.`);
  }
  const files = merge.files.map((file) => `  ${oneLine(file, 500)}\n`).join('');
  return (
    `${term.style('red', '▲')} ${id} is not merged: ${stateMark({ ...answer, merge: merge.state })[0].slice(2)}.\n${files}` +
    `Nothing is lost: it is on ${branch ?? 'its branch'}.\n${term.style('dim', term.hint(showLine(id)))}\n`
  );
}

function showLine(id: string): string {
  return `See: guild-hall commission show ${id}`;
}

function renderAnswered({ id, question, reaches }: AnswerTaken, term: Terminal): string {
  const what = question === null ? 'What you said' : `Your answer to ${question}`;
  const where = reaches === 'worker' ? `reaches the worker of ${id}` : `is kept; the next attempt of ${id} reads it`;
  return done(term, `${what} ${where}.`);
}

function renderCommented({ id, path, line }: CommentTaken, term: Terminal): string {
  const where = path === null ? id : `${path}${line === null ? '' : `:${line}`} of ${id}`;
  return done(term, `Your remark on ${where} is kept; the next attempt reads it.`);
}

/** How commissions stand, a line each, and why. */
export function renderAwaited({ commissions }: CommissionsAwaited, term: Terminal): string {
  return commissions
    .map((one) => {
      const state = stateWord({ ...one, merge: one.merge.state }, term);
      const why = [awaitedReason(one), one.hint].filter((part) => part !== '').join(' ');
      const text = plainText(why).replaceAll(/\s+/g, ' ').trim();
      return `${state}  ${one.id}\n${text === '' ? '' : `  ${term.isTty ? hanging(text, 2, term.width) : text}\n`}`;
    })
    .join('');
}

function awaitedReason(one: CommissionsAwaited['commissions'][number]): string {
  if (one.status === 'completed') {
    return [
      one.summary ?? '',
      one.merge.state === 'merged' || one.merge.files.length === 0 ? '' : `Not merged: ${one.merge.files.join(', ')}.`,
    ]
      .filter((part) => part !== '')
      .join(' ');
  }
  if (one.isStuck || one.status === 'failed' || one.status === 'cancelled') return one.reason;
  return whyNotYet(one) || one.progress;
}

export const commissionRenderers: Readonly<Record<string, Renderer>> = {
  'commission.create': renderCreated,
  'commission.edit': renderEdited,
  'commission.dispatch': renderChain,
  'commission.redispatch': renderDispatched,
  'commission.hold': ({ id }: CommissionAnswer, term) => done(term, `${id} stays where it is until you dispatch it.`),
  'commission.cancel': renderCancelled,
  'commission.list': renderCommissionList,
  'commission.show': renderCommissionView,
  'commission.graph': renderCommissionGraph,
  'commission.logs': renderCommissionLogs,
  'commission.diff': renderDiff,
  'commission.wait': renderAwaited,
  'commission.answer': renderAnswered,
  'commission.review': ({ id }: CommissionAnswer, term) => done(term, `${id} no longer waits for you.`),
  'commission.comment': renderCommented,
  'commission.merge': renderMerged,
  'commission.dismiss': ({ id, branch }: CommissionAnswer, term) =>
    done(term, `${id} is merged no more. ${branch === null ? '' : `Its branch ${branch} is kept.`}`.trim()),
};
