/** The head: who, what, in which state, since when, on which branch, at what cost; and the two actions that matter. */
import { CircleStop, Ellipsis, GitMerge } from 'lucide-react';
import { useState } from 'react';
import { useIntent } from '../../app/intents.tsx';
import type { Conversation } from '../../../src/features/meetings/fold/conversation.ts';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import { BranchName } from '../../kit/branch-name.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { ObjectHead } from '../../kit/layout.tsx';
import { sayUsage } from '../../kit/money.ts';
import { Menu, type MenuItem } from '../../kit/overlay.tsx';
import { StateMark, type StateMarkProps } from '../../kit/state-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { useAwayReason } from '../../state/hall.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { focusLastSpeech } from '../../kit/speech.tsx';

export interface MeetingHeadProps {
  readonly store: ConversationStore;
  /** While the meeting is not read yet. */
  readonly id: string;
  readonly interrupt: { readonly run: () => void; readonly isBusy: boolean };
  readonly onClose: () => void;
}

export function MeetingHead({ store, id, interrupt, onClose }: MeetingHeadProps) {
  const away = useAwayReason();
  const view = useShown(store, (state) => state.view);
  const title = useShown(store, ({ conversation }) => conversation?.title);
  const status = useShown(store, ({ conversation }) => conversation?.status);
  const isAnswering = useShown(store, ({ conversation }) => (conversation?.running ?? null) !== null);
  const state = useShown(store, ({ conversation }) => (conversation ? stateWord(conversation) : undefined));
  const isPutOff = state === 'requested' && view !== undefined && isLeftForLater(view.meeting.deferredUntil);
  if (view === undefined) return <ObjectHead title={title ?? id} />;
  const { worker } = view.meeting;
  return (
    <ObjectHead
      title={title ?? view.meeting.title}
      mark={<WorkerGlyph name={worker} size={26} />}
      facts={<Facts store={store} view={view} state={isPutOff ? 'deferred' : state} />}
      actions={
        <>
          {isAnswering && (
            <Button
              icon={CircleStop}
              className="max-phone:hidden"
              isBusy={interrupt.isBusy}
              blockedBecause={away}
              onClick={() => {
                interrupt.run();
                // The button goes with the answer.
                focusLastSpeech();
              }}
            >
              Interrupt
            </Button>
          )}
          {status === 'open' && (
            <Button icon={GitMerge} className="max-phone:hidden" blockedBecause={away} onClick={onClose}>
              Close and merge
            </Button>
          )}
          <Rest view={view} title={title ?? view.meeting.title} status={status} onClose={onClose} />
        </>
      }
    />
  );
}

interface FactsProps {
  readonly store: ConversationStore;
  readonly view: MeetingView;
  readonly state: string | undefined;
}

function Facts({ store, view, state }: FactsProps) {
  const usage = useShown(store, ({ conversation }) => conversation?.usage ?? null);
  const { meeting } = view;
  const begun = meeting.log[0]?.timestamp ?? meeting.date;
  const used = usage === null ? undefined : sayUsage(usage);
  // One line that never wraps: a figure that comes later must not move the page.
  return (
    <div className="flex min-w-0 flex-1 items-baseline gap-x-3 overflow-hidden whitespace-nowrap phone:gap-x-4">
      {state !== undefined && <StateMark {...marks[state]!} />}
      <span>{meeting.worker}</span>
      {view.isSandboxed === false && <StateMark kind="note" word="not sandboxed" />}
      <span>
        <span className="max-phone:hidden">{meeting.status === 'requested' ? 'asked ' : 'begun '}</span>
        <TimeAgo at={begun} />
      </span>
      {used !== undefined && (
        <span title={sayWhole(usage)} className="max-phone:hidden">
          {used}
        </span>
      )}
      {meeting.branch !== null && <BranchName name={meeting.branch} />}
    </div>
  );
}

function sayWhole(usage: Conversation['usage']): string {
  if (usage === null) return '';
  const { inputTokens, outputTokens, contextUsed, contextWindow } = usage;
  const context =
    contextUsed === null || contextWindow === null
      ? ''
      : `; the last call filled ${Math.round((100 * contextUsed) / contextWindow)} % of what the model can hold`;
  return `${inputTokens.toLocaleString()} tokens read, ${outputTokens.toLocaleString()} written${context}`;
}

const marks: Readonly<Record<string, StateMarkProps>> = {
  opening: { kind: 'active', word: 'opening', isMoving: true },
  answering: { kind: 'active', word: 'answering', isMoving: true },
  turn: { kind: 'waiting', word: 'your turn' },
  closing: { kind: 'active', word: 'closing', isMoving: true },
  requested: { kind: 'waiting', word: 'requested' },
  deferred: { kind: 'note', word: 'left for later' },
  declined: { kind: 'done', word: 'declined' },
  conflict: { kind: 'failed', word: 'merge conflict' },
  dismissed: { kind: 'done', word: 'closed, not merged' },
  closed: { kind: 'done', word: 'closed' },
  unreadable: { kind: 'failed', word: 'unreadable state' },
  gone: { kind: 'failed', word: 'not opened' },
};

function stateWord({ status, merge, running, queue }: Conversation): string {
  if (status === 'open') return running !== null || queue.length > 0 ? 'answering' : 'turn';
  if (status !== 'closed') return status;
  if (merge.state === 'merge_conflict') return 'conflict';
  return merge.state === 'dismissed' ? 'dismissed' : 'closed';
}

/** The day is the hall's, as written: on it the request is in the inbox again. */
function isLeftForLater(until: string | null): boolean {
  return until !== null && until > new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }).format(new Date());
}

interface RestProps {
  readonly view: MeetingView;
  readonly title: string;
  readonly status: Conversation['status'] | undefined;
  readonly onClose: () => void;
}

/** What is done seldom. */
function Rest({ view, title, status, onClose }: RestProps) {
  const show = useIntent();
  const away = useAwayReason();
  const [isRenaming, setRenaming] = useState(false);
  const { meeting } = view;
  const copy = (text: string) => inBackground(navigator.clipboard.writeText(text));
  const isOver = status === 'closed' || status === 'declined' || status === 'gone';
  const items: MenuItem[] = [
    ...(status === 'open'
      ? [{ label: 'Close and merge', onSelect: onClose, blockedBecause: away, isPhoneOnly: true }]
      : []),
    { label: 'Rename', onSelect: () => setRenaming(true), blockedBecause: away },
    { label: 'Copy link', onSelect: () => copy(location.href) },
  ];
  const { branch, project, worker, path } = meeting;
  if (branch !== null) items.push({ label: 'Copy branch name', onSelect: () => copy(branch) });
  if (view.worktree !== null) items.push({ label: 'Copy folder', onSelect: () => copy(view.worktree ?? '') });
  if (isOver)
    items.push({ label: 'Meet again', onSelect: () => show({ kind: 'meeting', project, worker, artifact: path }) });
  return (
    <>
      <Menu trigger={<IconButton icon={Ellipsis} label="More" />} items={items} />
      {isRenaming && <RenameDialog meeting={meeting} title={title} onClose={() => setRenaming(false)} />}
    </>
  );
}
