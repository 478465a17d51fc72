/** The circle: who sits in it, who has the piece and how it came there, who had it, who is gone; the harvester apart. At phone width a list. */
import type { CSSProperties } from 'react';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import type { Seat } from '../../../src/features/gatherings/contract/gathering.ts';
import {
  calledAs,
  harvesterOf,
  type Place,
  placeOf,
  placeWords,
  roundText,
  speakersOf,
  stageTitle,
} from '../../kit/gathering-words.ts';
import { PersonMark, WorkerGlyph } from '../../kit/glyph.tsx';
import { Since, TimeAgo } from '../../kit/time.tsx';
import * as draw from './circle-geometry.ts';
import { Beats, TurnClock, TurnRing } from './turn-clock.tsx';

export interface CircleProps {
  readonly view: GatheringView;
  /** Number of whose terminal is shown; the circle is a list then, and leaves it the room. */
  readonly shown: number | undefined;
  /** Shows the terminal of the member with that number. */
  readonly onShow: (number: number) => void;
}

export function Circle({ view, shown, onShow }: CircleProps) {
  const { gathering } = view;
  const speakers = speakersOf(gathering);
  const harvester = harvesterOf(gathering);
  const isRound = shown === undefined && speakers.length >= 2 && speakers.length <= draw.mostInCircle;
  const frame = isRound ? 'phone:relative phone:mx-auto phone:size-[22rem]' : '';
  return (
    <section aria-label="The circle" className="flex flex-col">
      <div className={`flex flex-col gap-3 ${frame}`}>
        {isRound && <Drawing view={view} speakers={speakers} />}
        <Now view={view} isRound={isRound} />
        <ol
          aria-label="Speakers, in their order"
          className={isRound ? 'flex flex-col' : 'grid gap-x-4 phone:grid-cols-2'}
        >
          {speakers.map((seat, nth) => (
            <li
              key={seat.number}
              style={isRound ? placed(nth, speakers.length) : undefined}
              className={isRound ? seatClass(nth, speakers.length) : ''}
            >
              <SeatMark
                seat={seat}
                place={placeOf(gathering, seat)}
                isRound={isRound}
                hasWords={!isRound || speakers.length <= draw.mostWithWords}
                isNamedAbove={draw.isNamedAbove(nth, speakers.length)}
                isShown={shown === seat.number}
                onShow={onShow}
              />
            </li>
          ))}
        </ol>
      </div>
      {harvester && (
        <div
          role="group"
          aria-label="Harvester"
          className={`mt-2 border-t border-dotted border-line-strong pt-2 ${isRound ? 'phone:mx-auto phone:mt-4 phone:border-t-0 phone:pt-0' : ''}`}
        >
          <SeatMark
            seat={harvester}
            place={placeOf(gathering, harvester)}
            isRound={false}
            hasWords
            isNamedAbove={false}
            isShown={shown === harvester.number}
            onShow={onShow}
          />
        </div>
      )}
    </section>
  );
}

/** Its mark lies on the ring, its name outside. */
function placed(nth: number, of: number): CSSProperties {
  const { x, y } = draw.seatAt(nth, of);
  const percent = (value: number) => `${(value / draw.side) * 100}%`;
  const above = draw.isNamedAbove(nth, of);
  return {
    '--x': percent(x),
    '--y': percent(above ? draw.side - y : y),
    '--w': of > draw.mostWithWords ? '5rem' : '6rem',
  } as CSSProperties;
}

function seatClass(nth: number, of: number): string {
  const side = draw.isNamedAbove(nth, of) ? 'phone:bottom-(--y) phone:-mb-[19px]' : 'phone:top-(--y) phone:-mt-[19px]';
  return `phone:absolute phone:left-(--x) phone:w-(--w) phone:-translate-x-1/2 ${side}`;
}

interface SeatMarkProps {
  readonly seat: Seat;
  readonly place: Place;
  readonly isRound: boolean;
  /** Where there is no room its shape alone is seen, and the words are read out. */
  readonly hasWords: boolean;
  readonly isNamedAbove: boolean;
  readonly isShown: boolean;
  readonly onShow: (number: number) => void;
}

/** A line of the list; in the circle the mark with its name above or below. */
function SeatMark({ seat, place, isRound, hasWords, isNamedAbove, isShown, onShow }: SeatMarkProps) {
  const { name, number, terminal } = seat;
  const round = isRound
    ? `phone:mx-auto phone:w-fit phone:max-w-full phone:gap-2 phone:px-1 phone:py-0 phone:text-center ${isNamedAbove ? 'phone:flex-col-reverse' : 'phone:flex-col'}`
    : '';
  const layout = `flex min-h-10 w-full min-w-0 items-center gap-2.5 rounded-md text-left text-13 ${round}`;
  const inner = (
    <>
      <span
        className={`flex size-[38px] shrink-0 items-center justify-center ${isRound ? '' : 'phone:size-8'} max-phone:size-8 ${place === 'gone' ? 'opacity-45 grayscale' : ''}`}
      >
        {terminal === null ? <PersonMark name={name} size={32} /> : <WorkerGlyph name={name} size={32} />}
      </span>
      <span
        className={`flex min-w-0 max-w-full flex-1 items-baseline gap-x-2 ${isRound ? 'phone:flex-none phone:flex-col phone:items-center phone:rounded-sm phone:bg-paper phone:px-1 phone:group-hover/seat:bg-hover phone:group-aria-pressed/seat:bg-hover' : 'flex-wrap'}`}
      >
        <span
          className={`flex max-w-full min-w-0 items-baseline gap-x-1 ${hasWords ? '' : 'phone:flex-col phone:items-center'}`}
          title={calledAs(seat)}
        >
          <span className={`max-w-full truncate ${nameTone(place)}`}>{name}</span>
          <span className="text-12 whitespace-nowrap text-faint">
            ({number}){terminal === null && ' you'}
            {!hasWords && (
              <span aria-hidden className={`max-phone:hidden ${place === 'holds' ? 'text-ember' : ''}`}>
                {' '}
                {shapes[place]}
              </span>
            )}
          </span>
        </span>
        <PlaceMark place={place} isRound={isRound} hasWords={hasWords} />
      </span>
    </>
  );
  if (terminal === null) return <div className={layout}>{inner}</div>;
  return (
    <button
      type="button"
      data-row
      aria-pressed={isShown}
      title={isShown ? `Hide the terminal of ${name}` : `Show the terminal of ${name}`}
      onClick={() => onShow(number)}
      className={`group/seat ${layout} transition-colors duration-120 ${isRound ? 'max-phone:hover:bg-hover' : 'hover:bg-hover'} aria-pressed:bg-hover`}
    >
      {inner}
    </button>
  );
}

function nameTone(place: Place): string {
  if (place === 'holds' || place === 'harvests') return 'font-semibold text-ink';
  return place === 'gone' ? 'text-faint line-through' : 'text-ink';
}

const shapes: Readonly<Record<Place, string>> = {
  holds: '●',
  spoke: '✓',
  waits: '○',
  gone: '×',
  listens: '◇',
  harvests: '●',
  over: '',
};

function PlaceMark({ place, isRound, hasWords }: Pick<SeatMarkProps, 'place' | 'isRound' | 'hasWords'>) {
  if (place === 'over') return null;
  const isNow = place === 'holds' || place === 'harvests';
  return (
    <span
      className={`text-12 whitespace-nowrap max-phone:ml-auto ${hasWords ? '' : 'phone:sr-only'} ${isRound ? '' : 'phone:ml-0'} ${isNow ? 'font-medium text-ember-strong' : 'text-faint'}`}
    >
      <span aria-hidden>{shapes[place]} </span>
      {placeWords[place]}
    </span>
  );
}

/** In the middle of the circle: what is now, and how long. */
function Now({ view, isRound }: { readonly view: GatheringView; readonly isRound: boolean }) {
  const { gathering, due } = view;
  const round = roundText(gathering);
  return (
    <div
      className={`flex flex-wrap items-baseline gap-x-2 gap-y-1 ${isRound ? 'phone:absolute phone:inset-0 phone:m-auto phone:size-28 phone:flex-col phone:flex-nowrap phone:items-center phone:justify-center phone:gap-0 phone:text-center' : ''}`}
    >
      <span className="font-serif text-18 leading-tight font-semibold">{stageTitle(gathering.stage)}</span>
      {round !== undefined && <span className="text-12 text-faint">{round}</span>}
      <span
        className={`ml-auto flex items-baseline gap-3 ${isRound ? 'phone:ml-0 phone:flex-col phone:items-center phone:gap-0.5 phone:pt-1.5' : ''}`}
      >
        <TurnClock view={view} size="large" />
        <Beats view={view} />
      </span>
      {gathering.stage === 'closing' && gathering.harvest !== null && (
        <span className="text-13 text-soft">
          <Since at={gathering.harvest.askedAt} />
          {due?.what === 'harvest' && <span className="sr-only"> of {gathering.harvestSeconds} s</span>}
        </span>
      )}
      {gathering.end !== null && (
        <span className="text-12 text-faint">
          <TimeAgo at={gathering.end.at} />
        </span>
      )}
    </div>
  );
}

/** The ring, the way of the piece in this round, and the piece itself. What it says stands in words beside it. */
function Drawing({ view, speakers }: { readonly view: GatheringView; readonly speakers: readonly Seat[] }) {
  const { spoken, turn } = view.gathering;
  const nthOf = (number: number) => speakers.findIndex((seat) => seat.number === number);
  const holder = turn === null ? -1 : nthOf(turn.holder);
  const places = [...spoken.map(nthOf), holder].filter((nth) => nth !== -1);
  const steps = draw.wayOf(places, speakers.length);
  const seat = holder === -1 ? undefined : draw.seatAt(holder, speakers.length);
  const piece = holder === -1 ? undefined : draw.pieceAt(holder, speakers.length);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${draw.side} ${draw.side}`}
      className="absolute inset-0 size-full max-phone:hidden"
      fill="none"
    >
      <circle cx={draw.centre} cy={draw.centre} r={draw.ring} className="stroke-line" strokeWidth="1.5" />
      {speakers.map(({ number }, nth) => {
        const { x, y } = draw.seatAt(nth, speakers.length);
        return <circle key={number} cx={x} cy={y} r={draw.markRadius} className="fill-paper" />;
      })}
      {steps.map((path, nth) => (
        <path
          key={nth}
          d={path}
          className={nth === steps.length - 1 && holder !== -1 ? 'stroke-ember' : 'stroke-line-strong'}
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeDasharray="1 5"
        />
      ))}
      {places.slice(0, -1).map((nth) => {
        const { x, y } = draw.pieceAt(nth, speakers.length);
        return <circle key={nth} cx={x} cy={y} r="2.5" className="fill-line-strong" />;
      })}
      {seat && <TurnRing view={view} x={seat.x} y={seat.y} radius={draw.markRadius} />}
      {piece && <circle cx={piece.x} cy={piece.y} r="5.5" className="fill-ember" />}
    </svg>
  );
}
