/** Where the person speaks: a card in their turn; a quiet field while another has the piece, whose words are kept; to all as the host. */
import { ArrowUp, Megaphone } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import {
  calledAs,
  canBeNamed,
  holderOf,
  isYourTurn,
  nextOf,
  phaseAsks,
  roundText,
  stageTitle,
} from '../../kit/gathering-words.ts';
import { Menu } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { focusLastSpeech } from '../../kit/speech.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAwayReason } from '../../state/hall.tsx';
import { Beats, TurnClock } from './turn-clock.tsx';
import { useSpeaking } from './use-speaking.ts';

/** Characters; the hall takes no longer words. */
const longest = 200_000;

export interface WordsCardProps {
  readonly view: GatheringView;
  readonly onSaid: () => void;
}

export function WordsCard({ view, onSaid }: WordsCardProps) {
  const { gathering, allowed, kept } = view;
  const away = useAwayReason();
  const note = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const passButton = useRef<HTMLButtonElement>(null);
  const [wantsHost, setHost] = useState(false);
  const isTurn = isYourTurn(gathering);
  const isHost = allowed.includes('announce') && (wantsHost || !allowed.includes('say'));
  const draftKey = `gathering.${gathering.id}${isHost ? '.host' : ''}`;
  const [text, setText] = useDraft(draftKey);
  const speaking = useSpeaking(gathering.id, draftKey, setText, onSaid);
  const isEmpty = text.trim() === '';
  const tooLong = text.length > longest ? `${(text.length - longest).toLocaleString()} characters too long` : undefined;
  const why = away ?? tooLong ?? (isEmpty ? 'Write something first' : undefined);
  const say = (allowSecrets = false) => {
    if (why !== undefined) return;
    // What is written after it is the member's own again.
    inBackground(speaking.say(text, isHost, allowSecrets).then((done) => done && setHost(false)));
  };
  const pass = (to?: string) => inBackground(speaking.pass(isEmpty ? undefined : text, to));
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter takes its word, and Escape drops it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && !focusLastSpeech()) event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    say();
  };
  useShortcut('c', 'Write', () => field.current?.focus(), 'This gathering');
  useShortcut('p', 'To the button that passes', () => passButton.current?.focus(), 'This gathering');
  const canPass = isTurn && allowed.includes('pass') && !isHost;
  const named = canBeNamed(gathering);
  return (
    <section
      aria-label={isTurn ? 'Your turn' : 'Your words'}
      className={`flex flex-col rounded-lg border bg-raised has-[textarea:focus]:outline-1 ${isTurn ? 'border-ember shadow-float has-[textarea:focus]:outline-ember' : 'border-line-strong has-[textarea:focus]:border-soft has-[textarea:focus]:outline-soft'}`}
    >
      {isTurn && <TurnHead view={view} />}
      {kept.length > 0 && <Kept kept={kept} isTurn={isTurn} />}
      <form
        className="flex flex-col"
        onSubmit={(event) => {
          event.preventDefault();
          say();
        }}
      >
        <textarea
          ref={field}
          rows={isTurn ? 2 : 1}
          dir="auto"
          value={text}
          aria-label={isHost ? 'Your words as the host' : isTurn ? 'Your words' : 'Your words, kept for your turn'}
          aria-describedby={note}
          aria-invalid={tooLong !== undefined || undefined}
          placeholder={placeholderOf(view, isHost)}
          onChange={(event) => {
            setText(event.target.value);
            if (isTurn) speaking.type();
          }}
          onKeyDown={press}
          className="max-h-[34vh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-15 leading-normal outline-none [field-sizing:content] placeholder:text-faint focus-visible:outline-none"
        />
        {speaking.problem && (
          <div className="px-2 pb-2">
            <Refusal
              facts={speaking.problem}
              allowLabel="Say it all the same"
              isBusy={speaking.isBusy}
              onAllow={() => say(true)}
            />
          </div>
        )}
        {speaking.passProblem && (
          <div className="px-2 pb-2">
            <Problem facts={speaking.passProblem} />
          </div>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2 px-2 pb-2 max-phone:gap-1.5 max-phone:[&_button]:px-2">
          <span id={note} className="min-w-0 flex-1 truncate px-1.5 text-12 text-faint">
            {away ?? tooLong ?? <span className="max-phone:sr-only">{hintOf(isTurn, isHost)}</span>}
          </span>
          {allowed.includes('announce') && allowed.includes('say') && (
            <Button
              tone="quiet"
              icon={Megaphone}
              title="To all at once, as the host"
              aria-pressed={isHost}
              onClick={() => setHost(!wantsHost)}
            >
              <span className="max-phone:sr-only">As the host</span>
            </Button>
          )}
          {canPass && (
            <>
              <Button ref={passButton} isBusy={speaking.isPassing} blockedBecause={away} onClick={() => pass()}>
                {isEmpty ? 'Pass' : 'Say and pass'}
              </Button>
              {named.length > 0 && (
                <Menu
                  trigger={<Button blockedBecause={away}>Pass to…</Button>}
                  items={named.map((seat) => ({ label: calledAs(seat), onSelect: () => pass(seat.name) }))}
                />
              )}
            </>
          )}
          <Button
            type="submit"
            tone={isTurn && !isHost ? 'primary' : 'plain'}
            icon={isHost ? Megaphone : ArrowUp}
            isBusy={speaking.isBusy}
            blockedBecause={why}
          >
            {isHost ? 'Tell all' : isTurn ? 'Say' : 'Keep for my turn'}
          </Button>
        </div>
      </form>
    </section>
  );
}

function placeholderOf({ gathering }: GatheringView, isHost: boolean): string {
  if (isHost) return 'To all at once; the piece stays where it is';
  if (isYourTurn(gathering)) return 'Say something to the circle';
  const holder = holderOf(gathering);
  return `${holder === undefined ? 'Another' : holder.name} has the piece; write for your turn`;
}

function hintOf(isTurn: boolean, isHost: boolean): string {
  if (isHost) return 'Goes to all at once, marked as an announcement.';
  return isTurn ? 'Enter says it, Shift Enter: new line' : 'Kept, and said when the piece comes to you.';
}

/** What the turn is about, and how much of it is left. */
function TurnHead({ view }: { readonly view: GatheringView }) {
  const { gathering, messages } = view;
  const { stage, question, turn } = gathering;
  if (stage === 'closing' || stage === 'closed') return null;
  const beat = messages.findLast(({ kind, at }) => kind === 'beat' && turn !== null && at >= turn.announcedAt);
  const next = nextOf(gathering);
  return (
    <div className="flex flex-col gap-1.5 rounded-t-lg border-b border-line bg-ember-wash px-3.5 py-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-15 font-semibold text-ember-strong">Your turn</h2>
        <span className="text-13 text-soft">
          {stageTitle(stage)}, {roundText(gathering)}
        </span>
        <span className="ml-auto flex items-baseline gap-3 max-phone:w-full max-phone:justify-between">
          <Beats view={view} />
          <TurnClock view={view} size="small" />
        </span>
      </div>
      <p dir="auto" className="line-clamp-1 font-serif text-15 text-ink max-phone:hidden">
        {question}
      </p>
      <p className="text-13 text-soft">
        {beat === undefined ? phaseAsks[stage] : beat.text}
        {beat === undefined && next !== undefined && ` Next is ${calledAs(next)}.`}
      </p>
    </div>
  );
}

function Kept({ kept, isTurn }: { readonly kept: GatheringView['kept']; readonly isTurn: boolean }) {
  return (
    <section aria-label="Kept for your turn" className="flex flex-col gap-1 px-3.5 pt-2.5 text-13">
      <h3 className="flex items-baseline gap-1.5 text-12 text-waiting">
        <span aria-hidden>◐</span>
        {isTurn ? 'Kept; it goes out with your turn' : 'Kept for your turn; nobody has read it'}
      </h3>
      <ul className="flex max-h-[20vh] flex-col gap-1 overflow-y-auto">
        {kept.map(({ id, text }) => (
          <li
            key={id}
            dir="auto"
            className="line-clamp-3 border-l-2 border-line-strong pl-2.5 whitespace-pre-wrap text-ink"
          >
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
