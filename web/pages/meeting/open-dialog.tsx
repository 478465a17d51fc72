/** A new meeting: where, with whom, about what, and the first words. It is kept as a draft until it is open. */
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextArea } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { Since } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, useDraft, writeDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import { freshMessageId } from '../../state/outbox.ts';
import { ArtifactPicker } from './artifact-picker.tsx';
import { WorkerPicker } from '../../kit/worker-picker.tsx';

export interface OpenMeetingDialogProps {
  readonly onClose: () => void;
  readonly project?: string | undefined;
  readonly worker?: string | undefined;
  /** Path of an artifact that prompts it. */
  readonly artifact?: string | undefined;
}

export function OpenMeetingDialog(props: OpenMeetingDialogProps) {
  const projects = useRead('project.list', {});
  const names = projects.data?.projects.map(({ name }) => name);
  return (
    <Dialog width="wide" title="Open a meeting" isOpen onOpenChange={props.onClose}>
      {projects.problem && <Problem facts={projects.problem} />}
      {names === undefined && !projects.problem && <Skeleton lines={4} />}
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

const lastProjectKey = 'meeting.project';
const lastWorkerKey = 'meeting.worker';

/** What was chosen last, while it is still there. */
function lastOf(key: string, all: readonly string[], otherwise: string): string {
  const last = readDraft(key);
  return all.includes(last) ? last : otherwise;
}

/** Whether the dialog is still there: who left it is not to be taken elsewhere later. */
function useIsHere() {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

function Form(props: OpenMeetingDialogProps & { readonly projects: readonly string[] }) {
  const { projects, onClose } = props;
  const navigate = useNavigate();
  const away = useAwayReason();
  const [project, setProject] = useState(props.project ?? lastOf(lastProjectKey, projects, projects[0]!));
  const [worker, setWorker] = useState(props.worker ?? (readDraft(lastWorkerKey) || 'researcher'));
  const [artifacts, setArtifacts] = useState<readonly string[]>(props.artifact === undefined ? [] : [props.artifact]);
  const [words, setWords] = useDraft(`open.${project}`);
  const [agenda, setAgenda] = useDraft(`open.agenda.${project}`);
  const [messageId] = useState(freshMessageId);
  const [beganAt, setBeganAt] = useState<string>();
  const opening = useAct('meeting.open', { isRepeatable: true });
  const isHere = useIsHere();
  const why =
    away ??
    (worker === '' ? 'Choose a worker' : undefined) ??
    (words.trim() === '' ? 'Say something first' : undefined);
  const open = async (allowSecrets = false) => {
    if (why !== undefined || opening.isBusy) return;
    setBeganAt(new Date().toISOString());
    const about = agenda.trim() === '' ? {} : { agenda };
    const opened = await opening.act({
      project,
      worker,
      message: words,
      messageId,
      artifacts: [...artifacts],
      ...about,
      ...(allowSecrets && { allowSecrets }),
    });
    if (opened === undefined) return;
    // Who has left it meanwhile may be writing the next ones.
    if (isHere.current || readDraft(`open.${project}`) === words) setWords('');
    if (isHere.current || readDraft(`open.agenda.${project}`) === agenda) setAgenda('');
    writeDraft(lastProjectKey, project);
    writeDraft(lastWorkerKey, worker);
    if (!isHere.current) return;
    onClose();
    await navigate({ to: '/projects/$project/meetings/$id', params: { project: opened.project, id: opened.id } });
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    inBackground(open());
  };
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(open());
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
      <WorkerPicker value={worker} onChange={setWorker} />
      <TextArea
        autoFocus
        label="First words"
        className="min-h-24"
        value={words}
        placeholder="What do you want to know, or to have done?"
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      <details open={artifacts.length > 0 || agenda !== ''} className="flex flex-col">
        <summary className="w-fit rounded-md text-13 text-soft hover:text-ink">
          Agenda and artifacts, if you like
        </summary>
        <div className="flex flex-col gap-4 pt-4">
          <TextArea
            label="Agenda"
            rows={2}
            hint="Why it is held. Left out, the first words are it."
            value={agenda}
            onChange={(event) => setAgenda(event.target.value)}
          />
          <ArtifactPicker project={project} chosen={artifacts} onChange={setArtifacts} />
        </div>
      </details>
      {opening.problem && (
        <Refusal
          facts={opening.problem}
          allowLabel="Open it all the same"
          isBusy={opening.isBusy}
          onAllow={() => inBackground(open(true))}
        />
      )}
      <DialogActions>
        {opening.isBusy && beganAt !== undefined && (
          <span role="status" className="mr-auto self-center text-13 text-soft">
            Opening
            <span aria-hidden>
              {' '}
              for <Since at={beganAt} />
            </span>
          </span>
        )}
        <Button onClick={onClose}>Leave it</Button>
        <Button type="submit" tone="primary" isBusy={opening.isBusy} blockedBecause={why}>
          Open the meeting
        </Button>
      </DialogActions>
    </form>
  );
}
