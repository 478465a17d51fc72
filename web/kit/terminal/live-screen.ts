/** Joins xterm and the socket of one terminal. No React here. */
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import type { Link } from '../../state/link.ts';
import {
  closeTerminalLink,
  openTerminalLink,
  sendKeys,
  sendSize,
  type TerminalLink,
  type TerminalLinkState,
} from '../../state/terminal-link.ts';
import type { XtermScreen } from './xterm.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface ScreenRequest {
  readonly hall: Link;
  readonly parent: HTMLElement;
  readonly terminal: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly theme: 'light' | 'dark';
  readonly onLeave: () => void;
  readonly onState: (state: TerminalLinkState) => void;
  readonly onSize: (size: Size) => void;
  /** Why keys or a size were not taken; undefined as soon as keys are sent again. */
  readonly onRefusal: (problem: ErrorFacts | undefined) => void;
}

export interface OpenScreen {
  readonly screen: XtermScreen;
  readonly link: TerminalLink;
  readonly parent: HTMLElement;
  readonly close: () => void;
}

/** @throws when the part that draws it does not come */
export async function openScreen(request: ScreenRequest): Promise<OpenScreen> {
  const { hall, parent, terminal, name, readOnly, onLeave, onState, onSize, onRefusal } = request;
  const { openXterm } = await import('./xterm.ts');
  // Letters are measured: with others than the right ones they would not stand in their columns.
  await document.fonts.load("13px 'JetBrains Mono Variable'");
  const onKeys = (keys: Uint8Array) => {
    onRefusal(undefined);
    sendKeys(link, keys);
  };
  const screen = openXterm({ parent, label: `Keys for ${name}`, onKeys, onLeave });
  screen.setTheme(request.theme);
  screen.setTyping(false);
  const fit = () => screen.fit(parent.clientWidth);
  const link = openTerminalLink(
    hall,
    { for: 'terminal', terminal, readOnly },
    {
      begin: (cols, rows) => {
        screen.begin(cols, rows, fit);
        onSize({ cols, rows });
      },
      write: screen.write,
      onState: (state) => {
        screen.setTyping(!readOnly && state.kind === 'live');
        onState(state);
      },
      onRefusal,
    },
  );
  const observer = new ResizeObserver(fit);
  observer.observe(parent);
  const close = () => {
    observer.disconnect();
    closeTerminalLink(link);
    screen.dispose();
  };
  return { screen, link, parent, close };
}

/** What stands below a screen: its foot, and some air. Pixels. */
const belowPx = 72;
const leastPx = 240;

/** Gives the program a screen that fits into the room that there is. */
export function fitProgram({ screen, link, parent }: OpenScreen): void {
  const room = Math.max(leastPx, innerHeight - parent.getBoundingClientRect().top - belowPx);
  sendSize(link, screen.sizeFor(parent.clientWidth, room));
}
