/** A conversation of terminals: what was said and what reached whom, the turns, and the terminals beside it. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Columns2 } from 'lucide-react';
import { useState } from 'react';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { ObjectHead, Page } from '../../kit/layout.tsx';
import { useReadersPlace } from '../../kit/readers-place.ts';
import { Skeleton, Unread } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { conversationState, membersOf } from '../../kit/terminal/conversation-words.ts';
import { TimeAgo } from '../../kit/time.tsx';
import { ToNewest } from '../../kit/to-newest.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { EndConversationDialog } from './end-dialog.tsx';
import { LiveMembers } from './live-members.tsx';
import { Outcome } from './outcome.tsx';
import { Thread } from './thread.tsx';
import { Turns } from './turns.tsx';

type View = OutputOf<'conversation.show'>;

export function ConversationPage() {
  const { id } = useParams({ from: '/conversations/$id' });
  return <Conversation key={id} id={id} />;
}

function Conversation({ id }: { readonly id: string }) {
  const { live: isLive = false } = useSearch({ from: '/conversations/$id' });
  const navigate = useNavigate();
  const { data: view, problem, again } = useRead('conversation.show', { id });
  const [isEnding, setEnding] = useState(false);
  const extending = useAct('conversation.extend');
  const away = useAwayReason();
  const canEnd = view?.allowed.includes('end') ?? false;
  const canExtend = view?.conversation.state === 'paused' && view.allowed.includes('extend');
  const toggle = () => {
    const search = isLive ? {} : { live: true as const };
    // What is read keeps its place.
    inBackground(navigate({ to: '/conversations/$id', params: { id }, search, replace: true, resetScroll: false }));
  };
  const goOn = () => {
    if (away !== undefined || !canExtend || extending.isBusy) return;
    inBackground(extending.act({ id, turns: view.conversation.turns }));
  };
  useShortcut('l', 'Show or hide the terminals', toggle, 'This conversation');
  useShortcut('o', 'Let it go on', goOn, 'This conversation');
  useShortcut('e', 'End it', () => canEnd && setEnding(true), 'This conversation');
  const title = view ? membersOf(view.conversation.members) : id;
  return (
    <Page
      title={title}
      head={
        <ObjectHead
          title={title}
          mark={view && <Marks members={view.conversation.members} />}
          facts={view && <Facts view={view} />}
          actions={
            view && (
              <>
                <Button icon={Columns2} aria-pressed={isLive} onClick={toggle}>
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
      }
    >
      <div
        className={`flex w-full flex-1 gap-x-10 gap-y-8 px-4 py-8 phone:px-8 ${isLive ? 'desk:grid desk:grid-cols-[minmax(20rem,5fr)_minmax(0,7fr)] max-desk:flex-col' : ''}`}
      >
        <div className={`flex w-full min-w-0 flex-col gap-8 ${isLive ? '' : 'mx-auto max-w-[47rem]'}`}>
          {problem && <Unread facts={problem} onAgain={again} />}
          {view === undefined && !problem && <Skeleton lines={6} label="Reading the conversation" />}
          {view && <Body view={view} extending={{ ...extending, run: goOn }} onEnd={() => setEnding(true)} />}
        </div>
        {isLive && view && <LiveMembers members={view.conversation.members} />}
      </div>
      {isEnding && view && <EndConversationDialog view={view} onClose={() => setEnding(false)} />}
    </Page>
  );
}

interface BodyProps {
  readonly view: View;
  readonly extending: Pick<ReturnType<typeof useAct<'conversation.extend'>>, 'isBusy' | 'problem'> & {
    readonly run: () => void;
  };
  readonly onEnd: () => void;
}

function Body({ view, extending, onEnd }: BodyProps) {
  const place = useReadersPlace('at-end');
  return (
    <>
      <Thread view={view} />
      <div className="relative">
        {!place.isAtEnd && <ToNewest onPress={place.goToEnd} />}
        <Outcome view={view} extending={extending} onEnd={onEnd} />
      </div>
    </>
  );
}

function Marks({ members }: { readonly members: View['conversation']['members'] }) {
  return (
    <span className="flex shrink-0 gap-1">
      {members.map(({ name, number }) => (
        <WorkerGlyph key={number} name={name} size={28} />
      ))}
    </span>
  );
}

function Facts({ view }: { readonly view: View }) {
  const { conversation } = view;
  const { project, startedAt } = conversation;
  return (
    <>
      <StateMark {...conversationState(conversation)} />
      <Turns view={view} />
      {project !== null && (
        <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline">
          {project}
        </Link>
      )}
      <span className="max-phone:hidden">
        begun <TimeAgo at={startedAt} />
      </span>
    </>
  );
}
