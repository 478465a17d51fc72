/** How contexts are shown on a terminal. */
import type {
  MetaContextList,
  MetaContextView,
  NextBlockClicked,
  SpecPhase,
} from '../../../features/contexts/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { minuteOf } from './facts.ts';
import { stateOfSession } from './sessions.ts';
import { renderTable } from './table.ts';

function renderList({ contexts, problems }: MetaContextList, term: Terminal): string {
  const told = problems.map((problem) => `${term.style('yellow', '▲')} ${plainText(problem)}\n`).join('');
  if (contexts.length === 0) {
    const hint = 'No contexts. A click on a next step makes one; begin with: guild-hall session new "/rsrc <name>"\n';
    return told + term.style('dim', term.hint(hint));
  }
  const rows = contexts.map(({ name, project, sessions, newest }) => [
    oneLine(name, 60),
    project,
    String(sessions),
    newest === null ? '' : stateOfSession(newest, term),
    newest?.id ?? '',
  ]);
  return renderTable(['name', 'project', 'sessions', 'state', 'newest'], rows, term) + told;
}

const phaseMarks: Readonly<Record<SpecPhase['state'], readonly [string, Format]>> = {
  done: ['✓ done', 'green'],
  open: ['○ open', 'dim'],
  unreadable: ['▲ unreadable', 'red'],
  untold: ['· code', 'dim'],
};

function renderView({ name, id, project, sessions, gone, phases }: MetaContextView, term: Terminal): string {
  const head = `${term.style('bold', oneLine(name, 200))}\n${term.style('dim', `${project}, ${id}`)}\n\n`;
  const rows = sessions.map((session) => [
    session.id,
    stateOfSession(session, term),
    minuteOf(session.createdAt),
    oneLine(session.title, 60),
  ]);
  const listed =
    rows.length === 0
      ? term.style('dim', 'None of its sessions is there any more.\n')
      : renderTable(['session', 'state', 'begun', 'title'], rows, term);
  const lost = gone.length === 0 ? '' : term.style('dim', `${gone.length} removed.\n`);
  return `${head}${listed}${lost}${phases === null ? '' : `\n${phasesText(phases, term)}`}`;
}

function phasesText(phases: readonly SpecPhase[], term: Terminal): string {
  const rows = phases.map(({ command, title, file, state, note }) => [
    command,
    title,
    marked(term, phaseMarks[state]),
    oneLine(note, 60),
    file ?? '',
  ]);
  return renderTable(['phase', 'what', 'state', '', 'file'], rows, term);
}

function renderClicked({ sessionId, name, isNew, isRepeated }: NextBlockClicked, term: Terminal): string {
  const what = isRepeated ? 'was begun before' : isNew ? 'is begun, the first of' : 'is begun in';
  const rest = isRepeated ? '' : ` ${oneLine(name, 100)}`;
  return `${term.style('green', '✓')} ${sessionId} ${what}${rest}.\n${term.style('dim', term.hint(`See: guild-hall session show ${sessionId}\n`))}`;
}

export const contextRenderers: Readonly<Record<string, Renderer>> = {
  'context.list': renderList,
  'context.show': renderView,
  'context.export': ({ markdown }: { markdown: string }) => `${plainText(markdown).trimEnd()}\n`,
  'next.click': renderClicked,
};
