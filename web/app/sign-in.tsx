/** Where nobody is known: takes the secret of a one-time link, or says how to get a link. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { Problem, Skeleton } from '../kit/states.tsx';
import { useHall, useLinkState } from '../state/hall.tsx';
import { inBackground } from '../state/background.ts';
import { connect } from '../state/link.ts';
import { factsOf, onTokenKept, signIn } from '../state/session.ts';

export function SignIn() {
  const { link } = useHall();
  const state = useLinkState();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<ErrorFacts>();
  const [isTrying, setTrying] = useState(location.hash.length > 1);
  useEffect(() => {
    document.title = 'Sign in · Guild Hall';
    const secret = location.hash.slice(1);
    if (secret === '') {
      // Somebody who is signed in already and comes back to the old address.
      if (link.state.kind !== 'signed-out') inBackground(navigate({ to: '/', replace: true }));
      return;
    }
    // The secret is gone from the address, and from the history, before it is spent.
    history.replaceState(null, '', location.pathname);
    const spend = async () => {
      try {
        await signIn(secret);
        await connect(link);
        await navigate({ to: '/', replace: true });
      } catch (error) {
        setProblem(
          error instanceof TypeError
            ? {
                code: 'unavailable',
                message: 'The hall does not answer.',
                hint: 'Start it with `guild-hall up`, then open a new link.',
              }
            : factsOf(error),
        );
        setTrying(false);
      }
    };
    inBackground(spend());
  }, [link, navigate]);
  useEffect(() => onTokenKept(() => inBackground(connect(link))), [link]);
  const shown = problem ?? (state.kind === 'signed-out' ? state.reason : null);
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-6 py-16">
      <img src="/app/mark.svg" alt="" width={40} height={40} />
      <h1 className="font-serif text-32 font-semibold">Guild Hall</h1>
      {isTrying && problem === undefined ? (
        <Skeleton lines={2} label="Signing in" />
      ) : (
        <>
          {shown && <Problem facts={shown} />}
          <div className="flex flex-col gap-3 text-15 text-soft">
            <p>
              {shown ? 'To sign in, type in' : 'This browser is not signed in. Type in'} a terminal on this machine:
            </p>
            <pre className="rounded-md bg-sunk px-4 py-3 font-mono text-13 text-ink">guild-hall open</pre>
            <p>
              It opens a link that works once. In a clone of the repository it is{' '}
              <code className="font-mono text-13">npx guild-hall open</code>.
            </p>
          </div>
        </>
      )}
    </main>
  );
}
