/** Forgetting a project, after saying what is lost and what is kept. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface RemoveDialogProps {
  readonly project: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

export function RemoveDialog({ project, isOpen, onOpenChange }: RemoveDialogProps) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const remove = useAct('project.remove');
  const confirm = async () => {
    if ((await remove.act({ name: project })) !== undefined) await navigate({ to: '/' });
  };
  return (
    <Dialog
      title={`Remove “${project}” from the hall?`}
      description="The hall forgets it and removes its own working copy. Your repository stays as it is, with every branch and everything under .lore/."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      {remove.problem && <Problem facts={remove.problem} />}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Keep it</Button>
        <Button tone="danger" isBusy={remove.isBusy} blockedBecause={away} onClick={() => inBackground(confirm())}>
          Remove from the hall
        </Button>
      </DialogActions>
    </Dialog>
  );
}
