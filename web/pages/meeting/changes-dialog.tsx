/** What the work of the meeting would change in the project: file by file, unified, told by signs and not by colour alone. */
import { ChevronRight } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MeetingDiff } from '../../../src/features/meetings/contract.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/overlay.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';
import { type DiffLine, readDiff, sayStatus } from './diff.ts';

export interface ChangesDialogProps {
  readonly project: string;
  readonly id: string;
  /** The file to be shown open; `all`: the first ones. */
  readonly file: string;
  readonly onClose: () => void;
}

/** So many files are open at first, when none was asked for. */
const openAtFirst = 4;

export function ChangesDialog({ project, id, file, onClose }: ChangesDialogProps) {
  const { data, problem } = useRead('meeting.diff', { project, id });
  const files = data?.files ?? [];
  const added = files.reduce((sum, each) => sum + each.added, 0);
  const removed = files.reduce((sum, each) => sum + each.removed, 0);
  return (
    <Dialog
      width="page"
      title="Changes"
      description={
        data &&
        files.length > 0 && (
          <>
            {files.length + data.more} {files.length + data.more === 1 ? 'file' : 'files'},{' '}
            <Counts added={added} removed={removed} />; not merged yet
          </>
        )
      }
      isOpen
      onOpenChange={onClose}
    >
      {problem && <Problem facts={problem} />}
      {data === undefined && !problem && <Skeleton lines={8} label="Reading the changes" />}
      {data !== undefined && files.length === 0 && <Empty>Nothing is changed that is not merged.</Empty>}
      <div className="flex flex-col">
        {files.map((each, nth) => (
          <FileDiff
            key={each.path}
            file={each}
            isOpen={file === 'all' ? nth < openAtFirst : file === each.path}
            isAsked={file === each.path}
          />
        ))}
      </div>
      {data !== undefined && data.more > 0 && (
        <p className="text-13 text-soft">{data.more} more files are changed; look at the branch to see them.</p>
      )}
    </Dialog>
  );
}

type File = MeetingDiff['files'][number];

interface FileDiffProps {
  readonly file: File;
  /** At first. */
  readonly isOpen: boolean;
  /** It is the one that the person wants to see. */
  readonly isAsked: boolean;
}

function FileDiff({ file, isOpen, isAsked }: FileDiffProps) {
  const [isShown, setShown] = useState(isOpen);
  const element = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isAsked) element.current?.scrollIntoView({ block: 'start' });
  }, [isAsked]);
  return (
    <details
      open={isOpen}
      ref={element}
      onToggle={(event) => {
        if (event.currentTarget.open) setShown(true);
      }}
      className="group/file border-t border-line last:border-b"
    >
      <summary className="sticky -top-5 z-10 flex min-h-10 list-none items-center gap-2.5 bg-raised py-1.5 text-13 phone:-top-6 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 text-faint transition-transform duration-120 group-open/file:rotate-90"
        />
        <span className="min-w-0 truncate font-mono text-12 text-ink" title={file.path}>
          {file.path}
        </span>
        <span className="shrink-0 text-12 text-faint">{sayStatus(file.status)}</span>
        <span className="flex-1" />
        <span className="shrink-0 text-12">
          <Counts added={file.added} removed={file.removed} />
        </span>
      </summary>
      {isShown && <Lines file={file} />}
    </details>
  );
}

function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span className="text-active" aria-label={`${added} lines added`}>
        +{added}
      </span>{' '}
      <span className="text-failed" aria-label={`${removed} lines removed`}>
        −{removed}
      </span>
    </span>
  );
}

/** So many lines are drawn before more are asked for. */
const linesAtOnce = 800;

function Lines({ file }: { readonly file: File }) {
  const [shown, setShown] = useState(linesAtOnce);
  const lines = useMemo(() => readDiff(file.text), [file.text]);
  if (lines.length === 0) {
    return (
      <p className="pb-3 pl-6 text-13 text-soft">
        {file.isBinary ? 'It is no text.' : file.isCut ? 'Too large to be shown here.' : 'Its text is the same.'}
      </p>
    );
  }
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Changes of ${file.path}`}
      className="mb-3 overflow-x-auto rounded-md bg-sunk py-1 font-mono text-12 leading-normal"
    >
      <table className="w-full border-collapse">
        <tbody>
          {lines.slice(0, shown).map((line, nth) => (
            <Line key={nth} line={line} />
          ))}
        </tbody>
      </table>
      {lines.length > shown && (
        <Button tone="quiet" className="m-1" onClick={() => setShown(shown + linesAtOnce * 4)}>
          {lines.length - shown} more lines
        </Button>
      )}
      {file.isCut && lines.length <= shown && (
        <p className="px-3 py-2 font-sans text-soft">It goes on; look at the branch to see the rest.</p>
      )}
    </div>
  );
}

const looks = {
  same: { sign: ' ', row: '', word: '' },
  added: { sign: '+', row: 'bg-active/12', word: 'added: ' },
  removed: { sign: '−', row: 'bg-failed/12', word: 'removed: ' },
} as const;

function Line({ line }: { readonly line: DiffLine }) {
  if (line.kind === 'begin') return null;
  if (line.kind === 'gap' || line.kind === 'note') {
    return (
      <tr>
        <td colSpan={3} className="px-3 py-1 text-faint">
          {line.kind === 'gap' ? `⋯ ${line.text}` : line.text}
        </td>
      </tr>
    );
  }
  const { sign, row, word } = looks[line.kind];
  return (
    <tr className={row}>
      <td
        aria-hidden
        className="w-px px-2 text-right align-top whitespace-nowrap text-faint select-none max-phone:hidden"
      >
        {line.before}
      </td>
      <td aria-hidden className="w-px px-2 text-right align-top whitespace-nowrap text-faint select-none">
        {line.after}
      </td>
      <td className="pr-4 whitespace-pre">
        <span aria-hidden className="inline-block w-4 text-soft select-none">
          {sign}
        </span>
        <span className="sr-only">{word}</span>
        {line.text}
      </td>
    </tr>
  );
}
