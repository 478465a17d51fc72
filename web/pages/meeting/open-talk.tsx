/** An open meeting: the talk, and under it the place to write, which stays in sight. */
import { useRef, useState } from 'react';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import type { AddressOf } from '../../kit/markdown/markdown.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { Since } from '../../kit/time.tsx';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { useAwayReason } from '../../state/hall.tsx';
import { useOutbox } from '../../state/outbox.ts';
import { Composer } from './composer.tsx';
import { useReadersPlace } from '../../kit/readers-place.ts';
import { ToNewest } from '../../kit/to-newest.tsx';
import { Talk } from './talk.tsx';

export interface OpenTalkProps {
  readonly store: ConversationStore;
  readonly view: MeetingView;
  readonly addressOf: AddressOf;
  readonly interrupt: { readonly run: () => void; readonly isBusy: boolean };
}

export function OpenTalk({ store, view, addressOf, interrupt }: OpenTalkProps) {
  const { id, project, worker } = view.meeting;
  const away = useAwayReason();
  const field = useRef<HTMLTextAreaElement>(null);
  const place = useReadersPlace('at-end');
  const outbox = useOutbox(store, project, id);
  const status = useShown(store, ({ conversation }) => conversation?.status);
  const problem = useShown(store, (state) => state.problem);
  const isAnswering = useShown(store, ({ conversation }) => (conversation?.running ?? null) !== null);
  const isEmpty = useShown(
    store,
    ({ conversation }) => conversation?.running === null && conversation.turns.length + conversation.queue.length === 0,
  );
  return (
    <>
      <div className="mx-auto w-full max-w-[51rem] flex-1 px-4 py-8 phone:px-8">
        {isEmpty && outbox.waiting.length === 0 && <Skeleton lines={3} label="Opening the meeting" />}
        <Talk
          store={store}
          worker={worker}
          addressOf={addressOf}
          outgoing={outbox.waiting}
          onAskAgain={away === undefined && status === 'open' ? outbox.send : undefined}
        />
      </div>
      {/* Said once to those who do not see the words come. */}
      <p role="status" className="sr-only">
        {isAnswering ? `${worker} is answering` : 'The answer is whole'}
      </p>
      <div className="sticky bottom-0 z-10 bg-paper max-phone:bottom-14">
        <div className="relative mx-auto flex w-full max-w-[51rem] flex-col gap-2 px-4 pb-4 phone:px-8">
          {!place.isAtEnd && <ToNewest onPress={place.goToEnd} />}
          {problem && <Problem facts={problem} />}
          {status === 'closing' ? (
            <ClosingLine />
          ) : (
            <Composer
              ref={field}
              draftKey={`say.${project}/${id}`}
              worker={worker}
              outbox={outbox}
              isAnswering={isAnswering}
              interrupt={interrupt}
              onSent={place.goToEnd}
            />
          )}
        </div>
      </div>
    </>
  );
}

function ClosingLine() {
  const [since] = useState(() => new Date().toISOString());
  return (
    <p role="status" className="flex items-baseline gap-2 py-4 text-13 text-active">
      <span aria-hidden className="animate-breathe">
        ●
      </span>
      <span>
        Closing
        <span aria-hidden>
          {' '}
          for <Since at={since} />
        </span>
        : the notes are written and the work is merged
      </span>
    </p>
  );
}
