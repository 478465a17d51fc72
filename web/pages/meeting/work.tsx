/** What the meeting made: artifacts and changed files, each leading to where it can be read. */
import { Link } from '@tanstack/react-router';
import { FileDiff, FileText } from 'lucide-react';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import { Forecast } from '../../kit/forecast.tsx';
import { Section } from '../../kit/layout.tsx';
import { ArtifactLink, lineClass, PathName } from '../../kit/path-name.tsx';
import { sayStatus } from '../../kit/diff/diff.ts';

/** So many changed files are named; all of them are among the changes. */
const namedFiles = 12;

export function Work({ view }: { readonly view: MeetingView }) {
  const { meeting, artifacts, changedFiles } = view;
  const { project, id } = meeting;
  const here = { to: '/projects/$project/meetings/$id', params: { project, id }, resetScroll: false } as const;
  const known = new Set(artifacts.map(({ path }) => path));
  // Of a meeting that is merged the record names what came of it.
  const merged = meeting.merge.state === 'merged' ? meeting.linkedArtifacts.filter((path) => !known.has(path)) : [];
  const files = changedFiles.filter(({ path }) => !known.has(path));
  return (
    <>
      {view.conflicts.length > 0 && <Forecast project={project} conflicts={view.conflicts} />}
      {artifacts.length + merged.length > 0 && (
        <Section title="Artifacts" count={artifacts.length + merged.length}>
          <ul className="flex flex-col">
            {artifacts.map(({ path, title, status }) => (
              <li key={path}>
                {status === 'same' ? (
                  <ArtifactLink project={project} path={path} title={title} />
                ) : (
                  <Link {...here} search={{ artifact: path }} title={path} className={lineClass}>
                    <FileText aria-hidden size={14} className="shrink-0 text-note" />
                    <span className="min-w-0 flex-1 truncate">{title}</span>
                    <span className="shrink-0 text-12 text-note">{status}</span>
                  </Link>
                )}
              </li>
            ))}
            {merged.map((path) => (
              <li key={path}>
                <ArtifactLink project={project} path={path} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {changedFiles.length > 0 && (
        <Section
          title="Changes"
          count={changedFiles.length}
          action={
            <Link {...here} search={{ changes: 'all' }} className="text-13 text-soft underline hover:text-ink">
              Read them
            </Link>
          }
        >
          <ul className="flex flex-col">
            {files.slice(0, namedFiles).map(({ path, status }) => (
              <li key={path}>
                <Link {...here} search={{ changes: path }} title={path} className={lineClass}>
                  <FileDiff aria-hidden size={14} className="shrink-0 text-faint" />
                  <PathName path={path} />
                  <span className="flex-1" />
                  <span className="shrink-0 text-12 text-faint">{sayStatus(status)}</span>
                </Link>
              </li>
            ))}
          </ul>
          {files.length > namedFiles && <p className="text-12 text-faint">and {files.length - namedFiles} more</p>}
        </Section>
      )}
    </>
  );
}
