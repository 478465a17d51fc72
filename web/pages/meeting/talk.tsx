/** The talk: what was said in order, what is being said, what waits to be said. */
import { memo, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RunningTurn } from '../../../src/features/meetings/contract.ts';
import type { Conversation, ConversationTurn, Renewal } from '../../../src/features/meetings/fold/conversation.ts';
import { Button } from '../../kit/button.tsx';
import type { AddressOf } from '../../kit/markdown/markdown.tsx';
import { Since } from '../../kit/time.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import type { Outgoing } from '../../state/kept-messages.ts';
import { Answer, CopyAnswer } from './answer.tsx';
import { Said } from '../../kit/said.tsx';
import { Fact, Speech } from '../../kit/speech.tsx';

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
  const running = useShown(store, ({ conversation }) => conversation?.running?.turn);
  const { hidden, showEarlier, content } = useEarlier(turns.length);
  // The one that is being answered stays the same piece when it is over: nothing of it is drawn anew.
  const over = turns.slice(hidden).map((turn) => ({ number: turn.turn, turn }));
  const all = running === undefined ? over : [...over, { number: running, turn: undefined }];
  return (
    <div ref={content} className="flex flex-col gap-8">
      {hidden > 0 && (
        <Button className="self-center" onClick={showEarlier}>
          Show earlier ({hidden} {hidden === 1 ? 'question' : 'questions'})
        </Button>
      )}
      {all.map(({ number, turn }, nth) => (
        <Turn
          key={number}
          store={store}
          turn={turn}
          worker={worker}
          addressOf={addressOf}
          onAskAgain={nth === all.length - 1 ? onAskAgain : undefined}
          before={turn === undefined ? '' : renewalsBefore(renewals ?? [], turns[hidden + nth - 1], turn)}
        />
      ))}
      <Waiting store={store} outgoing={outgoing} />
    </div>
  );
}

/** Earlier turns are drawn when they are asked for; what is being read stays where it is. */
function useEarlier(count: number) {
  const [hidden, setHidden] = useState(() => Math.max(0, count - turnsAtOnce));
  const content = useRef<HTMLDivElement>(null);
  const showEarlier = () => {
    const read = content.current?.querySelector('article');
    const before = read?.getBoundingClientRect().top ?? 0;
    flushSync(() => setHidden(Math.max(0, hidden - turnsAtOnce)));
    scrollBy({ top: (read?.getBoundingClientRect().top ?? 0) - before, behavior: 'instant' });
  };
  return { hidden, showEarlier, content };
}

interface TurnProps {
  readonly store: ConversationStore;
  /** Undefined: it is being answered. */
  readonly turn: ConversationTurn | undefined;
  readonly worker: string;
  readonly addressOf: TalkProps['addressOf'];
  readonly onAskAgain: TalkProps['onAskAgain'];
  /** Sessions that were renewed before it, as a text: the same text is the same. */
  readonly before: string;
}

/** One question with its answer. Drawn with each piece of the answer, and no more when it is over. */
const Turn = memo(function Turn({ store, turn, worker, addressOf, onAskAgain, before }: TurnProps) {
  const running = useShown(store, ({ conversation }) => (turn === undefined ? conversation?.running : null) ?? null);
  const { question, answer } = turn ?? turnOf(running);
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
        <Speech
          worker={worker}
          at={answer.at}
          fact={running && <Answering since={running.since} />}
          action={turn && <CopyAnswer text={answer.text} />}
        >
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

function turnOf(running: RunningTurn | null): Pick<ConversationTurn, 'question' | 'answer'> {
  if (running === null) return { question: null, answer: null };
  return { question: running, answer: { ...running.view, at: null, usage: null } };
}

function renewalsBefore(renewals: readonly Renewal[], before: ConversationTurn | undefined, turn: ConversationTurn) {
  const from = before?.answer?.at ?? before?.question?.at ?? '';
  const until = turn.answer?.at ?? turn.question?.at ?? '';
  return renewals.some(({ at }) => at > from && at <= until)
    ? 'The worker went on in a fresh session, and was told what had been said.'
    : '';
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
