/** What is true of the whole hall and the person should know before anything else. */
import { Link } from '@tanstack/react-router';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { useRead, useLinkState } from '../state/hall.tsx';
import { Button } from '../kit/button.tsx';
import { withCommands } from '../kit/states.tsx';
import { sayDuration, useNow } from '../kit/time.tsx';

export function Banners() {
  const state = useLinkState();
  return (
    <>
      {state.kind === 'live' && state.isNewer && <Newer />}
      <Rehearsal />
    </>
  );
}

/** Whether the hall answers; for the place below the head, where it is seen however far the page is scrolled. */
export function AwayNotice() {
  const state = useLinkState();
  return state.kind === 'down' && <Away {...state} />;
}

/** Said after a moment only: a hall that restarts is back before anybody has read it. */
function Away({ since, reason }: { readonly since: number; readonly reason?: ErrorFacts }) {
  const awayMs = useNow() - since;
  if (awayMs < 1500) return null;
  return (
    <p
      role="status"
      className="flex items-baseline gap-2 border-b border-line bg-failed-wash px-4 py-2 text-13 phone:px-8"
    >
      <span aria-hidden className="text-failed">
        ▲
      </span>
      {reason ? (
        <span>
          {reason.message} {withCommands(reason.hint)}
        </span>
      ) : (
        <span>
          {/* Read out once, not every second. */}
          The hall has not answered<span aria-hidden> for {sayDuration(awayMs)}</span>. What you see stays, what you
          write is kept, and the page comes back by itself. To start it:{' '}
          <code className="font-mono text-12">guild-hall up</code>
        </span>
      )}
    </p>
  );
}

function Newer() {
  return (
    <aside aria-label="A newer version">
      <p role="status" className="flex items-center gap-3 bg-waiting-wash px-4 py-1.5 text-13 phone:px-8">
        <span aria-hidden className="text-note">
          ◆
        </span>
        The hall was updated; this page is of the version before.
        <Button tone="plain" className="h-7" onClick={() => location.reload()}>
          Reload
        </Button>
      </p>
    </aside>
  );
}

function Rehearsal() {
  const { data } = useRead('status', {});
  if (data?.model.isRehearsal !== true) return null;
  return (
    <aside aria-label="Rehearsal">
      <p className="flex items-baseline gap-2 border-b border-line bg-sunk px-4 py-1.5 text-12 text-soft phone:px-8">
        <span aria-hidden className="text-note">
          ◆
        </span>
        <span>
          Rehearsal: answers come from the project’s own files.{' '}
          <Link to="/settings" className="underline decoration-line-strong underline-offset-2 hover:text-ink">
            How to add a model
          </Link>
        </span>
      </p>
    </aside>
  );
}
