/** Who speaks, in their order: terminals that run, agents that are started for it, the person. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { PersonMark, WorkerGlyph } from '../../kit/glyph.tsx';
import { readDraft } from '../../state/drafts.ts';
import type { OutputOf } from '../../state/operations.ts';
import { freeName, type SeatDraft } from './start-form.ts';

export const ownNameKey = 'gathering.own-name';

type Terminals = OutputOf<'terminal.list'>['terminals'];
type Entries = OutputOf<'terminal.list'>['entries'];

export interface ParticipantsFieldProps {
  readonly seats: readonly SeatDraft[];
  readonly harvester: SeatDraft | null;
  /** Those that may be asked. */
  readonly free: Terminals;
  readonly entries: Entries;
  readonly error: string | undefined;
  readonly onChange: (seats: readonly SeatDraft[]) => void;
}

export function ParticipantsField({ seats, harvester, free, entries, error, onChange }: ParticipantsFieldProps) {
  const id = useId();
  const taken = [...seats, ...(harvester === null ? [] : [harvester])];
  const frame = useRef<HTMLFieldSetElement>(null);
  const change = (next: readonly SeatDraft[]) => {
    onChange(next);
    requestAnimationFrame(() => keepFocus(frame.current));
  };
  const add = (seat: SeatDraft) => change([...seats, seat]);
  const rest = free.filter((row) => !taken.some(({ kind, ref }) => kind === 'terminal' && ref === row.id));
  const nameFor = (entry: string) =>
    freeName(entry, [...taken.map(({ name }) => name), ...free.map(({ name }) => name)]);
  return (
    <fieldset
      ref={frame}
      className="flex min-w-0 flex-col gap-2"
      data-invalid={error === undefined ? undefined : true}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className="pb-1.5 text-13 font-medium text-soft">Who speaks, in this order</legend>
      {seats.length > 0 && (
        <ol className="flex flex-col divide-y divide-line border-y border-line">
          {seats.map((seat, nth) => (
            <li key={`${seat.kind}-${nth}`}>
              <SeatRow
                seat={seat}
                nth={nth}
                of={seats.length}
                onName={(name) => onChange(seats.with(nth, { ...seat, name }))}
                onMove={(to) => change(seats.toSpliced(nth, 1).toSpliced(to, 0, seat))}
                onRemove={() => change(seats.toSpliced(nth, 1))}
              />
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-13 text-failed">
          ▲ {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {rest.map((row) => (
          <Button
            key={row.id}
            data-add
            icon={Plus}
            title={`Runs now${row.entry === null ? '' : `, ${row.entry}`}`}
            onClick={() => add({ kind: 'terminal', ref: row.id, name: row.name })}
          >
            {row.name}
          </Button>
        ))}
        {entries.map(({ name, about }) => (
          <Button
            key={name}
            data-add
            icon={Plus}
            title={about}
            onClick={() => add({ kind: 'entry', ref: name, name: nameFor(name) })}
          >
            a new {name}
          </Button>
        ))}
        {!seats.some(({ kind }) => kind === 'person') && (
          <Button icon={Plus} onClick={() => add({ kind: 'person', ref: '', name: readDraft(ownNameKey) })}>
            Yourself
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** The button that was pressed may be gone: a name that is missing has the focus then, else what can be added. */
function keepFocus(frame: HTMLElement | null): void {
  if (frame === null || frame.contains(document.activeElement)) return;
  frame.querySelector<HTMLElement>('input[aria-invalid], [data-add]')?.focus();
}

interface SeatRowProps {
  readonly seat: SeatDraft;
  readonly nth: number;
  readonly of: number;
  readonly onName: (name: string) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

const abouts: Readonly<Record<SeatDraft['kind'], string>> = {
  terminal: 'runs now',
  entry: 'is started for it',
  person: 'you',
};

function SeatRow({ seat, nth, of, onName, onMove, onRemove }: SeatRowProps) {
  const { kind, ref, name } = seat;
  const called = name.trim() === '' ? `number ${nth + 1}` : name;
  return (
    <div className="flex min-h-11 items-center gap-2.5 py-1">
      <span className="w-4 text-right text-12 text-faint">{nth + 1}</span>
      {kind === 'person' ? <PersonMark name={name || 'You'} size={24} /> : <WorkerGlyph name={name} size={24} />}
      {kind === 'terminal' ? (
        <span className="min-w-0 truncate text-15 text-ink">{name}</span>
      ) : (
        <input
          value={name}
          onChange={(event) => onName(event.target.value)}
          aria-label={kind === 'person' ? 'Your name in it' : `Name of number ${nth + 1}`}
          aria-invalid={name.trim() === '' || undefined}
          placeholder={kind === 'person' ? 'Your name' : ref}
          autoComplete="off"
          spellCheck={false}
          className="h-8 w-36 min-w-0 rounded-md max-phone:h-10 max-phone:w-24 border border-line-strong bg-raised px-2 text-15 text-ink placeholder:text-faint"
        />
      )}
      <span className="min-w-0 flex-1 truncate text-12 text-faint">
        {kind === 'entry' ? `${ref}, ${abouts.entry}` : abouts[kind]}
      </span>
      <span className="flex shrink-0">
        {nth > 0 && <IconButton icon={ArrowUp} label={`${called} speaks earlier`} onClick={() => onMove(nth - 1)} />}
        {nth < of - 1 && (
          <IconButton icon={ArrowDown} label={`${called} speaks later`} onClick={() => onMove(nth + 1)} />
        )}
        <IconButton icon={X} label={`Without ${called}`} onClick={onRemove} />
      </span>
    </div>
  );
}
