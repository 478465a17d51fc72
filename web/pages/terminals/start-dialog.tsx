/** Starting a terminal: an agent or a shell by its name, or any command. */
import { useNavigate } from '@tanstack/react-router';
import { RadioGroup } from 'radix-ui';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextArea, TextField } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, useDraft, writeDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { InputOf, OutputOf } from '../../state/operations.ts';
import { wordsOf } from './words-of.ts';

export interface StartTerminalDialogProps {
  readonly onClose: () => void;
  readonly project?: string | undefined;
}

export function StartTerminalDialog(props: StartTerminalDialogProps) {
  const list = useRead('terminal.list', {});
  const status = useRead('status', {});
  return (
    <Dialog width="wide" title="Start a terminal" isOpen onOpenChange={props.onClose}>
      {list.problem && <Problem facts={list.problem} />}
      {list.data && status.data ? (
        <Form {...props} entries={list.data.entries} projects={status.data.projects} />
      ) : (
        !list.problem && <Skeleton lines={5} />
      )}
    </Dialog>
  );
}

type Entries = OutputOf<'terminal.list'>['entries'];

const lastEntryKey = 'terminal.entry';
const lastProjectKey = 'terminal.project';
/** Stands for any command among the entries, whose names are words. */
const anyCommand = ' ';

interface FormProps extends StartTerminalDialogProps {
  readonly entries: Entries;
  readonly projects: readonly string[];
}

function Form({ entries, projects, project: given, onClose }: FormProps) {
  const away = useAwayReason();
  const last = readDraft(lastEntryKey);
  const known = [...entries.map(({ name }) => name), anyCommand];
  const [entry, setEntry] = useState(known.includes(last) ? last : known[0]!);
  const lastProject = readDraft(lastProjectKey);
  const [project, setProject] = useState(given ?? (projects.includes(lastProject) ? lastProject : (projects[0] ?? '')));
  const [line, setLine] = useDraft('terminal.command');
  const [more, setMore] = useDraft('terminal.words');
  const [name, setName] = useDraft('terminal.name');
  const [message, setMessage] = useDraft('terminal.message');
  const [toAgents, setToAgents] = useState(false);
  const starting = useStarting(onClose);
  const isAny = entry === anyCommand;
  // What agents say to these is done with the person's rights: they are opened to them by a word of their own.
  const isOwn = isAny || entry === 'shell';
  const words = wordsOf(isAny ? line : more);
  const why =
    away ??
    (words === undefined ? 'A quote is not closed' : undefined) ??
    (isAny && words?.length === 0 ? 'Say what is to run' : undefined);
  const start = async () => {
    const done = await starting.run({
      command: isAny ? words! : [entry, ...words!],
      ...(isAny && { plain: true }),
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(project !== '' && { project }),
      ...(!isAny && message.trim() !== '' && { message }),
      ...(isOwn && toAgents && { toAgents }),
    });
    if (!done) return;
    for (const forget of [setLine, setMore, setName, setMessage]) forget('');
    writeDraft(lastEntryKey, entry);
    writeDraft(lastProjectKey, project);
  };
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === undefined && !starting.isBusy) inBackground(start());
      }}
    >
      <EntryPicker entries={entries} value={entry} onChange={setEntry} />
      {isAny ? (
        <TextField
          label="Command"
          placeholder="npm run dev"
          value={line}
          onChange={(event) => setLine(event.target.value)}
          hint="A program and its words; no shell reads it."
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-13"
        />
      ) : (
        <TextArea
          label="First words (may be left out)"
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          hint="Said to it as soon as it is ready."
        />
      )}
      <div className="grid gap-5 phone:grid-cols-2">
        <TextField
          label="Name (may be left out)"
          placeholder="Mo"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
        />
        {projects.length > 0 && (
          <SelectField
            label="Project"
            value={project}
            onChange={setProject}
            options={projects.map((each) => ({ value: each, label: each }))}
          />
        )}
      </div>
      {!isAny && (
        <details className="text-13 text-soft">
          <summary className="w-fit hover:text-ink">More words for its command line</summary>
          <div className="pt-3">
            <TextField
              label={`Words behind ${entry}`}
              placeholder="--model opus"
              value={more}
              onChange={(event) => setMore(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-13"
            />
          </div>
        </details>
      )}
      {isOwn && <ToAgents isOn={toAgents} onChange={setToAgents} />}
      {starting.problem && <Problem facts={starting.problem} />}
      <DialogActions>
        <Button tone="quiet" onClick={onClose}>
          Leave it
        </Button>
        <Button type="submit" tone="primary" isBusy={starting.isBusy} blockedBecause={why}>
          Start it
        </Button>
      </DialogActions>
    </form>
  );
}

interface ToAgentsProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function ToAgents({ isOn, onChange }: ToAgentsProps) {
  return (
    <label className="flex items-start gap-2.5 text-13 text-soft">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-ember"
      />
      <span>
        <span className="font-medium text-ink">Agents of the project may see it and say something to it.</span> What
        they say here is done with your rights.
      </span>
    </label>
  );
}

function useStarting(onClose: () => void) {
  const navigate = useNavigate();
  const starting = useAct('terminal.start');
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const run = async (input: InputOf<'terminal.start'>): Promise<boolean> => {
    const made = await starting.act(input);
    if (made === undefined) return false;
    // Who has left it meanwhile is not to be taken elsewhere.
    if (!isHere.current) return true;
    onClose();
    await navigate({ to: '/terminals/$id', params: { id: made.id } });
    return true;
  };
  return { run, isBusy: starting.isBusy, problem: starting.problem };
}

interface EntryPickerProps {
  readonly entries: Entries;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function EntryPicker({ entries, value, onChange }: EntryPickerProps) {
  const id = useId();
  const all = [...entries, { name: anyCommand, about: 'A program of yours, with its words' }];
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-13 font-medium text-soft">
        What runs in it
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={onChange}
        className="grid grid-cols-2 gap-2 phone:grid-cols-3"
      >
        {all.map(({ name, about }) => (
          <RadioGroup.Item
            key={name}
            value={name}
            aria-label={name === anyCommand ? 'Any command' : name}
            className="flex flex-col gap-0.5 rounded-md border border-line px-3 py-2 text-left hover:bg-hover data-[state=checked]:border-ember data-[state=checked]:bg-ember-wash"
          >
            <span className="text-13 font-semibold text-ink">{name === anyCommand ? 'Any command' : name}</span>
            <span className="text-12 text-soft">{about}</span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
