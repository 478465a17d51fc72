/** The talk: what was said in order, what is being said, what waits to be said. */
import { ArrowDown } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { Conversation, ConversationTurn, Renewal } from '../../../src/features/meetings/fold/conversation.ts';
import { Button } from '../../kit/button.tsx';
import type { AddressOf } from '../../kit/markdown/markdown.tsx';
import { Since } from '../../kit/time.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import type { Outgoing } from '../../state/outbox.ts';
import { Answer, CopyAnswer } from './answer.tsx';
import { Said } from './said.tsx';
import { Fact, Speech } from './speech.tsx';

/** So many turns are drawn at first, and so many more at each asking. */
const turnsAtOnce = 30;

export interface TalkProps {
  readonly store: ConversationStore;
  readonly worker: string;
  readonly addressOf: AddressOf;
  readonly outgoing: readonly Outgoing[];
  /** Asks the same once more; undefined where nothing can be said now. */
  readonly onAskAgain: ((text: string) => void) | undefined;
}

const noTurns: readonly ConversationTurn[] = [];

export function Talk({ store, worker, addressOf, outgoing, onAskAgain }: TalkProps) {
  const turns = useShown(store, ({ conversation }) => conversation?.turns ?? noTurns);
  const renewals = useShown(store, ({ conversation }) => conversation?.renewals);
  const isRunning = useShown(store, ({ conversation }) => (conversation?.running ?? null) !== null);
  const [shown, setShown] = useState(turnsAtOnce);
  const hidden = Math.max(0, turns.length - shown);
  return (
    <div className="flex flex-col gap-8">
      {hidden > 0 && (
        <Button className="self-center" onClick={() => setShown(shown + turnsAtOnce)}>
          Show earlier ({hidden} {hidden === 1 ? 'question' : 'questions'})
        </Button>
      )}
      {turns.slice(hidden).map((turn, nth) => (
        <Turn
          key={turn.turn}
          turn={turn}
          worker={worker}
          addressOf={addressOf}
          onAskAgain={hidden + nth === turns.length - 1 && !isRunning ? onAskAgain : undefined}
          before={renewalsBefore(renewals ?? [], turns[hidden + nth - 1], turn)}
        />
      ))}
      <RunningTurn store={store} worker={worker} addressOf={addressOf} />
      <Waiting store={store} outgoing={outgoing} />
    </div>
  );
}

interface TurnProps {
  readonly turn: ConversationTurn;
  readonly worker: string;
  readonly addressOf: TalkProps['addressOf'];
  readonly onAskAgain: TalkProps['onAskAgain'];
  /** Sessions that were renewed before it, by their times, as one text: the same text is the same. */
  readonly before: string;
}

/** One question with its answer. Drawn once, when it is over. */
const Turn = memo(function Turn({ turn, worker, addressOf, onAskAgain, before }: TurnProps) {
  const { question, answer } = turn;
  return (
    <>
      {before !== '' && <Fact>{before}</Fact>}
      {question && (
        <Speech at={question.at}>
          <Said text={question.text} />
        </Speech>
      )}
      {answer === null ? (
        <Fact mark="◐">Not answered: the meeting was closed before its turn came.</Fact>
      ) : (
        <Speech worker={worker} at={answer.at} action={<CopyAnswer text={answer.text} />}>
          <Answer
            answer={answer}
            addressOf={addressOf}
            action={
              onAskAgain &&
              question && (
                <Button className="self-start" onClick={() => onAskAgain(question.text)}>
                  Ask again
                </Button>
              )
            }
          />
        </Speech>
      )}
    </>
  );
});

function renewalsBefore(renewals: readonly Renewal[], before: ConversationTurn | undefined, turn: ConversationTurn) {
  const from = before?.answer?.at ?? before?.question?.at ?? '';
  const until = turn.answer?.at ?? turn.question?.at ?? '';
  return renewals.some(({ at }) => at > from && at <= until)
    ? 'The worker went on in a fresh session, and was told what had been said.'
    : '';
}

function RunningTurn({ store, worker, addressOf }: Pick<TalkProps, 'store' | 'worker' | 'addressOf'>) {
  const running = useShown(store, ({ conversation }) => conversation?.running ?? null);
  if (running === null) return null;
  const { view, text, at, since } = running;
  return (
    <>
      <Speech at={at}>
        <Said text={text} />
      </Speech>
      <Speech worker={worker} fact={<Answering since={since} />}>
        <Answer answer={{ ...view, at: null, usage: null }} addressOf={addressOf} />
      </Speech>
    </>
  );
}

function Answering({ since }: { readonly since: string }) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-active">
      <span aria-hidden className="animate-breathe">
        ●
      </span>
      <span>
        answering for <Since at={since} />
      </span>
    </span>
  );
}

const noMessages: Conversation['queue'] = [];

/** Words that were sent and are not being answered yet: visibly waiting. */
function Waiting({ store, outgoing }: Pick<TalkProps, 'store' | 'outgoing'>) {
  const queue = useShown(store, ({ conversation }) => conversation?.queue ?? noMessages);
  if (queue.length === 0 && outgoing.length === 0) return null;
  return (
    <section aria-label="Waiting" className="flex flex-col gap-6">
      {queue.map(({ messageId, text }, nth) => (
        <Pending key={messageId} text={text} fact={<WaitMark>{sayPlace(nth)}</WaitMark>} />
      ))}
      {outgoing.map(({ messageId, text }) => (
        <Pending key={messageId} text={text} fact={<WaitMark>sending</WaitMark>} />
      ))}
    </section>
  );
}

function sayPlace(nth: number): string {
  if (nth === 0) return 'waits; it is answered next';
  return `waits behind ${nth === 1 ? 'one' : nth} before it`;
}

function WaitMark({ children }: { readonly children: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-waiting">
      <span aria-hidden>◐</span>
      {children}
    </span>
  );
}

function Pending({ text, fact }: { readonly text: string; readonly fact: ReactNode }) {
  return (
    <Speech fact={fact}>
      <div className="opacity-75">
        <Said text={text} />
      </div>
    </Speech>
  );
}

export function ToNewest({ onPress }: { readonly onPress: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 -top-12 flex justify-center">
      <Button
        icon={ArrowDown}
        className="pointer-events-auto animate-arrive rounded-full shadow-float"
        onClick={onPress}
      >
        To the newest
      </Button>
    </div>
  );
}
