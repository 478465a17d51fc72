/** A state, always as a shape, a word and a colour together. */
export type StateKind = 'active' | 'waiting' | 'failed' | 'note' | 'done' | 'idle' | 'dropped';

const looks: Readonly<Record<StateKind, { readonly shape: string; readonly colour: string }>> = {
  active: { shape: '●', colour: 'text-active' },
  waiting: { shape: '◐', colour: 'text-waiting' },
  failed: { shape: '▲', colour: 'text-failed' },
  note: { shape: '◆', colour: 'text-note' },
  done: { shape: '✓', colour: 'text-soft' },
  idle: { shape: '○', colour: 'text-soft' },
  dropped: { shape: '×', colour: 'text-soft' },
};

export function looksOf(kind: StateKind): { readonly shape: string; readonly colour: string } {
  return looks[kind];
}

export interface StateMarkProps {
  readonly kind: StateKind;
  readonly word: string;
  /** Something is being done at this moment. */
  readonly isMoving?: boolean;
}

export function StateMark({ kind, word, isMoving = false }: StateMarkProps) {
  const { shape, colour } = looks[kind];
  return (
    <span className={`inline-flex max-w-full items-baseline gap-1.5 text-13 whitespace-nowrap ${colour}`}>
      <span
        aria-hidden
        className={`w-3 shrink-0 text-center text-12 leading-none ${isMoving ? 'animate-breathe' : ''}`}
      >
        {shape}
      </span>
      <span className="truncate">{word}</span>
    </span>
  );
}
