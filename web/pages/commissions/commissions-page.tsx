/** The commissions of a project, or of all: what runs, what waits and why, what came out; as lists and as a graph. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ListTree, Plus, Workflow } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { useIntent } from '../../app/intents.tsx';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { FilterBar, FilterChoice } from '../../kit/filter-bar.tsx';
import { ObjectHead, Page } from '../../kit/layout.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { CommissionGroups } from './commission-groups.tsx';
import { Graph } from './graph.tsx';
import { type Filter, groupNames, groupOf, groupTitles, isMeant } from './groups.ts';
import { LimitsLine } from './limits-line.tsx';
import type { CommissionsSearch } from './search.ts';

type List = OutputOf<'commission.list'>;

export function ProjectCommissionsPage() {
  const { project } = useParams({ from: '/projects/$project/commissions' });
  const search = useSearch({ from: '/projects/$project/commissions' });
  return <Commissions key={project} project={project} search={search} />;
}

export function AllCommissionsPage() {
  return <Commissions search={useSearch({ from: '/commissions' })} />;
}

interface CommissionsProps {
  /** Left out: those of all projects. */
  readonly project?: string;
  readonly search: CommissionsSearch;
}

function Commissions({ project, search }: CommissionsProps) {
  const show = useIntent();
  const away = useAwayReason();
  const list = useRead('commission.list', project === undefined ? {} : { project });
  const navigate = useNavigate();
  const change = (part: Partial<CommissionsSearch>) => {
    const next = { ...search, ...part };
    if (project === undefined) return inBackground(navigate({ to: '/commissions', search: next, replace: true }));
    const params = { project };
    return inBackground(navigate({ to: '/projects/$project/commissions', params, search: next, replace: true }));
  };
  // A graph is of one project; where there is only one, it is that.
  const drawn =
    project ?? (list.data?.limits.projects.length === 1 ? list.data.limits.projects[0]!.project : undefined);
  const isGraph = search.view === 'graph' && drawn !== undefined;
  useShortcut('v', 'As a graph, or as lists', () => change({ view: isGraph ? undefined : 'graph' }));
  return (
    <Page
      title={project === undefined ? 'Commissions' : `Commissions of ${project}`}
      head={
        <ObjectHead
          title="Commissions"
          facts={
            <>
              {project !== undefined && (
                <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline">
                  {project}
                </Link>
              )}
              {list.data && <LimitsLine limits={list.data.limits} project={project} />}
            </>
          }
          actions={
            <>
              {drawn !== undefined && (list.data?.commissions.length ?? 0) > 0 && (
                <Button
                  icon={isGraph ? ListTree : Workflow}
                  onClick={() => change({ view: isGraph ? undefined : 'graph' })}
                >
                  {isGraph ? 'As lists' : 'As a graph'}
                </Button>
              )}
              <Button
                tone="primary"
                icon={Plus}
                blockedBecause={away}
                onClick={() => show({ kind: 'commission', project })}
              >
                Write a commission
              </Button>
            </>
          }
        />
      }
    >
      {list.problem && (
        <div className="max-w-2xl px-4 py-6 phone:px-8">
          <Problem facts={list.problem} />
        </div>
      )}
      {isGraph ? (
        <Graph project={drawn} />
      ) : (
        <div className="flex flex-col gap-8 px-4 py-6 phone:px-8">
          {list.isLoading && !list.problem && <Skeleton lines={6} label="Reading the commissions" />}
          {list.data && <Lists list={list.data} project={project} search={search} onSearch={change} />}
        </div>
      )}
    </Page>
  );
}

interface ListsProps {
  readonly list: List;
  readonly project: string | undefined;
  readonly search: CommissionsSearch;
  readonly onSearch: (part: Partial<CommissionsSearch>) => void;
}

function Lists({ list, project, search, onSearch }: ListsProps) {
  const show = useIntent();
  const away = useAwayReason();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(search.words ?? '');
  useShortcut('f', 'Filter the commissions', () => field.current?.focus());
  const filter: Filter = { worker: search.worker, state: search.state, words: useDeferredValue(words) };
  if (list.commissions.length === 0 && list.problems.length === 0) {
    return (
      <Empty
        icon={Workflow}
        action={
          <Button blockedBecause={away} onClick={() => show({ kind: 'commission', project })}>
            Write the first one
          </Button>
        }
      >
        No commission yet. Say what is to be there in the end; a worker goes away, brings it about on a branch of its
        own, and you look at what came out.
      </Empty>
    );
  }
  const found = list.commissions.filter((row) => isMeant(row, filter));
  return (
    <>
      <FilterBar
        label="Filter the commissions"
        field={field}
        words={words}
        onWords={(next) => {
          setWords(next);
          onSearch({ words: next === '' ? undefined : next });
        }}
      >
        <Choices list={list} search={search} onSearch={onSearch} />
      </FilterBar>
      {found.length === 0 && list.commissions.length > 0 && (
        <p className="text-15 text-soft">
          No commission fits the filter.{' '}
          <button
            type="button"
            className="underline hover:text-ink"
            onClick={() => {
              setWords('');
              onSearch({ words: undefined, worker: undefined, state: undefined });
            }}
          >
            Show all of them
          </button>
        </p>
      )}
      <CommissionGroups
        rows={found}
        titles={new Map(list.commissions.map(({ id, title }) => [id, title]))}
        showsProject={project === undefined && list.limits.projects.length > 1}
      />
      {list.problems.map(({ file, line, message }) => (
        <p key={`${file}:${line}`} className="text-13 text-soft">
          <span className="text-failed">▲ Cannot be read:</span>{' '}
          <code className="font-mono text-12">
            {file}:{line}
          </code>{' '}
          {message}
        </p>
      ))}
    </>
  );
}

/** Only what there is can be chosen, and what was chosen before. */
function Choices({ list, search, onSearch }: Pick<ListsProps, 'list' | 'search' | 'onSearch'>) {
  const workers = [...new Set(list.commissions.map(({ worker }) => worker))].toSorted();
  const states = new Set(list.commissions.map(groupOf));
  const shown = groupNames.filter((name) => states.has(name) || name === search.state);
  return (
    <>
      <FilterChoice
        label="State"
        value={search.state ?? ''}
        onChange={(value) => onSearch({ state: groupNames.find((name) => name === value) })}
        options={[
          { value: '', label: 'Every state' },
          ...shown.map((name) => ({ value: name, label: groupTitles[name] })),
        ]}
      />
      {(workers.length > 1 || search.worker !== undefined) && (
        <FilterChoice
          label="Worker"
          value={search.worker ?? ''}
          onChange={(value) => onSearch({ worker: value === '' ? undefined : value })}
          options={[{ value: '', label: 'Every worker' }, ...workers.map((name) => ({ value: name, label: name }))]}
        />
      )}
    </>
  );
}
