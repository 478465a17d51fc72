/** A closed meeting whose work could not be merged: which files, and the two ways out. */
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export function Conflict({ view }: { readonly view: MeetingView }) {
  const { id, project, branch, merge } = view.meeting;
  const away = useAwayReason();
  const retry = useAct('meeting.close');
  const [isDismissing, setDismissing] = useState(false);
  const files = merge.files;
  return (
    <section aria-label="Merge conflict" className="flex max-w-[44rem] flex-col gap-3 rounded-md bg-failed-wash p-4">
      <h2 className="flex items-center gap-2 text-15 font-semibold">
        <GitMerge aria-hidden size={16} className="text-failed" />
        The work could not be merged
      </h2>
      <p className="text-13 text-soft">
        {files.length === 1 ? 'One file was' : `${files.length} files were`} changed here and on the integration branch
        in the same place. Nothing is lost: the meeting is closed, its work is on its branch.
      </p>
      <ul className="flex flex-col gap-1 font-mono text-12 text-ink">
        {files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      {branch !== null && (
        <p className="text-13 text-soft">
          Bring <code className="font-mono text-12 text-ink">{branch}</code> up to date by hand (merge the integration
          branch into it, settle the files, commit), then try again.
        </p>
      )}
      {retry.problem && (
        <Refusal
          facts={retry.problem}
          allowLabel="Merge all the same"
          isBusy={retry.isBusy}
          onAllow={() => inBackground(retry.act({ id, project, allowSecrets: true }))}
        />
      )}
      <div className="flex flex-wrap gap-2 pt-1">
        <Button
          tone="primary"
          isBusy={retry.isBusy}
          blockedBecause={away}
          onClick={() => inBackground(retry.act({ id, project }))}
        >
          Try the merge again
        </Button>
        <Button blockedBecause={away} onClick={() => setDismissing(true)}>
          Give the merge up
        </Button>
      </div>
      {isDismissing && <DismissDialog view={view} onClose={() => setDismissing(false)} />}
    </section>
  );
}

function DismissDialog({ view, onClose }: { readonly view: MeetingView; readonly onClose: () => void }) {
  const { id, project, branch } = view.meeting;
  const away = useAwayReason();
  const dismiss = useAct('meeting.dismiss');
  const run = async () => {
    if ((await dismiss.act({ id, project })) !== undefined) onClose();
  };
  return (
    <Dialog
      title="Give the merge up"
      description={
        <>
          <p>Lost: the transcript of the talk. The work does not come to the integration branch.</p>
          <p>
            Kept: the notes, the decisions, and the branch{' '}
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
