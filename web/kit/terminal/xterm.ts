/**
 * The screen of a terminal, drawn by xterm; loaded when the first one is shown. What a program writes is data here: it
 * gets no answer from this page, changes no colours, opens no links, and puts nothing into the clipboard.
 */
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { columnTable } from '../../../src/kernel/pure/columns.ts';
import { palettes } from './palettes.ts';

export interface XtermScreen {
  /** Empties it and gives it that size. @param onSized called when it has it */
  readonly begin: (cols: number, rows: number, onSized: () => void) => void;
  readonly write: (bytes: Uint8Array) => void;
  readonly focus: () => void;
  readonly setTheme: (theme: 'light' | 'dark') => void;
  /** Makes the letters as large as the room allows. */
  readonly fit: (widthPx: number) => void;
  /** So many columns and rows stand in that room with letters of the usual size. */
  readonly sizeFor: (widthPx: number, heightPx: number) => { readonly cols: number; readonly rows: number };
  readonly setTyping: (isOn: boolean) => void;
  readonly dispose: () => void;
}

export interface XtermRequest {
  readonly parent: HTMLElement;
  /** For screen readers: `Keys for Mo`. */
  readonly label: string;
  readonly onKeys: (keys: Uint8Array) => void;
  /** The person leaves the terminal by the keyboard. */
  readonly onLeave: () => void;
}

/** Pixels. */
const usualLetters = 13;
const smallestLetters = 7;
/** Of JetBrains Mono: its letters are so wide for their height. */
const wideness = 0.6;
/** A row of letters of the usual size: they touch, so that frames made of signs are closed. Pixels. */
const rowPx = 17;

export function openXterm({ parent, label, onKeys, onLeave }: XtermRequest): XtermScreen {
  const terminal = new Terminal({
    cols: 120,
    rows: 36,
    scrollback: 1000,
    allowProposedApi: true,
    fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace",
    fontSize: usualLetters,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    // Programs choose their colours for a screen that they do not see.
    minimumContrastRatio: 4.5,
    smoothScrollDuration: 0,
    linkHandler: { activate: () => undefined },
  });
  terminal.unicode.register(columnTable);
  terminal.unicode.activeVersion = columnTable.version;
  answerNothing(terminal);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== 'Escape' || !event.shiftKey) return true;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === 'keydown') onLeave();
    return false;
  });
  const encoder = new TextEncoder();
  terminal.onData((keys) => {
    // That the window has the focus is no key.
    if (keys !== '\u001b[I' && keys !== '\u001b[O') onKeys(encoder.encode(keys));
  });
  terminal.onBinary((keys) => onKeys(Uint8Array.from(keys, (key) => key.charCodeAt(0))));
  terminal.open(parent);
  const field = terminal.textarea!;
  field.setAttribute('aria-label', label);
  // By Tab one comes to the frame; Enter there leads in.
  field.tabIndex = -1;
  return screenOf(terminal);
}

function screenOf(terminal: Terminal): XtermScreen {
  return {
    begin: (cols, rows, onSized) => {
      // Among what is written, so that it comes after what came before.
      terminal.write('\u001bc', () => {
        terminal.resize(cols, rows);
        onSized();
      });
    },
    write: (bytes) => terminal.write(bytes),
    focus: () => terminal.focus(),
    setTheme: (theme) => {
      terminal.options.theme = palettes[theme];
    },
    fit: (widthPx) => {
      const most = Math.floor((widthPx / terminal.cols / wideness) * 4) / 4;
      const size = Math.max(smallestLetters, Math.min(usualLetters, most));
      if (terminal.options.fontSize !== size) terminal.options.fontSize = size;
    },
    sizeFor: (widthPx, heightPx) => ({
      cols: Math.max(20, Math.min(500, Math.floor(widthPx / (usualLetters * wideness)))),
      rows: Math.max(5, Math.min(200, Math.floor(heightPx / rowPx))),
    }),
    setTyping: (isOn) => {
      terminal.options.disableStdin = !isOn;
    },
    dispose: () => terminal.dispose(),
  };
}

/** tmux answers what programs ask of their terminal. An answer from here, too, would be taken for keys of the person. */
function answerNothing({ parser }: Terminal): void {
  const swallow = () => true;
  for (const id of [
    { final: 'c' },
    { prefix: '>', final: 'c' },
    { prefix: '=', final: 'c' },
    { final: 'n' },
    { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
    { prefix: '>', final: 'q' },
    { final: 't' },
  ])
    parser.registerCsiHandler(id, swallow);
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, swallow);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, swallow);
  // Titles, colours of the palette, links, the clipboard: 8 is told by the underline alone.
  for (const code of [0, 1, 2, 4, 10, 11, 12, 52, 104, 110, 111, 112]) parser.registerOscHandler(code, swallow);
}
