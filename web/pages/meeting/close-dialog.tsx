/** Before the close: the notes as they would be written, to read and change; what is merged, and what goes. */
import { PencilLine, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import { maxNotesLength } from '../../../src/features/meetings/fold/limits.ts';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { type AddressOf, Markdown } from '../../kit/markdown/markdown.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { Since } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useShown } from '../../state/conversation.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface CloseDialogProps {
  readonly store: ConversationStore;
  readonly view: MeetingView;
  readonly onClose: () => void;
}

export function CloseDialog({ store, view, onClose }: CloseDialogProps) {
  const { id, project, path } = view.meeting;
  const addressOf = useMemo(() => addressesFrom(project, path), [project, path]);
  const away = useAwayReason();
  const status = useShown(store, ({ conversation }) => conversation?.status);
  const close = useAct('meeting.close', { isRepeatable: true });
  const notes = useNotes(store, view);
  const [beganAt, setBeganAt] = useState<string>();
  const run = async (allowSecrets = false) => {
    setBeganAt(new Date().toISOString());
    const own = notes.isOwn ? { notes: notes.text } : {};
    const done = await close.act({ id, project, ...own, ...(allowSecrets && { allowSecrets }) });
    if (done === undefined) return;
    notes.forget();
    onClose();
  };
  const isClosing = close.isBusy || status === 'closing';
  return (
    <Dialog
      width="wide"
      title="Close and merge"
      description="The notes below are what stays of the talk. Read them, change them where they are not right."
      isOpen
      onOpenChange={onClose}
    >
      <Notes notes={notes} addressOf={addressOf} isBlocked={isClosing} />
      <What store={store} view={view} />
      {close.problem && (
        <Refusal
          facts={close.problem}
          allowLabel="Close all the same"
          isBusy={close.isBusy}
          onAllow={() => inBackground(run(true))}
        />
      )}
      <DialogActions>
        {isClosing && beganAt !== undefined && (
          <span role="status" className="mr-auto self-center text-13 text-soft">
            Merging
            <span aria-hidden>
              {' '}
              for <Since at={beganAt} />
            </span>
          </span>
        )}
        <Button onClick={onClose}>Go on talking</Button>
        <Button
          tone="primary"
          isBusy={isClosing}
          blockedBecause={away ?? notes.blockedBecause}
          onClick={() => inBackground(run())}
        >
          Close and merge
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface Notes {
  readonly text: string | undefined;
  /** The person changed them: they are written as they stand. */
  readonly isOwn: boolean;
  readonly change: (text: string) => void;
  /** Throws the person's changes away. */
  readonly forget: () => void;
  readonly writeAnew: () => void;
  /** Since when they are being written. */
  readonly writingSince: string | null;
  readonly act: ReturnType<typeof useAct<'meeting.notes'>>;
  /** Why the model did not write the summary. */
  readonly problem: string | null;
  readonly blockedBecause: string | undefined;
}

function useNotes(store: ConversationStore, view: MeetingView): Notes {
  const { id, project } = view.meeting;
  const act = useAct('meeting.notes', { isRepeatable: true });
  const draft = useShown(store, ({ conversation }) => conversation?.draft ?? null);
  const drafting = useShown(store, ({ conversation }) => conversation?.drafting ?? null);
  const [own, setOwn] = useDraft(`notes.${project}/${id}`);
  const [openedAt] = useState(() => new Date().toISOString());
  const draw = useEffectEvent(() => inBackground(act.act({ id, project })));
  useEffect(() => draw(), []);
  const isWriting = act.isBusy || drafting !== null;
  const text = own === '' ? draft?.text : own;
  const isTooLong = (text?.length ?? 0) > maxNotesLength;
  return {
    text: isWriting && own === '' ? undefined : text,
    isOwn: own !== '' && own !== draft?.text,
    change: setOwn,
    forget: () => setOwn(''),
    writeAnew: () => {
      setOwn('');
      inBackground(act.act({ id, project, again: true }));
    },
    writingSince: isWriting ? (drafting ?? openedAt) : null,
    act,
    problem: draft?.problem ?? null,
    blockedBecause: isTooLong ? `The notes are longer than ${maxNotesLength.toLocaleString()} characters` : undefined,
  };
}

interface NotesProps {
  readonly notes: Notes;
  readonly addressOf: AddressOf;
  readonly isBlocked: boolean;
}

function Notes({ notes, addressOf, isBlocked }: NotesProps) {
  const [isEditing, setEditing] = useState(false);
  const { text } = notes;
  return (
    <section aria-label="Notes" className="flex flex-col gap-2">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h3 className="text-13 font-semibold text-soft">Notes</h3>
        {notes.isOwn && <span className="text-12 text-faint">changed by you</span>}
        <span className="flex-1" />
        {text !== undefined && !isBlocked && (
          <>
            {notes.isOwn ? (
              <Button tone="quiet" icon={RotateCcw} onClick={notes.forget}>
                Drop my changes
              </Button>
            ) : (
              <Button tone="quiet" icon={RotateCcw} onClick={notes.writeAnew}>
                Write anew
              </Button>
            )}
            <Button tone="quiet" icon={PencilLine} aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
              {isEditing ? 'Read' : 'Change'}
            </Button>
          </>
        )}
      </div>
      {notes.act.problem && <Problem facts={notes.act.problem} />}
      {notes.problem !== null && (
        <p className="text-13 text-soft">
          <span aria-hidden className="text-waiting">
            ◐{' '}
          </span>
          The model did not write a summary ({notes.problem}); this one is put together from what was said.
        </p>
      )}
      {notes.writingSince !== null && text === undefined && (
        <div>
          <p role="status" className="text-13 text-soft">
            The worker reads the talk and writes the notes
            <span aria-hidden>
              , for <Since at={notes.writingSince} />
            </span>
          </p>
          <Skeleton lines={5} label="Writing the notes" />
        </div>
      )}
      {text !== undefined &&
        (isEditing && !isBlocked ? (
          <TextArea
            label="Notes, in Markdown"
            rows={12}
            value={text}
            onChange={(event) => notes.change(event.target.value)}
            className="font-mono text-13"
          />
        ) : (
          <div
            className="max-h-[38vh] overflow-y-auto rounded-md bg-paper px-4 py-3 phone:px-5"
            tabIndex={0}
            role="region"
            aria-label="Notes to read"
          >
            <Markdown text={text} addressOf={addressOf} />
          </div>
        ))}
    </section>
  );
}

/** What happens, said before it happens. */
function What({ store, view }: Pick<CloseDialogProps, 'store' | 'view'>) {
  const isAnswering = useShown(store, ({ conversation }) => (conversation?.running ?? null) !== null);
  const waiting = useShown(store, ({ conversation }) => conversation?.queue.length ?? 0);
  const files = view.changedFiles.length;
  return (
    <ul className="flex list-disc flex-col gap-1 pl-5 text-13 text-soft marker:text-faint">
      {isAnswering && <li className="text-ink">The answer that is being given is interrupted.</li>}
      {waiting > 0 && (
        <li className="text-ink">
          {waiting === 1 ? 'One message that waits stays' : `${waiting} messages that wait stay`} unanswered.
        </li>
      )}
      <li>
        Merged:{' '}
        {files === 0
          ? 'the record with these notes'
          : `${files} changed ${files === 1 ? 'file' : 'files'} and the record with these notes`}
        , as one commit.
      </li>
      <li>Removed afterwards: the working folder, the branch, and the transcript of the talk.</li>
    </ul>
  );
}
