/** Terminals, for a person. */
import type {
  StartedBy,
  TerminalList,
  TerminalSent,
  TerminalShown,
  TerminalStarted,
  TerminalView,
} from '../../../features/terminals/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { minuteOf } from './facts.ts';
import { renderTable } from './table.ts';

const states: Readonly<Record<TerminalView['status'], readonly [string, Format]>> = {
  starting: ['◌ starting', 'dim'],
  idle: ['○ idle', 'blue'],
  busy: ['● busy', 'green'],
  dialog: ['▲ asks', 'yellow'],
  ended: ['– ended', 'dim'],
};

function stateOf({ status, end }: TerminalView, term: Terminal): string {
  if (status !== 'ended') return marked(term, states[status]);
  const seen = end?.why ?? end?.exitCode ?? null;
  const how = seen === null ? '' : ` (${seen})`;
  return term.style('dim', `– ended${how}`);
}

function programOf({ entry, command }: TerminalView): string {
  return entry ?? command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function waitingOf(waiting: number): string[] {
  return waiting === 0 ? [] : [waiting === 1 ? '1 message waits' : `${waiting} messages wait`];
}

/** What somebody who looks wants to know most: whom it talks with, what it asks, what waits for it. */
function newsOf({ conversation, question, waiting, project, cwd }: TerminalView): string {
  const facts = [
    ...(question === null ? [] : [`asks: ${question}`]),
    ...(conversation === null ? [] : [`talks in ${conversation}`]),
    ...waitingOf(waiting),
  ];
  return oneLine(facts.length > 0 ? facts.join('; ') : (project ?? cwd), 200);
}

function renderList({ terminals, entries, problems }: TerminalList, term: Terminal): string {
  const broken = problems.map((problem) => `${term.style('red', '▲')} ${plainText(problem)}\n`).join('');
  if (terminals.length === 0) {
    const ready = entries.map(({ name }) => name).join(', ');
    const next = `No terminal lives. Start one: guild-hall terminal start --name Mo -- claude\nReady by name: ${ready}; or any command.\nThose of this week that have ended: guild-hall terminal list --all`;
    return `${term.style('dim', term.hint(next))}\n${broken}`;
  }
  const rows = terminals.map((view) => [
    plainText(view.name),
    stateOf(view, term),
    oneLine(programOf(view), 40),
    minuteOf(view.since),
    view.id,
    newsOf(view),
  ]);
  return `${renderTable(['name', 'state', 'entry', 'since (UTC)', 'id', 'conversation, or where'], rows, term)}${broken}`;
}

function renderStarted(view: TerminalStarted, term: Terminal): string {
  const { name, id, sandbox, cwd } = view;
  const box = sandbox.reason === '' ? sandbox.kind : `${sandbox.kind}. ${sandbox.reason}`;
  const facts = [
    ['runs', programOf(view)],
    ['in', cwd],
    ['sandbox', box],
  ] as const;
  const lines = facts.map(([fact, value]) => `${term.style('dim', fact.padEnd(7))}  ${oneLine(value, 400)}\n`);
  const isOver = view.status === 'ended';
  const next = isOver
    ? `It ended at once. What it showed: guild-hall terminal show ${id}`
    : `Sit down at it: guild-hall terminal attach ${name}`;
  const words = isOver ? screenOf(view.lastLines, term) : '';
  return `${stateOf(view, term)}  ${term.style('bold', plainText(name))}  ${id}\n${lines.join('')}${words}${term.style('dim', term.hint(next))}\n`;
}

function screenOf(lines: readonly string[], term: Terminal): string {
  return lines.map((line) => `${`${term.style('dim', '│')} ${plainText(line)}`.trimEnd()}\n`).join('');
}

function renderShown(view: TerminalShown, term: Terminal): string {
  const { name, id, screen, choices, question, conversation, startedBy, waiting } = view;
  const head = `${stateOf(view, term)}  ${term.style('bold', plainText(name))}  ${id}\n`;
  const facts = [
    oneLine(programOf(view), 200),
    starterOf(startedBy),
    ...(conversation === null ? [] : [`talks in ${conversation}`]),
    ...(view.sandbox.kind === 'none' ? ['no sandbox'] : [`sandbox: ${view.sandbox.kind}`]),
    ...waitingOf(waiting),
  ].join('; ');
  const shown = screen.lines.length === 0 ? '' : `\n${screenOf(screen.lines, term)}`;
  const asks = question === null ? '' : `\n${term.style('yellow', '▲')} It asks: ${oneLine(question, 300)}\n`;
  const keys = choices.map(({ key }) => key).join(', ');
  const next =
    choices.length === 0 ? '' : `Answer with a key (${keys}): guild-hall terminal type ${name} ${choices[0]!.key}`;
  return `${head}${term.style('dim', facts)}\n${shown}${asks}${next === '' ? '' : `${term.style('dim', term.hint(next))}\n`}`;
}

function starterOf({ kind, id }: StartedBy): string {
  return kind === 'person' ? 'started by you' : `started by ${kind} ${id ?? ''}`.trim();
}

function renderSent({ name, receipt, waitsFor, conversation }: TerminalSent, term: Terminal): string {
  const talk = conversation === null ? '' : term.style('dim', `They talk with each other: ${conversation}\n`);
  if (receipt.state === 'delivered' && receipt.silent === true)
    return `${term.style('yellow', '◐')} It is put in; ${plainText(name)} shows no sign of having read it.\n${talk}`;
  if (receipt.state === 'delivered') return `${term.style('green', '✓')} ${plainText(name)} took it.\n${talk}`;
  if (receipt.state === 'failed')
    return `${term.style('red', '▲')} ${plainText(name)} did not get it: ${oneLine(receipt.why, 300)}\n${talk}`;
  const why = waitsFor === null ? '.' : `: ${oneLine(waitsFor, 200)}`;
  return `${term.style('yellow', '◐')} It waits until ${plainText(name)} is free${why}\n${talk}`;
}

function renderState(view: TerminalView, term: Terminal): string {
  return `${stateOf(view, term)}  ${term.style('bold', plainText(view.name))}  ${view.id}\n`;
}

function renderEnded({ name, id }: { readonly name: string; readonly id: string }, term: Terminal): string {
  const next = `What it showed last: guild-hall terminal show ${id}`;
  return `– ${plainText(name)} has ended.\n${term.style('dim', term.hint(next))}\n`;
}

export function renderAttachWords({ command }: { readonly command: readonly string[] }): string {
  return `${command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) && !word.startsWith('=') ? word : `'${word}'`)).join(' ')}\n`;
}

export const terminalRenderers: Readonly<Record<string, Renderer>> = {
  'terminal.start': renderStarted,
  'terminal.list': renderList,
  'terminal.show': renderShown,
  'terminal.send': renderSent,
  'terminal.type': renderState,
  'terminal.resize': renderState,
  'terminal.end': renderEnded,
  'terminal.attach': renderAttachWords,
};
