/** One live terminal in a page, for as long as the piece is on the screen. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import { inBackground } from '../../state/background.ts';
import { useHall } from '../../state/hall.tsx';
import type { TerminalLinkState } from '../../state/terminal-link.ts';
import { useTheme } from '../../state/theme.ts';
import { fitProgram, type OpenScreen, openScreen, type Size } from './live-screen.ts';

export interface LiveScreen {
  readonly state: TerminalLinkState;
  /** Why keys or a size were not taken last. */
  readonly refusal: ErrorFacts | undefined;
  /** The part that draws it did not come. */
  readonly hasFailed: boolean;
  readonly size: Size | undefined;
  readonly focus: () => void;
  /** Gives the program a screen that fits into the room that there is here. */
  readonly fitProgram: () => void;
}

export interface ScreenUse {
  readonly terminal: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly mount: RefObject<HTMLDivElement | null>;
  readonly onLeave: () => void;
}

export function useScreen({ terminal, name, readOnly, mount, onLeave }: ScreenUse): LiveScreen {
  const { link: hall } = useHall();
  const [state, onState] = useState<TerminalLinkState>({ kind: 'connecting' });
  const [refusal, onRefusal] = useState<ErrorFacts>();
  const [hasFailed, setFailed] = useState(false);
  const [size, onSize] = useState<Size>();
  const open = useRef<OpenScreen>(undefined);
  const theme = useShownTheme();
  const leave = useEffectEvent(onLeave);
  const begin = useEffectEvent((parent: HTMLElement) => {
    const told = { onState, onRefusal, onSize, onLeave: () => leave() };
    return openScreen({ hall, parent, terminal, name, readOnly, theme, ...told });
  });
  useEffect(() => {
    const parent = mount.current;
    if (parent === null) return undefined;
    let isGone = false;
    const opening = begin(parent).then(
      (opened) => {
        if (isGone) opened.close();
        else open.current = opened;
      },
      () => setFailed(true),
    );
    inBackground(opening);
    return () => {
      isGone = true;
      open.current?.close();
      open.current = undefined;
    };
  }, [mount]);
  useEffect(() => open.current?.screen.setTheme(theme), [theme]);
  return {
    state,
    refusal,
    hasFailed,
    size,
    focus: () => open.current?.screen.focus(),
    fitProgram: () => open.current && fitProgram(open.current),
  };
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function useShownTheme(): 'light' | 'dark' {
  const chosen = useTheme();
  const isDark = useSyncExternalStore(
    (listener) => {
      systemIsDark.addEventListener('change', listener);
      return () => systemIsDark.removeEventListener('change', listener);
    },
    () => systemIsDark.matches,
  );
  return chosen === 'system' ? (isDark ? 'dark' : 'light') : chosen;
}
