/** A gathering: the circle and the piece, its time, what was said, the person's own turn, what came out. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import {
  calledAs,
  gatheringState,
  harvesterOf,
  holderOf,
  isYourTurn,
  roundText,
  stageTitle,
} from '../../kit/gathering-words.ts';
import { ObjectHead, Page } from '../../kit/layout.tsx';
import { useReadersPlace } from '../../kit/readers-place.ts';
import { Skeleton, Unread } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Since, TimeAgo } from '../../kit/time.tsx';
import { ToNewest } from '../../kit/to-newest.tsx';
import { inBackground } from '../../state/background.ts';
import { useGathering } from '../../state/gathering.ts';
import { useAwayReason } from '../../state/hall.tsx';
import { Circle } from './circle.tsx';
import { EndGatheringDialog } from './end-dialog.tsx';
import { LiveMember, shownSeat } from './live-member.tsx';
import { Outcome } from './outcome.tsx';
import type { GatheringSearch } from './search.ts';
import { TimeTrack } from './time-track.tsx';
import { Transcript } from './transcript.tsx';
import { TurnClock } from './turn-clock.tsx';
import { WordsCard } from './words-card.tsx';

export function GatheringPage() {
  const { id } = useParams({ from: '/gatherings/$id' });
  return <Gathering key={id} id={id} />;
}

function Gathering({ id }: { readonly id: string }) {
  const search = useSearch({ from: '/gatherings/$id' });
  const navigate = useNavigate();
  const { view, problem, again } = useGathering(id);
  const [isEnding, setEnding] = useState(false);
  const away = useAwayReason();
  const canEnd = view?.allowed.includes('end') ?? false;
  const change = (part: Partial<GatheringSearch>) => {
    const next = { ...search, ...part };
    // Where the reader is, they stay.
    inBackground(navigate({ to: '/gatherings/$id', params: { id }, search: next, replace: true, resetScroll: false }));
  };
  const toggle = () => change({ live: search.live === undefined ? 'piece' : undefined });
  useShortcut('l', 'Show or hide a terminal', toggle, 'This gathering');
  useShortcut(
    'v',
    'Show or fold the beats',
    () => change({ beats: search.beats ? undefined : true }),
    'This gathering',
  );
  useShortcut('e', 'End it', () => canEnd && setEnding(true), 'This gathering');
  const question = view?.gathering.question ?? id;
  const isTurn = view !== undefined && isYourTurn(view.gathering);
  return (
    <Page
      title={isTurn ? `Your turn: ${question}` : question}
      head={
        <div className="flex flex-col gap-3">
          <ObjectHead
            title={question}
            facts={view && <Facts view={view} />}
            actions={
              view && (
                <>
                  <Button icon={SquareTerminal} aria-pressed={search.live !== undefined} onClick={toggle}>
                    Terminals
                  </Button>
                  {canEnd && (
                    <Button tone="danger" blockedBecause={away} onClick={() => setEnding(true)}>
                      End
                    </Button>
                  )}
                </>
              )
            }
          />
          {view && <TimeTrack view={view} />}
        </div>
      }
    >
      {problem && (
        <div className="px-4 pt-6 phone:px-8">
          <Unread facts={problem} onAgain={again} />
        </div>
      )}
      {view === undefined && !problem && (
        <div className="px-4 py-8 phone:px-8">
          <Skeleton lines={6} label="Reading the gathering" />
        </div>
      )}
      {view && <Body view={view} search={search} onChange={change} />}
      {isEnding && view && <EndGatheringDialog view={view} onClose={() => setEnding(false)} />}
    </Page>
  );
}

interface BodyProps {
  readonly view: GatheringView;
  readonly search: GatheringSearch;
  readonly onChange: (part: Partial<GatheringSearch>) => void;
}

/** `desk` of tokens.css: there the circle and a terminal stand beside the words. */
const beside = matchMedia('(min-width: 64rem)');

function Body({ view, search, onChange }: BodyProps) {
  const place = useReadersPlace('at-end');
  const { gathering } = view;
  const shown = shownSeat(gathering, search.live);
  const isRunning = gathering.stage !== 'closing' && gathering.stage !== 'closed';
  const terminal = useRef<HTMLDivElement>(null);
  const shownNumber = shown?.number;
  useEffect(() => {
    // In a narrow window it stands above the words, out of sight of who reads their end.
    if (shownNumber !== undefined && !beside.matches) terminal.current?.scrollIntoView({ block: 'start' });
  }, [shownNumber]);
  const show = (number: number) => onChange({ live: shown?.number === number ? undefined : number });
  return (
    <div
      className={`flex w-full flex-1 flex-col gap-x-12 gap-y-8 px-4 phone:px-8 desk:grid ${shown ? 'desk:grid-cols-[minmax(0,6fr)_minmax(22rem,5fr)]' : 'desk:grid-cols-[minmax(0,1fr)_22rem]'}`}
    >
      <div className="flex min-w-0 flex-col gap-6 pt-6 desk:sticky desk:top-36 desk:order-2 desk:max-h-[calc(100dvh-9rem)] desk:self-start desk:overflow-y-auto desk:pt-4 desk:pb-4">
        <Circle view={view} shown={shown?.number} onShow={show} />
        {shown && (
          <div ref={terminal} className="max-desk:scroll-mt-48">
            <LiveMember key={shown.number} seat={shown} />
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex w-full max-w-[46rem] flex-1 flex-col gap-8 pb-8 desk:pt-8">
          <Transcript view={view} areBeatsShown={search.beats === true} />
          {gathering.stage === 'closing' && <Closing gathering={gathering} />}
          <Outcome gathering={gathering} />
        </div>
        <p role="status" className="sr-only">
          {sayNow(gathering)}
        </p>
        <div className="sticky bottom-0 z-10 -mx-1 max-w-[46.5rem] bg-paper px-1 pb-4 max-phone:bottom-14 max-phone:pb-2">
          <div className="relative">
            {!place.isAtEnd && <ToNewest onPress={place.goToEnd} />}
            {isRunning && (view.allowed.includes('say') || view.allowed.includes('announce')) && (
              <WordsCard view={view} onSaid={place.goToEnd} />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

/** For those who do not see the circle: said once when it changes. */
function sayNow(gathering: GatheringView['gathering']): string {
  const holder = holderOf(gathering);
  const round = roundText(gathering);
  const when = round === undefined ? stageTitle(gathering.stage) : `${stageTitle(gathering.stage)}, ${round}`;
  if (holder === undefined) return when;
  return holder.terminal === null ? `It is your turn. ${when}.` : `${calledAs(holder)} has the piece. ${when}.`;
}

function Closing({ gathering }: { readonly gathering: GatheringView['gathering'] }) {
  const { harvest, close } = gathering;
  const harvester = harvesterOf(gathering);
  const since = harvest?.askedAt ?? close?.at;
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 border-t border-line pt-4 text-13 text-soft">
      <StateMark
        kind="active"
        isMoving
        word={harvester?.state === 'here' ? `${harvester.name} writes the harvest` : 'The hall writes the harvest'}
      />
      {since !== undefined && <Since at={since} />}
      <span>{`It may take ${gathering.harvestSeconds} s; then the hall writes it from the record.`}</span>
    </p>
  );
}

function Facts({ view }: { readonly view: GatheringView }) {
  const { gathering } = view;
  const { project, rhythm, startedAt } = gathering;
  return (
    <>
      <StateMark {...gatheringState(gathering)} />
      {gathering.turn !== null && (
        <span className="desk:hidden">
          <TurnClock view={view} size="small" />
        </span>
      )}
      <span className="max-phone:hidden">{rhythm}</span>
      <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline">
        {project}
      </Link>
      <span className="max-phone:hidden">
        begun <TimeAgo at={startedAt} />
      </span>
    </>
  );
}
