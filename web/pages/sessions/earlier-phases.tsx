/** What stands above a session: the sessions that led to it, as far as they are asked for. */
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronUp } from 'lucide-react';
import { useCallback } from 'react';
import type { SessionInfo, SessionState } from '../../../src/features/sessions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { Skeleton, Unread } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { loadEarlier, useSession, useShownSession } from '../../state/agent-session.ts';
import { inBackground } from '../../state/background.ts';
import { useHall } from '../../state/hall.tsx';
import { readLiveAgain } from '../../state/live-view.ts';
import { SessionMessages } from './chat/session-messages.tsx';
import { useRenderNext } from './next-clicks.tsx';
import { phasesAbove } from './phases.ts';

export interface EarlierPhasesProps {
  readonly project: string;
  readonly session: Pick<SessionState, 'id' | 'title' | 'createdAt'>;
  readonly earlier: readonly SessionInfo[];
  /** Id of the earliest of them that is shown. */
  readonly above: string | undefined;
}

export function EarlierPhases({ project, session, earlier, above }: EarlierPhasesProps) {
  const navigate = useNavigate();
  const shown = phasesAbove(earlier, above);
  const next = earlier[earlier.length - shown.length - 1];
  if (earlier.length === 0) return null;
  const show = () => {
    if (next === undefined) return;
    inBackground(
      navigate({
        to: '/projects/$project/sessions/$id',
        params: { project, id: session.id },
        search: { above: next.id },
        replace: true,
        resetScroll: false,
      }),
    );
  };
  return (
    <>
      {next !== undefined && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-faint">
          <Button tone="quiet" icon={ChevronUp} onClick={show} className="-ml-3">
            {shown.length === 0 ? 'Show earlier phases' : 'Show the phase before'}
          </Button>
          {sayLeft(earlier.length - shown.length)}
        </p>
      )}
      {shown.map((phase) => (
        <PastPhase key={phase.id} project={project} phase={phase} />
      ))}
      {shown.length > 0 && <PhaseHead title={session.title} at={session.createdAt} />}
    </>
  );
}

function sayLeft(count: number): string {
  return count === 1 ? 'One session led to this one.' : `${count} sessions led to this one.`;
}

interface PhaseHeadProps {
  readonly title: string;
  readonly at: string;
  readonly project?: string;
  /** Of the session, where it is another one than the page's. */
  readonly id?: string;
}

function PhaseHead({ title, at, project, id }: PhaseHeadProps) {
  const words = <span dir="auto">{plainTitle(title)}</span>;
  return (
    <div className="flex items-baseline gap-3 border-t border-line pt-3 text-13 text-faint">
      <h2 className="min-w-0 flex-1 truncate font-semibold text-soft">
        {project === undefined || id === undefined ? (
          words
        ) : (
          <Link
            to="/projects/$project/sessions/$id"
            params={{ project, id }}
            search={{}}
            className="hover:text-ink hover:underline"
          >
            {words}
          </Link>
        )}
      </h2>
      <TimeAgo at={at} />
    </div>
  );
}

function PastPhase({ project, phase }: { readonly project: string; readonly phase: SessionInfo }) {
  const client = useHall();
  const store = useSession(project, phase.id);
  const view = useShownSession(store, (state) => state.view);
  const problem = useShownSession(store, (state) => state.problem);
  const renderNext = useRenderNext(store, true);
  const more = useCallback(() => loadEarlier(client, store), [client, store]);
  return (
    <section aria-label={`Earlier: ${plainTitle(phase.title)}`} className="flex flex-col gap-8">
      <PhaseHead title={phase.title} at={phase.createdAt} project={project} id={phase.id} />
      {problem && <Unread facts={problem} onAgain={() => readLiveAgain(store)} />}
      {view === undefined && !problem && <Skeleton lines={4} label="Reading the earlier session" />}
      {view && (
        <SessionMessages
          session={view.session}
          earlier={view.earlier}
          onEarlier={more}
          renderNext={renderNext}
          isPast
        />
      )}
    </section>
  );
}
