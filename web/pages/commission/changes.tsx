/** What the work changes in the project, file by file; its lines can be remarked on. */
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CommissionDiff, CommissionView } from '../../../src/features/commissions/contract.ts';
import { Counts, FileDiff } from '../../kit/diff/file-diff.tsx';
import { type LineTalk, Remark } from '../../kit/diff/line-talk.tsx';
import { FilterChoice } from '../../kit/filter-bar.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useAct, useRead } from '../../state/hall.tsx';
import { remarksOf } from './remarks.ts';
import { WordsForm } from './words-form.tsx';

/** So many files are open at first, when none was asked for. */
const openAtFirst = 4;

export function Changes({ view }: { readonly view: CommissionView }) {
  const { project, id, attempt, merge } = view.commission;
  const { file = '' } = useSearch({ from: '/projects/$project/commissions/$id' });
  const [of, setOf] = useState('');
  const chosen = of === '' ? attempt : Number(of);
  const { data, problem } = useRead('commission.diff', {
    project,
    id,
    ...(of !== '' && { attempt: chosen }),
  });
  const files = data?.files ?? [];
  const added = files.reduce((sum, each) => sum + each.added, 0);
  const removed = files.reduce((sum, each) => sum + each.removed, 0);
  const count = files.length + (data?.more ?? 0);
  return (
    <section aria-label="Changes" className="flex flex-col gap-4">
      <div className="flex min-h-8 flex-wrap items-center gap-3">
        {data !== undefined && count > 0 && (
          <p className="text-13 text-soft">
            {count} {count === 1 ? 'file' : 'files'}, <Counts added={added} removed={removed} />
            {chosen === attempt && merge.state === 'merged' ? '; merged' : '; not merged'}
          </p>
        )}
        <span className="flex-1" />
        {attempt > 1 && (
          <FilterChoice
            label="Attempt"
            value={of}
            onChange={setOf}
            options={[
              { value: '', label: `Attempt ${attempt}, the last` },
              ...Array.from({ length: attempt - 1 }, (_, nth) => ({
                value: String(attempt - 1 - nth),
                label: `Attempt ${attempt - 1 - nth}`,
              })),
            ]}
          />
        )}
      </div>
      {problem && <Problem facts={problem} />}
      {data === undefined && !problem && <Skeleton lines={8} label="Reading the changes" />}
      {data !== undefined && files.length === 0 && (
        <Empty>{attempt === 0 ? 'Nothing has run yet.' : sayNone(merge.state === 'merged')}</Empty>
      )}
      <Files view={view} files={files} attempt={chosen} asked={file} />
      {data !== undefined && data.more > 0 && (
        <p className="text-13 text-soft">{data.more} more files are changed; look at the branch to see them.</p>
      )}
      <WholeRemarks view={view} />
    </section>
  );
}

function sayNone(isMerged: boolean): string {
  return isMerged ? 'All of it is merged; nothing is left apart.' : 'Nothing was changed.';
}

interface FilesProps {
  readonly view: CommissionView;
  readonly files: CommissionDiff['files'];
  readonly attempt: number;
  /** Path of the one that the person wants to see; empty: none. */
  readonly asked: string;
}

function Files({ view, files, attempt, asked }: FilesProps) {
  const { project, id, timeline } = view.commission;
  const comment = useAct('commission.comment');
  const [at, setAt] = useState<{ readonly path: string; readonly line: number } | null>(null);
  const remarks = useMemo(() => remarksOf(timeline, attempt), [timeline, attempt]);
  const canTalk = view.allowed.includes('comment');
  const isKnown = files.some(({ path }) => path === asked);
  const talkOf = (path: string): LineTalk => {
    const said = remarks.get(path) ?? new Map<number, readonly string[]>();
    const count = [...said.values()].reduce((sum, texts) => sum + texts.length, 0);
    const line = at?.path === path ? at.line : null;
    const send = async (text: string, allowSecrets: boolean) => {
      if (line === null) return false;
      const done = await comment.act({ project, id, path, line, text, ...(allowSecrets && { allowSecrets }) });
      if (done !== undefined) setAt(null);
      return done !== undefined;
    };
    return {
      count,
      said,
      at: line,
      onBegin: canTalk ? (begun) => setAt({ path, line: begun }) : undefined,
      field: (
        <WordsForm
          autoFocus
          label={`Your remark on line ${line ?? ''}`}
          draftKey={`remark.${project}/${id}.${path}:${line ?? ''}`}
          verb="Remark"
          act={comment}
          onSend={send}
          onLeave={() => setAt(null)}
        />
      ),
    };
  };
  return (
    <div className="flex flex-col">
      {files.map((each, nth) => (
        <FileDiff
          key={each.path}
          file={each}
          isOpen={isKnown ? asked === each.path : nth < openAtFirst}
          isAsked={asked === each.path}
          talk={talkOf(each.path)}
        />
      ))}
    </div>
  );
}

/** Remarks on the whole of it, and the place for one more. */
function WholeRemarks({ view }: { readonly view: CommissionView }) {
  const { project, id, timeline } = view.commission;
  const comment = useAct('commission.comment');
  const said = timeline.filter((entry) => entry.event === 'comment' && entry.line === undefined);
  const canTalk = view.allowed.includes('comment');
  if (!canTalk && said.length === 0) return null;
  const send = async (text: string, allowSecrets: boolean) =>
    (await comment.act({ project, id, text, ...(allowSecrets && { allowSecrets }) })) !== undefined;
  return (
    <section aria-label="Remarks on the whole" className="flex flex-col gap-3 pt-4">
      {said.map((entry, nth) => entry.event === 'comment' && <Remark key={nth} text={entry.text} />)}
      {canTalk && (
        <WordsForm
          label="A remark on the whole"
          draftKey={`remark.${project}/${id}.changes`}
          verb="Remark"
          act={comment}
          onSend={send}
          hint="The next attempt reads your remarks."
        />
      )}
    </section>
  );
}
