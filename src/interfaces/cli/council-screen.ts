/**
 * A council on the screen: what has landed, line for line as it is saved, and below it for the moment who speaks. On a
 * pipe only what has landed.
 */
import type { CouncilEntry, CouncilView } from '../../features/councils/contract.ts';
import { renderEntry } from '../../features/councils/contract/rendering.ts';
import { clearLive, createLiveArea, drawLive, headOfLive, lastLines, type LiveArea } from './live-area.ts';
import type { Sleep } from './progress.ts';
import { plainText, type Terminal } from './terminal.ts';
import { hanging, wrapped } from './wrap.ts';

interface Speaking {
  readonly who: string;
  readonly what: string;
  seconds: number;
  words: string;
  tool: string;
}

export interface CouncilScreen {
  readonly term: Terminal;
  readonly asJson: boolean;
  readonly sleep: Sleep;
  readonly live: LiveArea;
  speaking: Speaking | undefined;
  /** Ends the clock of the live area. */
  ticking: AbortController | undefined;
  /** Something stands above: the next entry is set apart by a blank line. */
  hasAbove: boolean;
}

export function createCouncilScreen(term: Terminal, sleep: Sleep, asJson: boolean): CouncilScreen {
  const live = createLiveArea(term, asJson);
  return { term, asJson, sleep, live, speaking: undefined, ticking: undefined, hasAbove: false };
}

/** Prints what has landed. Warnings go to standard error. */
export function printEntry(screen: CouncilScreen, entry: CouncilEntry): void {
  const { term } = screen;
  if (entry.kind === 'turn') endSpeaking(screen);
  if (entry.kind === 'line' && entry.name === 'warning') {
    clearLive(screen.live);
    term.err(`${plainText(renderEntry(entry).join('\n'))}\n`);
    return redraw(screen);
  }
  if (screen.asJson) return undefined;
  clearLive(screen.live);
  term.out(`${screen.hasAbove ? '\n' : ''}${entryText(entry, term)}\n`);
  screen.hasAbove = true;
  return redraw(screen);
}

/** Words of the program between the entries, on standard output. */
export function printAside(screen: CouncilScreen, text: string): void {
  if (screen.asJson) return;
  clearLive(screen.live);
  screen.term.out(`${screen.hasAbove ? '\n' : ''}${text}\n`);
  screen.hasAbove = true;
  redraw(screen);
}

/** To the letter what is saved; on a terminal long text is folded, and the program's own lines are set apart by their look. */
export function entryText(entry: CouncilEntry, term: Terminal): string {
  const lines = renderEntry(entry).map((line) => plainText(line));
  if (!term.isTty) return lines.join('\n');
  if (entry.kind === 'marker') return lines.map((line) => term.style('bold', line)).join('\n');
  if (entry.kind === 'line' && entry.name === 'halt') return term.style('red', lines.join('\n'));
  if (entry.kind === 'line') {
    const shown = entry.name === 'pin' ? pinText(lines.join(''), term) : hanging(lines.join(''), 0, term.width);
    return shown
      .split('\n')
      .map((line) => term.style('dim', line))
      .join('\n');
  }
  const bodyAt = lines.indexOf('');
  const [header = '', ...facts] = lines.slice(0, bodyAt);
  const head = [
    entry.kind === 'turn' ? term.style('bold', header) : term.style('dim', header),
    ...facts.map((line) => term.style('dim', line)),
  ];
  return [...head, wrapped(lines.slice(bodyAt).join('\n'), term).trimEnd()].join('\n');
}

/** More of a pin is not shown as it lands: it is asked about whole. Lines. */
const mostOfPin = 12;

/** Its line, with the content's own lines below one another, set off so that they read as nothing else. */
function pinText(line: string, term: Terminal): string {
  const [first = '', ...rest] = line.split(String.raw`\n`);
  const more = rest.length > mostOfPin ? [`… ${rest.length - mostOfPin} more lines`] : [];
  const below = [...rest.slice(0, mostOfPin), ...more].map((text) => `  │ ${text}`.trimEnd());
  return [hanging(first, 0, term.width), ...below].join('\n');
}

/** Where its files were written, before the marker that ends the transcript. */
export function savedText({ save }: Pick<CouncilView, 'save'>, term: Terminal): string {
  const written = save?.written ?? [];
  if (written.length === 0) return 'Nothing was accepted, so nothing is written.';
  const commit = save?.commit ?? null;
  const where = commit === null ? 'Saved:' : `Saved, commit ${commit.slice(0, 10)}:`;
  return [`${term.style('green', '✓')} ${where}`, ...written.map((path) => `  ${plainText(path)}`)].join('\n');
}

export function beginSpeaking(screen: CouncilScreen, who: string, what: string): void {
  endSpeaking(screen);
  if (!screen.live.isShown) return;
  screen.speaking = { who, what, seconds: 0, words: '', tool: '' };
  const ticking = new AbortController();
  screen.ticking = ticking;
  redraw(screen);
  // Its only failure is that it is ended.
  tick(screen, ticking.signal).catch(() => undefined);
}

export function addWords(screen: CouncilScreen, text: string): void {
  if (screen.speaking === undefined) return;
  screen.speaking.words = `${screen.speaking.words}${text}`.slice(-4000);
  screen.speaking.tool = '';
  redraw(screen);
}

export function showTool(screen: CouncilScreen, tool: string): void {
  if (screen.speaking === undefined) return;
  screen.speaking.tool = tool;
  redraw(screen);
}

/** The draft goes: it has landed, or came to nothing. */
export function endSpeaking(screen: CouncilScreen): void {
  screen.ticking?.abort();
  screen.ticking = undefined;
  screen.speaking = undefined;
  clearLive(screen.live);
}

function redraw({ speaking, live, term }: CouncilScreen): void {
  if (speaking === undefined) return;
  const { who, what, seconds, words, tool } = speaking;
  drawLive(live, [
    headOfLive([who, what, tool], seconds),
    ...lastLines(words, term.width, 5).map((line) => `  ${line}`),
  ]);
}

async function tick(screen: CouncilScreen, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await screen.sleep(1000, signal);
    if (signal.aborted || screen.speaking === undefined) return;
    screen.speaking.seconds += 1;
    redraw(screen);
  }
}
