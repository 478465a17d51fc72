/** Two wrote at once: both versions, and the ways out. Nothing is lost whichever is taken. */
import { GitMerge } from 'lucide-react';
import type { EditConflict } from '../../../src/features/artifacts/contract.ts';
import { Button } from '../../kit/button.tsx';
import type { ArtifactDraft } from './artifact-draft.ts';

export interface ConflictNoticeProps {
  readonly conflict: EditConflict;
  readonly draft: ArtifactDraft;
  /** The person has chosen; what is in the field can be saved. */
  readonly onSettled: () => void;
}

export function ConflictNotice({ conflict, draft, onSettled }: ConflictNoticeProps) {
  const { theirs, merged, yours } = conflict;
  const mine = draft.held?.raw ?? yours;
  const take = (raw: string) => {
    if (theirs === null) return;
    draft.change({ raw, baseRevision: theirs.revision });
    onSettled();
  };
  return (
    <section
      role="alert"
      aria-label="Changed in two places"
      className="flex flex-col gap-3 rounded-md bg-waiting-wash p-4"
    >
      <h2 className="flex items-center gap-2 text-15 font-semibold">
        <GitMerge aria-hidden size={16} />
        {theirs === null ? 'The file is no longer there' : 'The file was changed while you wrote'}
      </h2>
      <p className="text-13 text-soft">{sayWhat(conflict)}</p>
      {theirs !== null && (
        <>
          <div className="grid gap-3 desk:grid-cols-2">
            <Version name="Now in the file" text={theirs.raw} />
            <Version name="Yours" text={yours} />
          </div>
          <div className="flex flex-wrap gap-2">
            {merged !== null && (
              <Button
                blockedBecause={mine === yours ? undefined : 'You wrote on meanwhile; save once more first'}
                onClick={() => take(merged)}
              >
                Put both together
              </Button>
            )}
            <Button onClick={() => take(mine)}>Go on with mine</Button>
            <Button
              onClick={() => {
                onSettled();
                draft.end();
              }}
            >
              Keep the file, drop mine
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function sayWhat({ theirs, merged, conflicts }: EditConflict): string {
  if (theirs === null) return 'Your text stays here until you leave the edit; copy it where it belongs.';
  if (merged !== null)
    return 'The two changes do not touch the same lines, so both fit into one text. Look at it, then save.';
  const places = conflicts === null ? 'the same lines' : conflicts === 1 ? 'one place' : `${conflicts} places`;
  return `Both changed ${places}. Go on with yours to bring the other in by hand; what is in the file now stays in its history.`;
}

function Version({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-12 text-soft">{name}</figcaption>
      <pre
        tabIndex={0}
        aria-label={name}
        className="max-h-64 overflow-auto rounded-md bg-sunk p-3 font-mono text-12 whitespace-pre-wrap"
      >
        {text}
      </pre>
    </figure>
  );
}
