/** Another title for a session; its end for good. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { Problem } from '../../kit/states.tsx';
import { TitleDialog } from '../../kit/title-dialog.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface SessionDialogProps {
  readonly project: string;
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameDialog({ project, id, title, onClose }: SessionDialogProps) {
  const { act, problem, isBusy } = useAct('session.rename');
  return (
    <TitleDialog
      heading="Rename the session"
      description="Its id and every link to it stay as they are."
      title={title}
      maxLength={200}
      problem={problem}
      isBusy={isBusy}
      onRename={async (text) => await act({ project, id, title: text })}
      onClose={onClose}
    />
  );
}

export function RemoveDialog({ project, id, title, onClose }: SessionDialogProps) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const removing = useAct('session.remove');
  const remove = async () => {
    if ((await removing.act({ project, id })) === undefined) return;
    await navigate({ to: '/projects/$project/sessions', params: { project }, search: {}, replace: true });
  };
  return (
    <Dialog
      title="Remove this session"
      description={
        <>
          <p>
            “{plainTitle(title)}” goes with all that was said in it and its images. What its agent wrote in the project
            stays.
          </p>
          <p className="mt-2">To end its agent and keep what was said, close it instead.</p>
        </>
      }
      isOpen
      onOpenChange={onClose}
    >
      {removing.problem && <Problem facts={removing.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button tone="danger" isBusy={removing.isBusy} blockedBecause={away} onClick={() => inBackground(remove())}>
          Remove the session
        </Button>
      </DialogActions>
    </Dialog>
  );
}
