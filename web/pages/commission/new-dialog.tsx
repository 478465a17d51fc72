/** A new commission: written here, kept as a draft until it is made. It waits for the person, or starts when there is room. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, writeDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import { CommissionFields } from './commission-fields.tsx';
import { type CommissionDraft, useCommissionDraft, whyNotYet } from './commission-draft.ts';

export interface NewCommissionDialogProps {
  readonly onClose: () => void;
  readonly project?: string | undefined;
  readonly worker?: string | undefined;
  readonly depends?: string | undefined;
}

export function NewCommissionDialog(props: NewCommissionDialogProps) {
  const status = useRead('status', {});
  const names = status.data?.projects;
  return (
    <Dialog width="wide" title="Write a commission" isOpen onOpenChange={props.onClose}>
      {status.problem && <Problem facts={status.problem} />}
      {names === undefined && !status.problem && <Skeleton lines={4} />}
      {names?.length === 0 && (
        <Empty>
          There is no project yet. Register a repository first:{' '}
          <code className="font-mono text-13">guild-hall project add .</code>
        </Empty>
      )}
      {names !== undefined && names.length > 0 && <Form {...props} projects={names} />}
    </Dialog>
  );
}

const lastProjectKey = 'commission.project';
const lastWorkerKey = 'commission.worker';

/** Of whoever asks for it: the same request again makes no second commission. */
const freshRequestId = (): string => `r-${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

function Form(props: NewCommissionDialogProps & { readonly projects: readonly string[] }) {
  const { projects, onClose } = props;
  const away = useAwayReason();
  const last = readDraft(lastProjectKey);
  const [project, setProject] = useState(props.project ?? (projects.includes(last) ? last : projects[0]!));
  const { draft, change, forget } = useCommissionDraft(`commission.new.${project}`, {
    worker: props.worker ?? (readDraft(lastWorkerKey) || 'researcher'),
    title: '',
    prompt: '',
    depends: props.depends === undefined ? [] : [props.depends],
    maxTurns: '',
    maxBudgetUsd: '',
  });
  const making = useMaking(project, forget, onClose);
  const why = away ?? whyNotYet(draft);
  const make = (dispatch: boolean, allowSecrets = false) => {
    if (why === undefined && !making.isBusy) inBackground(making.run(draft, dispatch, allowSecrets));
  };
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        make(true);
      }}
    >
      {projects.length > 1 && (
        <SelectField
          label="Project"
          value={project}
          onChange={setProject}
          options={projects.map((name) => ({ value: name, label: name }))}
        />
      )}
      <CommissionFields project={project} draft={draft} onChange={change} onEnter={() => make(true)} />
      {making.problem && (
        <Refusal
          facts={making.problem}
          allowLabel="Create it all the same"
          isBusy={making.isBusy}
          onAllow={() => make(making.isDispatch, true)}
        />
      )}
      <DialogActions>
        <Button tone="quiet" onClick={onClose}>
          Leave it
        </Button>
        <Button isBusy={making.isBusy && !making.isDispatch} blockedBecause={why} onClick={() => make(false)}>
          Create
        </Button>
        <Button type="submit" tone="primary" isBusy={making.isBusy && making.isDispatch} blockedBecause={why}>
          Create and dispatch
        </Button>
      </DialogActions>
    </form>
  );
}

function useMaking(project: string, forget: () => void, onClose: () => void) {
  const navigate = useNavigate();
  const creating = useAct('commission.create', { isRepeatable: true });
  const [isDispatch, setDispatch] = useState(false);
  const [requestId, setRequestId] = useState(freshRequestId);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const run = async (draft: CommissionDraft, dispatch: boolean, allowSecrets: boolean) => {
    const { worker, title, prompt, depends, maxTurns, maxBudgetUsd } = draft;
    setDispatch(dispatch);
    const made = await creating.act({
      project,
      worker,
      title,
      prompt,
      depends: [...depends],
      ...(maxTurns.trim() !== '' && { maxTurns: Number(maxTurns) }),
      ...(maxBudgetUsd.trim() !== '' && { maxBudgetUsd: Number(maxBudgetUsd) }),
      dispatch,
      requestId,
      ...(allowSecrets && { allowSecrets }),
    });
    // Another word under the same id would be taken for the one that was refused.
    if (made === undefined) return setRequestId(freshRequestId());
    forget();
    writeDraft(lastProjectKey, project);
    writeDraft(lastWorkerKey, worker);
    // Who has left it meanwhile is not to be taken elsewhere.
    if (!isHere.current) return;
    onClose();
    await navigate({ to: '/projects/$project/commissions/$id', params: { project: made.project, id: made.id } });
  };
  return { run, isDispatch, isBusy: creating.isBusy, problem: creating.problem };
}
