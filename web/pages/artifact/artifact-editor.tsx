/** The text as it stands in the file. Saving commits it; what somebody else wrote meanwhile is never written over unseen. */
import { useRef, useState } from 'react';
import type { EditConflict, EditSecrets } from '../../../src/features/artifacts/contract.ts';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { Keys } from '../../kit/key.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import type { ArtifactDraft } from './artifact-draft.ts';
import { ConflictNotice } from './conflict-notice.tsx';

export interface ArtifactEditorProps {
  readonly artifact: OutputOf<'artifact.show'>;
  readonly draft: ArtifactDraft;
}

export function ArtifactEditor({ artifact, draft }: ArtifactEditorProps) {
  const away = useAwayReason();
  const write = useAct('artifact.edit');
  const [isLeaving, setLeaving] = useState(false);
  const held = draft.held!;
  const { project, path } = artifact;
  const isChanged = held.raw !== artifact.raw;
  const blocked = away ?? (isChanged ? undefined : 'Nothing is changed');
  const field = useRef<HTMLTextAreaElement>(null);
  const isSending = useRef(false);
  /** The revision that was saved over here: the page may not have read the new one yet. */
  const [replaced, setReplaced] = useState<string>();
  /** What came of keys that could not do what they say. */
  const [told, setTold] = useState<string>();
  const details = write.problem?.details as EditConflict | EditSecrets | undefined;
  const save = async (allowSecrets = false) => {
    const why = isSending.current ? 'It is being saved' : blocked;
    setTold(why);
    if (why !== undefined) return;
    isSending.current = true;
    const done = await write.act({ project, path, ...held, allowSecrets });
    isSending.current = false;
    setTold(undefined);
    if (done === undefined) return;
    setReplaced(held.baseRevision);
    draft.saved(held.raw, done.revision);
  };
  const leave = () => (isChanged ? setLeaving(true) : draft.end());
  useShortcut('Ctrl s', 'Save the text', () => {
    if (document.querySelector('[role=dialog]') === null) inBackground(save());
  });
  return (
    <form
      className="flex flex-1 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(save());
      }}
    >
      {![held.baseRevision, replaced].includes(artifact.revision) && details?.kind !== 'revision' && (
        <p role="status" className="text-13 text-soft">
          <span className="text-note">◆</span> The file was changed after you began. Saving compares the two first.
        </p>
      )}
      {details?.kind === 'revision' && (
        <ConflictNotice
          conflict={details}
          draft={draft}
          onSettled={() => {
            write.clear();
            field.current?.focus();
          }}
        />
      )}
      {details?.kind === 'secrets' && (
        <Problem
          facts={write.problem!}
          action={
            <Button
              tone="danger"
              className="mt-2 self-start"
              isBusy={write.isBusy}
              onClick={() => inBackground(save(true))}
            >
              Write it as it is
            </Button>
          }
        />
      )}
      {write.problem && details === undefined && <Problem facts={write.problem} />}
      <label htmlFor="artifact-text" className="text-13 font-medium text-soft">
        Text of the file, fields and all
      </label>
      <textarea
        id="artifact-text"
        ref={field}
        autoFocus
        spellCheck={false}
        value={held.raw}
        onChange={(event) => {
          setTold(undefined);
          draft.change({ ...held, raw: event.target.value });
        }}
        className="min-h-[50vh] max-w-[92ch] flex-1 resize-y rounded-md border border-line-strong bg-raised p-4 font-mono text-13 leading-relaxed"
      />
      <div className="sticky bottom-0 flex items-center gap-2 bg-paper py-3 max-phone:bottom-14">
        <Button type="submit" tone="primary" isBusy={write.isBusy} blockedBecause={blocked}>
          Save and commit
        </Button>
        <Button onClick={leave}>Leave the edit</Button>
        <span className="text-12 text-faint max-phone:hidden">
          <Keys keys="Ctrl s" />
        </span>
        <span className="flex-1" />
        <span role="status" className="text-12 text-soft">
          {told}
        </span>
        {told === undefined && (
          <span className="text-12 text-faint">
            {isChanged ? 'Kept in this browser until you save' : 'Not changed'}
          </span>
        )}
      </div>
      <Dialog
        title="Drop your changes?"
        description="What you changed in this text is lost; the file stays as it is."
        isOpen={isLeaving}
        onOpenChange={setLeaving}
      >
        <DialogActions>
          <Button onClick={() => setLeaving(false)}>Go on writing</Button>
          <Button tone="danger" onClick={draft.end}>
            Drop my changes
          </Button>
        </DialogActions>
      </Dialog>
    </form>
  );
}
