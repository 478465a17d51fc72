/** One commission on a terminal. */
import type { CommissionView } from '../../../features/commissions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging, wrapped } from '../wrap.ts';
import { stateWord } from './commission-states.ts';
import { renderTimeline } from './commission-timeline.ts';
import { minuteOf, usageInBrief } from './facts.ts';
import { foreseenInBrief } from './forecast.ts';

/** So much of a prompt is shown; --json has all of it. Lines, and characters of one line. */
const promptLines = 12;
const promptLineLength = 400;
const labelWidth = 11;

export function renderCommissionView(view: CommissionView, term: Terminal): string {
  const { commission } = view;
  return [
    `${term.style('bold', oneLine(commission.title, 500))}\n${term.style('dim', commission.id)}\n\n`,
    factsOf(view, term)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => factLine(name, value, term))
      .join(''),
    section('Prompt', promptOf(commission.prompt, term), term),
    commission.result === null ? '' : section('Result', resultOf(commission.result, term), term),
    questionsOf(view, term),
    section('What happened', renderTimeline(commission.timeline, term), term),
    problemsOf(view, term),
    nextOf(view, term),
  ].join('');
}

type Fact = readonly [name: string, value: string];

function factsOf(view: CommissionView, term: Terminal): Fact[] {
  const { commission, dependencies, dependents, queue } = view;
  const state = stateWord({ ...commission, merge: commission.merge.state, queue }, term);
  return [
    ['state', `${state}${view.phase === null ? '' : term.style('dim', `  ${view.phase.replace('_', ' ')}`)}`],
    ['progress', commission.currentProgress],
    ['queue', queue === null ? '' : `${queue.position}: ${queue.text}`],
    ...processOf(view),
    ['worker', view.workerTitle === '' ? commission.worker : `${commission.worker}, ${view.workerTitle}`],
    ['project', commission.project],
    ['created', `${minuteOf(commission.createdAt)} by ${commission.createdBy}`],
    ['limits', limitsOf(view)],
    ['needs', dependencies.map(({ on, isThere }) => `${isThere ? '✓' : '◐'} ${on}`).join(', ')],
    ['wait for it', dependents.map(({ id }) => id).join(', ')],
    ['branches', view.branches.join(', ')],
    ['changed', view.changedFiles.length === 0 ? '' : changedInBrief(view.changedFiles)],
    ['linked', commission.linkedArtifacts.join(', ')],
    ['merge', mergeOf(view)],
    ['touches', foreseenInBrief(view.conflicts)],
    ['reviewed', commission.reviewedAt === null ? '' : minuteOf(commission.reviewedAt)],
    ['used', commission.usage === null ? '' : usageInBrief(commission.usage)],
    ['record', view.recordFile],
  ];
}

function processOf({ process }: CommissionView): Fact[] {
  if (process === null) return [];
  const { pid, attempt, startedAt, lastHeartbeat, heartbeat, sandbox, model } = process;
  return [
    ['process', `${pid}, attempt ${attempt}, since ${minuteOf(startedAt)} UTC, on ${model}`],
    ['heartbeat', `${heartbeat}, last ${lastHeartbeat.slice(11, 19)} UTC`],
    ['sandbox', sandbox === 'none' ? '▲ not sandboxed' : sandbox],
    ['worktree', process.worktree],
  ];
}

function limitsOf({ commission: { maxTurns, maxBudgetUsd } }: CommissionView): string {
  const parts = [maxTurns === null ? '' : `${maxTurns} turns`, maxBudgetUsd === null ? '' : `$${maxBudgetUsd}`];
  return parts.filter((part) => part !== '').join(', ');
}

function changedInBrief(files: CommissionView['changedFiles']): string {
  const named = files.slice(0, 8).map(({ path, status }) => `${status} ${path}`);
  return `${named.join(', ')}${files.length > named.length ? ` and ${files.length - named.length} more` : ''}`;
}

const mergeWords: Readonly<Record<string, string>> = {
  merged: 'merged',
  merge_conflict: 'conflict, nothing was merged; both sides changed',
  gate_failed: 'the check before the merge failed; its output stands below',
  secrets: 'not merged: it looks as if a secret is in',
  dismissed: 'given up; its branch is kept',
};

function mergeOf({ commission: { merge } }: CommissionView): string {
  const word = mergeWords[merge.state] ?? '';
  return word === '' || merge.files.length === 0 ? word : `${word} ${merge.files.join(', ')}`;
}

function factLine(name: string, value: string, term: Terminal): string {
  const flat = plainFact(value);
  const text = term.isTty ? hanging(flat, labelWidth + 1, term.width) : flat;
  return `${term.style('dim', name.padEnd(labelWidth))} ${text}\n`;
}

/** Styled words keep their styles; line breaks of others do not break the list. */
function plainFact(value: string): string {
  return value.includes('\u001b[') ? value : plainText(value).replaceAll(/\s+/g, ' ').trim();
}

function section(heading: string, text: string, term: Terminal): string {
  return text === '' ? '' : `\n${term.style('bold', heading)}\n${text}`;
}

function promptOf(prompt: string, term: Terminal): string {
  const lines = plainText(prompt).trim().split('\n');
  const shown = lines.slice(0, promptLines).map((line) => cut(line, promptLineLength));
  const rest = lines.length - shown.length;
  const more = rest > 0 ? term.style('dim', `… ${rest} more lines; --json has them all\n`) : '';
  return `${wrapped(shown.join('\n').trimEnd(), term)}\n${more}`;
}

function cut(line: string, length: number): string {
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}

function resultOf(result: NonNullable<CommissionView['commission']['result']>, term: Terminal): string {
  const artifacts = result.artifacts.map((path) => `+ ${oneLine(path, 500)}\n`).join('');
  return `${wrapped(plainText(result.summary).trimEnd(), term)}\n${artifacts}`;
}

function questionsOf({ commission, openQuestions }: CommissionView, term: Terminal): string {
  if (openQuestions.length === 0) return '';
  const asked = openQuestions.map(({ id, text }) => {
    const words = hanging(plainText(text).replaceAll(/\s+/g, ' ').trim(), id.length + 3, term.width);
    const how = term.hint(`guild-hall commission answer ${commission.id} --question ${id} "…"`);
    return `${term.style('yellow', '?')} ${id} ${words}\n${term.style('dim', `  ${how}`)}\n`;
  });
  return section('Open questions', asked.join(''), term);
}

function problemsOf({ commission }: CommissionView, term: Terminal): string {
  return commission.problems
    .map(({ file, line, message }) => `${term.style('yellow', '▲')} ${file}:${line} ${plainText(message)}\n`)
    .join('');
}

/** The one command that goes on from here; the others are in help. */
const nextVerbs = ['merge', 'redispatch', 'review', 'dispatch'] as const;

function nextOf({ commission, allowed, undispatched }: CommissionView, term: Terminal): string {
  const can = allowed.length === 0 ? '' : `You can: ${allowed.join(', ')}.`;
  if (undispatched.length > 0) {
    const whole = `guild-hall commission dispatch ${commission.id} --with-dependencies`;
    const they = undispatched.length === 1 ? 'one' : `${undispatched.length}`;
    return `\n${term.style('dim', `${can} Nobody has dispatched ${they} of those that it waits for. All at once: ${term.hint(whole)}`)}\n`;
  }
  const verb = nextVerbs.find((each) => allowed.includes(each));
  const runs = commission.status === 'dispatched' || commission.status === 'in_progress';
  const isIdle = commission.status === 'blocked' && commission.queuedAt === null;
  const begin = isIdle ? `dispatch ${commission.id} --with-dependencies` : '';
  const line = runs ? `logs ${commission.id} --follow` : verb === undefined ? begin : `${verb} ${commission.id}`;
  const next = line === '' ? '' : ` Next: ${term.hint(`guild-hall commission ${line}`)}`;
  return can === '' ? '' : `\n${term.style('dim', `${can}${next}`)}\n`;
}
