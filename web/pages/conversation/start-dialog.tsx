/** Letting two terminals talk: what either says is typed into the other. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

export interface StartConversationDialogProps {
  readonly onClose: () => void;
  /** Id of the one that begins. */
  readonly first?: string | undefined;
}

export function StartConversationDialog(props: StartConversationDialogProps) {
  const list = useRead('terminal.list', {});
  const free = (list.data?.terminals ?? []).filter(
    ({ status, conversation }) => status !== 'ended' && conversation === null,
  );
  return (
    <Dialog
      title="Let two terminals talk"
      description={<p>What either says is typed into the other, until its turns are used up and you are asked.</p>}
      isOpen
      onOpenChange={props.onClose}
    >
      {list.problem && <Problem facts={list.problem} />}
      {list.isLoading && !list.problem && <Skeleton lines={4} />}
      {list.data && free.length < 2 && (
        <Empty>
          Two terminals that are in no conversation have to run. Start another one, here or with{' '}
          <code className="rounded-sm bg-sunk px-1 font-mono text-13 text-ink">
            guild-hall terminal start -- claude
          </code>
        </Empty>
      )}
      {list.data && free.length >= 2 && <Form {...props} free={free} />}
    </Dialog>
  );
}

interface FormProps extends StartConversationDialogProps {
  readonly free: OutputOf<'terminal.list'>['terminals'];
}

function Form({ free, first: given, onClose }: FormProps) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const starting = useAct('conversation.start');
  const [first, setFirst] = useState<string>(free.find(({ id }) => id === given)?.id ?? free[0]!.id);
  const [second, setSecond] = useState<string>(free.find(({ id }) => id !== first)!.id);
  const [opening, setOpening] = useDraft('conversation.opening');
  const [budget, setBudget] = useState('');
  const options = free.map((row) => ({
    value: row.id,
    label: [row.name, row.project, terminalState(row).word].filter(Boolean).join(' · '),
  }));
  const turns = Number(budget);
  const why =
    away ??
    (first === second ? 'Choose two' : undefined) ??
    (budget !== '' && (!Number.isInteger(turns) || turns < 1) ? 'Turns are a whole number' : undefined);
  const start = async (allowSecrets = false) => {
    const made = await starting.act({
      first,
      second,
      ...(opening.trim() !== '' && { opening }),
      ...(budget !== '' && { budget: turns }),
      ...(allowSecrets && { allowSecrets }),
    });
    if (made === undefined) return;
    setOpening('');
    onClose();
    await navigate({ to: '/conversations/$id', params: { id: made.conversation.id } });
  };
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined && !starting.isBusy) inBackground(start());
      }}
    >
      <div className="grid gap-5 phone:grid-cols-2">
        <SelectField label="Begins" value={first} onChange={setFirst} options={options} />
        <SelectField label="With" value={second} onChange={setSecond} options={options} />
      </div>
      <TextArea
        label="Your words to the first (may be left out)"
        value={opening}
        onChange={(event) => setOpening(event.target.value)}
        hint="What it answers goes to the other. Without them, whatever it says next does."
      />
      <TextField
        label="Turns of each before you are asked"
        inputMode="numeric"
        placeholder="as in the settings"
        value={budget}
        onChange={(event) => setBudget(event.target.value)}
        className="max-w-48"
      />
      {starting.problem && (
        <Refusal
          facts={starting.problem}
          allowLabel="Begin all the same"
          isBusy={starting.isBusy}
          onAllow={() => inBackground(start(true))}
        />
      )}
      <DialogActions>
        <Button tone="quiet" onClick={onClose}>
          Leave it
        </Button>
        <Button type="submit" tone="primary" isBusy={starting.isBusy} blockedBecause={why}>
          Let them talk
        </Button>
      </DialogActions>
    </form>
  );
}
