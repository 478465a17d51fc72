/** How councils are shown on a terminal. */
import type {
  CouncilGoesOn,
  CouncilList,
  CouncilNext,
  CouncilRow,
  CouncilStatus,
  CouncilView,
  Pin,
} from '../../../features/councils/contract.ts';
import { howToAnswerStep, howToGoAlong, questionText } from '../council-asking.ts';
import { entryText, savedText } from '../council-screen.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { renderTable } from './table.ts';

const marks: Readonly<Record<CouncilStatus, readonly [string, Format]>> = {
  running: ['● running', 'green'],
  asking: ['◐ asks', 'yellow'],
  paused: ['◐ paused', 'yellow'],
  halted: ['▲ halted', 'red'],
  saved: ['✓ saved', 'dim'],
  aborted: ['– aborted', 'dim'],
};

function stateWord({ status, asks }: Pick<CouncilRow, 'status' | 'asks'>, term: Terminal): string {
  const word = marked(term, marks[status]);
  return status === 'asking' && asks !== null ? `${word} ${asks}` : word;
}

function renderList({ councils, problems }: CouncilList, term: Terminal): string {
  const broken = problems.map(({ message }) => `${term.style('yellow', '▲')} ${plainText(message)}\n`).join('');
  if (councils.length === 0) {
    const line =
      'No councils. Hold one: guild-hall council run --charter "<what it is to settle>" --invitees Derek,Nate\n';
    return `${term.style('dim', term.hint(line))}${broken}`;
  }
  const rows = councils.map((row) => [
    row.id,
    stateWord(row, term),
    row.mode,
    `${row.turns} turn${row.turns === 1 ? '' : 's'}`,
    oneLine(row.charter, 60),
  ]);
  return renderTable(['id', 'state', 'mode', 'so far', 'charter'], rows, term) + broken;
}

function renderView(view: CouncilView, term: Terminal): string {
  const { setup, transcript, asked } = view;
  const facts: readonly (readonly [string, string])[] = [
    ['state', stateWord(view, term)],
    ['mode', `${setup.mode} (${setup.bias})`],
    ['speakers', setup.invitees.map(({ name, role }) => `${name} (${role})`).join(', ')],
    ['project', view.project],
    ['reads', view.root],
    ['sandbox', view.sandbox],
    ['session', view.sessionFile],
    ['muted', view.muted.join(', ')],
    ['trouble', view.trouble ?? ''],
  ];
  const head = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${term.style('dim', name.padEnd(9))} ${plainText(value)}\n`);
  const said = transcript.map((entry) => `${entryText(entry, term)}\n`).join('\n');
  const saved = view.save === null || view.status !== 'saved' ? '' : `\n${savedText(view, term)}\n`;
  const question = asked === null ? '' : `\n${questionText(asked, term)}\n${answerHint(view, term)}`;
  return `${term.style('bold', oneLine(view.charter, term.width))}\n${term.style('dim', view.id)}\n\n${head.join('')}\n${said}${saved}${costTable(view, term)}${question}`;
}

function answerHint({ id, status }: CouncilView, term: Terminal): string {
  const way = status === 'paused' ? `guild-hall council resume ${id}` : `guild-hall council answer ${id} <answer>`;
  return `${term.style('dim', `Go on: ${term.hint(way)}`)}\n`;
}

function costTable({ costs, turns }: CouncilView, term: Terminal): string {
  if (turns === 0) return '';
  const dollars = (cost: number | null): string => (cost === null ? '' : `$${cost.toFixed(4)}`);
  const rows = [
    // Who has spent nothing, above all the person, stands in the transcript.
    ...costs.bySpeaker
      .filter(({ tokens }) => tokens > 0)
      .map(({ name, tokens, costUsd }) => [name, String(tokens), dollars(costUsd)]),
    ...costs.byPhase.map(({ phase, tokens, costUsd }) => [phase, String(tokens), dollars(costUsd)]),
    ['total', String(costs.total.tokens), dollars(costs.total.costUsd)],
  ];
  return `\n${renderTable(['cost', 'tokens', ''], rows, term)}`;
}

function renderGoesOn({ id, status, sessionFile }: CouncilGoesOn, term: Terminal): string {
  const way = term.hint(`guild-hall council resume ${id}`);
  return `${marked(term, marks[status])}  ${term.style('bold', id)}\n${term.style('dim', `session  ${sessionFile}\nFollow it: ${way}`)}\n`;
}

/** For a door that does not wait; the command line does. */
function renderNext(step: CouncilNext, term: Terminal): string {
  const { status, entries, asked, save, halt, trouble } = step;
  const isOpen = status === 'running' || status === 'asking';
  const question =
    isOpen && asked !== null ? [`${questionText(asked, term)}\n${howToAnswerStep(step, asked, term)}`] : [];
  const end = halt !== null ? [] : [trouble === null ? marked(term, marks[status]) : plainText(trouble)];
  return `${[
    ...entries.map((entry) => entryText(entry, term)),
    ...(status === 'saved' ? [savedText({ save }, term)] : []),
    ...question,
    ...(isOpen ? [howToGoAlong(step, term)] : end),
  ].join('\n\n')}\n`;
}

function renderPinned({ id, pin }: { readonly id: string; readonly pin: Pin }, term: Terminal): string {
  return `${term.style('green', '✓')} Pinned ${pin.id} in ${id}: ${oneLine(pin.content, 60)}\n`;
}

function renderInterrupted(stopped: { readonly id: string; readonly status: CouncilStatus }, term: Terminal): string {
  const next = term.style('dim', `Go on: ${term.hint(`guild-hall council resume ${stopped.id}`)}`);
  return `The turn was stopped: ${marked(term, marks[stopped.status])}  ${stopped.id}\n${next}\n`;
}

export const councilRenderers: Readonly<Record<string, Renderer>> = {
  'council.run': renderGoesOn,
  'council.resume': renderGoesOn,
  'council.answer': renderGoesOn,
  'council.list': renderList,
  'council.show': renderView,
  'council.next': renderNext,
  'council.pin': renderPinned,
  'council.interrupt': renderInterrupted,
};
