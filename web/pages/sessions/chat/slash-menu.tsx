/** The agent's commands over the place to write, while a `/` is typed. The focus stays in the field. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Command, matching, slashOf } from './slash.ts';

export interface Slash {
  readonly commands: readonly Command[];
  /** The one that Enter takes. */
  readonly chosen: number;
  readonly choose: (nth: number) => void;
  readonly take: (command: Command) => void;
  /** @returns whether the key was for the menu */
  readonly press: (event: KeyboardEvent) => boolean;
}

export function useSlash(all: readonly Command[], text: string, setText: (text: string) => void): Slash {
  const typed = slashOf(text);
  const [held, setHeld] = useState({ typed, chosen: 0, isClosed: false });
  const state = held.typed === typed ? held : { typed, chosen: 0, isClosed: false };
  const commands = typed === undefined || state.isClosed ? [] : matching(all, typed);
  const take = ({ name }: Command) => setText(`/${name} `);
  const press = (event: KeyboardEvent): boolean => {
    if (commands.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const command = commands[state.chosen];
    if (step !== undefined) setHeld({ ...state, chosen: (state.chosen + step + commands.length) % commands.length });
    else if (event.key === 'Escape') setHeld({ ...state, isClosed: true });
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && command !== undefined) {
      // What is whole already is sent by Enter.
      if (event.key === 'Enter' && typed === command.name) return false;
      take(command);
    } else return false;
    event.preventDefault();
    return true;
  };
  return { commands, chosen: state.chosen, choose: (chosen) => setHeld({ ...state, chosen }), take, press };
}

export function SlashMenu({ slash, id }: { readonly slash: Slash; readonly id: string }) {
  const { commands, chosen, choose, take } = slash;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  if (commands.length === 0) return null;
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label="Commands of the agent"
      className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-64 animate-arrive overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float"
    >
      {commands.map((command, nth) => (
        <li
          key={command.name}
          id={`${id}-${nth}`}
          role="option"
          aria-selected={nth === chosen}
          onPointerMove={() => {
            if (nth !== chosen) choose(nth);
          }}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => take(command)}
          className="flex cursor-pointer flex-wrap items-baseline gap-x-3 rounded-md px-2.5 py-1.5 text-13 max-phone:min-h-11 aria-selected:bg-hover"
        >
          <span className="line-clamp-1 max-w-full font-mono text-13 text-ink">
            /{command.name} <span className="text-faint">{command.hint}</span>
          </span>
          <span className="line-clamp-1 min-w-0 flex-1 basis-56 text-soft">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}
