/** The work beside the talk: what the agent plans, what it changed, and how far the spec is. */
import type { SessionList } from '../../../src/features/sessions/contract.ts';
import { Section } from '../../kit/layout.tsx';
import { StateMark, type StateMarkProps } from '../../kit/state-mark.tsx';
import { type SessionStore, useShownSession } from '../../state/agent-session.ts';
import { ChangedFiles } from './changed-files.tsx';
import { SpecPhases } from './spec-phases.tsx';

export interface WorkspaceProps {
  readonly project: string;
  readonly store: SessionStore;
  readonly list: SessionList | undefined;
}

export function Workspace({ project, store, list }: WorkspaceProps) {
  const id = useShownSession(store, ({ view }) => view?.session.id);
  const context = useShownSession(store, ({ view }) => view?.session.metaContext ?? null);
  if (id === undefined) return null;
  return (
    <>
      <Plan store={store} />
      {context !== null && <SpecPhases project={project} id={id} context={context} list={list} />}
      <ChangedFiles project={project} id={id} store={store} />
    </>
  );
}

const isDone = ({ status }: { readonly status: string }) => marks[status]?.kind === 'done';

const marks: Readonly<Record<string, StateMarkProps>> = {
  pending: { kind: 'idle', word: 'to do' },
  in_progress: { kind: 'active', word: 'now' },
  running: { kind: 'active', word: 'now' },
  completed: { kind: 'done', word: 'done' },
  done: { kind: 'done', word: 'done' },
};

function Plan({ store }: { readonly store: SessionStore }) {
  const plan = useShownSession(store, ({ view }) => view?.session.plan ?? none);
  if (plan.length === 0) return null;
  const done = plan.filter(isDone).length;
  return (
    <Section title="Plan">
      <p className="sr-only">{`${done} of ${plan.length} done`}</p>
      <ol className="flex flex-col gap-2">
        {plan.map(({ text, status }, nth) => (
          <li key={nth} className="flex items-baseline gap-3 text-13">
            <span className="w-14 shrink-0">
              <StateMark {...(marks[status] ?? { kind: 'idle', word: status })} />
            </span>
            <span dir="auto" className={`min-w-0 ${isDone({ status }) ? 'text-faint' : 'text-ink'}`}>
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const none: readonly { readonly text: string; readonly status: string }[] = [];
