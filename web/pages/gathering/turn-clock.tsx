/** What is left of the present turn, going down every second: figures, beats as marks, and a ring. Nothing beside them moves. */
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { clockText } from '../../kit/gathering-words.ts';
import { useNow } from '../../kit/time.tsx';
import { type TurnTime, turnTimeOf } from './turn-time.ts';

type Facts = Pick<GatheringView, 'gathering' | 'due'>;

/** Undefined where nobody has the piece. */
export function useTurnTime({ gathering, due }: Facts): TurnTime | undefined {
  const nowMs = useNow();
  return gathering.turn === null ? undefined : turnTimeOf(gathering, gathering.turn, due, nowMs);
}

const notes: Readonly<Record<TurnTime['stage'], string>> = {
  coming: 'on its way',
  speaking: 'left',
  last: 'for the last words',
  over: 'over its time',
};

export interface TurnClockProps {
  readonly view: Facts;
  readonly size: 'large' | 'small';
}

export function TurnClock({ view, size }: TurnClockProps) {
  const time = useTurnTime(view);
  if (time === undefined) return null;
  const figures = size === 'large' ? 'text-24 font-medium' : 'text-15 font-medium';
  const colour = time.stage === 'last' || time.stage === 'over' ? 'text-waiting' : 'text-ink';
  return (
    <span role="timer" className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      {/* As wide as its widest figures, so that what follows stands still. */}
      <span
        className={`inline-block ${size === 'large' ? 'text-center' : 'text-right'} ${figures} ${colour}`}
        style={{ minWidth: `${widthOf(view)}ch` }}
      >
        {time.stage === 'coming' ? '–:––' : clockText(time.leftMs)}
      </span>
      <span className={size === 'large' ? 'sr-only' : 'text-12 text-faint'}>{notes[time.stage]}</span>
    </span>
  );
}

function widthOf({ gathering: { beatsPerTurn, beatIntervalSeconds } }: Facts): number {
  return clockText(beatsPerTurn * beatIntervalSeconds * 1000).length;
}

/** Few enough to be drawn one by one. */
const mostMarks = 8;

export function Beats({ view }: { readonly view: Facts }) {
  const time = useTurnTime(view);
  if (time === undefined) return null;
  const { beatsPerTurn } = view.gathering;
  const isLast = time.stage === 'last' || time.stage === 'over';
  return (
    <span className="inline-flex items-center gap-1.5 text-12 whitespace-nowrap text-faint">
      {beatsPerTurn <= mostMarks && (
        <span aria-hidden className="inline-flex items-center gap-1">
          {Array.from({ length: beatsPerTurn }, (_, nth) => (
            <span
              key={nth}
              className={`size-[7px] rounded-full border ${markOf(nth + 1, isLast ? beatsPerTurn + 1 : time.beat)}`}
            />
          ))}
        </span>
      )}
      <span>{isLast ? 'last words' : `beat ${time.beat} of ${beatsPerTurn}`}</span>
    </span>
  );
}

function markOf(beat: number, now: number): string {
  if (beat < now) return 'border-soft bg-soft';
  return beat === now ? 'border-ember bg-ember' : 'border-line-strong';
}

/** The holder's time as a ring around their mark, a part for each beat. Within a drawing. */
export function TurnRing({ view, x, y, radius }: { readonly view: Facts } & { x: number; y: number; radius: number }) {
  const time = useTurnTime(view);
  if (time === undefined) return null;
  const { beatsPerTurn } = view.gathering;
  const part = 100 / beatsPerTurn;
  const gap = beatsPerTurn === 1 ? 0 : Math.min(3, part / 4);
  const colour = time.stage === 'last' || time.stage === 'over' ? 'stroke-waiting' : 'stroke-ember';
  return (
    <g transform={`rotate(-90 ${x} ${y})`} fill="none" strokeWidth="2.5">
      {Array.from({ length: beatsPerTurn }, (_, nth) => {
        const whole = part - gap;
        const filled = Math.min(whole, Math.max(0, time.share * 100 - nth * part));
        const place = { cx: x, cy: y, r: radius, pathLength: 100, strokeDashoffset: -(nth * part + gap / 2) };
        return (
          <g key={nth}>
            <circle {...place} className="stroke-line" strokeDasharray={`${whole} ${100 - whole}`} />
            {filled > 0 && <circle {...place} className={colour} strokeDasharray={`${filled} ${100 - filled}`} />}
          </g>
        );
      })}
    </g>
  );
}
