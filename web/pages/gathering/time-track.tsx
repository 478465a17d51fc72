/** The gathering as a thin line of time: inhale, hold, exhale, harvest; in each its rounds, in each round a mark for every turn. */
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { stageTitle } from '../../kit/gathering-words.ts';
import { type Span, reachedIn, type TrackPhase, trackOf } from './time-track.ts';

/** More turns than these are not told one by one. */
const mostTurns = 48;

export function TimeTrack({ view }: { readonly view: GatheringView }) {
  const { gathering, messages } = view;
  const { phases, harvest } = trackOf(gathering, reachedIn(messages));
  const all = phases.flatMap(({ rounds }) => rounds.flatMap(({ turns }) => turns)).length;
  return (
    <ol aria-label="Its time" className="flex gap-3 phone:gap-5">
      {phases.map((each) => (
        <li
          key={each.phase}
          aria-current={each.state === 'now' ? 'step' : undefined}
          className="flex min-w-0 flex-col gap-1"
          style={{ flex: `${each.rounds.length} 1 0` }}
        >
          <PhaseLine phase={each} areTurnsTold={all <= mostTurns} />
          <span className={`flex gap-1.5 text-12 ${tones[each.state]}`}>
            {stageTitle(each.phase)}
            <Told state={each.state} />
            {each.state === 'now' && (
              <span className="truncate font-normal text-faint">
                <span className="max-phone:sr-only">round </span>
                {gathering.round} of {each.rounds.length}
              </span>
            )}
          </span>
        </li>
      ))}
      <li aria-current={harvest === 'now' ? 'step' : undefined} className="flex flex-none flex-col gap-1">
        <span aria-hidden className={`h-[5px] min-w-6 rounded-full ${bars[harvest]}`} />
        <span className={`text-12 ${tones[harvest]}`}>
          Harvest <Told state={harvest} />
        </span>
      </li>
    </ol>
  );
}

function PhaseLine({ phase, areTurnsTold }: { readonly phase: TrackPhase; readonly areTurnsTold: boolean }) {
  return (
    <span aria-hidden className="flex gap-1.5">
      {phase.rounds.map(({ round, state, turns }) => (
        <span key={round} className="flex min-w-0 flex-1 gap-[2px]">
          {(areTurnsTold ? turns : [state]).map((turn, nth) => (
            <span
              key={nth}
              className={`h-[5px] min-w-0 flex-1 rounded-[2px] first:rounded-l-full last:rounded-r-full ${bars[turn]}`}
            />
          ))}
        </span>
      ))}
    </span>
  );
}

const bars: Readonly<Record<Span, string>> = {
  past: 'bg-soft',
  now: 'bg-ember',
  ahead: 'bg-line',
  dropped: 'border-b border-dashed border-line-strong',
};

const tones: Readonly<Record<Span, string>> = {
  past: 'text-soft',
  now: 'font-semibold text-ink',
  ahead: 'text-faint',
  dropped: 'text-faint',
};

const words: Readonly<Record<Span, string>> = {
  past: 'is over',
  now: 'is now',
  ahead: 'is to come',
  dropped: 'ended early',
};

/** The bar's state for those who do not see it. */
function Told({ state }: { readonly state: Span }) {
  return <span className="sr-only">{words[state]}</span>;
}
