/** Finished work that was not merged: what happened, and the two ways out. */
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import type { CommissionView, MergeState } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

type Trouble = Extract<MergeState, 'merge_conflict' | 'gate_failed' | 'secrets'>;

const told: Readonly<Record<Trouble, { readonly title: string; readonly text: string; readonly next: string }>> = {
  merge_conflict: {
    title: 'The work could not be merged',
    text: 'These files were changed here and on the integration branch in the same place. Nothing is lost: the work is on its branch.',
    next: 'Bring the branch up to date by hand (merge the integration branch into it, settle the files, commit), then try again.',
  },
  gate_failed: {
    title: 'The check before the merge failed',
    text: 'The command of your configuration did not pass on this work, so nothing was merged. The work is on its branch.',
    next: 'Mend it on the branch by hand, or change the command, then try again.',
  },
  secrets: {
    title: 'It looks as if a key or password is in the work',
    text: 'Nothing was merged. The work is on its branch, on this machine only.',
    next: 'Take it out on the branch, or merge all the same if it is none.',
  },
};

function isTrouble(state: MergeState): state is Trouble {
  return state in told;
}

export function MergeTrouble({ view }: { readonly view: CommissionView }) {
  const { id, project, branch, merge, timeline, attempt } = view.commission;
  const away = useAwayReason();
  const retry = useAct('commission.merge');
  const [isDismissing, setDismissing] = useState(false);
  if (!isTrouble(merge.state)) return null;
  const { title, text, next } = told[merge.state];
  const gate = timeline.findLast((entry) => entry.event === 'gate' && entry.attempt === attempt);
  const run = (allowSecrets = false) => inBackground(retry.act({ id, project, ...(allowSecrets && { allowSecrets }) }));
  return (
    <section aria-label={title} className="flex max-w-[46rem] flex-col gap-3 rounded-md bg-failed-wash p-4">
      <h2 className="flex items-center gap-2 text-15 font-semibold">
        <GitMerge aria-hidden size={16} className="shrink-0 text-failed" />
        {title}
      </h2>
      <p className="text-13 text-soft">{text}</p>
      {merge.files.length > 0 && (
        <ul className="flex flex-col gap-1 font-mono text-12 text-ink">
          {merge.files.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      {merge.state === 'gate_failed' && gate?.event === 'gate' && (
        <GateOutput command={gate.command} output={gate.output} />
      )}
      <p className="text-13 text-soft">
        {branch !== null && (
          <>
            Branch <code className="font-mono text-12 text-ink">{branch}</code>.{' '}
          </>
        )}
        {next}
      </p>
      {retry.problem && (
        <Refusal
          facts={retry.problem}
          allowLabel="Merge all the same"
          isBusy={retry.isBusy}
          onAllow={() => run(true)}
        />
      )}
      <div className="flex flex-wrap gap-2 pt-1">
        <Button tone="primary" isBusy={retry.isBusy} blockedBecause={away} onClick={() => run()}>
          Try the merge again
        </Button>
        {merge.state === 'secrets' && !retry.problem && (
          <Button isBusy={retry.isBusy} blockedBecause={away} onClick={() => run(true)}>
            Merge all the same
          </Button>
        )}
        <Button blockedBecause={away} onClick={() => setDismissing(true)}>
          Give the merge up
        </Button>
      </div>
      {isDismissing && <DismissDialog view={view} onClose={() => setDismissing(false)} />}
    </section>
  );
}

export function GateOutput({ command, output }: { readonly command: string; readonly output: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <code className="font-mono text-12 text-ink">{command}</code>
      <pre
        tabIndex={0}
        aria-label="What it printed"
        className="max-h-64 overflow-auto rounded-md bg-paper px-3 py-2 font-mono text-12 leading-normal whitespace-pre-wrap text-ink"
      >
        {output}
      </pre>
    </div>
  );
}

function DismissDialog({ view, onClose }: { readonly view: CommissionView; readonly onClose: () => void }) {
  const { id, project, branch } = view.commission;
  const away = useAwayReason();
  const dismiss = useAct('commission.dismiss');
  const run = async () => {
    if ((await dismiss.act({ id, project })) !== undefined) onClose();
  };
  return (
    <Dialog
      title="Give the merge up"
      description={
        <>
          <p>Lost: nothing. But the work does not come to the integration branch, and the hall does not ask again.</p>
          <p>
            Kept: the result, the timeline, the log, and the branch{' '}
            {branch !== null && <code className="font-mono text-12">{branch}</code>} with all of its commits.
          </p>
        </>
      }
      isOpen
      onOpenChange={onClose}
    >
      {dismiss.problem && <Problem facts={dismiss.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Go back</Button>
        <Button tone="danger" isBusy={dismiss.isBusy} blockedBecause={away} onClick={() => inBackground(run())}>
          Give the merge up
        </Button>
      </DialogActions>
    </Dialog>
  );
}
