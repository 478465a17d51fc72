/** Another title; the id, the branch and the links stay. */
import { useState } from 'react';
import type { MeetingRecord } from '../../../src/features/meetings/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface RenameDialogProps {
  readonly meeting: Pick<MeetingRecord, 'id' | 'project'>;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameDialog({ meeting, title, onClose }: RenameDialogProps) {
  const { id, project } = meeting;
  const away = useAwayReason();
  const rename = useAct('meeting.rename');
  const [text, setText] = useState(title);
  const isEmpty = text.trim() === '';
  const save = async (allowSecrets = false) => {
    if (isEmpty || away !== undefined) return;
    const done = await rename.act({ id, project, title: text.trim(), ...(allowSecrets && { allowSecrets }) });
    if (done !== undefined) onClose();
  };
  return (
    <Dialog
      title="Rename the meeting"
      description="Its id, its branch and every link to it stay as they are."
      isOpen
      onOpenChange={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(save());
        }}
      >
        <TextField
          label="Title"
          value={text}
          maxLength={300}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        {rename.problem && (
          <Refusal facts={rename.problem} allowLabel="Rename all the same" onAllow={() => inBackground(save(true))} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button
            type="submit"
            tone="primary"
            isBusy={rename.isBusy}
            blockedBecause={away ?? (isEmpty ? 'A title has words' : undefined)}
          >
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
