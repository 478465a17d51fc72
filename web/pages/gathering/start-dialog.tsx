/** Beginning a gathering: its rhythm and question, who speaks, who harvests, how long a turn is. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextArea } from '../../kit/field.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, useDraft, writeDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { HarvesterField } from './harvester-field.tsx';
import { ownNameKey, ParticipantsField } from './participants-field.tsx';
import { RhythmField } from './rhythm-field.tsx';
import {
  emptyDraft,
  type FieldProblems,
  fieldOf,
  type GatheringDraft,
  inputOf,
  problemsOf,
  readGatheringDraft,
  type RhythmView,
} from './start-form.ts';
import { TimeFields } from './time-fields.tsx';

export interface StartGatheringDialogProps {
  readonly onClose: () => void;
  readonly project?: string | undefined;
}

export function StartGatheringDialog(props: StartGatheringDialogProps) {
  const status = useRead('status', {});
  const list = useRead('terminal.list', {});
  const rhythms = useRead('gathering.rhythms', {});
  const problem = status.problem ?? list.problem ?? rhythms.problem;
  const isRead = status.data !== undefined && list.data !== undefined && rhythms.data !== undefined;
  return (
    <Dialog
      width="wide"
      title="Begin a gathering"
      description={
        <p>
          A circle talks about one question in turns; who has the piece speaks, and a harvester writes down what
          emerges.
        </p>
      }
      isOpen
      onOpenChange={props.onClose}
    >
      {problem && <Problem facts={problem} />}
      {!isRead && !problem && <Skeleton lines={6} />}
      {isRead && status.data.projects.length === 0 && (
        <Empty>
          There is no project yet. Register a repository first:{' '}
          <code className="font-mono text-13">guild-hall project add .</code>
        </Empty>
      )}
      {isRead && status.data.projects.length > 0 && (
        <Form {...props} projects={status.data.projects} list={list.data} rhythms={rhythms.data} />
      )}
    </Dialog>
  );
}

const lastProjectKey = 'gathering.project';
const draftKey = 'gathering.new';
const wrong = '[aria-invalid=true], [data-invalid] input, [data-invalid] button';

interface FormProps extends StartGatheringDialogProps {
  readonly projects: readonly string[];
  readonly list: OutputOf<'terminal.list'>;
  readonly rhythms: OutputOf<'gathering.rhythms'>;
}

function Form({ projects, list, rhythms: { rhythms, problems: brokenRhythms }, project: given, onClose }: FormProps) {
  const away = useAwayReason();
  const last = readDraft(lastProjectKey);
  const [project, setProject] = useState(given ?? (projects.includes(last) ? last : projects[0]!));
  const starting = useStarting(onClose);
  const [question, setQuestion] = useDraft('gathering.question');
  const [kept, keep] = useDraft(draftKey);
  const free = list.terminals.filter((row) => mayBeAsked(row, project));
  const draft = withoutGone(readGatheringDraft(kept), free);
  const change = (part: Partial<GatheringDraft>) => {
    // What the hall said was about what stood there before.
    starting.clear();
    keep(JSON.stringify({ ...draft, ...part }));
  };
  const rhythm = rhythms.find(({ name }) => name === draft.rhythm) ?? rhythms[0];
  const [wasTried, setTried] = useState(false);
  const problems = problemsOf(draft, question);
  const shown = shownProblems(wasTried ? problems : {}, starting.problem);
  const entries = list.entries.filter(({ name }) => name !== 'shell');
  const start = async (allowSecrets = false) => {
    setTried(true);
    if (away !== undefined || starting.isBusy || rhythm === undefined || Object.keys(problems).length > 0) return;
    const input = inputOf(draft, { question, rhythm: rhythm.name, project });
    if (!(await starting.run({ ...input, ...(allowSecrets && { allowSecrets }) }))) return;
    writeDraft(lastProjectKey, project);
    const person = draft.participants.find(({ kind }) => kind === 'person');
    if (person) writeDraft(ownNameKey, person.name.trim());
    setQuestion('');
    keep(JSON.stringify({ ...emptyDraft, rhythm: rhythm.name }));
  };
  return (
    <form
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(start());
        const form = event.currentTarget;
        // The first that is wrong has the focus, once it is marked.
        requestAnimationFrame(() => form.querySelector<HTMLElement>(wrong)?.focus());
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
      <RhythmField rhythms={rhythms} value={rhythm?.name ?? ''} onChange={(name) => change({ rhythm: name })} />
      {brokenRhythms.map((problem) => (
        <p key={problem} className="text-13 text-soft">
          <span className="text-failed">▲</span> {problem}
        </p>
      ))}
      <QuestionField rhythm={rhythm} value={question} error={shown.openingQuestion} onChange={setQuestion} />
      <ParticipantsField
        seats={draft.participants}
        harvester={draft.harvester}
        free={free}
        entries={entries}
        error={shown.participants}
        onChange={(participants) => change({ participants })}
      />
      <HarvesterField
        draft={draft}
        free={free}
        entries={entries}
        error={shown.harvester}
        onChange={(harvester) => change({ harvester })}
      />
      <TimeFields draft={draft} rhythm={rhythm} problems={shown} onChange={change} />
      {starting.problem && fieldOf(starting.problem) === undefined && (
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
        <Button type="submit" tone="primary" isBusy={starting.isBusy} blockedBecause={away}>
          Begin
        </Button>
      </DialogActions>
    </form>
  );
}

type Terminal = OutputOf<'terminal.list'>['terminals'][number];

/** Of this project, in no talk, and no shell: what is said there would be run. */
function mayBeAsked({ status, conversation, project, entry }: Terminal, wanted: string): boolean {
  return status !== 'ended' && conversation === null && project === wanted && entry !== 'shell';
}

/** What was kept may name terminals that have ended since. */
function withoutGone(draft: GatheringDraft, free: readonly Terminal[]): GatheringDraft {
  const isThere = ({ kind, ref }: GatheringDraft['participants'][number]) =>
    kind !== 'terminal' || free.some(({ id }) => id === ref);
  const { harvester, participants } = draft;
  return {
    ...draft,
    participants: participants.filter(isThere),
    harvester: harvester !== null && isThere(harvester) ? harvester : null,
  };
}

/** The form's own, and the hall's where it is about a field. */
function shownProblems(own: FieldProblems, refused: ReturnType<typeof useAct>['problem']): FieldProblems {
  const field = refused && fieldOf(refused);
  return field === undefined ? own : { [field]: refused!.message, ...own };
}

function useStarting(onClose: () => void) {
  const navigate = useNavigate();
  const starting = useAct('gathering.start');
  return {
    isBusy: starting.isBusy,
    problem: starting.problem,
    clear: starting.clear,
    run: async (input: Parameters<typeof starting.act>[0]): Promise<boolean> => {
      const made = await starting.act(input);
      if (made === undefined) return false;
      onClose();
      await navigate({ to: '/gatherings/$id', params: { id: made.id } });
      return true;
    },
  };
}

interface QuestionFieldProps {
  readonly rhythm: RhythmView | undefined;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

/** The rhythm's own questions are there to be taken. */
function QuestionField({ rhythm, value, error, onChange }: QuestionFieldProps) {
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label="Opening question"
        rows={2}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      {value.trim() === '' && (rhythm?.questions.length ?? 0) > 0 && (
        <ul aria-label={`Questions of the rhythm ${rhythm!.title}`} className="flex flex-col">
          {rhythm!.questions.map((question) => (
            <li key={question}>
              <button
                type="button"
                onClick={() => onChange(question)}
                className="-mx-2 w-full rounded-md px-2 py-1 text-left font-serif text-15 text-soft italic hover:bg-hover hover:text-ink"
              >
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
