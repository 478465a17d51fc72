/** The messages of a session in their order. Those that are far from sight are not laid out; earlier ones come when they are asked for. */
import { type ReactNode, useMemo } from 'react';
import type {
  AgentMessage,
  PersonMessage,
  SessionMessage,
  SessionState,
} from '../../../../src/features/sessions/contract.ts';
import type { RenderNext } from '../../../kit/blocks/next-buttons.ts';
import { Button } from '../../../kit/button.tsx';
import { Earlier, KeepPlace, useTail } from './earlier.tsx';
import { AgentSpeech, PersonSpeech } from './message.tsx';
import { SessionFacts, type SessionFactsOf } from './session-facts.ts';
import { useAgentTitle } from './agent-title.ts';

export interface SessionMessagesProps {
  readonly session: SessionState;
  /** How many messages came before those of the session. */
  readonly earlier: number;
  /** Puts earlier ones before them. */
  readonly onEarlier?: () => Promise<void>;
  /** Before the first message, when that is there. */
  readonly above?: ReactNode;
  readonly renderNext?: RenderNext | undefined;
  /** An earlier phase: nothing in it can be answered. */
  readonly isPast?: boolean;
  /** Says words again whose answer did not come to its end; left out where nothing can be said. */
  readonly onAskAgain?: ((text: string) => void) | undefined;
  readonly onWithdraw?: ((message: PersonMessage) => void) | undefined;
}

export function SessionMessages(props: SessionMessagesProps) {
  const { session, earlier, onEarlier, above, renderNext, isPast = false, onAskAgain, onWithdraw } = props;
  const { project, id, folder, messages } = session;
  const agent = useAgentTitle(session.agent);
  const facts = useMemo<SessionFactsOf>(
    () => ({ project, id, sessionId: id, agent, folder, isPast }),
    [project, id, agent, folder, isPast],
  );
  const { shown, hidden, reveal } = useTail(messages, seqOf, messagesAtOnce);
  const before = hidden + (onEarlier === undefined ? 0 : earlier);
  const firstQueued = shown.findIndex((message) => message.role === 'person' && message.state === 'queued');
  const last = messages.findLast((message) => message.role === 'agent');
  return (
    <SessionFacts value={facts}>
      {before === 0 && above}
      {before > 0 && <Earlier count={before} word="message" onEarlier={hidden > 0 ? reveal : (onEarlier ?? reveal)} />}
      <KeepPlace first={`${id}.${shown[0]?.seq ?? 0}`}>
        {shown.map((message, nth) => (
          <div
            key={message.seq}
            data-place={`${id}.${message.seq}`}
            className={nth < shown.length - nearEnd ? far : ''}
          >
            {message.role === 'agent' ? (
              <AgentSpeech
                message={message}
                renderNext={renderNext}
                action={
                  message === last && !isPast && onAskAgain && mayAskAgain(message) ? (
                    <AskAgain prompt={promptOf(messages, message)} onAskAgain={onAskAgain} />
                  ) : undefined
                }
              />
            ) : (
              <Person message={message} place={nth - firstQueued} onWithdraw={onWithdraw} />
            )}
          </div>
        ))}
      </KeepPlace>
    </SessionFacts>
  );
}

/** So many are drawn at first, and so many more each time. */
const messagesAtOnce = 8;

const seqOf = ({ seq }: SessionMessage) => seq;

/** The last ones are always laid out: the end of the page has its true place then. */
const nearEnd = 6;

/** What stands out of a message, as its focus ring, is not cut off. */
const far = '-m-2 p-2 [content-visibility:auto] [contain-intrinsic-size:auto_16rem]';

const mayAskAgain = ({ state }: AgentMessage) => state === 'failed' || state === 'interrupted';

function promptOf(messages: readonly SessionMessage[], { promptId }: AgentMessage): PersonMessage | undefined {
  return messages.find((each): each is PersonMessage => each.role === 'person' && each.promptId === promptId);
}

interface AskAgainProps {
  readonly prompt: PersonMessage | undefined;
  readonly onAskAgain: (text: string) => void;
}

/** Its images are not said again. */
function AskAgain({ prompt, onAskAgain }: AskAgainProps) {
  if (prompt === undefined || prompt.images.length > 0) return null;
  return <Button onClick={() => onAskAgain(prompt.text)}>Ask again</Button>;
}

interface PersonProps {
  readonly message: PersonMessage;
  /** Among those that wait: 0, 1, 2 … */
  readonly place: number;
  readonly onWithdraw: SessionMessagesProps['onWithdraw'];
}

function Person({ message, place, onWithdraw }: PersonProps) {
  if (message.state !== 'queued') return <PersonSpeech message={message} />;
  return (
    <PersonSpeech
      message={message}
      fact={<WaitMark>{sayPlace(place)}</WaitMark>}
      action={
        onWithdraw && (
          <Button tone="quiet" onClick={() => onWithdraw(message)}>
            Take back
          </Button>
        )
      }
    />
  );
}

function sayPlace(nth: number): string {
  if (nth <= 0) return 'waits; it is answered next';
  return `waits behind ${nth === 1 ? 'one' : nth} before it`;
}

export function WaitMark({ children }: { readonly children: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-waiting">
      <span aria-hidden>◐</span>
      {children}
    </span>
  );
}
