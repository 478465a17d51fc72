/** A session as one talks in it: what was said and done, and under it the place to write, which stays in sight. */
import { type ReactNode, useCallback, useRef } from 'react';
import type { SessionView } from '../../../../src/features/sessions/contract.ts';
import { queuedOf, runningOf } from '../../../../src/features/sessions/fold/reading.ts';
import { useShortcut } from '../../../app/keyboard.tsx';
import type { RenderNext } from '../../../kit/blocks/next-buttons.ts';
import { useReadersPlace } from '../../../kit/readers-place.ts';
import { Said } from '../../../kit/said.tsx';
import { Speech } from '../../../kit/speech.tsx';
import { Problem, Skeleton, Unread } from '../../../kit/states.tsx';
import { toggleSteps } from '../../../kit/steps/step-lines.tsx';
import { ToNewest } from '../../../kit/to-newest.tsx';
import { loadEarlier, type SessionStore, useShownSession } from '../../../state/agent-session.ts';
import { useDraft } from '../../../state/drafts.ts';
import { useHall } from '../../../state/hall.tsx';
import { readLiveAgain } from '../../../state/live-view.ts';
import { useSessionOutbox } from '../../../state/session-outbox.ts';
import { useAgentTitle } from './agent-title.ts';
import { useAttachments } from './attachments.tsx';
import type { Draft } from './composer.tsx';
import { AboutLine, Asked, ClosedLine, sayState, useWithdraw, Writing } from './foot.tsx';
import { Plan } from './plan.tsx';
import { SessionMessages, WaitMark } from './session-messages.tsx';

export interface ChatPaneProps {
  readonly store: SessionStore;
  readonly project: string;
  readonly id: string;
  /** Before the first message: earlier phases. */
  readonly above?: ReactNode;
  readonly renderNext?: RenderNext | undefined;
}

const column = 'mx-auto w-full max-w-[51rem] px-4 phone:px-8';

export function ChatPane(props: ChatPaneProps) {
  const { store } = props;
  const view = useShownSession(store, (state) => state.view);
  const problem = useShownSession(store, (state) => state.problem);
  if (view !== undefined) return <Chat {...props} view={view} />;
  return (
    <div className={`${column} flex-1 py-8`}>
      {problem === undefined ? (
        <Skeleton lines={6} label="Reading the session" />
      ) : (
        <Unread facts={problem} onAgain={() => readLiveAgain(store)} />
      )}
    </div>
  );
}

interface ChatProps extends ChatPaneProps {
  readonly view: SessionView;
}

function Chat({ store, project, id, above, renderNext, view }: ChatProps) {
  const { session, earlier } = view;
  const client = useHall();
  const place = useReadersPlace('at-end');
  const agent = useAgentTitle(session.agent);
  const outbox = useSessionOutbox(store, project, id);
  const [text, setText] = useDraft(`session.${id}`);
  const draft: Draft = { text, setText, attachments: useAttachments(`session.${id}`) };
  const field = useRef<HTMLTextAreaElement>(null);
  const withdraw = useWithdraw({ project, id, draft, field });
  const more = useCallback(() => loadEarlier(client, store), [client, store]);
  const isRunning = runningOf(session) !== undefined;
  const isOpen = !session.isClosed;
  // What was said last is on its way, or waits for its turn: nothing needs to be asked again.
  const isUnderWay = outbox.waiting.length > 0 || queuedOf(session).length > 0;
  useShortcut('e', 'Open or close all steps', toggleSteps, 'This session');
  return (
    <>
      <div className={`${column} flex flex-1 flex-col gap-8 py-8`}>
        <SessionMessages
          session={session}
          earlier={earlier}
          onEarlier={more}
          above={above}
          renderNext={renderNext}
          onAskAgain={isOpen && !isUnderWay ? (words) => outbox.send(words, []) : undefined}
          onWithdraw={isOpen ? withdraw.run : undefined}
        />
        {outbox.waiting.map((message) => (
          <Speech key={message.messageId} fact={<WaitMark>sending</WaitMark>}>
            <div className="opacity-75">
              <Said text={message.text} />
            </div>
          </Speech>
        ))}
        {session.messages.length === 0 && outbox.waiting.length === 0 && isOpen && <Begin agent={agent} />}
      </div>
      {/* Said once to those who do not see the words come. */}
      <p role="status" className="sr-only">
        {sayState(session, agent)}
      </p>
      <div className="sticky bottom-0 z-10 bg-paper max-phone:bottom-14">
        <div className={`${column} relative flex flex-col gap-2 pb-3`}>
          {!place.isAtEnd && <ToNewest onPress={place.goToEnd} />}
          {withdraw.problem && <Problem facts={withdraw.problem} />}
          <Plan entries={session.plan} isRunning={isRunning} />
          <Asked session={session} agent={agent} />
          {isOpen ? (
            <Writing
              field={field}
              project={project}
              session={session}
              agent={agent}
              outbox={outbox}
              draft={draft}
              onSent={place.goToEnd}
            />
          ) : (
            <ClosedLine project={project} id={id} outbox={outbox} />
          )}
          <AboutLine session={session} agent={agent} />
        </div>
      </div>
    </>
  );
}

function Begin({ agent }: { readonly agent: string }) {
  return <p className="text-15 text-soft">Nothing was said yet. What you write goes to {agent}.</p>;
}
