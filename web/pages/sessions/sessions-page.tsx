/** The sessions of a project: beginning one, and those that there are. */
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Page, Section } from '../../kit/layout.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { Rows } from '../../kit/rows.tsx';
import { EntryRow } from '../../kit/session-row.tsx';
import { ShowMore } from '../../kit/show-more.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';
import { setHidden, useHidden } from './hidden.ts';
import { NewSession } from './new-session.tsx';
import { entriesOf, type Entry } from '../../kit/session-entries.ts';
import { Picker } from './picker.tsx';

export function SessionsPage() {
  const { project } = useParams({ from: '/projects/$project/sessions' });
  const { context } = useSearch({ from: '/projects/$project/sessions' });
  const { data: list, problem, isLoading } = useRead('session.list', { project });
  const entries = useMemo(() => list && entriesOf(list), [list]);
  const lost = entries?.contexts.find(({ id, session }) => id === context && session === undefined);
  const count = (entries?.contexts.length ?? 0) + (entries?.sessions.length ?? 0);
  return (
    <Page
      title={`Sessions of ${project}`}
      head={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="flex min-w-0 flex-[1_1_12rem] flex-col gap-1">
            <h1 className="font-serif text-18 font-semibold phone:text-24">Sessions</h1>
            <p className="text-13 text-faint">
              <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline">
                {project}
              </Link>
            </p>
          </div>
          <div className="min-w-0 flex-[1_1_15rem] phone:max-w-md">
            <Picker project={project} list={list} />
          </div>
        </div>
      }
    >
      <div className="mx-auto flex w-full max-w-[47rem] flex-col gap-10 px-4 py-8 phone:px-8">
        {problem && <Problem facts={problem} />}
        {lost && (
          <p role="status" className="rounded-md bg-waiting-wash px-3 py-2.5 text-15 text-ink">
            No session of “{plainTitle(lost.label)}” is left. What it wrote is in the project; begin a new session to go
            on with it.
          </p>
        )}
        <NewSession project={project} teaches={list !== undefined && count === 0} />
        {isLoading && !problem && <Skeleton lines={4} label="Reading the sessions" />}
        {entries && count === 0 && (
          <Empty icon={MessagesSquare}>
            No session yet. A session is a talk with one agent in the folder of this project: it reads and writes the
            files that you see there, and asks you for what it may not do.
          </Empty>
        )}
        {entries && count > 0 && (
          <>
            <Group title="Specs" project={project} entries={entries.contexts} />
            <Group title="Sessions" project={project} entries={entries.sessions} />
          </>
        )}
      </div>
    </Page>
  );
}

/** So many are shown before the rest is asked for. */
const atFirst = 12;

function Group({
  title,
  project,
  entries,
}: {
  readonly title: string;
  readonly project: string;
  readonly entries: readonly Entry[];
}) {
  const hidden = useHidden(project);
  const [limit, setLimit] = useState(atFirst);
  if (entries.length === 0) return null;
  const shown = entries.slice(0, limit);
  return (
    <Section title={title} count={entries.length}>
      <Rows label={title}>
        {shown.map((entry) => (
          <li key={entry.id} className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <EntryRow project={project} entry={entry} isHidden={hidden.has(entry.id)} />
            </div>
            {hidden.has(entry.id) && (
              <Button tone="quiet" onClick={() => setHidden(project, entry.id, false)}>
                Show in the picker
              </Button>
            )}
          </li>
        ))}
      </Rows>
      {shown.length < entries.length && (
        <ShowMore shown={shown.length} onShow={() => setLimit(limit + 50)}>
          {`${entries.length - shown.length} more`}
        </ShowMore>
      )}
    </Section>
  );
}
