/** What is asked before it is done: cancelling, dispatching again; and the form that changes what is asked for. */
import { type ReactNode, useState } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';

export type Asking = 'edit' | 'dispatch' | 'cancel' | 'redispatch';

export interface DialogsProps {
  readonly view: CommissionView;
  readonly asking: Asking | null;
  readonly onClose: () => void;
}

export function Dialogs({ view, asking, onClose }: DialogsProps) {
  if (asking === 'edit') return <EditDialog view={view} onClose={onClose} />;
  if (asking === 'dispatch') return <DispatchDialog view={view} onClose={onClose} />;
  if (asking === 'cancel') return <CancelDialog view={view} onClose={onClose} />;
  if (asking === 'redispatch') return <RedispatchDialog view={view} onClose={onClose} />;
  return null;
}

interface AskedProps {
  readonly view: CommissionView;
  readonly onClose: () => void;
}

function CancelDialog({ view, onClose }: AskedProps) {
  const { attempt, status, branch } = view.commission;
  const runs = status === 'dispatched' || status === 'in_progress';
  return (
    <ReasonDialog
      view={view}
      operation="commission.cancel"
      title="Cancel the commission"
      verb="Cancel the commission"
      leave={runs ? 'Let it go on' : 'Leave it'}
      isDanger
      hint="Kept in the timeline."
      onClose={onClose}
      description={
        runs ? (
          <>
            <p>Lost: what its worker has in mind and has not written down. It is stopped, with all that it started.</p>
            <p>
              Kept: everything that it wrote, also what is not committed yet, on the branch{' '}
              {branch !== null && <code className="font-mono text-12">{branch}</code>}; the log, the timeline and the
              questions. Nothing is merged. It can be dispatched again.
            </p>
          </>
        ) : (
          <>
            <p>{attempt === 0 ? 'Nothing has run, so nothing is lost.' : 'Nothing runs now, so nothing is lost.'}</p>
            <p>Kept: what is asked for, and the timeline. It can be dispatched again.</p>
          </>
        )
      }
    />
  );
}

function RedispatchDialog({ view, onClose }: AskedProps) {
  const { attempt, branch } = view.commission;
  return (
    <ReasonDialog
      view={view}
      operation="commission.redispatch"
      title="Dispatch it again"
      verb="Dispatch again"
      leave="Leave it"
      hint="The next attempt reads it, with your answers and remarks, and how the last one ended."
      onClose={onClose}
      description={
        <>
          <p>
            It begins afresh on a new branch, from the project as it is now: attempt {attempt + 1}. Progress and result
            start anew.
          </p>
          {branch !== null && (
            <p>
              Kept: the branch <code className="font-mono text-12">{branch}</code> with all of its commits, the log and
              the timeline.
            </p>
          )}
        </>
      }
    />
  );
}

interface ReasonDialogProps extends AskedProps {
  readonly operation: 'commission.cancel' | 'commission.redispatch';
  readonly title: string;
  readonly description: ReactNode;
  readonly verb: string;
  readonly leave: string;
  readonly hint: string;
  readonly isDanger?: boolean;
}

function ReasonDialog(props: ReasonDialogProps) {
  const { view, operation, title, description, verb, leave, hint, isDanger = false, onClose } = props;
  const { project, id } = view.commission;
  const away = useAwayReason();
  const doing = useAct(operation);
  const [reason, setReason] = useState('');
  const run = async (allowSecrets = false) => {
    const why = reason.trim() === '' ? {} : { reason };
    const done = await doing.act({ project, id, ...why, ...(allowSecrets && { allowSecrets }) });
    if (done !== undefined) onClose();
  };
  return (
    <Dialog
      title={title}
      description={<div className="flex flex-col gap-2">{description}</div>}
      isOpen
      onOpenChange={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(run());
        }}
      >
        <TextArea
          label="Why, if you like"
          rows={2}
          maxLength={2000}
          hint={hint}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {doing.problem && (
          <Refusal
            facts={doing.problem}
            allowLabel={`${verb} all the same`}
            isBusy={doing.isBusy}
            onAllow={() => inBackground(run(true))}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>{leave}</Button>
          <Button type="submit" tone={isDanger ? 'danger' : 'primary'} isBusy={doing.isBusy} blockedBecause={away}>
            {verb}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
