/** A terminal as it is at this moment: what it shows, what it asks, and whether keys go to it. */
import { Maximize, TextQuote } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { useAwayReason } from '../../state/hall.tsx';
import { Button } from '../button.tsx';
import { Keys } from '../key.tsx';
import { Problem } from '../states.tsx';
import { Asks } from './asks.tsx';
import { ScreenText } from './screen-text.tsx';
import { endState } from './terminal-state.ts';
import { type LiveScreen, useScreen } from './use-screen.ts';

export interface PaneProps {
  readonly terminal: TerminalView;
  /** Above the screen: whose it is. */
  readonly head?: ReactNode;
  /** It is shown, and takes no keys here. */
  readonly readOnly?: boolean;
}

/** For another terminal it is to be another piece (`key`). */
export function Pane(props: PaneProps) {
  // One that ends while it is looked at keeps its screen.
  const [wasOver] = useState(props.terminal.status === 'ended');
  const { terminal, head } = props;
  return (
    <section aria-label={`Terminal ${terminal.name}`} className="flex min-w-0 flex-col gap-2">
      {head}
      <Asks terminal={terminal} />
      {wasOver ? <ScreenText id={terminal.id} label="What it showed last" /> : <Live {...props} />}
    </section>
  );
}

function Live({ terminal, readOnly = false }: PaneProps) {
  const { id, name } = terminal;
  const note = useId();
  const frame = useRef<HTMLDivElement>(null);
  const mount = useRef<HTMLDivElement>(null);
  const [isTyping, setTyping] = useState(false);
  const [isText, setText] = useState(false);
  const live = useScreen({ terminal: id, name, readOnly, mount, onLeave: () => frame.current?.focus() });
  const { state } = live;
  const takesKeys = !readOnly && state.kind === 'live';
  return (
    <div
      className={`@container flex min-w-0 flex-col rounded-md border bg-terminal ${isTyping && takesKeys ? 'border-ember outline-1 outline-ember' : 'border-line-strong'}`}
    >
      <div
        ref={frame}
        role="group"
        data-row
        tabIndex={0}
        aria-label={`Screen of ${name}`}
        aria-describedby={note}
        onFocus={({ target, currentTarget }) => setTyping(target !== currentTarget)}
        onBlur={() => setTyping(false)}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || event.key !== 'Enter' || readOnly) return;
          event.preventDefault();
          live.focus();
        }}
        className={`min-w-0 overflow-x-auto overflow-y-hidden rounded-t-md p-2 transition-opacity duration-120 ${state.kind === 'live' ? '' : 'opacity-60'}`}
      >
        <div ref={mount} className="min-h-24 min-w-0" />
      </div>
      {live.hasFailed && (
        <Problem
          facts={{
            code: 'unavailable',
            message: 'The part of the page that draws terminals did not come.',
            hint: 'Load the page again when the hall answers.',
          }}
        />
      )}
      {state.kind === 'refused' && <Problem facts={state.problem} />}
      {live.refusal && <Problem facts={live.refusal} />}
      <div className="flex min-h-9 items-center gap-3 border-t border-line px-3 py-1 text-12 text-soft">
        <p id={note} className="min-w-0 flex-1">
          <Foot name={name} live={live} isTyping={isTyping} readOnly={readOnly} />
        </p>
        <Button
          tone="quiet"
          icon={TextQuote}
          className="h-7! px-2! text-12!"
          title="The last lines as text, to be read out or copied"
          aria-expanded={isText}
          onClick={() => setText(!isText)}
        >
          <span className="@max-md:sr-only">As text</span>
        </Button>
        {takesKeys && live.size && <Fit live={live} />}
      </div>
      {isText && (
        <div className="border-t border-line p-2">
          <ScreenText id={id} label={`What ${name} shows, as text`} />
        </div>
      )}
    </div>
  );
}

interface FootProps {
  readonly name: string;
  readonly live: LiveScreen;
  readonly isTyping: boolean;
  readonly readOnly: boolean;
}

/** In plain words whether what is typed goes there. */
function Foot({ name, live: { state }, isTyping, readOnly }: FootProps) {
  const away = useAwayReason();
  if (state.kind === 'ended')
    return <>{`${name} has ${endState(state.exitCode).word}. What it showed last stays here.`}</>;
  if (state.kind === 'connecting' && away === undefined) return <>Reading the screen</>;
  if (state.kind === 'refused') return <>It cannot be shown now; it is tried again by itself.</>;
  if (state.kind !== 'live') return <>The screen is as it was; it goes on by itself when the hall answers.</>;
  if (readOnly) return <>Shown here to watch; keys go nowhere.</>;
  if (!isTyping) {
    return (
      <>
        Press into it to type<span className="@max-xl:hidden">, or Enter when it is chosen</span>
      </>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2 font-medium text-ember-strong">
      <span aria-hidden>●</span> Your keys go to {name}
      <span className="inline-flex items-center gap-1.5 font-normal text-soft @max-md:hidden">
        <Keys keys="Shift Escape" /> leaves it
      </span>
    </span>
  );
}

function Fit({ live }: { readonly live: LiveScreen }) {
  const { cols = 0, rows = 0 } = live.size ?? {};
  return (
    <>
      <span className="whitespace-nowrap text-faint @max-md:hidden" title={`${cols} columns, ${rows} rows`}>
        {cols} × {rows}
      </span>
      <Button
        tone="quiet"
        icon={Maximize}
        className="h-7! px-2! text-12!"
        title="Gives the program a screen of the room that there is here"
        onClick={live.fitProgram}
      >
        Fit
      </Button>
    </>
  );
}
