/** What a project has written down, by folder, with a filter. */
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { useShortcut } from '../../app/keyboard.tsx';
import { Section } from '../../kit/layout.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { rowClass, Rows, RowText } from '../../kit/rows.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { ShowMore } from '../../kit/show-more.tsx';

type Artifact = OutputOf<'artifact.list'>['artifacts'][number];

const shownAtFirst = 40;
/** Of those that a filter finds, and at each press. */
const shownMore = 200;

export function ArtifactList({ project }: { readonly project: string }) {
  const list = useRead('artifact.list', { project });
  const [words, setWords] = useState('');
  const [pressed, setPressed] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useShortcut('f', 'Filter the artifacts', () => field.current?.focus());
  const wanted = useDeferredValue(words.trim().toLowerCase());
  const all = (list.data?.artifacts ?? []).filter((artifact) => !isOpenRecord(artifact));
  const found = wanted === '' ? all : all.filter((artifact) => isMeant(artifact, wanted));
  const shown = found.slice(0, (wanted === '' ? shownAtFirst : shownMore) + pressed * shownMore);
  return (
    <Section
      title="Artifacts"
      count={all.length}
      action={
        all.length > 0 && (
          <input
            ref={field}
            type="search"
            aria-label="Filter the artifacts"
            placeholder="Filter"
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              setPressed(0);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              // The browser would empty the field, and with it the filter.
              event.preventDefault();
              event.currentTarget.blur();
            }}
            className="h-8 w-40 rounded-md border border-line-strong bg-raised px-2.5 text-13 placeholder:text-faint"
          />
        )
      }
    >
      {list.problem && <Problem facts={list.problem} />}
      {list.isLoading && !list.problem && <Skeleton lines={4} />}
      {list.data && all.length === 0 && (
        <Empty icon={FileText}>
          Nothing is written down yet. Notes of meetings and what workers write come under .lore/.
        </Empty>
      )}
      {wanted !== '' && found.length === 0 && (
        <p className="py-3 text-15 text-soft">No artifact has “{words}” in its title, path or tags.</p>
      )}
      {shown.length > 0 && (
        <Rows label="Artifacts">
          {shown.map((artifact) => (
            <ArtifactRow key={artifact.path} project={project} artifact={artifact} />
          ))}
        </Rows>
      )}
      {found.length > shown.length && (
        <ShowMore shown={shown.length} onShow={() => setPressed(pressed + 1)}>
          {`${found.length - shown.length} more`}
        </ShowMore>
      )}
    </Section>
  );
}

function ArtifactRow({ project, artifact }: { readonly project: string; readonly artifact: Artifact }) {
  const { path, title, date, status, problems } = artifact;
  return (
    <li>
      <Link to="/projects/$project/artifacts/$" params={{ project, _splat: path }} data-row className={rowClass}>
        <RowText
          title={<span className="font-serif">{plainTitle(title)}</span>}
          detail={<span className="font-mono text-12">{path}</span>}
          facts={
            <>
              {problems.length > 0 && <span className="text-failed">▲ cannot be read whole</span>}
              {status !== null && (
                <span className="max-w-[16ch] truncate" title={status}>
                  {status}
                </span>
              )}
              {date !== null && <TimeAgo at={date} />}
            </>
          }
        />
      </Link>
    </li>
  );
}

const openStates: ReadonlySet<string | null> = new Set(['pending', 'blocked', 'dispatched', 'in_progress']);

/** The record of an activity that is not over stands in the list of those. */
function isOpenRecord({ path, status }: Artifact): boolean {
  if (path.startsWith('.lore/commissions/')) return openStates.has(status);
  return path.startsWith('.lore/meetings/') && (status === 'open' || status === 'requested');
}

function isMeant({ title, path, tags, status }: Artifact, wanted: string): boolean {
  return [title, path, status ?? '', ...tags].some((text) => text.toLowerCase().includes(wanted));
}
