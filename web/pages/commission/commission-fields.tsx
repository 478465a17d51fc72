/** The fields of a commission: who, what is to be there in the end, what has to be there first, how much it may take. */
import type { KeyboardEvent } from 'react';
import { TextArea, TextField } from '../../kit/field.tsx';
import { WorkerPicker } from '../../kit/worker-picker.tsx';
import { budgetProblem, type CommissionDraft, turnsProblem } from './commission-draft.ts';
import { DependencyPicker } from './dependency-picker.tsx';

export interface CommissionFieldsProps {
  readonly project: string;
  /** The commission that is changed. */
  readonly id?: string | undefined;
  readonly draft: CommissionDraft;
  readonly onChange: (part: Partial<CommissionDraft>) => void;
  /** Ctrl and Enter in one of its texts. */
  readonly onEnter: () => void;
}

const example =
  'A note in .lore/research/ names each error that the parser can report, with the line that reports it.\n\nCheck: each line named is there.';

export function CommissionFields({ project, id, draft, onChange, onEnter }: CommissionFieldsProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  const hasLimits = draft.maxTurns !== '' || draft.maxBudgetUsd !== '';
  return (
    <>
      <TextField
        autoFocus
        label="Title"
        maxLength={200}
        placeholder="Errors of the parser"
        value={draft.title}
        onChange={(event) => onChange({ title: event.target.value })}
        onKeyDown={press}
      />
      <TextArea
        label="What is to be there in the end"
        hint="Say the outcome, not the steps, and how the worker can check that it is there."
        placeholder={example}
        rows={5}
        className="min-h-32"
        value={draft.prompt}
        onChange={(event) => onChange({ prompt: event.target.value })}
        onKeyDown={press}
      />
      <WorkerPicker value={draft.worker} onChange={(worker) => onChange({ worker })} />
      <DependencyPicker
        project={project}
        id={id}
        chosen={draft.depends}
        onChange={(depends) => onChange({ depends })}
      />
      <details open={hasLimits} className="flex flex-col">
        <summary className="w-fit rounded-md text-13 text-soft hover:text-ink">Limits of its own</summary>
        <div className="grid gap-4 pt-4 phone:grid-cols-2">
          <TextField
            label="Turns at most"
            inputMode="numeric"
            hint="Left out: what the worker’s package says."
            error={turnsProblem(draft.maxTurns)}
            value={draft.maxTurns}
            onChange={(event) => onChange({ maxTurns: event.target.value })}
          />
          <TextField
            label="Dollars at most"
            inputMode="decimal"
            hint="Left out: what the worker’s package says."
            error={budgetProblem(draft.maxBudgetUsd)}
            value={draft.maxBudgetUsd}
            onChange={(event) => onChange({ maxBudgetUsd: event.target.value })}
          />
        </div>
      </details>
    </>
  );
}
