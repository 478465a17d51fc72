/** The changes of one file: unified, told by signs and not by colour alone. Its lines can be talked about. */
import { ChevronRight } from 'lucide-react';
import { Fragment, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { type DiffLine, readDiff, sayStatus } from './diff.ts';
import { LineTalkRow, type LineTalk } from './line-talk.tsx';

export interface DiffFile {
  readonly path: string;
  /** Git's letter. */
  readonly status: string;
  readonly isBinary: boolean;
  /** Unified hunks. */
  readonly text: string;
  readonly isCut: boolean;
  readonly added: number;
  readonly removed: number;
}

export interface FileDiffProps {
  readonly file: DiffFile;
  /** At first. */
  readonly isOpen: boolean;
  /** It is the one that the person wants to see. */
  readonly isAsked: boolean;
  /** Where its name stays while its lines are scrolled; nowhere when it is left out. */
  readonly nameClass?: string;
  /** Left out: its lines are only read. */
  readonly talk?: LineTalk | undefined;
  /** False where the texts may be parts of a file: then nobody knows which lines they are. */
  readonly hasNumbers?: boolean;
}

export function FileDiff({ file, isOpen, isAsked, nameClass = '', talk, hasNumbers = true }: FileDiffProps) {
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
      className="group/file scroll-mt-24 border-t border-line last:border-b"
    >
      <summary
        className={`flex min-h-10 list-none items-center gap-2.5 py-1.5 text-13 [&::-webkit-details-marker]:hidden ${nameClass}`}
      >
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 text-faint transition-transform duration-120 group-open/file:rotate-90"
        />
        <span className="min-w-0 truncate font-mono text-12 text-ink" title={file.path}>
          {file.path}
        </span>
        <span className="shrink-0 text-12 text-faint">{sayStatus(file.status)}</span>
        {talk !== undefined && talk.count > 0 && (
          <span className="shrink-0 text-12 text-note">
            ◆ {talk.count === 1 ? '1 remark' : `${talk.count} remarks`}
          </span>
        )}
        <span className="flex-1" />
        <span className="shrink-0 text-12">
          <Counts added={file.added} removed={file.removed} />
        </span>
      </summary>
      {isShown && <Lines file={file} talk={talk} hasNumbers={hasNumbers} />}
    </details>
  );
}

export function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
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

type LinesProps = Pick<FileDiffProps, 'file' | 'talk'> & { readonly hasNumbers: boolean };

function Lines({ file, talk, hasNumbers }: LinesProps) {
  const [shown, setShown] = useState(linesAtOnce);
  const lines = useMemo(() => readDiff(file.text), [file.text]);
  const first = lines.find(({ after }) => after !== null)?.after ?? null;
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
      onKeyDown={moveBetweenLines}
    >
      <table className="w-full border-collapse">
        <tbody>
          {lines.slice(0, shown).map((line, nth) => (
            <Fragment key={nth}>
              <Line
                line={line}
                talk={talk}
                isEntry={line.after !== null && line.after === first}
                hasNumbers={hasNumbers}
              />
              {talk !== undefined && line.after !== null && <LineTalkRow talk={talk} line={line.after} />}
            </Fragment>
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

/** From one line that can be talked about to the next by the arrows: the way through them by Tab would be long. */
function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { activeElement } = document;
  if (step === undefined || !(activeElement instanceof HTMLElement) || !activeElement.matches('[data-line]')) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')];
  const next = all[all.indexOf(activeElement) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const looks = {
  same: { sign: ' ', row: '', word: '' },
  added: { sign: '+', row: 'bg-active/12', word: 'added: ' },
  removed: { sign: '−', row: 'bg-failed/12', word: 'removed: ' },
} as const;

interface LineProps {
  readonly line: DiffLine;
  readonly talk: LineTalk | undefined;
  /** The first one that Tab comes to. */
  readonly isEntry: boolean;
  readonly hasNumbers: boolean;
}

function Line({ line, talk, isEntry, hasNumbers }: LineProps) {
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
  const { after } = line;
  const canTalk = talk?.onBegin !== undefined && after !== null;
  return (
    <tr className={`group/line ${row}`}>
      <td
        aria-hidden
        className="w-px px-2 text-right align-top whitespace-nowrap text-soft select-none max-phone:hidden"
      >
        {hasNumbers && line.before}
      </td>
      {canTalk ? (
        <td className="w-px align-top select-none">
          <button
            type="button"
            data-line
            tabIndex={isEntry ? 0 : -1}
            aria-label={`Remark on line ${after}`}
            title={`Remark on line ${after}`}
            onClick={() => talk.onBegin?.(after)}
            className="w-full rounded-sm px-2 text-right whitespace-nowrap text-soft group-hover/line:text-ember-strong hover:bg-ember-wash focus-visible:-outline-offset-1"
          >
            {after}
          </button>
        </td>
      ) : (
        <td aria-hidden className="w-px px-2 text-right align-top whitespace-nowrap text-soft select-none">
          {hasNumbers && after}
        </td>
      )}
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
