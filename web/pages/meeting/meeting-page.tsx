/** The meeting: the talk, what comes out of it, and its end. */
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/keyboard.tsx';
import { Page } from '../../kit/layout.tsx';
import type { AddressOf } from '../../kit/markdown/markdown.tsx';
import { Empty, Problem, Skeleton, Unread } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { readAgain } from '../../state/conversation-store.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useConversation, useShown } from '../../state/conversation.ts';
import { useAct } from '../../state/hall.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { Closed } from './closed.tsx';
import { Conflict } from './conflict.tsx';
import { MeetingContext } from './meeting-context.tsx';
import { MeetingHead } from './meeting-head.tsx';
import { OpenTalk } from './open-talk.tsx';
import { useAddresses, useOverlay } from './overlays.tsx';
import { LeftWords } from './refused.tsx';
import { Request } from './request.tsx';
import { toggleSteps } from '../../kit/steps/step-lines.tsx';
import { Talk } from './talk.tsx';

export function MeetingPage() {
  const { project, id } = useParams({ from: '/projects/$project/meetings/$id' });
  // Another meeting is another page: nothing of the one before stays.
  return <Meeting key={`${project}/${id}`} project={project} id={id} />;
}

interface MeetingProps {
  readonly project: string;
  readonly id: string;
}

function Meeting({ project, id }: MeetingProps) {
  const store = useConversation(project, id);
  const [isClosing, setClosing] = useState(false);
  const title = useShown(store, ({ conversation }) => conversation?.title);
  const status = useShown(store, ({ conversation }) => conversation?.status);
  const view = useShown(store, (state) => state.view);
  const addressOf = useAddresses(store, project, id);
  const over = useOverlay(project, id);
  const interrupting = useAct('meeting.interrupt');
  const interrupt = {
    run: () => inBackground(interrupting.act({ project, id })),
    isBusy: interrupting.isBusy,
  };
  useShortcut('i', 'Interrupt the answer', interrupt.run, 'This meeting');
  useShortcut('e', 'Open or close all steps', toggleSteps, 'This meeting');
  useShortcut('d', 'Show the changes', over.showChanges, 'This meeting');
  return (
    <Page
      title={title ?? id}
      contextLabel="About this meeting"
      context={view && <MeetingContext store={store} addressOf={addressOf} />}
      head={<MeetingHead store={store} id={id} interrupt={interrupt} onClose={() => setClosing(true)} />}
    >
      {interrupting.problem && (
        <div className="px-4 pt-4 phone:px-8">
          <Problem facts={interrupting.problem} />
        </div>
      )}
      {over.shown}
      <Body store={store} project={project} addressOf={addressOf} interrupt={interrupt} />
      {isClosing && view && (status === 'open' || status === 'closing') && (
        <CloseDialog store={store} view={view} onClose={() => setClosing(false)} />
      )}
    </Page>
  );
}

interface BodyProps {
  readonly store: ConversationStore;
  readonly project: string;
  readonly addressOf: AddressOf;
  readonly interrupt: { readonly run: () => void; readonly isBusy: boolean };
}

const frame = 'mx-auto flex w-full max-w-[51rem] flex-1 flex-col gap-8 px-4 py-8 phone:px-8';

function Body({ store, project, addressOf, interrupt }: BodyProps) {
  const view = useShown(store, (state) => state.view);
  const status = useShown(store, ({ conversation }) => conversation?.status);
  const merge = useShown(store, ({ conversation }) => conversation?.merge.state);
  const problem = useShown(store, (state) => state.problem);
  const rolledBack = useShown(store, (state) => state.rolledBack);
  const hasTalk = useShown(store, ({ conversation }) => (conversation?.turns.length ?? 0) > 0);
  if (view === undefined || status === undefined) {
    if (problem === undefined) return <Reading />;
    return (
      <div className={frame}>
        <Unread facts={problem} onAgain={() => readAgain(store)} />
      </div>
    );
  }
  if (status === 'open' || status === 'opening' || status === 'closing') {
    return <OpenTalk store={store} view={view} addressOf={addressOf} interrupt={interrupt} />;
  }
  const isOver = status === 'closed' || status === 'declined';
  const talk = hasTalk && (
    <Talk store={store} worker={view.meeting.worker} addressOf={addressOf} outgoing={[]} onAskAgain={undefined} />
  );
  return (
    <div className={frame}>
      {view.meeting.problems.map(({ line, message }) => (
        <Problem
          key={`${line}${message}`}
          facts={{
            code: 'invalid',
            message: `Line ${line} of the record: ${message}`,
            hint: `Mend ${view.recordFile}`,
          }}
        />
      ))}
      {status === 'gone' && <Gone project={project} reason={rolledBack?.reason} words={rolledBack?.firstMessage} />}
      {status === 'requested' && <Request meeting={view.meeting} addressOf={addressOf} />}
      {merge === 'merge_conflict' && <Conflict view={view} />}
      {isOver && <LeftWords store={store} project={project} id={view.meeting.id} />}
      {isOver && <Closed view={view} {...(talk !== false && { talk })} />}
    </div>
  );
}

function Reading() {
  return (
    <div className={frame}>
      <Skeleton lines={6} label="Reading the meeting" />
    </div>
  );
}

interface GoneProps {
  readonly project: string;
  readonly reason: string | undefined;
  readonly words: string | undefined;
}

/** The opening failed, and nothing is left of it but what was said. */
function Gone({ project, reason, words }: GoneProps) {
  return (
    <Empty
      action={
        <Link to="/projects/$project" params={{ project }} className="text-13 font-medium text-ember-strong underline">
          To the project
        </Link>
      }
    >
      The meeting could not be opened{reason === undefined ? '.' : `: ${reason}`}
      {words !== undefined && words !== '' && (
        <span className="mt-3 block border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-ink">{words}</span>
      )}
    </Empty>
  );
}
