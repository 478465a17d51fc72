/** Changes what is asked for, while nothing runs. What is written is kept as a draft until it is saved. */
import type { CommissionRecord, CommissionView } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import type { InputOf } from '../../state/operations.ts';
import { type CommissionDraft, useCommissionDraft, whyNotYet } from './commission-draft.ts';
import { CommissionFields } from './commission-fields.tsx';

export interface EditDialogProps {
  readonly view: CommissionView;
  readonly onClose: () => void;
}

export function EditDialog({ view, onClose }: EditDialogProps) {
  const { project, id } = view.commission;
  const away = useAwayReason();
  const editing = useAct('commission.edit');
  const initial = draftOf(view.commission);
  const { draft, isChanged, change, forget } = useCommissionDraft(`commission.edit.${project}/${id}`, initial);
  const hasStarted = view.allowed.includes('edit') ? undefined : 'It has started meanwhile';
  const why = away ?? hasStarted ?? whyNotYet(draft) ?? (isChanged ? undefined : 'Nothing is changed');
  const save = async (allowSecrets = false) => {
    if (why !== undefined || editing.isBusy) return;
    const done = await editing.act({
      project,
      id,
      ...changesOf(initial, draft),
      ...(allowSecrets && { allowSecrets }),
    });
    if (done === undefined) return;
    forget();
    onClose();
  };
  return (
    <Dialog
      width="wide"
      title="Change the commission"
      description="Its id and every link to it stay as they are."
      isOpen
      onOpenChange={onClose}
    >
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(save());
        }}
      >
        <CommissionFields
          project={project}
          id={id}
          draft={draft}
          onChange={change}
          onEnter={() => inBackground(save())}
        />
        {editing.problem && (
          <Refusal
            facts={editing.problem}
            allowLabel="Save it all the same"
            isBusy={editing.isBusy}
            onAllow={() => inBackground(save(true))}
          />
        )}
        <DialogActions>
          {isChanged && (
            <Button
              tone="quiet"
              className="mr-auto"
              onClick={() => {
                forget();
                onClose();
              }}
            >
              Drop my changes
            </Button>
          )}
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" tone="primary" isBusy={editing.isBusy} blockedBecause={why}>
            Save the changes
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function draftOf({ worker, title, prompt, dependencies, maxTurns, maxBudgetUsd }: CommissionRecord): CommissionDraft {
  return {
    worker,
    title,
    prompt,
    depends: dependencies,
    maxTurns: maxTurns === null ? '' : String(maxTurns),
    maxBudgetUsd: maxBudgetUsd === null ? '' : String(maxBudgetUsd),
  };
}

type Changes = Omit<InputOf<'commission.edit'>, 'id' | 'project' | 'allowSecrets'>;

/** Only what differs: what was changed elsewhere meanwhile stays. */
function changesOf(before: CommissionDraft, draft: CommissionDraft): Changes {
  const clear: NonNullable<Changes['clear']> = [];
  const isOther = (field: keyof CommissionDraft) => JSON.stringify(before[field]) !== JSON.stringify(draft[field]);
  if (isOther('depends') && draft.depends.length === 0) clear.push('depends');
  if (isOther('maxTurns') && draft.maxTurns.trim() === '') clear.push('max-turns');
  if (isOther('maxBudgetUsd') && draft.maxBudgetUsd.trim() === '') clear.push('max-budget-usd');
  return {
    ...(isOther('worker') && { worker: draft.worker }),
    ...(isOther('title') && { title: draft.title }),
    ...(isOther('prompt') && { prompt: draft.prompt }),
    ...(isOther('depends') && draft.depends.length > 0 && { depends: [...draft.depends] }),
    ...(isOther('maxTurns') && draft.maxTurns.trim() !== '' && { maxTurns: Number(draft.maxTurns) }),
    ...(isOther('maxBudgetUsd') && draft.maxBudgetUsd.trim() !== '' && { maxBudgetUsd: Number(draft.maxBudgetUsd) }),
    ...(clear.length > 0 && { clear }),
  };
}
