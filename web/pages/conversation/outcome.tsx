/** Under the thread: whether it goes on by itself, waits for the person, or is over. */
import { Link } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { Problem } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { membersOf, whyEnded, whyPaused } from '../../kit/terminal/conversation-words.ts';
import { Since, TimeAgo } from '../../kit/time.tsx';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import type { OutputOf } from '../../state/operations.ts';

type View = OutputOf<'conversation.show'>;

export interface OutcomeProps {
  readonly view: View;
  readonly extending: { readonly isBusy: boolean; readonly problem: ErrorFacts | undefined; readonly run: () => void };
  readonly onEnd: () => void;
}

export function Outcome({ view, extending, onEnd }: OutcomeProps) {
  const away = useAwayReason();
  const { state, pause, end, turns, members } = view.conversation;
  if (state === 'ended' && end !== null) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-3 border-t border-line pt-4 text-13 text-soft">
        <StateMark kind="done" word="ended" />
        <span>{whyEnded(end.reason, members)} What was said stays for 30 days.</span>
        <TimeAgo at={end.at} />
      </p>
    );
  }
  if (state === 'open') return <Going view={view} />;
  return (
    <section aria-label="Paused" className="flex flex-col gap-3 rounded-md bg-waiting-wash px-4 py-3.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-15 text-ink">
        <StateMark kind="waiting" word="Paused" />
        {pause && <span>{whyPaused(pause.why, turns)} Shall they go on?</span>}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={extending.isBusy} blockedBecause={away} onClick={extending.run}>
          Go on ({turns} more)
        </Button>
        <Button blockedBecause={away} onClick={onEnd}>
          End it
        </Button>
      </div>
      {extending.problem && <Problem facts={extending.problem} />}
    </section>
  );
}

/** Who is at work now, for how long: nothing is waited for without saying what. */
function Going({ view }: { readonly view: View }) {
  const { members } = view.conversation;
  const terminals = useRead('terminal.list', {}).data?.terminals ?? [];
  const busy = terminals.filter(
    ({ id, status }) => status === 'busy' && members.some(({ terminal }) => terminal === id),
  );
  const asking = terminals.filter(
    ({ id, status }) => status === 'dialog' && members.some(({ terminal }) => terminal === id),
  );
  return (
    <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-t border-line pt-4 text-13 text-soft">
      {busy.map(({ id, name, since }) => (
        <span key={id} className="inline-flex items-baseline gap-2">
          <StateMark kind="active" word={`${name} is busy`} isMoving />
          <Since at={since} />
        </span>
      ))}
      {asking.map(({ id, name, question }) => (
        <span key={id} className="inline-flex min-w-0 flex-wrap items-baseline gap-x-2">
          <StateMark kind="waiting" word={`${name} asks you`} />
          {question !== null && <span className="min-w-0 text-ink">{question.replaceAll(/\s+/g, ' ')}</span>}
          <Link to="/terminals/$id" params={{ id }} className="underline decoration-line underline-offset-2">
            Answer in its terminal
          </Link>
        </span>
      ))}
      {busy.length + asking.length === 0 && (
        <span>Open: {membersOf(members)} are quiet. It goes on with what either says.</span>
      )}
    </p>
  );
}
