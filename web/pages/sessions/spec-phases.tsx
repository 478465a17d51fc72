/** The phases of a context: its sessions in their order, and what they left in the spec's folder. */
import { Link } from '@tanstack/react-router';
import type { SpecPhase } from '../../../src/features/contexts/contract.ts';
import type { SessionInfo, SessionList } from '../../../src/features/sessions/contract.ts';
import { Section } from '../../kit/layout.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { StateMark, type StateMarkProps } from '../../kit/state-mark.tsx';
import { Problem } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { useRead } from '../../state/hall.tsx';
import { sessionMark } from '../../kit/session-words.ts';

export interface SpecPhasesProps {
  readonly project: string;
  /** Of the session that is shown. */
  readonly id: string;
  readonly context: { readonly id: string; readonly name: string };
  readonly list: SessionList | undefined;
}

export function SpecPhases({ project, id, context, list }: SpecPhasesProps) {
  const ids = list?.metaContexts.find((each) => each.id === context.id)?.sessionIds ?? [];
  const phases = ids.flatMap((each) => list?.sessions.find((session) => session.id === each) ?? []);
  const { data: shown, problem } = useRead('context.show', { project, name: context.id });
  return (
    <>
      {problem && <Problem facts={problem} />}
      {shown?.phases && <SpecFiles phases={shown.phases} />}
      <Section title="Its sessions" count={phases.length}>
        <ol aria-label="Its sessions" className="flex flex-col">
          {phases.map((phase) => (
            <li key={phase.id}>
              <PhaseRow project={project} phase={phase} isShown={phase.id === id} />
            </li>
          ))}
        </ol>
        {phases.length < ids.length && <p className="text-13 text-faint">{sayGone(ids.length - phases.length)}</p>}
      </Section>
    </>
  );
}

const phaseMarks: Readonly<Record<SpecPhase['state'], StateMarkProps>> = {
  done: { kind: 'done', word: 'done' },
  open: { kind: 'idle', word: 'to come' },
  unreadable: { kind: 'failed', word: 'unclear' },
  untold: { kind: 'note', word: 'code' },
};

/** How far the spec is, by what stands in its folder. */
function SpecFiles({ phases }: { readonly phases: readonly SpecPhase[] }) {
  return (
    <Section title="Spec">
      <ol aria-label="Phases of the spec" className="flex flex-col gap-2">
        {phases.map(({ command, title, file, state, note }) => (
          <li key={command} className="flex items-baseline gap-3 text-13">
            <span className="w-20 shrink-0">
              <StateMark {...phaseMarks[state]} />
            </span>
            <span className="min-w-0 flex-1" title={file ?? undefined}>
              <span className="text-ink">{title}</span>
              <span className="block truncate text-12 text-faint">
                {[command, note].filter((each) => each !== '').join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function sayGone(count: number): string {
  return count === 1 ? 'One more was removed.' : `${count} more were removed.`;
}

interface PhaseRowProps {
  readonly project: string;
  readonly phase: SessionInfo;
  readonly isShown: boolean;
}

function PhaseRow({ project, phase, isShown }: PhaseRowProps) {
  return (
    <Link
      to="/projects/$project/sessions/$id"
      params={{ project, id: phase.id }}
      search={{}}
      data-row
      aria-current={isShown ? 'true' : undefined}
      className={`-mx-2 flex min-h-9 items-baseline gap-3 rounded-md px-2 py-1.5 text-13 hover:bg-hover ${isShown ? 'bg-hover font-medium' : ''}`}
    >
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
        {plainTitle(phase.title)}
      </span>
      {phase.state === 'idle' ? <TimeAgo at={phase.lastAt} /> : <StateMark {...sessionMark(phase.state)} />}
    </Link>
  );
}
