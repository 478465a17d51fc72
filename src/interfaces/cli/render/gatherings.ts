/** Gatherings, for a person: the list, one as it stands, one with what was said. */
import type { Message } from '../../../features/gatherings/contract.ts';
import type {
  GatheringFacts,
  GatheringList,
  GatheringSaid,
  GatheringStatus,
  GatheringView,
  RhythmList,
} from '../../../features/gatherings/contract/gathering-views.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { wrapped } from '../wrap.ts';
import { beatWords, minuteOf, spanOf } from './facts.ts';
import { renderTable } from './table.ts';

type Stage = GatheringFacts['stage'];

const stages: Readonly<Record<Stage, readonly [string, Format]>> = {
  inhale: ['● inhale', 'green'],
  hold: ['● hold', 'green'],
  exhale: ['● exhale', 'green'],
  closing: ['◐ closing', 'yellow'],
  closed: ['○ closed', 'dim'],
};

function renderList({ gatherings }: GatheringList, term: Terminal): string {
  if (gatherings.length === 0) {
    const next =
      'There are none. Begin one: guild-hall gathering start --rhythm daily --participants <A,B> --harvester <H> --question "…"';
    return `${term.style('dim', term.hint(next))}\n`;
  }
  const rows = gatherings.map((row) => [
    marked(term, stages[row.stage]),
    row.id,
    plainText(row.rhythm),
    minuteOf(row.lastAt),
    plainText(row.seats.map(({ name }) => name).join(', ')),
    oneLine(row.question, 200),
  ]);
  return renderTable(['state', 'id', 'rhythm', 'last (UTC)', 'who', 'question'], rows, term);
}

/** The circle: who has the piece, who had it in this round. */
export function renderStatus(status: GatheringStatus, term: Terminal): string {
  const { id, rhythm, question, stage, end } = status;
  const head = `${marked(term, stages[stage])}${roundOf(status)}  ${term.style('bold', oneLine(question, 200))}\n`;
  const facts = `${id} · rhythm ${plainText(rhythm)}${beatOf(status)}`;
  const rows = status.seats.map((seat) => seatRow(status, seat, term));
  const next = stage === 'closed' ? `guild-hall gathering show ${id}` : `guild-hall gathering join ${id}`;
  const ends = end === null ? '' : `${endText(end, term)}\n`;
  return `${head}${term.style('dim', facts)}\n${rows.join('')}${ends}${term.style('dim', term.hint(`Look on: ${next}`))}\n`;
}

function roundOf({ stage, round, rounds }: GatheringStatus): string {
  return stage === 'closing' || stage === 'closed' ? '' : `, round ${round} of ${rounds}`;
}

function beatOf({ beat, beats, holder }: GatheringStatus): string {
  return holder === null ? '' : ` · ${beatWords(beat, beats)}`;
}

function seatRow(status: GatheringStatus, seat: GatheringStatus['seats'][number], term: Terminal): string {
  const { number, name, role, state, hasSpoken, isPerson } = seat;
  const isHolder = status.holder?.number === number;
  const you = isPerson || status.you === number ? ' (you)' : '';
  const words = state === 'gone' ? 'is gone' : role === 'harvester' ? harvesterIn(status) : speakerIn(status, seat);
  const mark = state === 'gone' ? '✗' : isHolder ? '◆' : hasSpoken ? '✓' : '·';
  const line = `  ${mark} ${number} ${plainText(name)}${you}${words === '' ? '' : `  ${words}`}`;
  return `${isHolder ? term.style('bold', line) : line}\n`;
}

function harvesterIn({ stage }: GatheringStatus): string {
  if (stage === 'closed') return 'harvester';
  return stage === 'closing' ? 'writes the harvest' : 'harvester, listens';
}

/** After the last round nobody waits for the piece. */
function speakerIn({ holder, stage }: GatheringStatus, seat: GatheringStatus['seats'][number]): string {
  if (holder?.number === seat.number) return 'has the piece';
  if (stage === 'closing' || stage === 'closed') return '';
  return seat.hasSpoken ? 'had the piece in this round' : 'waits';
}

export function endText(
  { trail, harvested, commit, isWrittenByHall }: NonNullable<GatheringStatus['end']>,
  term: Terminal,
): string {
  const by = isWrittenByHall ? ' The harvester gave none: it stands there from the record.' : '';
  const head = `${term.style('green', '✓')} The trail: ${plainText(trail)}${commit === null ? '' : `, commit ${commit.slice(0, 10)}`}.${by}`;
  return [
    head,
    ...harvested.map(({ kind, title, path }) => `  ${kind}: ${oneLine(title, 120)}  ${plainText(path)}`),
  ].join('\n');
}

/** Who passes before the turn has reached them holds the piece until then. */
function passWords({ holder, you }: GatheringStatus): string {
  const isStillThere = holder !== null && holder.number === you;
  return isStillThere ? 'The pass is taken: the piece goes on in a moment.' : 'The piece is passed.';
}

function renderStarted(status: GatheringStatus, term: Terminal): string {
  const { id } = status;
  const lines = [
    `Look on, and speak: guild-hall gathering join ${id}`,
    `How far it is: guild-hall gathering status ${id}`,
    `End it: guild-hall gathering end ${id}`,
  ];
  const head = `✓ The gathering has begun: ${id}\n`;
  return `${head}${renderSeats(status, term)}${lines.map((line) => `${term.style('dim', term.hint(line))}\n`).join('')}`;
}

function renderSeats(status: GatheringStatus, term: Terminal): string {
  return status.seats.map((seat) => seatRow(status, seat, term)).join('');
}

function renderShown(view: GatheringView, term: Terminal): string {
  const { gathering, messages, earlier, allowed } = view;
  const { id, stage, rhythm, question, structure, seats, end } = gathering;
  const { inhale, hold, exhale } = structure;
  const names = seats.map((seat) => `${seat.name} (${seat.number})${seat.role === 'harvester' ? ', harvester' : ''}`);
  const head = `${marked(term, stages[stage])}  ${term.style('bold', oneLine(question, 300))}\n`;
  const facts = `${id} · rhythm ${rhythm} · ${inhale}-${hold}-${exhale} · ${names.join(' · ')}`;
  const before = earlier === 0 ? '' : term.style('dim', `\n… ${earlier} earlier messages\n`);
  const said = messages
    .filter((message) => isHeard(view, message))
    .map((message) => messageText(gathering, message, term));
  const ends = end === null ? '' : `\n${endText(end, term)}\n`;
  const verbs = allowed.map((verb) => nextOf(verb, id));
  const next = verbs.length === 0 ? '' : `\n${term.style('dim', term.hint(`Next: ${verbs.join(', ')}`))}\n`;
  return `${head}${term.style('dim', plainText(facts))}\n${before}${said.join('')}${ends}${next}`;
}

function nextOf(verb: GatheringView['allowed'][number], id: string): string {
  const words = { say: 'say', announce: 'say --as-host', pass: 'pass', end: 'end' }[verb];
  return `guild-hall gathering ${words} ${id}${verb === 'say' || verb === 'announce' ? ' "…"' : ''}`;
}

/** What is private to another member is left out: seeds, beats, the ask of the harvest. */
export function isHeard({ you }: Pick<GatheringView, 'you'>, { kind, to }: Message): boolean {
  const isPrivate = kind === 'seed' || kind === 'beat' || kind === 'harvest';
  return !isPrivate || (you !== null && to.includes(you));
}

/** A message as it stands in a transcript, after a blank line. */
export function messageText(gathering: Pick<GatheringFacts, 'seats'>, message: Message, term: Terminal): string {
  const { kind, text } = message;
  if (kind === 'words') {
    const marks = [minuteOf(message.at), ...failuresOf(gathering, message)].join('; ');
    const head = `${term.style('bold', plainText(speakerOf(gathering, message)))}  ${term.style('dim', oneLine(marks, 300))}`;
    return `\n${head}\n${wrapped(plainText(text), term).trimEnd()}\n`;
  }
  const lines = plainText(text).split('\n');
  return `\n${lines.map((line) => hallLineText(kind, line, term)).join('\n')}\n`;
}

function hallLineText(kind: Message['kind'], line: string, term: Terminal): string {
  if (line.startsWith('The piece is now with ')) return `${term.style('cyan', '◆')} ${term.style('bold', line)}`;
  const words = line.replace(/^\[guild-hall\] /, '');
  if (kind === 'announcement' || kind === 'beat') return wrapped(words, term).trimEnd();
  return term.style('dim', wrapped(words, term).trimEnd());
}

function speakerOf({ seats }: Pick<GatheringFacts, 'seats'>, { from }: Message): string {
  const seat = seats.find(({ number }) => number === from);
  return seat === undefined ? (from === 'person' ? 'You' : 'The hall') : `${seat.name} (${seat.number})`;
}

function failuresOf({ seats }: Pick<GatheringFacts, 'seats'>, { receipts }: Message): string[] {
  return receipts.flatMap(({ to, receipt }) =>
    receipt.state === 'failed'
      ? [`${seats.find(({ number }) => number === to)?.name ?? to} not reached: ${receipt.why}`]
      : [],
  );
}

function renderRhythms({ rhythms, problems }: RhythmList, term: Terminal): string {
  const rows = rhythms.map(({ name, title, structure, beatsPerTurn, beatIntervalSeconds, source }) => [
    name,
    `${structure.inhale}-${structure.hold}-${structure.exhale}`,
    `${beatsPerTurn} × ${spanOf(beatIntervalSeconds * 1000)}`,
    source === 'person' ? 'yours' : 'the hall’s',
    oneLine(title, 100),
  ]);
  const broken = problems.map((problem) => `${term.style('red', '▲')} ${plainText(problem)}\n`).join('');
  return `${renderTable(['name', 'rounds', 'beats', 'whose', 'title'], rows, term)}${broken}`;
}

const fates: Readonly<Record<GatheringSaid['fate'], string>> = {
  sent: 'Said to all.',
  kept: 'Kept: it goes out with your next turn.',
  announced: 'Announced to all.',
};

export function saidText({ fate }: GatheringSaid): string {
  return fates[fate];
}

export const gatheringRenderers: Readonly<Record<string, Renderer>> = {
  'gathering.start': renderStarted,
  'gathering.list': renderList,
  'gathering.show': renderShown,
  'gathering.join': renderShown,
  'gathering.status': renderStatus,
  'gathering.say': (said: GatheringSaid) => `✓ ${saidText(said)}\n`,
  'gathering.pass': (status: GatheringStatus, term) => `✓ ${passWords(status)}\n${renderStatus(status, term)}`,
  'gathering.typing': () => '',
  'gathering.end': (status: GatheringStatus, term) =>
    `✓ The gathering goes to its close; the harvester is asked for the harvest.\n${renderStatus(status, term)}`,
  'gathering.rhythms': renderRhythms,
};
