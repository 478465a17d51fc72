/** The sessions of a project: what went on last, contexts and sessions together. */
import { Link } from '@tanstack/react-router';
import { MessageSquareCode } from 'lucide-react';
import { useMemo } from 'react';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { entriesOf } from '../../kit/session-entries.ts';
import { EntryRow } from '../../kit/session-row.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';

/** So many are shown; the rest is on their own page. */
const atFirst = 5;

export function SessionList({ project }: { readonly project: string }) {
  const { data, problem, isLoading } = useRead('session.list', { project });
  const all = useMemo(() => {
    if (data === undefined) return [];
    const { contexts, sessions } = entriesOf(data);
    const at = (entry: (typeof sessions)[number]) => entry.session?.lastAt ?? '';
    return [...contexts, ...sessions].toSorted((one, other) => at(other).localeCompare(at(one)));
  }, [data]);
  const link = (words: string) => (
    <Link
      to="/projects/$project/sessions"
      params={{ project }}
      search={{}}
      className="text-13 text-soft hover:text-ink hover:underline"
    >
      {words}
    </Link>
  );
  return (
    <Section title="Sessions" count={all.length} action={all.length > 0 && link('All sessions')}>
      {problem && <Problem facts={problem} />}
      {isLoading && !problem && <Skeleton lines={2} />}
      {data && all.length === 0 && (
        <Empty icon={MessageSquareCode} action={link('Begin a session')}>
          No session yet. In one, you talk with an agent that works in this folder; the pipeline from research to code
          is a row of them.
        </Empty>
      )}
      {all.length > 0 && (
        <Rows label="Sessions">
          {all.slice(0, atFirst).map((entry) => (
            <li key={entry.id}>
              <EntryRow project={project} entry={entry} />
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}
