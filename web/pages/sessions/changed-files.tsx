/** The files that are changed in the folder of a session, each with its lines. */
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Counts, FileDiff } from '../../kit/diff/file-diff.tsx';
import { Section } from '../../kit/layout.tsx';
import { Dialog } from '../../kit/overlay.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { type SessionStore, useShownSession } from '../../state/agent-session.ts';
import { useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Changes = OutputOf<'session.changes'>;

export interface ChangedFilesProps {
  readonly project: string;
  readonly id: string;
  readonly store: SessionStore;
}

export function ChangedFiles({ project, id, store }: ChangedFilesProps) {
  const { data, problem, again } = useRead('session.changes', { project, id });
  // Another number as soon as a step has changed something, or an answer is over.
  const moment = useShownSession(store, ({ view }) => {
    const { messages = [], changedFiles = [] } = view?.session ?? {};
    return (
      changedFiles.length * 1000 + messages.filter((each) => each.role === 'agent' && each.state !== 'running').length
    );
  });
  const readAgain = useEffectEvent(again);
  useEffect(() => readAgain(), [moment]);
  const [shown, setShown] = useState<string>();
  const files = data?.files ?? [];
  return (
    <Section title="Changed files" count={files.length + (data?.more ?? 0)}>
      {problem && <Problem facts={problem} />}
      {data === undefined && !problem && <Skeleton lines={2} label="Reading the changes" />}
      {data?.gitProblem !== null && data !== undefined && <p className="text-13 text-soft">{data.gitProblem}</p>}
      {data && data.gitProblem === null && files.length === 0 && (
        <p className="text-13 text-soft">Nothing differs from the last commit.</p>
      )}
      <ul aria-label="Changed files" className="flex flex-col">
        {files.map(({ path, added, removed }) => (
          <li key={path}>
            <button
              type="button"
              data-row
              onClick={() => setShown(path)}
              className="-mx-2 flex min-h-8 w-[calc(100%+1rem)] items-baseline gap-2 rounded-md px-2 py-1 text-left hover:bg-hover max-phone:min-h-10"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-12 text-ink" dir="rtl" title={path}>
                <bdi>{path}</bdi>
              </span>
              <span className="shrink-0 text-12">
                <Counts added={added} removed={removed} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {data !== undefined && data.more > 0 && <p className="text-13 text-soft">{data.more} more are changed.</p>}
      {shown !== undefined && data !== undefined && (
        <ChangesDialog project={project} changes={data} shown={shown} onClose={() => setShown(undefined)} />
      )}
    </Section>
  );
}

interface ChangesDialogProps {
  readonly project: string;
  readonly changes: Changes;
  readonly shown: string;
  readonly onClose: () => void;
}

function ChangesDialog({ project, changes, shown, onClose }: ChangesDialogProps) {
  return (
    <Dialog
      width="page"
      title="Changed since the last commit"
      description={<span className="font-mono text-12 wrap-anywhere">{changes.folder}</span>}
      isOpen
      onOpenChange={onClose}
    >
      <div className="flex flex-col">
        {changes.files.map((file) => (
          <FileDiff key={file.path} file={file} isOpen={file.path === shown} isAsked={file.path === shown} />
        ))}
      </div>
      {isArtifact(shown) && (
        <p>
          <Link
            to="/projects/$project/artifacts/$"
            params={{ project, _splat: shown }}
            className="text-13 underline hover:text-ink"
          >
            {`Open ${shown} as a document`}
          </Link>
        </p>
      )}
      <Button className="self-end" onClick={onClose}>
        Done
      </Button>
    </Dialog>
  );
}

/** It has a page of its own. */
function isArtifact(path: string): boolean {
  return /^\.lore\/.+\.md$/.test(path);
}
