/** Ending a conversation: what is lost, what is kept. */
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

export interface EndConversationDialogProps {
  readonly view: OutputOf<'conversation.show'>;
  readonly onClose: () => void;
}

export function EndConversationDialog({ view, onClose }: EndConversationDialogProps) {
  const { id } = view.conversation;
  const held = view.messages.filter(({ fate }) => fate === 'held').length;
  const away = useAwayReason();
  const ending = useAct('conversation.end');
  const run = async () => {
    if ((await ending.act({ id })) !== undefined) onClose();
  };
  return (
    <Dialog
      title="End the conversation"
      description={
        <p>
          Both are told, and their terminals go on. What was said stays for 30 days.
          {held > 0 &&
            (held === 1 ? ' One message that is held goes to nobody.' : ` ${held} held messages go to nobody.`)}
        </p>
      }
      isOpen
      onOpenChange={onClose}
    >
      {ending.problem && <Problem facts={ending.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Leave it open</Button>
        <Button tone="danger" isBusy={ending.isBusy} blockedBecause={away} onClick={() => inBackground(run())}>
          End it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
