/** Ending a terminal: what is lost, what is kept. */
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { commandOf } from '../../kit/terminal/terminal-state.ts';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export function EndDialog({ terminal, onClose }: { readonly terminal: TerminalView; readonly onClose: () => void }) {
  const { id, name, waiting, conversation } = terminal;
  const away = useAwayReason();
  const ending = useAct('terminal.end');
  const run = async () => {
    if ((await ending.act({ id })) !== undefined) onClose();
  };
  return (
    <Dialog
      title={`End ${name}`}
      description={
        <>
          <p>
            <code className="font-mono text-13 text-ink">{commandOf(terminal)}</code> is ended with all that it has
            started. What it was doing is lost; what it showed last is kept for a week.
          </p>
          {waiting > 0 && (
            <p className="pt-2">
              {waiting === 1 ? 'A message that waits for it fails.' : `${waiting} messages that wait for it fail.`}
            </p>
          )}
          {conversation !== null && <p className="pt-2">Its conversation ends with it; the other side is told.</p>}
        </>
      }
      isOpen
      onOpenChange={onClose}
    >
      {ending.problem && <Problem facts={ending.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Let it run</Button>
        <Button tone="danger" isBusy={ending.isBusy} blockedBecause={away} onClick={() => inBackground(run())}>
          End {name}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
