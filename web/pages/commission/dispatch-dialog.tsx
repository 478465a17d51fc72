/** Starting a commission that waits for others that nobody has dispatched: all of them at once. */
import { Link } from '@tanstack/react-router';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface DispatchDialogProps {
  readonly view: CommissionView;
  readonly onClose: () => void;
}

export function DispatchDialog({ view, onClose }: DispatchDialogProps) {
  const { project, id, title, queuedAt } = view.commission;
  const away = useAwayReason();
  const doing = useAct('commission.dispatch');
  const run = async () => {
    const done = await doing.act({ project, id, withDependencies: true });
    if (done !== undefined) onClose();
  };
  const all = view.undispatched.length + (queuedAt === null ? 1 : 0);
  return (
    <Dialog
      title="Dispatch it with what it waits for"
      description={
        <p>They begin one after the other: each as soon as what it waits for is merged, and there is room.</p>
      }
      isOpen
      onOpenChange={onClose}
    >
      <ol
        aria-label="What starts"
        className="flex max-h-[40vh] list-decimal flex-col gap-1.5 overflow-y-auto pl-6 text-14"
      >
        {view.undispatched.map((one) => (
          <li key={one.id}>
            <Link
              to="/projects/$project/commissions/$id"
              params={{ project, id: one.id }}
              className="underline decoration-line underline-offset-2 hover:decoration-current"
            >
              {one.title}
            </Link>
          </li>
        ))}
        <li>
          {title} <span className="text-faint">(this one)</span>
        </li>
      </ol>
      {doing.problem && <Problem facts={doing.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Leave it</Button>
        <Button tone="primary" isBusy={doing.isBusy} blockedBecause={away} onClick={() => inBackground(run())}>
          {all === 1 ? 'Dispatch it' : all === 2 ? 'Dispatch both' : `Dispatch all ${all}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
