/** The overview for a person. */
import type { Overview, RunningState, Usage } from '../../../features/overview/contract.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { wrapped } from '../wrap.ts';
import { renderTable } from './table.ts';

const states: Readonly<Record<RunningState, readonly [string, Format]>> = {
  opening: ['● opening', 'green'],
  answering: ['● answering', 'green'],
  closing: ['● closing', 'green'],
  waiting: ['◐ waits for you', 'yellow'],
  idle: ['◐ idle', 'dim'],
};

export function renderOverview(overview: Overview, term: Terminal): string {
  return [runningPart(overview, term), waitingPart(overview, term), recentPart(overview, term), footer(overview, term)]
    .filter((part) => part !== '')
    .join('\n');
}

function runningPart({ running }: Overview, term: Terminal): string {
  if (running.length === 0) return `${term.style('dim', 'Nothing is open.')}\n`;
  const rows = running.map(({ id, state, project, worker, title }) => [
    id,
    marked(term, states[state]),
    project,
    worker,
    oneLine(title, 60),
  ]);
  return renderTable(['id', 'state', 'project', 'worker', 'title'], rows, term);
}

function waitingPart({ waiting }: Overview, term: Terminal): string {
  const counts = Object.entries(waiting).map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`);
  if (counts.length === 0) return '';
  return `${term.style('yellow', '◐')} In the inbox: ${counts.join(', ')}. ${term.style('dim', term.hint('guild-hall inbox'))}\n`;
}

function recentPart({ recentArtifacts }: Overview, term: Terminal): string {
  if (recentArtifacts.length === 0) return '';
  const rows = recentArtifacts.map(({ at, project, path, title }) => [
    at.slice(0, 10),
    project,
    path,
    oneLine(title, 60),
  ]);
  return renderTable(['date', 'project', 'path', 'title'], rows, term);
}

function footer({ today, model, projects }: Overview, term: Terminal): string {
  const troubles = projects.flatMap(({ name, problems }) =>
    problems.map((problem) => `${term.style('red', '▲')} ${name}: ${plainText(problem)}\n`),
  );
  const said = wrapped(`Today: ${wordsOf(today)}; ${plainText(model.label)}`, term);
  return `${troubles.join('')}${term.style('dim', said)}\n`;
}

function wordsOf({ turns, inputTokens, outputTokens, costUsd, unpricedTurns }: Usage): string {
  if (turns === 0) return 'no turns';
  const cost = costUsd === null ? '' : `, ${unpricedTurns > 0 ? 'more than ' : ''}$${costUsd.toFixed(2)}`;
  return `${turns} turn${turns === 1 ? '' : 's'}, ${inputTokens} tokens in, ${outputTokens} out${cost}`;
}
