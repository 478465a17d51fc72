/** How sessions are shown on a terminal. */
import type {
  Choice,
  Diff,
  MessagePart,
  PermissionPart,
  PersonMessage,
  SessionAgent,
  SessionInfo,
  SessionList,
  SessionMessage,
  SessionState,
  SessionView,
} from '../../../features/sessions/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { wrapped } from '../wrap.ts';
import { createLogPrinter, endWords } from './commission-logs.ts';
import { renderDiff, type ShownDiff } from './diff.ts';
import { minuteOf, usageInBrief } from './facts.ts';
import { nextSteps } from './session-next.ts';
import { howToAnswer, permissionLine, printPart } from './session-parts.ts';
import { renderTable } from './table.ts';

const marks: Readonly<Record<SessionInfo['state'], readonly [string, Format]>> = {
  idle: ['○ idle', 'dim'],
  running: ['● running', 'green'],
  waiting: ['? waits for you', 'yellow'],
  closed: ['✓ closed', 'dim'],
  unreadable: ['▲ unreadable', 'red'],
};

export function stateOfSession({ state }: Pick<SessionInfo, 'state'>, term: Terminal): string {
  return marked(term, marks[state]);
}

function renderList({ sessions, metaContexts }: SessionList, term: Terminal): string {
  if (sessions.length === 0)
    return term.style('dim', term.hint('No sessions. Begin one: guild-hall session new "<first words>"\n'));
  const names = new Map(metaContexts.map(({ id, name }) => [id, name]));
  const rows = sessions.map((session) => [
    session.id,
    stateOfSession(session, term),
    session.agent,
    oneLine(names.get(session.metaContextId ?? '') ?? '', 30),
    oneLine(session.title, 60),
  ]);
  return renderTable(['id', 'state', 'agent', 'context', 'title'], rows, term);
}

function renderView({ session, earlier }: SessionView, term: Terminal): string {
  const title = `${term.style('bold', oneLine(session.title, 200))}\n${term.style('dim', session.id)}\n\n`;
  const first = session.messages[0];
  const before =
    earlier === 0 || first === undefined
      ? ''
      : `${term.style('dim', `… ${earlier} earlier: ${term.hint(`guild-hall session messages ${session.id} ${first.seq}`)}`)}\n\n`;
  const words =
    session.messages.length === 0
      ? term.style('dim', term.hint(`Nothing was said yet: guild-hall session say ${session.id} "…"\n`))
      : messagesText(session.messages, session, term) + stepsText(session, term);
  return `${title}${factsOf(session, term)}\n${before}${words}`;
}

function factsOf(session: SessionState, term: Terminal): string {
  const facts: readonly (readonly [string, string])[] = [
    ['state', session.isClosed ? 'closed' : ''],
    ['agent', session.agent],
    ['project', session.project],
    ['folder', session.folder],
    ['context', session.metaContext?.name ?? ''],
    ...session.choices.map((choice): [string, string] => [choice.id, currentOf(choice)]),
    ['changed', session.changedFiles.map((path) => belowFolder(path, session.folder)).join(', ')],
    ['used', session.usage === null ? '' : usageInBrief(session.usage)],
    ...session.plan.map(({ text, status }, index): [string, string] => [
      index === 0 ? 'plan' : '',
      `${planMark(status)} ${text}`,
    ]),
  ];
  return facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${term.style('dim', oneLine(name, 9).padEnd(9))} ${oneLine(value, 300)}\n`)
    .join('');
}

function belowFolder(path: string, folder: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

function planMark(status: string): string {
  if (status === 'completed') return '✓';
  return status === 'in_progress' ? '●' : '○';
}

function currentOf({ current, options }: Choice): string {
  return options.find(({ id }) => id === current)?.name ?? current;
}

type Speakers = Pick<SessionState, 'id' | 'agent'>;

function messagesText(messages: readonly SessionMessage[], session: Speakers, term: Terminal): string {
  return messages
    .map((message) => (message.role === 'person' ? wordsText(message, term) : answerText(message, session, term)))
    .join('\n');
}

/** Only what the last answer offers can still be taken. */
function stepsText(session: SessionState, term: Terminal): string {
  const last = session.messages.findLast((message) => message.role === 'agent');
  const steps = last?.role === 'agent' && !session.isClosed ? nextSteps(last, session, term) : '';
  return steps === '' ? '' : `\n${term.style('dim', steps)}`;
}

function wordsText({ text, images, at, state, promptId }: PersonMessage, term: Terminal): string {
  const waits = state === 'queued' ? ` · waits (${promptId})` : state === 'withdrawn' ? ' · taken back' : '';
  const head = `${term.style('bold', 'You')} ${term.style('dim', `${minuteOf(at)}${waits}`)}\n`;
  const shown = images.map(({ mimeType, bytes }) => `${term.style('dim', `[${mimeType}, ${bytes} bytes]`)}\n`).join('');
  return `${head}${text === '' ? '' : `${wrapped(plainText(text).trimEnd(), term)}\n`}${shown}`;
}

function answerText(
  message: Extract<SessionMessage, { role: 'agent' }>,
  { id, agent }: Speakers,
  term: Terminal,
): string {
  const end = message.state === 'done' ? '' : ` · ${message.state}`;
  let text = `${term.style('bold', agent)} ${term.style('dim', `${minuteOf(message.at)}${end}`)}\n`;
  const printer = createLogPrinter(term, (piece) => (text += piece));
  for (const part of message.parts) printPart(printer, part);
  endWords(printer);
  const asked = message.parts.filter(isOpenQuestion);
  if (message.state === 'running') text += waysText(asked, id, term);
  if (message.error !== null)
    text += `${term.style('red', '▲')} ${plainText(message.error.message)} ${plainText(message.error.hint)}\n`;
  return text;
}

function isOpenQuestion(part: MessagePart): part is PermissionPart {
  return part.type === 'permission' && part.outcome === null;
}

function waysText(asked: readonly PermissionPart[], id: string, term: Terminal): string {
  const isOnly = asked.length === 1;
  return asked
    .map((part) => (isOnly ? '' : `${permissionLine(part, term)}\n`) + howToAnswer(id, part, isOnly, term))
    .join('');
}

interface Messages {
  readonly messages: readonly SessionMessage[];
  readonly earlier: number;
}

/** What earlier messages are of is not told with them. */
const unnamed = { id: '', agent: 'Agent' } as Speakers;

function renderMessages({ messages, earlier }: Messages, term: Terminal): string {
  const before =
    earlier === 0 ? '' : term.style('dim', `… ${earlier} earlier, before number ${messages[0]?.seq ?? 0}\n\n`);
  return before + messagesText(messages, unnamed, term);
}

function renderAgents(output: { default: string; agents: readonly SessionAgent[] }, term: Terminal): string {
  const rows = output.agents.map(({ name, title, isInstalled, hint }) => [
    name === output.default ? `${name} ${term.style('dim', '(default)')}` : name,
    title,
    isInstalled === false
      ? marked(term, ['– missing', 'dim'])
      : isInstalled === true
        ? marked(term, ['✓ there', 'green'])
        : '',
    isInstalled === false ? term.hint(hint) : '',
  ]);
  return renderTable(['agent', 'what', '', 'how to get it'], rows, term);
}

interface Changes extends ShownDiff {
  readonly folder: string;
  readonly gitProblem: string | null;
  readonly told: readonly { readonly path: string; readonly diffs: readonly Diff[] }[];
}

function renderChanges(changes: Changes, term: Terminal): string {
  const told = changes.told.map(({ path }) => `  ${oneLine(path, 300)}\n`).join('');
  const head = told === '' ? '' : `The agent told of changes in:\n${told}\n`;
  if (changes.gitProblem !== null) return `${head}${term.style('yellow', '▲')} ${plainText(changes.gitProblem)}\n`;
  return head + renderDiff(changes, term);
}

function renderChoices({ id, choices }: { id: string; choices: readonly Choice[] }, term: Terminal): string {
  const rows = choices.map((choice) => [
    oneLine(choice.id, 200),
    oneLine(currentOf(choice), 200),
    choice.options.map((option) => oneLine(option.id, 200)).join(', '),
  ]);
  return `${term.style('green', '✓')} Chosen for ${id}; it counts from the next turn on at the latest.\n${renderTable(['choice', 'now', 'may be'], rows, term)}`;
}

const done =
  <Answer>(words: (answer: Answer) => string) =>
  (answer: Answer, term: Terminal): string =>
    `${term.style('green', '✓')} ${term.hint(oneLine(words(answer), 500))}\n`;

interface Changed {
  readonly session: SessionInfo;
}

function renderSaid({ id, position }: { id: string; position: number }, term: Terminal): string {
  const when = position === 0 ? 'It is being answered.' : `${position} before it.`;
  return `${term.style('green', '✓')} Said. ${when}\n${term.style('dim', term.hint(`See: guild-hall session show ${id}\n`))}`;
}

export const sessionRenderers: Readonly<Record<string, Renderer>> = {
  'session.new': ({ session }: SessionView, term: Terminal) =>
    `Began ${term.style('bold', session.id)} with ${session.agent} in ${session.folder}.\n${term.style('dim', term.hint(`Go on: guild-hall session say ${session.id} "…"\n`))}`,
  'session.say': renderSaid,
  'session.list': renderList,
  'session.show': renderView,
  'session.switch': ({ view }: { view: SessionView }, term: Terminal) => renderView(view, term),
  'session.messages': renderMessages,
  'session.agents': renderAgents,
  'session.changes': renderChanges,
  'session.choose': renderChoices,
  'session.export': ({ markdown }: { markdown: string }) => `${plainText(markdown).trimEnd()}\n`,
  'session.withdraw': done(({ text }: { text: string }) => `Taken back: ${text}`),
  'session.cancel': ({ id, cancelled }: { id: string; cancelled: boolean }, term: Terminal) =>
    cancelled
      ? `${term.style('green', '✓')} ${id} is stopped; what waits is done next.\n`
      : term.style('dim', `Nothing ran in ${id}.\n`),
  'session.answer': done(({ id, option }: { id: string; option: string }) => `Answered ${option}; ${id} goes on.`),
  'session.rename': done(({ session }: Changed) => `${session.id} is now called “${session.title}”.`),
  'session.close': done(
    ({ session }: Changed) => `Closed ${session.id}. Its history stays: guild-hall session show ${session.id}`,
  ),
  'session.reopen': done(
    ({ session }: Changed) => `${session.id} takes words again: guild-hall session say ${session.id} "…"`,
  ),
  'session.remove': done(({ id }: { id: string }) => `Removed ${id}. Files that its agent wrote in the project stay.`),
};
