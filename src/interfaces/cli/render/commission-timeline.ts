/** The timeline of a commission on a terminal: an entry a line, with the time and a mark that says what it is. */
import type { TimelineEntry } from '../../../features/commissions/contract.ts';
import { type Format, plainText, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';

/** Of one entry; --json has it whole. Characters. */
const longest = 600;
/** The end of what a check printed. Lines. */
const outputLines = 12;

export function renderTimeline(timeline: readonly TimelineEntry[], term: Terminal): string {
  let day = '';
  return timeline
    .map((entry) => {
      const today = entry.timestamp.slice(0, 10);
      const heading = today === day ? '' : `${term.style('dim', today)}\n`;
      day = today;
      return heading + lineOf(entry, term);
    })
    .join('');
}

function lineOf(entry: TimelineEntry, term: Terminal): string {
  const time = entry.timestamp.slice(11, 19);
  const [mark, format] = markOf(entry);
  const words = plainText(wordsOf(entry)).replaceAll(/\s+/g, ' ').trim();
  const short = words.length > longest ? `${words.slice(0, longest)}…` : words;
  const text = term.isTty ? hanging(short, time.length + 4, term.width) : short;
  return `${term.style('dim', time)}  ${term.style(format, mark)} ${text}\n${outputOf(entry, term)}`;
}

function markOf(entry: TimelineEntry): readonly [string, Format] {
  switch (entry.event) {
    case 'status':
      return statusMark(entry.to);
    case 'question':
      return ['?', 'yellow'];
    case 'answer':
    case 'comment':
    case 'review':
    case 'edited':
      return ['»', 'blue'];
    case 'anomaly':
      return ['▲', 'yellow'];
    case 'merge':
      return entry.state === 'merged' ? ['✓', 'green'] : ['▲', 'red'];
    case 'gate':
      return entry.ok ? ['✓', 'green'] : ['▲', 'red'];
    case 'result':
      return ['✓', 'green'];
    case 'artifact':
      return ['+', 'green'];
    case 'attempt':
      return ['↻', 'bold'];
    default:
      return ['·', 'dim'];
  }
}

function statusMark(to: string): readonly [string, Format] {
  if (to === 'failed') return ['▲', 'red'];
  if (to === 'completed') return ['✓', 'green'];
  return to === 'in_progress' ? ['●', 'green'] : ['○', 'dim'];
}

function wordsOf(entry: TimelineEntry): string {
  switch (entry.event) {
    case 'status':
      return `${entry.to.replace('_', ' ')}: ${entry.reason}${entry.hint === undefined ? '' : ` (${entry.hint})`}`;
    case 'question':
      return `${entry.id}: ${entry.text}`;
    case 'answer':
      return `answer to ${entry.question}: ${entry.text}`;
    case 'decision':
      return `decided: ${entry.question} ${entry.decision}. ${entry.reasoning}`;
    case 'artifact':
      return entry.path;
    case 'result':
      return `result: ${entry.summary}`;
    case 'heartbeat':
      return `heartbeat ${entry.to}, was ${entry.from}`;
    case 'attempt':
      return `attempt ${entry.attempt} on ${entry.branch}: ${entry.reason}`;
    case 'merge':
      return [entry.state.replace('_', ' '), entry.text, entry.files.join(', ')]
        .filter((part) => part !== '')
        .join(': ');
    case 'gate':
      return `${entry.ok ? 'check passed' : 'check failed'}: ${entry.command}`;
    case 'review':
      return `looked at${entry.text === '' ? '' : `: ${entry.text}`}`;
    case 'comment':
      return `remark${placeOf(entry)}: ${entry.text}`;
    case 'edited':
      return `changed: ${entry.fields.join(', ')}`;
    case 'progress':
    case 'anomaly':
      return entry.text;
  }
}

function placeOf({ path, line }: { readonly path?: string | undefined; readonly line?: number | undefined }): string {
  return path === undefined ? '' : ` on ${path}${line === undefined ? '' : `:${line}`}`;
}

/** Of a check that failed, the end of what it printed. */
function outputOf(entry: TimelineEntry, term: Terminal): string {
  if (entry.event !== 'gate' || entry.ok || entry.output.trim() === '') return '';
  const lines = plainText(entry.output).trimEnd().split('\n').slice(-outputLines);
  return lines.map((line) => `${term.style('dim', `            ${line}`)}\n`).join('');
}
