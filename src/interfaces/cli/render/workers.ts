/** Workers for a person. */
import type { WorkerList, WorkerMade, WorkerShown } from '../../../features/workers/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging, wrapped } from '../wrap.ts';
import { renderTable } from './table.ts';

export function renderWorkerList({ workers, councillors, toolboxes, problems }: WorkerList, term: Terminal): string {
  const boxes = toolboxes.map(({ name, description }) => [name, oneLine(description, 200)]);
  return [
    renderWorkers(workers, term),
    boxes.length === 0 ? '' : `\n${renderTable(['toolbox', 'what for'], boxes, term)}`,
    ...problems.map(
      ({ file, line, column, message }) =>
        `${term.style('red', '▲')} ${plainText(`${file}:${line}:${column}: ${message}`)}\n`,
    ),
    ...hintsOf(workers, councillors).map((hint) => `\n${term.style('dim', term.hint(hint))}`),
    '\n',
  ].join('');
}

/** Under councillors what they are for; under the others that there are councillors, too. */
function hintsOf(workers: WorkerList['workers'], councillors: number): string[] {
  const meet = 'Meet one: guild-hall meeting open --worker <name> "…"';
  if (workers.some(({ councillor }) => councillor))
    return ['Any worker can be invited to a council, by the name above.', meet];
  return councillors === 0
    ? [meet]
    : [meet, `${councillors} more speak in councils: guild-hall worker list --councillors`];
}

/** On a terminal what a worker is for is told whole, which takes lines of its own. */
function renderWorkers(workers: WorkerList['workers'], term: Terminal): string {
  const rows = workers.map(({ name, displayTitle, origin, description }) => [
    name,
    oneLine(displayTitle, 30),
    origin === 'home' ? 'yours' : 'shipped',
    oneLine(description, 200),
  ]);
  if (!term.isTty) return renderTable(['name', 'title', 'from', 'what for'], rows, term);
  const lines = rows.map(([name = '', title = '', from = '', about = '']) => {
    const facts = [title, ...(from === 'yours' ? [from] : [])].join(' · ');
    return `${term.style('bold', name)}  ${term.style('dim', facts)}\n  ${hanging(about, 2, term.width)}\n`;
  });
  return lines.join('');
}

export function renderWorkerShown(worker: WorkerShown, term: Terminal): string {
  const facts: readonly (readonly [string, string])[] = [
    ['name', worker.name],
    ['tools', worker.builtInTools.join(', ')],
    ['toolboxes', worker.toolboxes.join(', ')],
    ['sees', worker.checkoutScope === 'full' ? 'the whole repository' : 'what is written down in .lore/'],
    ['model', worker.model ?? 'the one of the hall'],
    ['limits', limitsOf(worker)],
    ['folder', worker.source],
    ['instead of', worker.insteadOf ?? ''],
    ['code', worker.hasOwnActivation ? 'brings an activation of its own' : ''],
  ];
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${term.style('dim', name.padEnd(10))}  ${plainText(value)}\n`);
  const head = `${term.style('bold', plainText(worker.displayName))}, ${plainText(worker.displayTitle)}\n`;
  const posture = wrapped(plainText(worker.posture).trim(), term);
  return `${head}${wrapped(plainText(worker.description), term)}\n\n${lines.join('')}\n${posture}\n`;
}

function limitsOf({ maxTurns, maxBudgetUsd }: WorkerShown): string {
  return [`${maxTurns} steps an answer`, maxBudgetUsd === null ? '' : `${maxBudgetUsd} USD`]
    .filter((part) => part !== '')
    .join(', ');
}

export function renderWorkerMade({ name, from, source, edit }: WorkerMade, term: Terminal): string {
  const head = `${term.style('green', '✓')} Made ${term.style('bold', name)} out of ${from}, in ${plainText(source)}\n`;
  const steps = [
    `Say how it works: edit ${plainText(edit[0] ?? source)}`,
    `See it: guild-hall worker show ${name}`,
    `Meet it: guild-hall meeting open --worker ${name} "…"`,
  ];
  return `${head}\n${term.style('bold', 'Next:')}\n${steps.map((step) => `  ${term.hint(step)}\n`).join('')}`;
}
