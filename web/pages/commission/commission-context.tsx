/** Beside the commission: what it waits for and what waits for it, what it touches, its branches, and what runs. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CommissionStatus, CommissionView, RunningProcess } from '../../../src/features/commissions/contract.ts';
import { commissionState } from '../../kit/commission-state.ts';
import { Forecast } from '../../kit/forecast.tsx';
import { Section } from '../../kit/layout.tsx';
import { sayUsage } from '../../kit/money.ts';
import { ArtifactLink, PathName } from '../../kit/path-name.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { StateMark } from '../../kit/state-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { sayWholeUsage } from './figures.ts';
import { sayPen } from './log-fact.tsx';
import { Artifacts } from './result.tsx';

export function CommissionContext({ view }: { readonly view: CommissionView }) {
  const { commission, dependents, conflicts, branches, process } = view;
  const { project, path, maxTurns, maxBudgetUsd, usage } = commission;
  const limits = [
    maxTurns !== null && `${maxTurns} turns`,
    maxBudgetUsd !== null && `$${maxBudgetUsd.toFixed(2)}`,
  ].filter(Boolean);
  const used = usage === null ? undefined : sayUsage(usage);
  return (
    <>
      {conflicts.length > 0 && <Forecast project={project} conflicts={conflicts} />}
      <Needs view={view} />
      {dependents.length > 0 && (
        <Section title="Waits for this" count={dependents.length}>
          <ul className="flex flex-col">
            {dependents.map(({ id, title, status }) => (
              <li key={id}>
                <Neighbour project={project} id={id} title={title} status={status} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Artifacts view={view} />
      {process !== null && <Process process={process} />}
      {branches.length > 0 && (
        <Section title={branches.length === 1 ? 'Branch' : 'Branches'}>
          <ul className="flex flex-col gap-1">
            {branches.map((branch) => (
              <li key={branch}>
                <code className="font-mono text-12 text-ink">{branch}</code>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Facts">
        <dl className="flex flex-col gap-3 text-13">
          <Fact name="Created">
            {commission.createdBy === 'person' ? 'By you' : `By ${commission.createdBy}`},{' '}
            <TimeAgo at={commission.createdAt} />
          </Fact>
          {limits.length > 0 && <Fact name="At most">{limits.join(', ')}</Fact>}
          {used !== undefined && usage !== null && (
            <Fact name="Used">
              {used.startsWith('$') && `${used}; `}
              {sayWholeUsage(usage)}
            </Fact>
          )}
          <Fact name="Record">
            <ArtifactLink project={project} path={path} />
          </Fact>
        </dl>
      </Section>
    </>
  );
}

/** What it depends on, each with whether it is there. */
function Needs({ view }: { readonly view: CommissionView }) {
  const { project } = view.commission;
  if (view.dependencies.length === 0) return null;
  return (
    <Section title="Has to be there first" count={view.dependencies.length}>
      <ul className="flex flex-col">
        {view.dependencies.map(({ on, isThere, commission }) => (
          <li key={on}>
            {commission === null ? (
              <span className="flex flex-col">
                {isThere && on.startsWith('.lore/') ? (
                  <ArtifactLink project={project} path={on} />
                ) : (
                  <span title={on} className="flex min-h-8 items-center text-13 text-ink">
                    <PathName path={on} />
                  </span>
                )}
                <StateMark kind={isThere ? 'done' : 'idle'} word={isThere ? 'is there' : 'not there yet'} />
              </span>
            ) : (
              <Neighbour project={project} {...commission} isThere={isThere} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface NeighbourProps {
  readonly project: string;
  readonly id: string;
  readonly title: string;
  readonly status: CommissionStatus | null;
  /** It is completed and merged. */
  readonly isThere?: boolean;
}

function Neighbour({ project, id, title, status, isThere = false }: NeighbourProps) {
  const merge = { state: isThere ? ('merged' as const) : ('none' as const), files: [] };
  const facts = { status, merge, queuedAt: null, queue: null, process: null, openQuestions: 0, reviewedAt: '' };
  return (
    <Link
      to="/projects/$project/commissions/$id"
      params={{ project, id }}
      className="-mx-2 flex flex-col gap-0.5 rounded-md px-2 py-1.5 hover:bg-hover"
    >
      <span dir="auto" className="truncate text-13 text-ink" title={plainTitle(title)}>
        {plainTitle(title)}
      </span>
      <StateMark {...commissionState(facts)} />
    </Link>
  );
}

const beats = {
  healthy: { kind: 'active', word: 'alive' },
  stale: { kind: 'waiting', word: 'silent' },
  lost: { kind: 'failed', word: 'no sign of life' },
} as const;

function Process({ process }: { readonly process: RunningProcess }) {
  const { pid, startedAt, lastHeartbeat, heartbeat, sandbox, model, isRehearsal, worktree } = process;
  return (
    <Section title="Process">
      <dl className="flex flex-col gap-3 text-13">
        <Fact name="Heartbeat">
          <span className="flex items-baseline gap-2">
            <StateMark {...beats[heartbeat]} />
            <span className="text-12 text-faint">
              heard <TimeAgo at={lastHeartbeat} />
            </span>
          </span>
        </Fact>
        <Fact name="Kept apart">
          {sandbox === 'none' ? (
            <StateMark kind="waiting" word="not sandboxed" />
          ) : (
            <span className="text-ink">{sayPen(sandbox)}</span>
          )}
        </Fact>
        {model !== '' && <Fact name="Model">{isRehearsal ? 'the rehearsal' : model}</Fact>}
        <Fact name="Number">
          {pid}, since <TimeAgo at={startedAt} />
        </Fact>
        <Fact name="Folder">
          <code className="font-mono text-12">{worktree}</code>
        </Fact>
      </dl>
    </Section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-12 text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
